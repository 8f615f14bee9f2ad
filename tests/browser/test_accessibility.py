"""WCAG 2.2 AA on every page in every state: axe, contrast, targets, 400 % zoom, focus, changes that are told once."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.kept_pages import KeptPages
from tests.browser.measures import AXE, measure, violations
from tests.browser.states import PAX, STATES, Hall, State, hall

pytestmark = pytest.mark.browser

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The 112 cells of the two boards of virtues are alike: one state looks at them too. Two rules have measures of our own,
# which take a tenth of the time: contrast also on gradients, where axe gives up, and targets of 48 pixels, not 24.
OPTIONS: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": TAGS,
    "rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": False}},
}
WITH_CELLS = OPTIONS | {"rules": {"color-contrast": {"enabled": False}}}
BUT_VIRTUES = {"exclude": [[".rim"], [".pairs"]]}
WITH_VIRTUES = "thrown"
# A look changes only colours and sizes: in another look than that of the day, contrast alone is judged.
THEMES = ("dark", "contrast")
SEEN_IN_THEMES = {
    "start",
    "thrown",
    "tables choice",
    "rithmomachia",
    "ludix choice",
    "over",
    "new match",
    "matches",
    "camera",
    "reading",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("hall")) as both:
        yield both


@pytest.fixture(scope="module")
def kept_pages(browser: Browser) -> Iterator[KeptPages]:
    """Return pages of which the first has axe as an initial script: the tests of this module need one at a time."""
    pages = KeptPages(browser)
    first = pages.take()
    first.page.add_init_script(AXE)
    pages._idle.append(first)
    yield pages
    for one in pages._idle:
        one.page.context.close()


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_nothing_keeps_anybody_out(place: Hall, open_page: Callable[..., Page], state: State) -> None:
    page = state.open(place, open_page)
    context, options = (None, WITH_CELLS) if state.name == WITH_VIRTUES else (BUT_VIRTUES, OPTIONS)
    assert violations(page, options, context) == []
    assert measure(page, "contrast") == []
    assert measure(page, "smallTargets") == []
    if state.name in SEEN_IN_THEMES:
        legible_in_every_theme(page)
    page.set_viewport_size({"width": 320, "height": 640})  # 1280 pixels at 400 %
    assert measure(page, "beyond") == []
    assert measure(page, "cutOff") == []
    assert measure(page, "smallTargets") == []


def legible_in_every_theme(page: Page) -> None:
    """Look at the open page in each of its other looks, and leave it as it is by day."""
    for theme in THEMES:
        page.evaluate("look => { document.documentElement.dataset.theme = look; }", theme)
        assert (theme, measure(page, "contrast")) == (theme, [])
    page.evaluate("() => { delete document.documentElement.dataset.theme; }")


def test_the_measures_find_what_is_wrong(open_page: Callable[..., Page], place: Hall) -> None:
    page = open_page(place.live_address + "/camera")
    page.evaluate("""document.querySelector("main").insertAdjacentHTML("beforeend", `<div id="wrong">
        <p>pale</p><button>x</button><div>wide</div></div>`)""")
    page.evaluate("""() => {
        const [pale, small, wide] = document.querySelector("#wrong").children;
        Object.assign(pale.style, { color: "rgb(160, 150, 140)", background: "linear-gradient(#fff, #eee)" });
        small.style.cssText = "min-width: 0; min-height: 0; width: 20px; height: 20px; padding: 0; outline: none";
        wide.style.width = "3000px";
        small.focus();
    }""")
    assert any("pale" in one for one in measure(page, "contrast"))
    assert any("20x20" in one for one in measure(page, "smallTargets"))
    assert any("wide" in one for one in measure(page, "beyond"))
    assert "button" in measure(page, "focusSeen")


@pytest.mark.parametrize("name", ["thrown", "tables choice", "new match", "matches"])
def test_the_focus_is_seen_wherever_tab_leads(place: Hall, open_page: Callable[..., Page], name: str) -> None:
    page = next(state for state in STATES if state.name == name).open(place, open_page)
    stops = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        where = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        if where in stops:
            break
        stops.add(where)
        assert measure(page, "focusSeen") in {"", "body"}
    assert len(stops) > 7


def test_every_change_is_told_once(place: Hall, open_page: Callable[..., Page]) -> None:
    place.begin()
    page = open_page(place.live_address)
    measure(page, "listen")
    place.throw(PAX)
    expect(page.locator("#subline")).to_contain_text("Berno")
    expect(page.locator("#log")).to_contain_text("Pax")
    place.throw("EI IO AEI STXZ")
    expect(page.locator("#subline")).to_contain_text("Anna")
    heard: list[Any] = page.evaluate("window.heard")
    assert len(heard) == 2, heard
    assert "Berno throws" in heard[0]
    assert "Anna wins Peace" in heard[0]


def test_no_player_is_told_apart_by_colour_alone(place: Hall, open_page: Callable[..., Page]) -> None:
    place.do("new_match", game="ludus-regularis/sum", players=list("ABCDEF"), options={}, dice_by="tapped", name="")
    page = open_page(place.live_address)
    seals = page.locator("#players .seal").all_text_contents()
    assert len(set(seals)) == 6


def test_nothing_moves_for_whoever_asked_for_that(place: Hall, open_page: Callable[..., Page]) -> None:
    place.begin()
    page = open_page(place.live_address)
    page.emulate_media(reduced_motion="reduce")
    place.throw(PAX)
    expect(page.locator(".rim .virtue.won")).to_have_count(1)
    assert page.evaluate("document.getAnimations().length") == 0
