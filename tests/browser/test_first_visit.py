"""What the first visit costs, in every language: 150 kB at most, and soon to be used."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.kiosk import texts
from tests.browser.conftest import Server
from tests.browser.wire import first_visit

pytestmark = pytest.mark.browser
MOST_BYTES = 150_000


@pytest.mark.parametrize("language", texts.languages())
def test_the_first_page_is_small_in_every_language(shared_server: Server, browser: Browser, language: str) -> None:
    shared_server.new_match()
    cost = first_visit(browser, shared_server.address, language=language)
    assert cost.requests > 20
    assert cost.bytes_ < MOST_BYTES


def test_a_slow_tablet_can_use_it_soon(shared_server: Server, browser: Browser) -> None:
    shared_server.new_match()
    # the bench `first_page` holds it to one second on a quiet machine; here others may be running
    assert first_visit(browser, shared_server.address, slower=4).seconds < 6


def test_a_language_is_chosen_in_the_menu_and_stays(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    others = [language for language in texts.languages() if language != texts.DEFAULT]
    running = server()
    page = open_page(running.address)
    assert page.locator("html").get_attribute("lang") == "en"
    for language in others:
        page.locator("#languages summary").click()
        page.locator(f"#languages a[hreflang={language}]").click()
        page.wait_for_selector(f"html[lang={language}] body[data-ready]")
        page.locator("nav a[href='/new']").click()
        page.wait_for_selector(f"html[lang={language}] body[data-ready]")
        expect(page.locator("#languages summary")).to_contain_text(texts.load(language).name)
        page.goto(running.address)
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#headline")).to_have_text(texts.load(language)("status.no_match"))
