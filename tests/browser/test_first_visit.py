"""What the first visit costs, in each language: 140 kB, 30 requests. How soon it is of use: the bench `first_page`."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.language import texts
from tests.browser.conftest import Server
from tests.browser.states import hall
from tests.browser.wire import first_visit

pytestmark = pytest.mark.browser
MOST_BYTES = 140_000
MOST_REQUESTS = 30
MOST_ELEMENTS = 800  # of the page, with the rim of the Ludus and its dice to tap


@pytest.mark.parametrize("language", texts.languages())
def test_the_first_page_is_small_in_every_language(shared_server: Server, browser: Browser, language: str) -> None:
    shared_server.new_match()
    cost = first_visit(browser, shared_server.address, language=language)
    assert 20 < cost.requests <= MOST_REQUESTS
    assert cost.bytes_ < MOST_BYTES
    assert cost.elements < MOST_ELEMENTS


def test_another_game_brings_its_sentences_along(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    (tmp_path / "qaa").mkdir()
    stated = {"{player} throws the three dice.": "Drei: {player}", "{player} throws the four dice.": "Vier: {player}"}
    lines = [f"{json.dumps(english)} = {json.dumps(other)}" for english, other in stated.items()]
    (tmp_path / "qaa" / "some.toml").write_text("[sentences]\n" + "\n".join(lines), encoding="utf-8")
    with hall(tmp_path, tmp_path) as place:
        place.begin("ludix")
        page = open_page(place.live_address + "/?language=qaa", quiet=False)  # the table ends before the page
        page.context.add_cookies([{"name": "alea_language", "value": "qaa", "url": place.live_address}])
        page.reload()
        expect(page.locator("#headline")).to_have_text("Vier: Anna")
        place.begin("tables/zeno")
        expect(page.locator("#headline")).to_have_text("Drei: Anna")


def test_a_language_is_chosen_in_the_menu_and_stays(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server()
    page = open_page(running.address)
    assert page.locator("html").get_attribute("lang") == "en"
    for language in (
        "de",
        "la",
    ):  # one for owners too, one for visitors alone; their texts: tests/web/test_languages.py
        page.locator("#languages summary").click()
        page.locator(f"#languages a[hreflang={language}]").click()
        page.wait_for_selector(f"html[lang={language}] body[data-ready]")
        page.locator("nav a[href='/new']").click()
        page.wait_for_selector(f"html[lang={language}] body[data-ready]")
        expect(page.locator("#languages summary")).to_contain_text(texts.load(language).name)
        page.goto(running.address)
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#headline")).to_have_text(texts.load(language)("status.no_match"))


def test_a_link_that_names_a_language_leads_to_pages_that_speak_it_whole(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{shared_server.address}/new?language=de")
    form = page.locator("#new-form")
    expect(form).to_contain_text("Spieler 1")
    expect(form.locator("input[name=player]").first).to_have_attribute("placeholder", "Spieler 1")
    for english in ("Player 1", "The program plays", "Playing alone?"):
        expect(form).not_to_contain_text(english)
    page.get_by_role("button", name="Allein", exact=True).click()
    page.wait_for_selector("html[lang=de] body.at-table[data-ready]")
    expect(page.get_by_role("button", name="Würfeln", exact=True)).to_be_visible()


def test_what_a_match_needs_beyond_the_first_page_comes_with_it_or_is_told(
    shared_server: Server, browser: Browser
) -> None:
    shared_server.new_match()
    page = browser.new_page()
    page.route("**/js/board/men.js", lambda route: route.abort())
    page.goto(shared_server.address)
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#men")).to_be_hidden()
    shared_server.command("new_match", game="tables/zeno", players=["Anna", "Berno"], dice_by="tapped")
    expect(page.locator("#headline")).to_contain_text("three dice")
    expect(page.locator(".notice")).to_have_text(re.compile(re.escape(texts.load("en")("errors.unreachable"))))
    page.unroute("**/js/board/men.js")
    shared_server.command("pause")
    expect(page.locator("#men svg")).to_be_visible()
    page.close()


def test_two_taps_lead_to_a_match_that_is_changed_while_it_runs_and_a_demo_leaves_nothing(
    shared_server: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{shared_server.address}/start", 390)
    for card, begins in ((0, "[data-focus=roll]"), (-1, ".site.origin")):  # by a throw, and by a move
        page.goto(f"{shared_server.address}/start")
        page.locator(".start-card").nth(card).click()
        page.get_by_role("button", name="Alone", exact=True).click()
        page.wait_for_url(f"{shared_server.address}/")
        expect(page.locator(begins).first).to_be_visible()

    page.goto(f"{shared_server.address}/new?game=tables/zeno")
    page.get_by_role("button", name="Two here: Todas Tablas").click()
    page.wait_for_url(f"{shared_server.address}/")
    expect(page.locator("#dice-now .die-seen")).to_have_count(2)
    page.locator("#seats-fold > summary").click()
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Who plays for player 2").select_option("master")
    expect(page.locator(".player")).to_contain_text(["Ada", "master"])
    page.get_by_label("We throw; we enter the faces by hand").check()
    expect(page.locator("#tap")).to_be_visible()
    expect(page.get_by_role("button", name="Throw", exact=True)).to_be_visible()
    page.get_by_label("The program throws for us").check()
    page.locator("#dice-now .die-seen").first.click()
    expect(page.locator("#dice-now")).to_contain_text("Throw 1, Ada")

    page.goto(f"{shared_server.address}/start")
    page.get_by_role("link", name="Watch the demo").click()
    page.wait_for_url(f"{shared_server.address}/")
    expect(page.locator("#demo")).to_contain_text("This is a demo")
    page.get_by_role("button", name="Stop the demo").click()
    page.wait_for_url(f"{shared_server.address}/start")
    page.goto(f"{shared_server.address}/matches")
    expect(page.locator(".match h2").first).to_have_text("Ada, The program")
