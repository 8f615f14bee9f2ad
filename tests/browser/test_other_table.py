"""Two tables share a match as their owners do it: by keyboard on the owner's page, at the sizes of phone and screen."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from companion.language import texts
from tests.browser.measures import at_sizes, measure
from tests.browser.test_hall_page import judged
from tests.web.lined_table import LinedTable
from tests.web.serving import served

pytestmark = pytest.mark.browser


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[LinedTable]]:
    """Yield two tables; the first one has a match open."""
    monkeypatch.setattr("companion.web.remote.match_server.MATCH_PORT", 0)
    monkeypatch.setattr("companion.web.remote.match_server.outside_addresses", lambda: ["127.0.0.1"])
    made = [LinedTable(tmp_path / name, seed) for seed, name in enumerate(("here", "there"))]
    made[0].ask("new_match", game="tables/zeno", players=["Anna", "Bert"], dice_by="program")
    yield made
    for table in made:
        table.stop()


@pytest.fixture
def addresses(tables: list[LinedTable]) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the pages of both tables."""
    with served(tables[0].app) as here, served(tables[1].app) as there:
        yield here, there


def join(tables: list[LinedTable], **how: Any) -> None:
    """Let the second table join the match of the first one, without their pages."""
    tables[0].ask("share", remote=[2], **how)
    seen = tables[0].line.seen()
    assert tables[1].join(seen.address, seen.code) == (200, "")


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


@pytest.mark.parametrize("first", ["unseen", "in view"])
def test_both_tables_throw_real_dice_one_of_them_unseen(
    tables: list[LinedTable], addresses: tuple[str, str], open_page: Callable[..., Page], first: str
) -> None:
    tables[0].ask("reseat", dice_by="tapped")
    if first == "in view":
        join(tables, both_throw=True)
        here, there = (open_page(f"{address}/", 390, 844) for address in addresses)
    else:
        here = open_page(f"{addresses[0]}/owner/other_table", 390, 844)
        here.get_by_label("The throws").select_option(label="Both throw, one of them unseen")
        judged(here)
        press(here, "Let another table play")
        address, code = (here.locator("dd strong").nth(number).inner_text() for number in (0, 1))
        there = open_page(f"{addresses[1]}/owner/other_table", 390, 844)
        there.locator("input[name=address]").fill(address)
        there.locator("input[name=code]").fill(code)
        there.keyboard.press("Enter")
        here.goto(f"{addresses[0]}/")
    expect(there.locator("#headline")).to_contain_text("unseen by the other table")
    expect(there.locator("#status")).to_have_attribute("data-sign", "turn")
    if first == "unseen":
        judged(there)
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
    tables: list[LinedTable], addresses: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    join(tables)
    here, there = (open_page(f"{address}/") for address in addresses)
    tables[0].ask("roll")
    while (now := tables[0].until(lambda now: now["awaits"]["player"] == 2 or now["choices"]))["awaits"]["player"] == 1:
        tables[0].ask("choose", choice=now["choices"][0]["choice"])
    expect(there.locator("#subline")).to_contain_text("Move the men here too, as Anna did at the other table.")
    expect(here.locator("#subline")).not_to_contain_text("Move the men")
    judged(there)


def test_spectators_see_the_match_of_both_tables_and_can_do_nothing(
    tables: list[LinedTable], addresses: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    join(tables)
    asked: list[str] = []
    there, here = (open_page(f"{addresses[number]}/watch", quiet=number == 1) for number in (1, 0))

    def note(request: Request) -> None:
        asked.append(request.method)

    for page, away in ((here, "Bert"), (there, "Anna")):
        page.on("request", note)
        expect(page.locator("h1")).to_contain_text("Anna, Bert · Zeno")
        expect(page.locator("#players li")).to_have_count(2)
        expect(page.locator("#players li[data-turn]")).to_contain_text("Anna")
        expect(page.locator("#players li[data-turn]")).to_contain_text("to play")
        expect(page.locator("#players li").filter(has_text="at the other table")).to_contain_text(away)
    tables[0].ask("roll")
    expect(there.locator("#dice svg")).to_have_count(3)
    expect(there.locator("#verdict")).to_contain_text("Anna throws")
    expect(there.locator("#awaited")).to_contain_text("Anna is to move, at the other table.")
    expect(there.locator("#men svg.men-board")).to_be_visible()
    for width, height in at_sizes(there, ((390, 844), (1920, 1080), (1280, 800))):
        for box in there.locator(".overlay-part, h1").all():
            place = box.bounding_box()
            assert place is not None
            assert min(place["x"], place["y"]) >= 0
            assert place["x"] + place["width"] <= width
            assert place["y"] + place["height"] <= height
        for what in ("contrast", "beyond", "cutOff"):
            assert measure(there, what) == [], (what, width)
    assert there.locator("a, button, input, select, form, [tabindex]").count() == 0
    judged(there)
    tables[0].ask("end_sharing")
    tables[0].ask("pause")
    here.goto(f"{addresses[0]}/watch?language=de")
    expect(here.locator("#awaited")).to_have_text("Die Partie ist unterbrochen. Sie wartet, so lange Sie wollen.")
    expect(here.locator("#players")).not_to_contain_text("anderen Tisch")
    judged(here)
    for page in (here, there):
        page.remove_listener("request", note)  # other tests use these pages too
    assert set(asked) == {"GET"}
    here.route("**/api/**", lambda route: route.abort())
    here.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(here.locator("#awaited")).to_contain_text(texts.load("de")("status.lost"))
