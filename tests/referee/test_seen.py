"""A commit or a question names the look that led to it; where an earlier version did not, it came right before."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.language.sentence import Sentence
from companion.referee.events import BoardAsked, BoardObserved, Event, Observed, Paused, Proposed, Resumed
from companion.referee.journal import Entry
from companion.referee.playable import why_unplayable
from companion.referee.seen import observation_of
from companion.rules.dice import Throw
from companion.rules.tables.choices import Step
from tests.referee.build import NOTHING, Table, started

SEEN = Observed((), "read", "", 1.0, 1, "ab" * 32)
BOARD = BoardObserved("commit", {}, 1.0, 2, "cd" * 32)
WHICH = Sentence("Which?").to_json()


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "journal.db")


def before(event: Event) -> Any:
    """Return an event as an earlier version wrote it."""
    return replace(event, seen=None)  # type: ignore[arg-type]


def observations(table: Table) -> dict[int, int | None]:
    """Return which look led to which event, by their numbers."""
    entries = table.match.entries
    found = {entry.number: observation_of(entry, entries) for entry in entries}
    return {number: None if observation is None else observation.number for number, observation in found.items()}


def test_a_throw_that_was_read_names_its_look_and_a_tapped_one_none(table: Table) -> None:
    match = table.match
    read = table.record(SEEN, match.committed(match.position.parse(NOTHING), "camera", seen=match.next_number))
    table.record(SEEN)
    tapped = table.throw(NOTHING)
    assert observations(table) == {1: None, read - 1: None, read: read - 1, read + 1: None, tapped: None}
    assert table.replayed() == table.match


def test_an_answer_has_the_look_of_its_question(table: Table) -> None:
    asked = table.record(SEEN, Proposed(1, WHICH, (), {}, seen=table.match.next_number))
    table.record(Paused(), Resumed())
    move = table.match.position.parse(NOTHING)
    answered = table.record(table.match.committed(move, "camera", proposed=asked))
    assert (observations(table)[asked], observations(table)[answered]) == (asked - 1, asked - 1)


def test_what_an_earlier_version_wrote_has_the_look_right_before_it(table: Table) -> None:
    throw = Throw.parse("wibold", NOTHING)
    read = table.record(SEEN, before(table.match.committed(throw, "camera")))
    asked = table.record(SEEN, before(Proposed(2, WHICH, (), {})))
    table.record(Paused(), Resumed())
    answered = table.record(before(table.match.committed(throw, "camera", proposed=asked)))
    tapped = table.record(before(table.match.committed(throw, "tapped")))
    found = observations(table)
    assert [found[number] for number in (read, asked, answered, tapped)] == [read - 1, asked - 1, asked - 1, None]
    assert table.replayed() == table.match


def test_the_moves_of_one_play_that_an_earlier_version_wrote_share_their_look(tmp_path: Path) -> None:
    table = Table(tmp_path / "zeno.db", started(game_name="tables/zeno"))
    table.throw("2 5 6")
    moves = (Step("a", "c", 2), Step("c", "h", 5), Step("h", "o", 6))
    last = table.record(BOARD, *(before(made.event) for made in table.match.checked(moves, "camera")))
    assert {number: observation for number, observation in observations(table).items() if observation} == dict.fromkeys(
        range(last - 2, last + 1), last - 3
    )
    table.record(table.match.taken_back(last))
    again = table.record(before(table.match.committed(moves[-1], "tapped")))
    assert observations(table)[again] is None


@pytest.mark.parametrize("named", [0, 1, 3, 4, 10**9])
def test_a_stranger_s_journal_that_names_no_look_has_none(table: Table, named: int) -> None:
    match = table.match
    table.record(SEEN, replace(match.committed(match.position.parse(NOTHING), "camera"), seen=named), SEEN)
    assert observations(table)[3] is None
    assert table.replayed() == table.match


def test_a_question_about_the_board_is_refused_if_no_look_at_it_led_to_it(tmp_path: Path) -> None:
    table = Table(tmp_path / "zeno.db", started(game_name="tables/zeno"))
    table.record(SEEN, BOARD)
    for named, fits in ((None, True), (3, True), (2, False), (0, False), (7, False)):
        asked = Entry(table.match.id, 4, 0.0, "tests", BoardAsked("men", 1, WHICH, (), (), named), "", "")
        assert (why_unplayable(table.match, asked) is None) is fits
