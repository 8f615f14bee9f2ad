"""The men on the page: drawn, followed, asked about, and what does not fit beside what was expected."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.referee.board.standing import Stand, expected_board
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading, Men, SiteReading
from companion.web import create_app
from tests.browser.conftest import Server
from tests.live.drawn_board import uncertain
from tests.live.test_board_table import BoardRoom, after, begin
from tests.referee.board.simulated import perfect
from tests.web.serving import served

pytestmark = pytest.mark.browser
BATTLE = "rithmomachia/durnil-guardia"


@pytest.fixture
def zeno(tmp_path: Path) -> Iterator[tuple[BoardRoom, str]]:
    yield from _room(tmp_path, "tables/zeno")


@pytest.fixture
def battle(tmp_path: Path) -> Iterator[tuple[BoardRoom, str]]:
    yield from _room(tmp_path, BATTLE)


def _room(tmp_path: Path, slug: str) -> Iterator[tuple[BoardRoom, str]]:
    room = BoardRoom(tmp_path / "match.db", slug)
    with served(create_app(room.table, trusted_hosts=["127.0.0.1"])) as address:
        yield room, address
    room.table.stop()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_men_are_drawn_and_the_turn_in_the_middle_has_its_arrows(
    zeno: tuple[BoardRoom, str], open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    room, address = zeno
    begin(room)
    page = open_page(address, *size)
    board = page.locator(".men-board")
    expect(board).to_have_count(1)
    expect(board.locator(".point")).to_have_count(24)
    expect(board.locator(".count")).to_have_text(["15", "15"])
    expect(board).to_have_attribute("aria-label", re.compile("a: 15 "))
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    picture, drawn = page.locator("#table-picture").bounding_box(), board.bounding_box()
    assert picture
    assert drawn
    assert picture["width"] > 0.9 * drawn["width"]
    thrown = room.throw("2 5 6")
    room.stand(after(thrown, "a-c"))
    expect(page.locator("#subline")).to_contain_text("Go on: 5 and 6 still to be played.")
    expect(board.locator(".arrow.now")).to_have_count(1)
    room.stand(after(thrown, "a-c", "a-f", "a-g"))
    expect(page.locator("#subline")).to_contain_text("Ben")
    expect(board.locator(".arrow.last")).to_have_count(3)
    expect(page.locator("#drawn")).to_contain_text("12x")
    expect(page.locator("#drawn")).to_be_hidden()
    page.get_by_text("The board, drawn in text").click()
    expect(page.locator("#drawn")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_what_does_not_fit_is_said_large_and_shown_beside_what_was_expected(
    zeno: tuple[BoardRoom, str], open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    room, address = zeno
    start = begin(room)
    thrown = room.throw("2 5 6")
    page = open_page(address, *size)
    room.source.show(room.stage.hand(room.stage.picture(thrown)), 2)
    wrong = _with(perfect(thrown, room.stage.seating), {"e": Men(room.stage.seating.colour(1))}, room)
    room.source.show(room.stage.draw(wrong), 40)
    expect(page.locator("#status")).to_have_attribute("data-state", "MISMATCH")
    expect(page.locator("#headline")).to_contain_text("has come to e")
    expect(page.locator(".men-pair .men-board")).to_have_count(2)
    expect(page.locator(".men-pair figcaption")).to_have_text(["In the match", "In the picture"])
    assert page.locator(".men-pair .off-site").count() >= 2
    expect(page.locator(".men-pair .off-site").first).to_be_visible()
    expect(page.locator(".men-orders li").first).to_contain_text("off e")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    room.stand(start)
    expect(page.locator("#status")).not_to_have_attribute("data-state", "MISMATCH")
    expect(page.locator(".men-pair")).to_have_count(0)


def _with(reading: BoardReading, changed: dict[str, Men], room: BoardRoom) -> BoardReading:
    sites = {
        room.stage.seating.site(name): SiteReading(room.stage.seating.site(name), ((men, 0.999),), "read")
        for name, men in changed.items()
    }
    return BoardReading(reading.board, {**reading.sites, **sites}, reading.corners, "read")


def test_a_question_about_the_board_is_answered_with_the_keyboard(
    battle: tuple[BoardRoom, str], open_page: Callable[..., Page]
) -> None:
    room, address = battle
    start = begin(room, BATTLE)
    page = open_page(address)
    move = next(move for move in start.legal() if "from" in move.to_json())
    played, whole = start.after(move), perfect(start.after(move), room.stage.seating)
    before = perfect(start, room.stage.seating)
    ends = [room.stage.seating.site(str(move.to_json()[end])) for end in ("from", "to")]
    doubtful = {
        name: SiteReading(name, ((whole.sites[name].standing, 0.81), (before.sites[name].standing, 0.19)), "ask")
        for name in ends
    }
    room.source.show(room.stage.hand(room.stage.picture(start)), 2)
    room.source.show(room.stage.draw(BoardReading("8x16", {**whole.sites, **doubtful}, (), "read")), 60)
    expect(page.locator("#status")).to_have_attribute("data-state", "PROPOSED")
    expect(page.locator("#headline")).to_contain_text("Is this what was played?")
    expect(page.locator(".arrow.asked")).to_have_count(1)
    page.locator(".men-ask").get_by_role("button", name=str(move)).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".men-ask")).to_have_count(0)
    expect(page.locator("#log")).to_contain_text(str(move))
    assert room.match().position == played


def test_a_question_is_put_aside_on_the_page(battle: tuple[BoardRoom, str], open_page: Callable[..., Page]) -> None:
    room, address = battle
    start = begin(room, BATTLE)
    page = open_page(address)
    site, stand = next(
        (site, stand)
        for site, stand in expected_board(start).items()
        if isinstance(stand, Stand) and stand.shape == "circle"
    )
    other = Men(room.stage.seating.colour(stand.owner), 1, "circle", 4 if stand.number != 4 else 6)
    room.source.show(room.stage.hand(room.stage.picture(start)), 2)
    room.source.show(room.stage.draw(_with(perfect(start, room.stage.seating), {site: other}, room)), 60)
    expect(page.locator("#headline")).to_contain_text(f"Does {site} still have its own man?")
    page.get_by_role("button", name="No, something was moved").click()
    expect(page.locator(".men-ask")).to_have_count(0)
    expect(page.locator("#status")).to_have_attribute("data-state", "MISMATCH")
    assert room.match().position == start


def test_how_the_board_lies_is_asked_and_answered_by_a_click(
    zeno: tuple[BoardRoom, str], open_page: Callable[..., Page]
) -> None:
    room, address = zeno
    room.done("new_match", game="tables/zeno", players=["Anna", "Ben"])
    page = open_page(address)
    room.source.show(room.stage.picture(game("tables/zeno").start(2)), 40)
    page.get_by_role("button", name="light is Anna's, dark is Ben's, point a lies at the bottom right.").click()
    expect(page.locator("#status")).to_have_attribute("data-state", "SYNCED")
    assert room.match().board.seating == room.stage.seating


def test_a_covered_board_is_blind(zeno: tuple[BoardRoom, str], open_page: Callable[..., Page]) -> None:
    room, address = zeno
    start = begin(room)
    page = open_page(address)
    room.source.show(room.stage.hand(room.stage.picture(start)), 2)
    room.source.show(room.stage.draw(uncertain(perfect(start, room.stage.seating), "abcdefghiklm")), 40)
    expect(page.locator("#headline")).to_have_text("Too much of the board is covered.")


def test_men_that_nobody_watches_are_drawn_too(shared_server: Server, open_page: Callable[..., Page]) -> None:
    shared_server.command("new_match", game="rithmomachia/mebben", players=["Anna", "Berno"], dice_by="tapped")
    page = open_page(f"{shared_server.address}/")
    expect(page.locator(".men-board")).to_have_count(1)
    expect(page.locator(".men-board .man")).to_have_count(48)
    shared_server.command("choose", text="c13-c12")
    expect(page.locator(".men-board .arrow.last")).to_have_count(1)
    shared_server.new_match()
    expect(page.locator("#men")).to_be_hidden()
