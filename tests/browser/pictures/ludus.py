"""The page of the running sample, with a throw that was read and the virtue that it won.

It is what the browser shows; nothing is drawn into it. The sample's questions are answered as its script knows, but not
shown.
"""

import json
import time
from typing import Any

from playwright.sync_api import Page

from companion.vision.sources.scripted import SAMPLES
from tests.browser.conftest import Server

SAMPLE = "ludus-regularis"
THROWS = 6  # before the picture, so that each player has a virtue
SECONDS = 600  # in which a good moment must come, also on a busy machine

PICTURES_ARE_THERE = "[...document.images].every((one) => !one.offsetParent || (one.complete && one.naturalWidth > 0))"


def good(state: Any) -> bool:
    """Tell whether the newest throw's dice are there, all read, and the page says which virtue they won."""
    throw, reading = state["throw"], state["reading"]
    return (
        throw is not None
        and reading is not None
        and all(die["status"] == "read" for die in reading["dice"])
        and throw["number"] >= THROWS
        and state["ask"] is None
        and (state["state"], state["camera"]["phase"]) == ("SYNCED", "still")
        and any(virtue["throw"] == throw["number"] for virtue in state["virtues"])
    )


def answer(server: Server, state: Any) -> None:
    """Answer a question like a person at the sample's table."""
    script = json.loads((SAMPLES / SAMPLE / "script.json").read_text(encoding="utf-8"))
    wanted = (state["match"]["throws"] + 1, state["awaits"]["kind"])
    (cast,) = (one for one in script["casts"] if (one["throw"], one["kind"]) == wanted)
    server.command("answer", ask=state["ask"]["id"], faces=cast["faces"])


def picture(server: Server, page: Page) -> bytes:
    """Return the page's picture at the first good moment.

    Raises:
        TimeoutError: no good moment came.
    """
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        state = server.state()
        if state["ask"] is not None:
            answer(server, state)
        elif good(state):
            page.wait_for_function("version => Number(document.body.dataset.ready) >= version", arg=state["version"])
            whole = page.evaluate(PICTURES_ARE_THERE)
            taken = page.screenshot()
            if whole and good(now := server.state()) and now["throw"] == state["throw"]:
                return taken
        time.sleep(0.1)
    raise TimeoutError(f"No throw of the sample won a virtue within {SECONDS} seconds.")
