"""A whole match from the sample frames: read, asked if unsure, restarted, corrected, and won by the right player."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).resolve().parents[2] / "sample_images" / "ludus-regularis" / "script.json"
PACE = "2.5"  # times as fast as a visitor sees it
PATIENCE = 240  # seconds for the whole match; it plays in about 50
RESTART_AFTER = 12  # throws
CORRECT_AFTER = 20  # throws
WRONG = "MNPR"  # what a person answers by mistake where the tetrahedron cannot be read


def shown_by_the_dice(script: Any, match: Any, awaits: Any) -> dict[str, str]:
    """Return what truly lies there for the throw that is awaited: what a person at the table would see."""
    number = match["throws"] + 1
    (cast,) = (c for c in script["casts"] if c["throw"] == number and c["kind"] == awaits["kind"])
    return dict(cast["faces"])


def answer(page: Page, faces: dict[str, str]) -> None:
    """Answer the open question with these faces as a person does: by *other* and a tap for each die."""
    page.get_by_role("button", name="Other …").click()
    dialog = page.locator("#other")
    for die, face in faces.items():
        dialog.locator(f"input[data-die='{die}'][value='{face}']").check(force=True)
    dialog.get_by_role("button", name="Enter", exact=False).first.click()
    expect(dialog).to_be_hidden()


def correct(page: Page, throw: int, faces: dict[str, str]) -> None:
    """Correct an earlier throw, looking at what it changes before it is applied."""
    page.get_by_role("button", name=f"Correct throw {throw}", exact=True).click()
    dialog = page.locator("#correct")
    for die, face in faces.items():
        dialog.locator(f"input[data-die='{die}'][value='{face}']").check(force=True)
    dialog.get_by_label("Reason").fill("The tetrahedron was looked at again.")
    dialog.get_by_role("button", name="Show what this changes").click()
    dialog.get_by_role("button", name="Apply the correction").click()
    expect(dialog).to_be_hidden()


def test_the_sample_match_is_played_to_its_end(server: Callable[..., Server], open_page: Callable[..., Page]) -> None:
    script = json.loads(SCRIPT.read_text(encoding="utf-8"))
    unreadable = script["unreadable_throws"][0]
    running = server("--sample", "ludus-regularis", "--pace", PACE)
    page = open_page(running.address, quiet=False)
    expect(page.get_by_text("sample table", exact=False).first).to_be_visible()
    restarted, corrected, asked, until = False, False, set(), time.monotonic() + PATIENCE
    while (state := running.state())["outcome"] is None:
        thrown = state["match"]["throws"]
        assert time.monotonic() < until, f"after {thrown} throws: {state['state_sentence']['text']}"
        question = state["ask"]
        if question is not None and question["id"] not in asked:
            faces = shown_by_the_dice(script, state["match"], state["awaits"])
            if thrown + 1 == unreadable:
                assert faces["consonants"] != WRONG
                faces["consonants"] = WRONG
            expect(page.locator("#ask")).to_be_visible()
            answer(page, faces)
            asked.add(question["id"])
        elif not restarted and thrown >= RESTART_AFTER:
            running.stop()
            running.start()
            expect(page.locator("body")).to_have_attribute("data-link", "live", timeout=15000)
            assert running.state()["match"]["throws"] in (thrown, thrown + 1)  # one more may have come meanwhile
            restarted = True
        elif not corrected and thrown >= CORRECT_AFTER:
            before = running.state()["match"]["players"][0]["score"]
            (truth,) = (cast["faces"] for cast in script["casts"] if cast["throw"] == unreadable)
            correct(page, unreadable, truth)
            assert running.state()["match"]["players"][0]["score"] in (before + 1, before + 2)  # likewise
            corrected = True
        time.sleep(0.1)
    assert restarted
    assert corrected
    end = running.state()
    owned = {str(player["number"]): sorted(player["virtues"]) for player in end["match"]["players"]}
    assert owned == {number: sorted(lots) for number, lots in script["expected"]["virtues"].items()}
    assert end["outcome"]["winners"] == script["expected"]["winners"]
    expect(page.locator("#outcome")).to_contain_text(script["players"][end["outcome"]["winners"][0] - 1])
