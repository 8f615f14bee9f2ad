"""Both whole sample matches before Chromium's fake camera: which commits equal the labels, and how soon they come."""

import argparse
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from companion.vision.images import load_image
from tests.browser.chromium_camera import ChromiumCamera
from tests.browser.conftest import ARGUMENTS, Server
from tests.browser.filmed_match import committed, picture, play_ludus, play_zeno, script, turns

ALL = 10_000  # more plies than any sample has


def play(
    name: str, options: tuple[str, ...], film: Callable[[Server, ChromiumCamera, int], list[Any]], browser: Browser
) -> dict[str, Any]:
    """Play one sample match and compare its commits, turn by turn, with what was played."""
    report = script(name)
    with tempfile.TemporaryDirectory() as folder:
        running = Server(Path(folder) / "journal.db", options)
        running.start()
        camera = ChromiumCamera(Path(folder) / "camera.y4m", load_image(picture(name, report["timeline"][0]["image"])))
        try:
            with camera.launch(browser, _chromium()) as other:
                page = other.new_page()
                page.goto(f"{running.address}/camera")
                page.wait_for_selector("body[data-ready]")
                page.get_by_role("button", name="Start the camera").click()
                page.get_by_text("pictures sent").wait_for(timeout=15000)
                by = {"dice_by": "tapped", "men_by": "camera"} if "board" in report else {"dice_by": "camera"}
                running.command(
                    "new_match", game=report["game"], players=report["players"], options=report["options"], **by
                )
                started = time.monotonic()
                true = turns(report, film(running, camera, ALL))
                seconds = time.monotonic() - started
                found = turns(report, committed(running))
                asked = sum(line["kind"] == "rejected" for line in running.state()["log"])
        finally:
            running.stop()
    return {
        "turns": len(true),
        "as_labelled": sum(one == other for one, other in zip(found, true, strict=False)),
        "committed": len(found),
        "put_aside": asked,
        "seconds": round(seconds, 1),
    }


def _chromium() -> str:
    found = os.environ.get("ALEA_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "there is no Chromium on this machine; name one by ALEA_CHROMIUM"
    return found


def main() -> None:
    """Play Zeno, where the program follows the men, then Ludus Regularis, where it reads the dice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=list(ARGUMENTS))
        figures = {
            "zeno": play("zeno", ("--board-camera", "push"), play_zeno, browser),
            "ludus_regularis": play("ludus-regularis", ("--camera", "push"), play_ludus, browser),
        }
        browser.close()
    print(json.dumps(figures) if given.json else json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
