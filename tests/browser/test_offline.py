"""The table goes away and comes back: the browser shows a page that says so, and never a match as it was."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server

pytestmark = pytest.mark.browser
TAKEN_ON = """async () => {
  const workers = navigator.serviceWorker;
  if (!workers.controller) await new Promise((done) => workers.addEventListener("controllerchange", done));
}"""


def test_a_page_says_that_the_table_is_away_and_returns_with_it(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    running = Server(tmp_path / "journal.db")
    running.start()
    running.new_match()
    page = open_page(running.address + "/start", quiet=False, ready=False)  # the browser notes the lost requests
    page.evaluate(TAKEN_ON)
    running.stop()
    page.goto(running.address + "/")
    expect(page.locator("h1")).to_have_text("The table does not answer")
    assert page.locator(".rim").count() == 0, "a match as it was"
    assert page.evaluate("document.styleSheets.length") > 0
    running.start()
    running.throw("A IO AEI MNPR")
    expect(page.locator("#log")).to_contain_text("Pax")
    running.stop()
