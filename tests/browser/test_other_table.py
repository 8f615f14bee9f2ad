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
    expect(there.locator("#headline")).to_contain_text("Anna throws")
    expect(here.locator("#headline")).to_have_text(there.locator("#headline").inner_text())


def begun_together(addresses: tuple[str, str], open_page: Callable[..., Page]) -> tuple[Page, Page]:
    """Let the second table join the match of the first one; return the pages of both owners."""
    here, there = (open_page(f"{address}/owner/other_table") for address in addresses)
    press(here, "Let another table play")
    address, code = (here.locator("dd strong").nth(number).inner_text() for number in (0, 1))
    there.locator("input[name=address]").fill(address)
    there.locator("input[name=code]").fill(code)
    there.keyboard.press("Enter")
    expect(there.locator("#status")).to_have_attribute("data-sign", "remote")
    return here, there


@pytest.mark.parametrize("first", ["unseen", "in view"])
def test_both_tables_throw_real_dice_one_of_them_unseen(
    addresses: tuple[str, str], open_page: Callable[..., Page], first: str
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
    order = (here, there) if first == "in view" else (there, here)
    for page in order:
        for die in ("1", "2", "3"):
            page.locator(f"#tap [data-die='{die}'][value='{'6' if page is here else '2'}']").check(force=True)
        page.locator("#tap button[type=submit]").click()
        if page is order[0]:
            waits = "This table has thrown" if page is here else "Anna is to throw, at the other table"
            expect(page.locator("#headline")).to_contain_text(waits)
            page.reload()
            expect(page.locator("#headline")).to_contain_text(waits)
            expect(page.locator("#status")).to_have_attribute("data-sign", "remote")
            expect(page.locator("#tap")).to_be_hidden()
            judged(page)
    for page in (here, there):
        expect(page.locator("#headline")).to_have_text("Anna throws 1, 1, 1.")
    expect(there.locator("#subline")).to_contain_text("Anna is to move, at the other table")
    expect(here.locator("#subline")).not_to_contain_text("other table")


def test_men_that_were_moved_at_one_table_are_to_be_moved_at_the_other_one(
    addresses: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    here, there = begun_together(addresses, open_page)
    here.goto(f"{addresses[0]}/")
    here.locator("[data-focus=roll]").click()
    while here.request.get(f"{addresses[0]}/api/state").json()["awaits"]["player"] == 1:
        choices = here.request.get(f"{addresses[0]}/api/state").json()["choices"]
        if choices:
            here.request.post(f"{addresses[0]}/api/command/choose", data={"choice": choices[0]["choice"]})
        else:
            here.wait_for_timeout(50)
    expect(there.locator("#subline")).to_contain_text("Move the men here too, as Anna did at the other table.")
    expect(here.locator("#subline")).not_to_contain_text("Move the men")
    judged(there)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (1920, 1080)])
def test_spectators_see_the_match_of_both_tables_and_can_do_nothing(
    addresses: tuple[str, str], open_page: Callable[..., Page], width: int, height: int
) -> None:
    here, _ = begun_together(addresses, open_page)
    asked: list[str] = []
    for address in addresses:
        page = open_page(f"{address}/watch", width, height)
        page.on("request", lambda request: asked.append(request.method))
        expect(page.locator("h1")).to_contain_text("Anna, Bert · Zeno")
        expect(page.locator("#players li")).to_have_count(2)
        expect(page.locator("#players li[data-turn]")).to_contain_text("Anna")
        expect(page.locator("#players li[data-turn]")).to_contain_text("to play")
        away = "Bert" if address == addresses[0] else "Anna"
        expect(page.locator("#players li").filter(has_text="at the other table")).to_contain_text(away)
    here.request.post(f"{addresses[0]}/api/command/roll", data={})
    expect(page.locator("#dice svg")).to_have_count(3)
    expect(page.locator("#verdict")).to_contain_text("Anna throws")
    expect(page.locator("#awaited")).to_contain_text("Anna is to move, at the other table.")
    expect(page.locator("#men svg.men-board")).to_be_visible()
    for box in page.locator(".overlay-part, h1").all():
        there = box.bounding_box()
        assert there is not None
        assert min(there["x"], there["y"]) >= 0
        assert there["x"] + there["width"] <= width
        assert there["y"] + there["height"] <= height
    assert page.locator("a, button, input, select, form, [tabindex]").count() == 0
    judged(page)
    here.request.post(f"{addresses[0]}/api/command/end_sharing", data={})
    here.request.post(f"{addresses[0]}/api/command/pause", data={})
    first = open_page(f"{addresses[0]}/watch?language=de", width, height)
    expect(first.locator("#awaited")).to_have_text("Die Partie ist unterbrochen. Sie wartet, so lange Sie wollen.")
    expect(first.locator("#players")).not_to_contain_text("anderen Tisch")
    judged(first)
    assert set(asked) <= {"GET"}
    lost = open_page(f"{addresses[0]}/watch", width, height, quiet=False)
    lost.route("**/api/**", lambda route: route.abort())
    lost.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(lost.locator("#awaited")).to_contain_text("lost contact with the table")
