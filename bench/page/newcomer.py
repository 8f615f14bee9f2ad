"""A newcomer's paths in Chromium, in five sizes of window, with taps and seconds; and how high boards are drawn.

Three paths: from starting the sample table to the first throw of a match of one's own; on to the end of a Ludix against
the program; and to the first throw that a camera reads, which sees the sample's pictures.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from companion.vision.images import load_image
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import ARGUMENTS, Server, find_chromium
from tests.browser.filmed_match import HAND, picture, script

SIZES: Final = ((1280, 800), (390, 844), (768, 1024), (1920, 1080), (1080, 1920))
DESKS: Final = ((1920, 1080), (1280, 800))
PATIENCE: Final = 240.0
"""Seconds for one path on a busy machine; then it counts as not finished."""

ENOUGH: Final = 600
"""Taps after which a match counts as not finished."""

BOARDS: Final = {
    "ludus-regularis": ("Ludus Regularis", ".rim"),
    "tables/zeno": ("tables", "#men svg"),
    "rithmomachia/durnil-guardia": ("Rithmomachia", "#men svg"),
}


class Person:
    """Somebody before a page, who counts their own taps."""

    def __init__(self, page: Page) -> None:
        page.set_default_timeout(PATIENCE * 1000)
        self.page = page
        self.taps = 0

    def visit(self, address: str) -> None:
        """Open a page and wait until it answers taps."""
        self.page.goto(address)
        self.page.wait_for_selector("body[data-ready]")

    def tap(self, what: Locator) -> None:
        """Tap something that can be seen, or scrolled to."""
        what.click()
        self.taps += 1


def thrown(server: Server) -> int:
    """Return how many throws the open match has."""
    return sum(line["kind"] in {"throw", "recast"} for line in server.state().get("log", ()))


def until(reached: Callable[[], bool]) -> bool:
    """Wait for something, and return whether it came."""
    end = time.monotonic() + PATIENCE
    while not reached():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def play_now(browser: Browser, folder: Path, size: tuple[int, int]) -> dict[str, Any]:
    """Start the sample table, play at once, throw, and play on until the match is over."""
    began = time.monotonic()
    server = Server(folder / f"{size[0]}.db", ("--sample", "ludus-regularis"))
    server.start()
    person = Person(browser.new_page(viewport={"width": size[0], "height": size[1]}))
    try:
        person.visit(f"{server.address}/start")
        seen = time.monotonic()
        person.tap(person.page.locator("#play-now"))
        throw = person.page.get_by_role("button", name="Throw", exact=True)
        person.tap(throw)
        until(lambda: thrown(server) > 0)
        now = time.monotonic()
        report = {"taps": person.taps, "s": round(now - seen, 1), "s_from_command": round(now - began, 1)}
        return report | _to_the_end(server, person, throw, seen)
    finally:
        person.page.close()
        server.stop()


def _to_the_end(server: Server, person: Person, throw: Locator, seen: float) -> dict[str, Any]:
    """Throw and stop by the page's buttons until the match is over."""
    stop = person.page.locator("[data-focus^='choice-'][data-focus$=' stop']:enabled").first
    ready = throw.and_(person.page.locator(":enabled")).or_(stop).or_(person.page.locator("#outcome:visible")).first
    while person.taps < ENOUGH and not server.state()["outcome"]:
        ready.wait_for()
        version = person.page.evaluate("document.body.dataset.ready")
        if stop.is_visible():
            person.tap(stop)
        elif throw.is_visible() and throw.is_enabled():
            person.tap(throw)
        else:
            continue
        person.page.wait_for_function("before => document.body.dataset.ready !== before", arg=version)
    over = bool(server.state()["outcome"])
    return {"match_over": over, "match_taps": person.taps, "match_s": round(time.monotonic() - seen, 1)}


def fed_camera(browser: Browser, folder: Path, size: tuple[int, int]) -> dict[str, Any]:
    """Make this device the camera, begin a Ludus in another window, and throw before the camera."""
    report = script("ludus-regularis")
    film = [picture("ludus-regularis", moment["image"]) for moment in report["timeline"]]
    camera = ChromiumCamera(folder / f"{size[0]}.y4m", load_image(film[0]))
    chromium = find_chromium()
    assert chromium, "there is no Chromium on this machine; name one by ALEA_CHROMIUM"
    server = Server(folder / f"camera{size[0]}.db", ("--camera", "push"))
    server.start()
    try:
        with camera.launch(browser, chromium) as filming:
            context = filming.new_context(viewport={"width": size[0], "height": size[1]})
            lens, table = Person(context.new_page()), Person(context.new_page())
            lens.visit(f"{server.address}/start")
            seen = time.monotonic()
            lens.tap(lens.page.get_by_role("link", name="Use my camera"))
            lens.page.wait_for_selector("body.at-camera[data-ready]")
            lens.tap(lens.page.get_by_role("button", name="Start the camera"))
            lens.page.get_by_text("pictures sent").wait_for()
            table.visit(f"{server.address}/start")
            table.tap(table.page.locator("a.start-card[href*='ludus-regularis']"))
            table.page.wait_for_selector("#new-form")
            table.page.wait_for_selector("body[data-ready]")
            table.tap(table.page.locator("#new-form button[type=submit]"))
            table.page.wait_for_selector("#controls")
            until(lambda: server.state()["match"] is not None)
            for moment in report["timeline"][: _first_throw(report["timeline"])]:
                camera.film(picture("ludus-regularis", moment["image"]))
                time.sleep(HAND)
            until(lambda: thrown(server) > 0 or server.state()["ask"] is not None)
            asked = server.state()["ask"] is not None
            if asked:
                _answer(table, report["casts"][0]["faces"])
            committed = until(lambda: thrown(server) > 0)
            seconds = round(time.monotonic() - seen, 1)
    finally:
        server.stop()
    return {"taps": lens.taps + table.taps, "s": seconds, "committed": committed, "asked": asked}


def _answer(person: Person, faces: Mapping[str, str]) -> None:
    """Answer what the page asks: by the button that shows these faces, else by choosing each face that differs."""
    page = person.page
    page.wait_for_selector("#ask [data-focus=other]")
    for button in page.locator("#ask [data-focus^=answer-]").all():
        names = (button.get_attribute("aria-label") or "").split(", ")
        if [one.rpartition(": ")[2] for one in names] == list(faces.values()):
            person.tap(button)
            return
    person.tap(page.locator("#ask [data-focus=other]"))
    for die, face in faces.items():
        choice = page.locator(f"#other input[data-die='{die}'][value='{face}']")
        if not choice.is_checked():
            person.tap(choice.locator("xpath=.."))
    person.tap(page.locator("#other button[type=submit]"))


def _first_throw(timeline: list[dict[str, Any]]) -> int:
    """Return how many moments pass until the first throw lies still."""
    moved = next(number for number, moment in enumerate(timeline) if moment["phase"] == "moving")
    return next(number for number, moment in enumerate(timeline) if number > moved and moment["phase"] == "still") + 1


def boards(browser: Browser, folder: Path) -> dict[str, Any]:
    """Return the share of the window's height that each family's board takes, as it shows when a match begins."""
    server = Server(folder / "boards.db")
    server.start()
    shares: dict[str, Any] = {}
    try:
        for slug, (family, board) in BOARDS.items():
            server.command("new_match", game=slug, players=["Anna", "Berno"], dice_by="program")
            for width, height in DESKS:
                page = browser.new_page(viewport={"width": width, "height": height})
                Person(page).visit(f"{server.address}/")
                page.wait_for_timeout(1000)
                box = page.locator(board).first.bounding_box()
                assert box
                shares[f"{family} {width}x{height}"] = {
                    "share": round(box["height"] / height, 3),
                    "ends_at": round(box["y"] + box["height"]),
                }
                page.close()
    finally:
        server.stop()
    return shares


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, default=len(SIZES), help="only the first ones of the sizes")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    figures: dict[str, Any] = {"load": [round(os.getloadavg()[0], 1)]}
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        figures["boards"] = boards(browser, folder)
        for size in SIZES[: given.sizes]:
            figures[f"{size[0]}x{size[1]}"] = {
                "play_now": play_now(browser, folder, size),
                "camera": fed_camera(browser, folder, size),
            }
        browser.close()
    figures["load"].append(round(os.getloadavg()[0], 1))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
