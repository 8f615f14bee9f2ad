"""What is committed at the desk is judged by the rules once; what a journal says is judged whenever it is read."""

import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.desk.table.match_desk import Desk
from companion.referee.events import Committed
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.rules.dice import Throw
from companion.rules.errors import Refusal
from companion.rules.game import Choice, Position
from tests.referee.build import MISERICORDIA, NOTHING

SLUGS = (
    "ludus-regularis",
    "ludus-regularis/wheel",
    "ludix",
    "tables/zeno",
    "tables/xii-scripta",
    "rithmomachia/mebben",
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    journal = Journal(tmp_path / "journal.db")
    weakref.finalize(journal, journal.close)
    return Desk(journal, lambda: 1000.0, Random(1))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Position], list[Throw | Choice]]:
    """What counts, for positions like the given one, how often the rules are asked, and about which move."""

    def watch(position: Position) -> list[Throw | Choice]:
        asked: list[Throw | Choice] = []
        refusal = type(position).refusal

        def noted(self: Position, move: Throw | Choice) -> Refusal | None:
            asked.append(move)
            return refusal(self, move)

        monkeypatch.setattr(type(position), "refusal", noted)
        return asked

    return watch


def opened(desk: Desk, slug: str) -> Position:
    return desk.begin(slug, ("Anna", "Ben"), {}, "tapped", "tests").position


@pytest.mark.parametrize("slug", SLUGS)
def test_a_move_is_judged_once(slug: str, desk: Desk, judged: Callable[[Position], list[Throw | Choice]]) -> None:
    position = opened(desk, slug)
    move = position.throws()[0] if position.awaits.kind == "throw" else next(iter(position.open_choices()))
    asked = judged(position)
    assert desk.play(move, "tapped", "tests")
    assert asked == [move]


def test_a_turn_of_three_men_is_judged_once_a_man(
    desk: Desk, judged: Callable[[Position], list[Throw | Choice]]
) -> None:
    position = opened(desk, "tables/zeno")
    desk.play(position.parse("2 5 6"), "tapped", "tests")
    moves = [position.parse(text) for text in ("a-c", "a-f", "a-g")]
    asked = judged(position)
    desk.play_all(moves, "tests")
    assert asked == moves
    assert Match.of(desk.journal.events(1)) == desk.match


def test_a_move_that_is_forbidden_is_refused_with_all_of_its_turn(desk: Desk) -> None:
    position = opened(desk, "tables/zeno")
    desk.play(position.parse("2 5 6"), "tapped", "tests")
    before = desk.match
    with pytest.raises(RefusedError):
        desk.play_all([position.parse("a-c"), position.parse("a-c")], "tests")
    assert desk.match is before


def test_what_is_read_from_a_journal_is_judged_once_a_commit(
    desk: Desk, judged: Callable[[Position], list[Throw | Choice]]
) -> None:
    position = opened(desk, "ludus-regularis")
    moves = [position.parse(faces) for faces in (MISERICORDIA, NOTHING, MISERICORDIA)]
    for move in moves:
        desk.play(move, "tapped", "tests")
    asked = judged(position)
    assert Match.of(desk.journal.events(1)) == desk.match
    assert asked == moves


def test_what_was_checked_is_trusted_for_its_own_event_and_position_only(desk: Desk) -> None:
    position = opened(desk, "ludus-regularis")
    match = desk.require_match()
    (checked,) = match.checked((position.parse(NOTHING),), "tapped")
    forged = Committed(2, "throw", {"set": "wibold", "faces": {"1": "A"}}, "tapped")
    wrong = replace(checked.event, player=2)
    for event in (forged, wrong):
        (entry,) = desk.journal.append(match.id, [event], 1000.0, "tests")
        assert match.after(entry, checked).misfit == entry.number
    desk.play(position.parse(NOTHING), "tapped", "tests")
    later = desk.require_match()
    (entry,) = desk.journal.append(match.id, [checked.event], 1000.0, "tests")
    assert later.after(entry, checked).misfit == entry.number, "the other player is to throw by now"
