"""A match from the sample frames: read, restarted, asked about once, corrected, ended, and begun again."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import Committed
from companion.referee.journal import Journal
from tests.browser.conftest import Server
from tests.browser.playing import unfold_log
from tests.referee.build import started

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).resolve().parents[2] / "sample_images" / "ludus-regularis" / "script.json"
PACE = "4"  # times as fast as a visitor sees it
PATIENCE = 1200  # seconds for all throws
BEFORE = 7  # throws that the table has read when the test begins
RESTART_AFTER = 9  # throws
WRONG = {"1": "A"}  # what a person says of a cube by mistake


def played(path: Path, script: Any) -> None:
    """Leave the journal of a table that has read the sample's first throws."""
    begun = replace(started(*script["players"], game_name=script["game"], **script["options"]), sample=script["game"])
    with Journal(path) as journal:
        match, before = journal.begin(begun, 1.7e9, "program"), 0
        for cast in script["casts"]:
            if cast["throw"] <= BEFORE:
                awaited = "recast" if cast["throw"] == before else "throw"
                move = {"set": script["dice_set"], "faces": cast["faces"]}
                committed = Committed(2 - cast["throw"] % 2, awaited, move, "camera")
                journal.append(match, [committed], 1.7e9 + cast["throw"], "camera")
                before = cast["throw"]


def correct(page: Page, throw: int, faces: dict[str, str]) -> None:
    """Correct an earlier throw, looking at what it changes before it is applied."""
    unfold_log(page)
    page.get_by_role("button", name=f"Correct throw {throw}", exact=True).click()
    dialog = page.locator("#correct")
    for die, face in faces.items():
        dialog.locator(f"input[data-die='{die}'][value='{face}']").check(force=True)
    dialog.get_by_label("Reason").fill("The tetrahedron was looked at again.")
    dialog.get_by_role("button", name="Show what this changes").click()
    while dialog.is_visible():  # the sample plays on: a later throw may change what the correction changes
        dialog.get_by_role("button", name="Apply the correction").click()
        expect(page.locator("#correct [aria-busy]")).to_have_count(0)


def acquired_by(state: Any, lot: str) -> int | None:
    """Return the throw that acquired a virtue."""
    return next((virtue["throw"] for virtue in state["virtues"] if virtue["id"] == lot), None)


def test_the_sample_match_is_read_restarted_asked_about_corrected_ended_and_begun_again(
    tmp_path: Path, server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    script = json.loads(SCRIPT.read_text(encoding="utf-8"))
    (unreadable,) = script["unreadable_throws"]
    played(tmp_path / "journal.db", script)
    running = server("--sample", "ludus-regularis", "--pace", PACE)
    page = open_page(running.address, quiet=False)
    expect(page.get_by_text("sample table", exact=False).first).to_be_visible()
    restarted, until = False, time.monotonic() + PATIENCE
    asked: dict[int, int] = {}
    while (state := running.state())["match"]["throws"] <= unreadable:
        thrown = state["match"]["throws"]
        assert time.monotonic() < until, f"after {thrown} throws: {state['state_sentence']['text']}"
        if state["ask"] is not None and state["ask"]["id"] not in asked:
            asked[state["ask"]["id"]] = thrown + 1
            expect(page.locator("#demonstration-note")).to_contain_text("the person at the sample's table answers")
        elif not restarted and thrown >= RESTART_AFTER:
            running.stop()
            running.start()
            expect(page.locator("body")).to_have_attribute("data-link", "live")
            assert running.state()["match"]["throws"] >= thrown  # more may have come meanwhile
            restarted = True
        time.sleep(0.1)
    assert restarted
    assert list(asked.values()) == [unreadable]
    (cast,) = (cast for cast in script["casts"] if cast["throw"] == unreadable)
    assert acquired_by(running.state(), cast["virtue"]) == unreadable
    correct(page, unreadable, cast["faces"] | WRONG)
    assert acquired_by(running.state(), cast["virtue"]) != unreadable
    correct(page, unreadable, cast["faces"])
    assert acquired_by(running.state(), cast["virtue"]) == unreadable
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="End by agreement").click()
    page.locator("#confirm").get_by_role("button", name="End by agreement").click()
    expect(page.locator("#outcome")).to_contain_text("The demonstration is over")
    end = running.state()
    owned = {lot: player["number"] for player in end["match"]["players"] for lot in player["virtues"]}
    acquired = script["expected"]["position"]["virtues"].items()
    assert owned == {lot: one["player"] for lot, one in acquired if one["throw"] <= end["match"]["throws"]}
    winners = [max(end["match"]["players"], key=lambda player: len(player["virtues"]))["number"]]
    assert end["outcome"]["winners"] == winners
    expect(page.locator("#outcome")).to_contain_text(script["players"][winners[0] - 1])
    expect(page.locator("#outcome").get_by_role("link", name="Play yourself")).to_have_attribute("href", "/new")
    expect(page.locator("#outcome")).to_be_hidden()
    assert running.state()["match"]["id"] != end["match"]["id"]
