"""The table goes away and comes back: the browser shows a page that says so, and never a match as it was."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.language import texts
from tests.browser.conftest import Server

pytestmark = pytest.mark.browser
TAKEN_ON = "navigator.serviceWorker.ready.then(() => true)"
NEWER_KEPT = """async () => {
  const asked = await navigator.serviceWorker.ready;
  while (!asked.waiting) await new Promise((done) => setTimeout(done, 50));
}"""


def test_a_page_says_in_the_language_chosen_last_that_the_table_is_away_and_returns_with_it(
    server: Callable[..., Server], open_page: Callable[..., Page]
) -> None:
    running = server()
    running.new_match()
    # the browser notes the lost requests
    page = open_page(running.address + "/", quiet=False, keeps=True)
    page.evaluate(TAKEN_ON)
    page.locator("#languages summary").click()
    page.locator("#languages a[hreflang=de]").click()
    page.wait_for_selector("html[lang=de] body[data-ready]")
    page.evaluate(NEWER_KEPT)
    running.stop()
    page.goto(running.address + "/")
    expect(page.locator("h1")).to_have_text(texts.load("de")("offline.heading"))
    assert page.locator(".rim").count() == 0, "a match as it was"
    assert page.evaluate("document.styleSheets.length") > 0
    running.start()
    running.throw("A IO AEI MNPR")
    expect(page.locator("#log")).to_contain_text("Pax")
