"""Checking what the table read, in a real browser: by keyboard alone, blind, and on to the correction of the throw."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.fairness.audits import draw as drawing
from companion.live.audits.auditing import Auditing
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.mat import Mat
from companion.web import create_app
from tests.browser.test_teaching_page import judge
from tests.live.drawn import DrawnSource, joined, placed
from tests.live.taught import TaughtReader
from tests.live.test_watching import done, until
from tests.web.serving import served

pytestmark = pytest.mark.browser

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "dice_by": "camera"}
OpenPage = Callable[..., Page]


@dataclass
class Hall:
    """A served table under a drawn camera, whose readings are all drawn for an audit."""

    live: LiveTable
    source: DrawnSource
    address: str

    def threw(self, text: str, shift: float) -> None:
        before = self.live.snapshot().data["match"]["throws"]
        self.source.throw(placed(text, shift))
        until(self.live, lambda data: data["match"]["throws"] > before)
        self.live.upkeep.settle_audit("none", 1)  # the writer has done all that it was told before


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(drawing, "TABLE_AT_FIRST", 1.0)
    source, reader = DrawnSource(), TaughtReader()
    path = tmp_path / "journal.db"
    auditing = Auditing(path, lambda: 5.0, lambda: 11)
    live = LiveTable(
        path, Seeing(source, mat=Mat(), reader=lambda _: reader), TableFeatures(auditing=auditing), combine=joined
    )
    live.start()
    source.empty()
    done(live, "new_match", **MATCH)
    with served(create_app(live, trusted_hosts=["127.0.0.1"])) as address:
        yield Hall(live, source, address)
    live.stop()


def press(page: Page, name: str) -> None:
    """Go with the Tab key from the question to a button, and press it."""
    page.wait_for_timeout(350)  # a second tap right after the first one counts for nothing
    expect(page.locator("#check-question")).to_be_focused()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            break
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector("body[data-ready]")


def test_the_owner_checks_dice_blind_and_by_keyboard_alone(place: Hall, open_page: OpenPage) -> None:
    page = open_page(f"{place.address}/owner/check")
    expect(page.locator("main")).to_contain_text("No die waits for you now.")
    judge(page)
    place.threw("A IO AEI MNPR", 0)
    page.goto(f"{place.address}/owner/check")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#check-question")).to_have_text("What does this die show?")
    expect(page.locator("main")).to_contain_text("4 dice wait for you.")
    judge(page)
    before = page.locator(".teach-answers button").all_inner_texts()
    press(page, "A")
    expect(page.locator("main")).to_contain_text("3 dice wait for you.")
    assert page.locator(".teach-answers button").all_inner_texts() == before, "whatever was read, all look the same"
    press(page, "UAE")
    press(page, "I cannot tell")
    expect(page.locator("#check-question")).to_have_text("On which face does this tetrahedron lie?")
    press(page, "MNPR")
    expect(page.locator("main")).to_contain_text("Dice checked: 3, misread: 1.")
    expect(page.locator("main")).to_contain_text("a die was read as IO, but you say that it shows UAE.")
    judge(page)
    page.get_by_role("link", name="Check again").press("Enter")
    page.wait_for_selector("body[data-ready]")
    press(page, "UAE")
    page.get_by_role("link", name="Correct the throw").press("Enter")
    dialog = page.locator("#correct")
    expect(dialog).to_be_visible()
    expect(page).to_have_url(f"{place.address}/")
    dialog.get_by_label("Reason").fill("looked again")
    dialog.get_by_role("button", name="Show what this changes").press("Enter")
    dialog.get_by_role("button", name="Apply the correction").press("Enter")
    expect(dialog).to_be_hidden()
    state = until(place.live, lambda data: any(line["corrected"] for line in data["log"]))
    assert next(line for line in state["log"] if line["corrected"])["move"] == "A UAE AEI MNPR"
    page.goto(f"{place.address}/owner/check")
    expect(page.locator("main")).not_to_contain_text("You and the table differ")
    expect(page.locator("main")).to_contain_text("Dice checked: 3, misread: 1.")


def test_a_throw_of_another_match_is_corrected_there_and_drawing_is_switched_off(
    place: Hall, open_page: OpenPage
) -> None:
    place.threw("A IO AEI MNPR", 0)
    done(place.live, "new_match", **MATCH)
    page = open_page(f"{place.address}/owner")
    page.get_by_role("link", name="Check what was read").click()
    page.wait_for_selector("body[data-ready]")
    press(page, "UAE")
    page.get_by_role("button", name="Correct the throw").click()
    page.locator("#confirm").get_by_role("button", name="Correct the throw").click()
    expect(page.locator("#correct")).to_be_visible()
    assert place.live.snapshot().data["match"]["id"] == 1
    page.goto(f"{place.address}/owner/check")
    page.wait_for_selector("body[data-ready]")
    with page.expect_navigation():
        page.get_by_role("button", name="Leave the throw as it is").click()
    expect(page.locator("main")).not_to_contain_text("You and the table differ")
    page.wait_for_selector("body[data-ready]")
    with page.expect_navigation():
        page.get_by_role("button", name="Stop choosing dice").click()
    assert place.live.upkeep.auditing is not None
    assert not place.live.upkeep.auditing.on
