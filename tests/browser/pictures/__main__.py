"""``make pictures``: every picture of the documents and every icon, taken anew from the running program.

``python -m tests.browser.pictures [NAME ...]`` takes only those of these names.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, PATIENCE, Server, find_chromium
from tests.browser.pictures import ludus
from tests.browser.pictures.icons import STATIC, draw_icons
from tests.browser.pictures.watching import film

PICTURES = Path(__file__).resolve().parents[3] / "docs" / "pictures"
PLIES = {"zeno": 8, "rithmomachia": 3}  # throws and moves of a board's sample before its picture


def watching(folder: Path, _: Browser) -> None:
    """Film the sample table from its camera, with what was read."""
    server = _served(folder, "--sample", ludus.SAMPLE)
    film(server, PICTURES / "watching.webp")
    server.stop()


def page(folder: Path, browser: Browser) -> None:
    """Take the table's page of the sample after a virtue was won."""
    server = _served(folder, "--sample", ludus.SAMPLE)
    shown = _opened(browser, server, "/")
    (PICTURES / "ludus.png").write_bytes(_small(ludus.picture(server, shown)))
    server.stop()


def zeno(folder: Path, browser: Browser) -> None:
    """Take the page of a game of tables in its sample, with what the camera sees beside the board."""
    _board(folder, browser, "zeno")


def rithmomachia(folder: Path, browser: Browser) -> None:
    """Take the page of Rithmomachia in its sample."""
    _board(folder, browser, "rithmomachia")


def start(folder: Path, browser: Browser) -> None:
    """Take the start page."""
    server = _served(folder)
    (PICTURES / "start.png").write_bytes(_small(_opened(browser, server, "/start").screenshot()))
    server.stop()


def icons(_: Path, browser: Browser) -> None:
    """Draw the icons of the page as an app."""
    draw_icons(browser, STATIC / "icons")


TAKEN: dict[str, Callable[[Path, Browser], None]] = {
    one.__name__: one for one in (watching, page, zeno, rithmomachia, start, icons)
}


def _board(folder: Path, browser: Browser, name: str) -> None:
    server = _served(folder, "--sample", name)
    shown = _opened(browser, server, "/")
    taken = b""
    while not taken or server.state()["state"] != "SYNCED":  # the next hand may have come before the page was taken
        _until(server, lambda state: len(state["log"]) >= PLIES[name] and state["state"] == "SYNCED")
        shown.wait_for_function("now => Number(document.body.dataset.ready) >= now", arg=server.state()["version"])
        taken = shown.screenshot()
    (PICTURES / f"{name}.png").write_bytes(_small(taken))
    server.stop()


def _served(folder: Path, *options: str) -> Server:
    server = Server(folder / "journal.db", options)
    server.start()
    return server


def _opened(browser: Browser, server: Server, path: str) -> Page:
    opened = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")  # nothing is half-way
    opened.set_default_timeout(PATIENCE * 1000)
    opened.goto(server.address + path)
    opened.wait_for_selector("body[data-ready]")
    return opened


def _until(server: Server, good: Callable[[Any], bool]) -> None:
    until = time.monotonic() + ludus.SECONDS
    while not good(server.state()):
        if time.monotonic() > until:
            raise TimeoutError(f"The table did not come to this state within {ludus.SECONDS} seconds.")
        time.sleep(0.2)


def _small(png: bytes) -> bytes:
    """Return a page's picture in 256 colours, a third of the bytes; an octree keeps those of outlines and men."""
    out, whole = BytesIO(), Image.open(BytesIO(png)).convert("RGB").resize((960, 600), Image.Resampling.LANCZOS)
    whole.quantize(method=Image.Quantize.FASTOCTREE).save(out, "PNG", optimize=True)
    return out.getvalue()


def main(names: list[str]) -> None:
    """Take the pictures of these names, by default all."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        for name in names or TAKEN:
            with tempfile.TemporaryDirectory() as folder:
                TAKEN[name](Path(folder), browser)
            print(f"{name}: taken")  # noqa: T201 - a command
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
