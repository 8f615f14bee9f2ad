"""Matches of every kind on the page without a camera: begun, played by touch, taken back, ended as in the journal.

One of each way to end is begun and ended: what lies between was written into the journal before.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.desk.table.match_desk import Desk
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.game import Position
from companion.rules.registry import games
from companion.rules.tables.tables import Tables
from companion.web import create_app
from tests.browser.conftest import PATIENCE
from tests.browser.kept_pages import UNSEEN
from tests.browser.playing import Move, expected, game_of, on_page, settled, shown
from tests.web.serving import served

pytestmark = pytest.mark.browser

OPTIONS: dict[str, dict[str, Any]] = {
    "ludus-regularis": {"ending": "throws", "throws": 12},
    "ludus-regularis/sum": {"ending": "throws", "throws": 12},
    "ludus-regularis/wheel": {"ending": "throws", "throws": 12},
    "ludix": {"target": 60, "ending": "at-once"},
    "rithmomachia/durnil-guardia": {"points": 40},
    "rithmomachia/mebben": {"minor": "points", "points": 20},
}
BY_AGREEMENT = {"rithmomachia/italian"}
"""Nobody has seen an end of it that two programs reach."""


def ending(slug: str) -> tuple[object, ...]:
    """Name how a game ends: of tables games by a rule of its own, the goal, and dice that nobody can play."""
    listed = games()[slug]
    if not isinstance(listed, Tables):
        return (slug,)
    usual = [option.values[0] for option in listed.options if option.values and option.name in {"goal", "unused"}]
    return (listed.variant.rule, listed.variant.goal, *usual)


ENDINGS = tuple({ending(slug): slug for slug in games()}.values())
"""A game of each way to end; the page shows every game of one way alike, and `tests/web/test_ways.py` plays all."""

LAST = 2
"""Moves at the end that the page makes."""

NAMES = ["Anna", "Berno"]


@dataclass(frozen=True)
class Prepared:
    """A match in the journal but for its last moves."""

    id: int
    position: Position
    rest: list[Move]


@dataclass(frozen=True)
class Room:
    """A running table over the prepared matches, and the page that follows it from one to the next."""

    table: LiveTable
    path: Path
    page: Page
    prepared: dict[str, Prepared]


def prepare(desk: Desk, slug: str) -> Prepared:
    """Write a whole game but for its last moves."""
    options = OPTIONS.get(slug, {})
    moves = game_of(games()[slug].start(2, **options), 1, 40 if slug in BY_AGREEMENT else 3000)
    match = desk.begin(slug, NAMES, options, "tapped", "tests")
    desk.record([made.event for made in match.checked(moves[:-LAST], "tapped")], "tests")
    return Prepared(match.id, desk.require_match().position, moves[-LAST:])


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Room]:
    path = tmp_path_factory.mktemp("games") / "match.db"
    with Journal(path) as journal:
        desk = Desk(journal, lambda: 0.0, random.Random(1))
        prepared = {slug: prepare(desk, slug) for slug in ENDINGS}
        desk.put_away("tests")
    table = LiveTable(path)
    table.start()
    complaints: list[str] = []
    with served(create_app(table, trusted_hosts=["127.0.0.1"])) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(UNSEEN)
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console", lambda stated: complaints.append(stated.text) if stated.type in {"error", "warning"} else None
        )
        page.goto(f"{address}/")
        yield Room(table, path, page, prepared)
        page.close()
    table.stop()
    assert complaints == []


def replayed(path: Path, match: int) -> Match:
    """Return the match as the journal alone tells it."""
    with Journal(path, writable=False) as journal:
        return Match.of(journal.events(match))


@pytest.mark.parametrize("slug", ENDINGS)
def test_the_first_turn_is_played_by_touch_and_taken_back(slug: str, room: Room) -> None:
    options = OPTIONS.get(slug, {})
    begun = {"game": slug, "players": NAMES, "dice_by": "tapped", "options": options}
    reply = room.table.command("new_match", begun, "tests")
    assert reply.ok, reply.sentence
    position, page = games()[slug].start(2, **options), room.page
    settled(page, room.table)
    assert shown(page, position) == expected(position)
    for move in game_of(position, 3, 2):
        on_page(page, room.table, position, move)
        chose = position.awaits.kind == "choice"
        before, position = position, position.after(move)
        assert shown(page, position) == expected(position)
        if chose:
            page.locator("[data-focus=take-back], [data-focus=undo]").click()
            expect(page.locator("#log .log-line").first).to_contain_text("was taken back")
            settled(page, room.table)
            assert shown(page, before) == expected(before)
            on_page(page, room.table, before, move)
    match = replayed(room.path, reply.data["match"])
    assert match.position == position
    assert shown(page, position) == expected(position)


@pytest.mark.parametrize("slug", ENDINGS)
def test_the_end_of_a_whole_match_is_as_the_journal_has_it(slug: str, room: Room) -> None:
    prepared, page = room.prepared[slug], room.page
    assert room.table.command("resume", {"match": prepared.id}, "tests").ok
    settled(page, room.table)
    position = prepared.position
    for move in prepared.rest:
        on_page(page, room.table, position, move)
        position = position.after(move)
    if slug in BY_AGREEMENT:
        page.locator("[data-focus=more]").click()
        page.locator("[data-focus=finish]").click()
        page.locator("#confirm button[type=submit]").click()
    expect(page.locator("#outcome")).to_be_visible()
    assert shown(page, position) == expected(position)
    match = replayed(room.path, prepared.id)
    assert match.position == position
    assert match.over
    assert match.outcome is not None
    for number in match.outcome.winners:
        expect(page.locator("#outcome-heading")).to_contain_text(NAMES[number - 1])
