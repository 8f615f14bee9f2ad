"""The organiser's desk in a real browser: twelve tables at three sizes, and a tournament by keyboard alone."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.hall.book.book import Book
from companion.hall.book.database import Database
from companion.hall.desk.watch import HallWatch
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.hall.app import create_hall_app
from companion.web.owner.hall_place import PLACE, HallPlace
from tests.browser.held_scripts import held
from tests.browser.measures import at_sizes, measure, violations
from tests.hall.direct_hall import DirectHall
from tests.hall.tables import table_at
from tests.web.serving import served

pytestmark = pytest.mark.browser

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"resultTypes": ["violations"], "runOnly": TAGS, "rules": {"color-contrast": {"enabled": False}}}
STATES = ("SYNCED", "PROPOSED", "MISMATCH", "BLIND")


def tell(url: str, table: int, **more: object) -> None:
    state = {
        "state": STATES[table % 4],
        "asks": "dice" if table % 4 == 1 else None,
        "game": "tables/zeno",
        "match": table,
        "scores": [table, 2 * table],
        "waits_for": 1 + table % 2,
        "players": [f"Anna {table}", f"Berno {table}"],
        **more,
    }
    with Database(url) as database:
        name = f"table-{table}"
        statuses = {name: "offline" if table == 12 else "online"}
        Book(database, "museum").take(states={name: json.dumps(state)}, statuses=statuses, at=1.0)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Yield the book and the address of a hall of twelve tables."""
    url = str(tmp_path_factory.mktemp("hall") / "hall.db")
    for table in range(1, 13):
        tell(url, table)
    watch = HallWatch(url, "museum")
    watch.start()
    with served(create_hall_app(watch, trusted_hosts=["127.0.0.1"])) as address:
        yield url, address
    watch.stop()


def judged(page: Page) -> None:
    """Check what keeps people out: axe, contrast, and that nothing is wider than the window."""
    page.wait_for_selector("body[data-ready]")  # with its sheets, also where a page has led to it
    assert violations(page, OPTIONS) == []
    assert measure(page, "contrast") == []
    fits(page)


def fits(page: Page) -> None:
    """Check what depends on the size of the window."""
    for what in ("beyond", "smallTargets", "cutOff"):
        assert measure(page, what) == [], what
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_twelve_tables_are_read_at_every_size_and_change_by_themselves(
    desk: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    url, address = desk
    page = open_page(f"{address}/")
    expect(page.locator(".hall-table")).to_have_count(12)
    expect(page.locator("#hall-lead")).to_contain_text("9 tables need you: table-1, table-2,")
    expect(page.locator(".hall-table").first).to_contain_text("Question from the dice camera")
    judged(page)
    tell(url, 1, state="SYNCED", asks=None)
    expect(page.locator(".hall-table").first).to_contain_text("Playing")
    expect(page.locator("#hall-said")).to_contain_text("8 tables need you")
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page)
    page.goto(f"{address}/class?game=ludus-regularis")
    page.wait_for_selector("body[data-ready]")
    judged(page)
    page.locator("select[name=ending]").select_option("throws")
    page.locator("#give-game").click()
    expect(page.locator("#given")).to_contain_text("All tables have been given Ludus Regularis.")
    judged(page)
    page.locator("#withdraw-game").click()
    expect(page.locator("#given")).to_have_count(0)
    wall = open_page(f"{address}/wall?language=de", 1920, 1080)
    expect(wall.locator(".hall-table").last).to_contain_text("Offline")
    judged(wall)
    for _, height in at_sizes(wall, ((1280, 800), (1920, 1080), (3840, 2160))):
        assert wall.evaluate("document.documentElement.scrollHeight") <= height, "nobody scrolls a wall"
        fits(wall)


def test_a_tournament_is_begun_played_and_invited_by_keys_alone(
    desk: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    url, address = desk
    page = open_page(f"{address}/tournaments", quiet=False)  # a refusal is told in the console too
    judged(page)

    def reach(selector: str) -> None:
        for _ in range(80):
            if page.evaluate(f"document.activeElement?.matches({selector!r})"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    reach("input[name=name]")
    page.keyboard.type("Cup")
    reach("textarea")
    page.keyboard.type("Anna\nBerno\nClara\n")
    reach("input[name=rounds]")
    page.keyboard.type("9")
    reach("form button[type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator("main .wrong:not([hidden])")).to_contain_text("at most 3 rounds")
    page.locator("input[name=rounds]").fill("2")
    reach("form button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tournaments/1")
    page.wait_for_selector("body[data-ready]")
    reach("#draw")
    page.keyboard.press("Enter")
    expect(page.locator(".pairings li")).to_have_count(2)
    reach("#table-1")
    page.keyboard.press("ArrowDown")  # letters typed slowly begin the search for a table anew
    page.keyboard.press("ArrowDown")
    expect(page.locator("#table-1")).to_have_value("table-2")
    reach("#invite-1")
    shown = page.evaluate("document.body.dataset.shown ?? null")
    tell(url, 5, scores=[90, 91])  # the hall changes before the button is pressed
    page.wait_for_function("(before) => (document.body.dataset.shown ?? null) !== before", arg=shown)
    expect(page.locator("#table-1")).to_have_value("table-2")
    page.keyboard.press("Enter")
    expect(page.locator(".pairings li").first).to_contain_text("at table-2")
    judged(page)
    reach("#games-1")
    page.keyboard.press("ArrowDown")
    reach("#write-1")
    page.keyboard.press("Enter")
    expect(page.locator(".pairings li").first).to_contain_text("1 : 0")
    expect(page.locator("tbody tr").first).to_contain_text("1.0")
    assert page.evaluate("document.activeElement.id") == "write-1", "the focus stays where it was"
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page)
    page.emulate_media(media="print")
    expect(page.locator("#write-1")).to_be_hidden()


def test_nothing_can_be_sent_before_the_script_listens(desk: tuple[str, str], open_page: Callable[..., Page]) -> None:
    page = open_page(f"{desk[1]}/tournaments")
    name = page.locator("input[name=name]")
    with held(page, "**/hall.js*"):
        page.goto(f"{desk[1]}/tournaments", wait_until="commit")
        expect(name).to_have_count(1)
        expect(name).to_be_hidden()
    expect(name).to_be_visible()


def test_what_has_changed_can_be_read_out_however_soon_after_the_last_change(
    desk: tuple[str, str], open_page: Callable[..., Page]
) -> None:
    url, address = desk
    page = open_page(f"{address}/", fresh=True)
    page.clock.install()
    stated = page.locator("#hall-said")
    tell(url, 5, state="SYNCED", asks=None)
    expect(stated).to_contain_text("need you")
    before = stated.inner_text()
    page.clock.run_for(4000)
    tell(url, 9, state="SYNCED", asks=None)
    expect(stated).not_to_have_text(before)
    page.clock.run_for(2000)
    expect(stated).to_contain_text("need you")


def test_a_table_joins_by_the_code_that_the_desk_shows_and_a_player_finds_the_table(
    tmp_path: Path, open_page: Callable[..., Page]
) -> None:
    hall, journal = DirectHall(tmp_path / "hall"), tmp_path / "journal.db"
    watch = HallWatch(hall.book, "club", hall.collector)
    watch.start()
    desk_app = create_hall_app(watch, by_code=(hall.members, hall.server), trusted_hosts=["127.0.0.1"])
    with table_at(journal) as table, served(desk_app) as desk:
        app = create_app(table, trusted_hosts=["127.0.0.1"], settings=SettingsFile())
        place = HallPlace(app, table, None, journal)
        PLACE.put(app, place)
        with served(app) as own:
            page = open_page(f"{desk}/join", 390, 844)
            judged(page)
            code = page.locator("#join-code").inner_text()
            joining = open_page(f"{own}/owner/hall", 390, 844, quiet=False)  # a refusal is in the console
            judged(joining)
            for name, text in (("address", hall.address), ("code", "7KQM-2XD9-P4TN"), ("table", "7")):
                joining.locator(f"input[name={name}]").fill(text)
            joining.keyboard.press("Enter")
            expect(joining.locator("#wrong")).to_contain_text("another code")
            joining.locator("input[name=code]").fill(code.lower())
            joining.keyboard.press("Enter")
            expect(joining.locator(".owner-page")).to_contain_text("This table is 7 in the hall club.")
            judged(joining)
            page.reload()
            expect(page.locator(".joined-tables")).to_contain_text("7")
            page.goto(f"{desk}/")
            expect(page.locator(".hall-table")).to_have_count(1)
            page.goto(f"{desk}/tournaments")
            page.locator("input[name=name]").fill("Cup")
            page.locator("#players").fill("Anna\nBerno\nClara")
            page.locator(".form button[type=submit]").click()
            page.locator("#draw").click()
            page.locator("#seat-all").click()
            expect(page.locator(".pairings li").first).to_contain_text("at 7")
            page.locator("#late").fill("Dora")
            page.locator("#let-in").click()
            expect(page.locator("tbody")).to_contain_text("Dora")
            judged(page)
            page.locator(".no-print a.button", has_text="phones").click()
            judged(page)
            page.get_by_role("link", name="Anna").click()
            expect(page.locator(".next-place")).to_contain_text("table 7")
            judged(page)
            page.goto(f"{desk}/asked")
            judged(page)
            page.close()  # before its server ends
            joining.close()
        place.stop()
    watch.stop()
    hall.stop()
