"""A match leaves as JSON lines and comes back the same, or not at all."""

import json
from pathlib import Path

import pytest

from companion.referee.events import Corrected, Paused
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.transfer import AlreadyHereError, ImportRefusedError, export_match, import_match
from tests.referee.build import KARITAS, MISERICORDIA, NOTHING, Table, started


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path / "here.db")
    first = table.throw(MISERICORDIA)
    table.throw(KARITAS)
    table.throw("2:UAE")
    table.record(Corrected(first, None, "leant", ()))
    table.record(Paused())
    return table


@pytest.fixture
def lines(table: Table) -> list[str]:
    return list(export_match(table.journal, table.match.id))


def test_a_match_comes_back_the_same(table: Table, lines: list[str], tmp_path: Path) -> None:
    with Journal(tmp_path / "there.db") as there:
        back = Match.of(there.events(import_match(there, lines)))
        assert back == table.match
        assert list(export_match(there, back.id)) == lines


def test_it_gets_a_number_of_its_own_beside_other_matches(table: Table, lines: list[str], tmp_path: Path) -> None:
    other = Table(tmp_path / "there.db", started("Clara", "Dora"))
    other.throw(NOTHING)
    number = import_match(other.journal, lines)
    assert number == 2
    assert Match.of(other.journal.events(number)).position == table.match.position


def test_importing_twice_is_recognised(table: Table, lines: list[str]) -> None:
    with pytest.raises(AlreadyHereError, match="already in this journal as match 1, in the same state") as caught:
        import_match(table.journal, lines)
    assert caught.value.match == 1


def test_a_match_that_went_on_elsewhere_is_not_mixed_in(table: Table, lines: list[str]) -> None:
    table.record(Corrected(2, None, "again", ()))
    with pytest.raises(AlreadyHereError, match="in another state"):
        import_match(table.journal, lines)


@pytest.mark.parametrize("number", range(7))
def test_a_damaged_line_is_named(lines: list[str], tmp_path: Path, number: int) -> None:
    lines[number] = lines[number][: len(lines[number]) // 2]
    with Journal(tmp_path / "there.db") as there:
        with pytest.raises(ImportRefusedError, match=f"Line {number + 1}: expected JSON"):
            import_match(there, lines)
        assert there.matches() == ()


@pytest.mark.parametrize("number", range(1, 7))
def test_an_edited_line_is_named(lines: list[str], tmp_path: Path, number: int) -> None:
    data = json.loads(lines[number])
    lines[number] = json.dumps({**data, "actor": "somebody else"})
    with (
        Journal(tmp_path / "there.db") as there,
        pytest.raises(ImportRefusedError, match=f"Line {number + 1}: its hash does not fit"),
    ):
        import_match(there, lines)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "the file ends after 5"),
        (lambda lines: [*lines[:3], *lines[4:]], "Line 4: expected event 3, but got event 4"),
        (lambda lines: lines[1:], "Line 1: expected the head"),
        (lambda _: [], "Line 1: expected JSON"),
        (lambda _: ["{}"], "Line 1: expected the head"),
        (lambda lines: [lines[0], "[1, 2]"], "Line 2: expected an event"),
        (lambda lines: [lines[0], "[" * 100_000], "Line 2: expected JSON"),
        (lambda lines: [lines[0].replace('"version": 1', '"version": 2'), *lines[1:]], "newer companion"),
        (lambda lines: [lines[0], "1" * 2_000_000], "at most 1000000 characters"),
    ],
)
def test_what_is_no_whole_match_is_refused(lines: list[str], tmp_path: Path, change: object, said: str) -> None:
    assert callable(change)
    with Journal(tmp_path / "there.db") as there:
        with pytest.raises(ImportRefusedError, match=said):
            import_match(there, change(lines))
        assert there.matches() == ()
