"""Two tables share a match as their owners do it: by keyboard on the owner's page, at the sizes of phone and screen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_hall_page import judged
from tests.web.lined_table import LinedTable
from tests.web.serving import served

pytestmark = pytest.mark.browser


@pytest.fixture
def addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the pages of two tables; the first one has a match open."""
    monkeypatch.setattr("companion.web.remote.match_server.MATCH_PORT", 0)
    monkeypatch.setattr("companion.web.remote.match_server.outside_addresses", lambda: ["127.0.0.1"])
    tables = [LinedTable(tmp_path / name, seed) for seed, name in enumerate(("here", "there"))]
    begun = {"game": "tables/zeno", "players": ["Anna", "Bert"], "dice_by": "program"}
    tables[0].ask("new_match", **begun)
    with served(tables[0].app) as here, served(tables[1].app) as there:
        yield here, there
    for table in tables:
        table.stop()


def press(page: Page, name: str) -> None:
    """Reach a button with the tabulator alone, and press it."""
    wanted = page.get_by_role("button", name=name, exact=True)
    for _ in range(60):
        if wanted.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no tabulator leads to {name}")


def test_owners_share_a_match_by_keyboard_and_each_page_shows_whose_turn_it_is(
    addresses: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    here = open_page(f"{addresses[0]}/owner/other_table")
    judged(here)
    press(here, "Let another table play")
    expect(here.locator("strong.code")).to_be_visible()
    judged(here)
    code = here.locator("strong.code").inner_text()
    address = here.locator("dd strong").first.inner_text()

    there = open_page(f"{addresses[1]}/owner/other_table", 390, 844)
    judged(there)
    there.locator("input[name=address]").focus()
    there.keyboard.type(address)
    there.keyboard.press("Tab")
    there.keyboard.type(code.lower())
    there.keyboard.press("Enter")
    expect(there.locator("#headline")).to_contain_text("Anna")
    expect(there.locator("#status")).to_have_attribute("data-sign", "remote")
    expect(there.locator(".throw-now, [data-focus=roll]")).to_have_count(0)
    judged(there)

    here.goto(f"{addresses[0]}/")
    expect(here.locator("#status")).to_have_attribute("data-sign", "turn")
    here.locator("[data-focus=roll]").focus()
    here.keyboard.press("Enter")
    expect(here.locator("#headline")).to_contain_text("Anna throws")
    expect(there.locator("#headline")).to_contain_text("Anna throws")
    assert here.locator("#headline").inner_text() == there.locator("#headline").inner_text()


def test_both_tables_throw_real_dice_one_of_them_unseen(
    addresses: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    here = open_page(f"{addresses[0]}/owner/other_table", 390, 844)
    here.request.post(f"{addresses[0]}/api/command/reseat", data={"dice_by": "tapped"})
    here.reload()
    here.get_by_label("The throws").select_option(label="Both throw, one of them unseen")
    judged(here)
    press(here, "Let another table play")
    address, code = (here.locator("dd strong").nth(number).inner_text() for number in (0, 1))
    there = open_page(f"{addresses[1]}/owner/other_table", 390, 844)
    there.locator("input[name=address]").fill(address)
    there.locator("input[name=code]").fill(code)
    there.keyboard.press("Enter")
    expect(there.locator("#headline")).to_contain_text("unseen by the other table")
    expect(there.locator("#status")).to_have_attribute("data-sign", "turn")
    judged(there)
    here.goto(f"{addresses[0]}/")
    for page, face in ((there, "2"), (here, "6")):
        for die in ("1", "2", "3"):
            page.locator(f"#tap [data-die='{die}'][value='{face}']").check(force=True)
        page.locator("#tap button[type=submit]").click()
        if page is there:
            expect(there.locator("#status")).to_have_attribute("data-sign", "remote")
            expect(there.locator("#tap")).to_be_hidden()
    for page in (here, there):
        expect(page.locator("#headline")).to_contain_text("throws 1, 1, 1")
    assert here.locator("#headline").inner_text() == there.locator("#headline").inner_text()
