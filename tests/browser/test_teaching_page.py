"""Teaching the table its dice in a real browser: by keyboard alone, at both sizes, until every face is known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.dice.memory.course import HINT_AFTER
from companion.vision.mat import Mat
from companion.web import create_app
from tests.browser.measures import at_sizes, measure, violations
from tests.live.drawn import DICE, DrawnSource, joined, placed
from tests.live.taught import TaughtReader
from tests.web.serving import served

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), (390, 844), (320, 640))  # the last is 1280 pixels at 400 %
# Contrast and targets have measures of our own, which are stricter and take a tenth of the time.
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": False}},
}
OpenPage = Callable[..., Page]


@dataclass
class Hall:
    """A served table under a drawn camera."""

    source: DrawnSource
    address: str


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Hall]:
    source, reader = DrawnSource(), TaughtReader()
    learning = Learning(MemoryFolder(tmp_path / "journal.memory"))
    live = LiveTable(
        tmp_path / "journal.db",
        Seeing(source, mat=Mat(), reader=lambda _: reader),
        TableFeatures(learning=learning),
        combine=joined,
    )
    live.start()
    source.empty()
    with served(create_app(live, trusted_hosts=["127.0.0.1"])) as address:
        yield Hall(source, address)
    live.stop()


def judge(page: Page) -> None:
    """See that nothing on the page keeps anybody out, at every size."""
    assert violations(page, OPTIONS) == []
    assert measure(page, "contrast") == []
    for width, _ in at_sizes(page, SIZES[::-1]):
        for what in ("smallTargets", "beyond", "cutOff"):
            assert measure(page, what) == [], (width, what)


def confirm(page: Page) -> int:
    """Confirm with Enter whatever is asked; return how many taps that took."""
    taps = 0
    while page.locator("#teach-asked").is_visible():
        asked = page.locator("#teach-crop").get_attribute("src")
        page.wait_for_timeout(350)  # a second tap right after the first one counts for nothing
        expect(page.locator("#teach-yes")).to_be_focused()
        page.keyboard.press("Enter")
        taps += 1
        page.wait_for_function(
            "asked => document.querySelector('#teach-asked').hidden || "
            "document.querySelector('#teach-crop').getAttribute('src') !== asked",
            arg=asked,
        )
    return taps


def test_every_face_is_taught_by_keyboard_alone(place: Hall, open_page: OpenPage) -> None:
    page = open_page(f"{place.address}/new")
    page.locator("input[name=game][value=ludus-regularis]").check(force=True)
    page.get_by_role("link", name="Teach it their faces in three minutes").press("Enter")
    page.wait_for_selector("body[data-ready]")
    judge(page)
    page.get_by_role("button", name="Begin").press("Enter")
    taps = 1
    expect(page.locator("#teach-now")).to_have_text("Throw all dice under the camera.")
    throws = list(zip_longest(*([face.text for face in die.faces] for die in DICE.values()), fillvalue="BCDF"))
    for number, faces in enumerate(throws):
        place.source.throw(placed(" ".join(faces), 5 * number))
        expect(page.locator("#teach-asked")).to_be_visible()
        if number == 0:
            judge(page)
        taps += confirm(page)
    expect(page.locator("#teach-now")).to_contain_text("Every face is known.")
    expect(page.locator("#teach-faces img")).to_have_count(20)
    assert taps <= 30, "as few taps as the project promises"
    page.get_by_role("button", name="Begin a match").press("Enter")
    page.wait_for_url("**/new")
    page.wait_for_selector("body[data-ready]")
    page.locator("input[name=game][value=ludus-regularis]").check(force=True)
    expect(page.locator("[data-teach=wibold]")).to_have_count(0)


def test_what_is_missing_is_said_and_a_slip_is_taken_back(place: Hall, open_page: OpenPage) -> None:
    page = open_page(f"{place.address}/owner/dice")
    page.get_by_role("link", name="Teach the table its dice").click()
    page.wait_for_selector("body[data-ready]")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#teach-now")).to_have_text("Throw all dice under the camera.")
    place.source.throw(placed("A IO AEI MNPR"))
    expect(page.locator("#teach-question")).to_have_text("Is this A?")
    page.wait_for_timeout(350)
    page.locator("#teach-others").get_by_role("button", name="OU", exact=True).click()
    expect(page.locator("#teach-question")).to_have_text("Is this IO?")
    page.get_by_role("button", name="Take back the last answer").click()
    expect(page.locator("#teach-question")).to_have_text("Is this A?")
    page.wait_for_timeout(350)
    page.locator("#teach-yes").focus()
    confirm(page)
    expect(page.locator("#teach-faces img")).to_have_count(6)  # three cubes, and three sides of the tetrahedron
    for number in range(1, HINT_AFTER):
        place.source.throw(placed("A IO AEI MNPR", 12 * (number % 4)))
    expect(page.locator("#teach-hint")).to_contain_text("turn these faces up by hand")
    expect(page.locator("#teach-hint")).to_contain_text("MNPR")
    page.get_by_role("button", name="Ask about every die on the table").click()
    expect(page.locator("#teach-question")).to_have_text("Is this A?")
    judge(page)
    page.get_by_role("button", name="Enough for now").click()
    page.wait_for_url("**/owner/dice")
    expect(page.locator(".faces-known li")).to_have_count(6)
