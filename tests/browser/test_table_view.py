"""Board and dice fill the window; the full screen is large; a place where a man may not go says why."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, Server
from tests.browser.measures import violations

pytestmark = pytest.mark.browser

BATTLE = "rithmomachia/durnil-guardia"
LEAST_TEXT = 40  # pixels at 1920x1080, read from two metres
HEIGHT = "() => document.querySelector('#men svg, .rim').getBoundingClientRect().height / innerHeight"
# The size of every word on the screen, but for the letters on small seals and the numbers that men carry.
SIZES = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!texts.currentNode.textContent.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".seal, .unseen, .skip, script, svg") || box.width < 2 || box.top > innerHeight) continue;
    found.push([Math.round(parseFloat(getComputedStyle(element).fontSize)), texts.currentNode.textContent.trim()]);
  }
  return found;
}"""

PLACES = """(patience) => new Promise((resolve, reject) => {
  const places = new Set(), sentences = new Set();
  setTimeout(() => reject(new Error(`only ${[...sentences].join(" / ")}`)), patience);
  const look = () => {
    places.add(Math.round(document.querySelector(".rim").getBoundingClientRect().bottom));
    sentences.add(document.querySelector(".status-lines").textContent);
    if (sentences.size < 5) requestAnimationFrame(look);
    else resolve([...places]);
  };
  look();
})"""


def test_a_board_fills_a_large_window_and_every_word_of_the_full_screen_is_read_from_two_metres(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.new_match("program")
    page = open_page(shared_server.address, 1920, 1080)
    switch = page.get_by_role("button", name="Full screen")
    for game, second in (("ludus-regularis", "Bruno"), ("ludix", "Carl"), ("tables/zeno", "Dora"), (BATTLE, "Emma")):
        shared_server.command("new_match", game=game, players=["Anna", second], dice_by="program")
        expect(page.locator("#players")).to_contain_text(second)
        if game != "ludix":
            assert page.evaluate(HEIGHT) >= 0.6, game
        assert page.evaluate("document.documentElement.scrollWidth") <= 1920, game
        assert page.evaluate("document.fonts.size") == 3
        if game != BATTLE:
            page.get_by_role("button", name="Throw", exact=True).click()
            expect(page.locator("#dice-now")).to_contain_text("Throw 1")
        if game == "ludus-regularis":  # others tumble only where the throw before is a second old
            expect(page.locator("#dice-now .die-seen.tumbles")).not_to_have_count(0)
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "true")
        sizes = page.evaluate(SIZES)
        assert len(sizes) >= 3, game
        assert [sentence for sentence in sizes if sentence[0] < LEAST_TEXT] == [], game
        assert page.evaluate("document.documentElement.scrollWidth") <= 1920, game
        expect(page.locator(".score").last).to_be_in_viewport(ratio=1)
        expect(page.locator("#controls .main-action, #choices:not([hidden])").first).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(switch).to_have_attribute("aria-pressed", "false")
        expect(page.locator(".top")).to_be_visible()


def test_the_camera_s_picture_leaves_room_for_the_whole_board(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server("--sample", "ludus-regularis", "--pace", "4")
    page = open_page(running.address)
    whole = "document.querySelector('.rim').getBoundingClientRect().bottom <= innerHeight"
    page.evaluate("document.fonts.ready.then(() => true)")  # late letters move the page once, whatever is thrown
    # the rim's bottom through two throws, as sentence and verdict grow and shrink
    places = page.evaluate(PLACES, PATIENCE * 1000)
    assert len(places) == 1, places
    assert places[0] <= 800
    seen, rim = page.locator("#table-picture").bounding_box(), page.locator(".rim").bounding_box()
    assert seen
    assert rim
    assert seen["height"] > rim["height"] / 3
    expect(page.locator("#controls button, #choices button")).to_have_count(0)  # they would do nothing
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator(".leads-lot")).to_be_visible()  # the first throw was read
    picture = page.locator("#table-picture")
    expect(picture).to_be_visible()
    expect(picture).not_to_have_js_property("naturalHeight", 0)  # it has come
    expect(page.locator("#table-outlines text")).to_have_count(4)  # each die, with what it was read as
    assert page.evaluate(whole)


def test_a_place_where_a_man_may_not_go_says_why_and_the_man_stays_picked_or_slides_to_another(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    shared_server.command("throw", faces={"1": "2", "2": "5", "3": "6"}, dice_set="pips")
    page = open_page(shared_server.address, quiet=False)  # the console tells of the refusal
    page.evaluate(
        "() => { window.slid = []; const own = Element.prototype.animate; Element.prototype.animate ="
        " function (...how) { window.slid.push(how[1].duration); return own.apply(this, how); } }"
    )
    hint = page.locator("#subline.refused")
    page.locator("[data-site=t]").click(force=True)  # it is announced as closed
    expect(hint).to_have_text("You cannot move a man from t now.")
    expect(hint).to_be_in_viewport(ratio=1)
    page.locator("[data-site=a]").click()
    page.locator("[data-site=d]").click(force=True)
    expect(hint).to_have_text(re.compile(r"^Not to d: .*\b3\b"))
    page.locator("[data-site=c]").click()  # the two
    expect(page.locator("#log")).to_contain_text("from a to c")
    assert page.evaluate("window.slid") == [200]
    expect(hint).to_have_count(0)
    page.locator("[data-site=a]").drag_to(page.locator("[data-site=d]"), force=True)
    expect(hint).to_have_text(re.compile(r"^Not to d: "))
    page.locator("[data-site=a]").drag_to(page.locator("[data-site=f]"))
    expect(page.locator("#log")).to_contain_text("from a to f")
    expect(page.locator(".ghost")).to_have_count(0)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("window.slid = []")
    page.locator("[data-site=a]").click()
    page.locator("[data-site=g]").click()  # the six
    expect(page.locator("#log")).to_contain_text("from a to g")
    assert page.evaluate("window.slid") == []


@pytest.mark.parametrize(("query", "width", "height"), [("", 1920, 1080), ("?shape=tall&look=light", 1080, 1920)])
def test_the_overlay_of_a_stream_shows_the_match_over_nothing_and_only_watches(
    shared_server: Server, open_page: Callable[..., Page], query: str, width: int, height: int
) -> None:
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/overlay{query}", width, height)
    expect(page.locator("#dice")).to_be_hidden()
    shared_server.command("throw", faces={"1": "2", "2": "5", "3": "6"}, dice_set="pips")
    expect(page.locator("#dice svg")).to_have_count(3)
    expect(page.locator("#players li[data-turn]")).to_contain_text("Anna")
    expect(page.locator("#men svg.men-board")).to_be_visible()
    expect(page.locator("#verdict")).not_to_be_empty()
    for box in page.locator(".overlay-part").all():
        there = box.bounding_box()
        assert there is not None
        assert min(there["x"], there["y"]) >= 0
        assert there["x"] + there["width"] <= width
        assert there["y"] + there["height"] <= height
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.locator("a, button, input, [tabindex]").count() == 0
    assert violations(page) == []


def test_an_overlay_shows_the_parts_that_its_address_names_in_its_language_and_as_late_as_it_says(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    shared_server.command("new_match", game="ludix", players=["", "The program"], dice_by="program")
    late = open_page(f"{shared_server.address}/overlay?delay=3600", 1920, 1080, ready=False)
    odd = open_page(f"{shared_server.address}/overlay?parts=score,<b>&shape=x&delay=nan&look=x&language=fr", 1920, 1080)
    shared_server.command("roll")
    expect(odd.locator("#players li span:not(.seal)")).to_have_text(["Joueur 1", "Le programme"])
    expect(odd.locator(".overlay-part:not([hidden])")).to_have_count(1)
    expect(late.locator("body")).to_have_attribute("data-delay", "300.0")
    expect(late.locator("body[data-link]")).to_have_count(1)
    assert late.locator(".overlay-part:not([hidden])").count() == 0
