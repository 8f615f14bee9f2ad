"""A match from elsewhere comes in beside the running table: in pieces that nobody sees before the last one."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from companion.desk.page.library import Library
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence
from companion.ledger.entries import JournalWriteError, UnknownChainError
from companion.ledger.rescue import open_ledger
from companion.live.table import LiveTable
from companion.referee.events import Paused, Resumed
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.transfer import PIECE_EVENTS, export_match, in_pieces, read_match
from tests.referee.build import Table
from tests.referee.killed import log_of


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """Return a match of a little more than two pieces."""
    there = Table(tmp_path / "there.db")
    events = [Paused() if number % 2 else Resumed() for number in range(2 * PIECE_EVENTS)]
    there.journal.append(there.match.id, events, 1.0, "a")
    return list(export_match(there.journal, there.match.id))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path / "here.db")
    table.start()
    assert table.command("new_match", {"game": "ludus-regularis", "players": ["A", "B"], "dice_by": "program"}, "t").ok
    yield table
    table.stop()


def test_the_table_plays_between_two_pieces_and_shows_the_match_when_it_is_whole(
    table: LiveTable, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in, seen = table._writer.take_in, []

    def piece_by_piece(*piece: object) -> object:
        seen.append((len(piece[0]), [line["id"] for line in table.matches()]))  # type: ignore[arg-type]
        assert table._writer.command("roll", {}, "t").ok
        return take_in(*piece)  # type: ignore[arg-type]

    monkeypatch.setattr(table._writer, "take_in", piece_by_piece)
    reply = table.import_lines(lines, "t")
    assert reply.ok, str(reply.sentence)
    assert seen == [(PIECE_EVENTS, [1]), (PIECE_EVENTS, [1]), (1, [1])]
    assert list(table.export(2) or []) == lines
    assert table.snapshot().data["match"]["throws"] == len(seen)


def test_a_piece_that_cannot_be_written_takes_the_others_away(
    table: LiveTable, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table._writer._desk.journal
    arrive, pieces = journal.arrive, []

    def full(chain: int, entries: object) -> None:
        pieces.append(entries)
        if len(pieces) == 2:
            raise JournalWriteError("The disk is full.")
        arrive(chain, entries)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "arrive", full)
    reply = table.import_lines(lines, "t")
    assert (reply.ok, str(reply.sentence)) == (False, "The disk is full.")
    assert [line["id"] for line in table.matches()] == [1]
    assert journal._db.execute("SELECT COUNT(*) FROM events WHERE match = 2").fetchone() == (0,)
    monkeypatch.undo()
    assert table.import_lines(lines, "t").ok, "and it can be tried again"


def test_a_first_piece_that_is_written_only_after_the_answer_is_taken_away_too(
    table: LiveTable, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    blocked = table._loop._inbox.ask(lambda: Reply(ok=go_on.wait(60), sentence=Sentence("It goes on.")))
    with monkeypatch.context() as hurried:
        hurried.setattr("companion.live.writer_loop.ANSWER_WAIT", 0.01)
        assert not table.import_lines(lines, "t").ok
    go_on.set()
    assert blocked is not None
    assert blocked.result(60).ok
    assert table.command("roll", {}, "t").ok
    assert table._writer._desk.journal._db.execute("SELECT COUNT(*) FROM events WHERE match = 2").fetchone() == (0,)
    assert table.import_lines(lines, "t").ok, "and it can be tried again"


@pytest.mark.parametrize("damaged", [False, True])
def test_of_a_match_whose_last_piece_never_came_nothing_is_left(
    tmp_path: Path, lines: list[str], *, damaged: bool
) -> None:
    path, killed = tmp_path / "here.db", tmp_path / "killed" / "match.db"
    killed.parent.mkdir()
    here = Table(path)
    for piece in list(in_pieces(read_match(lines, 2)))[:2]:
        here.journal.arrive(2, piece)
    assert [line["id"] for line in Library(path).matches(0, 1)] == [1]
    assert Library(path).count() == 1
    with pytest.raises(UnknownChainError):
        here.journal.events(2)
    for end in ("", "-wal", "-tail"):
        shutil.copyfile(path.with_name(f"here.db{end}"), killed.with_name(f"match.db{end}"))
    if damaged:
        with closing(sqlite3.connect(killed)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        killed.write_bytes(killed.read_bytes()[:-4096] + bytes(4096))
    with open_ledger(killed, Journal) as journal:
        assert (journal.notice is not None) == damaged
        assert journal.copy_trouble is None
        assert [line.id for line in journal.matches()] == [1]
        assert journal._db.execute("SELECT COUNT(*) FROM events WHERE match = 2").fetchone() == (0,)
    with Journal(killed) as journal:
        assert journal.copy_trouble is None


@pytest.mark.parametrize("damaged", ["log", "main"])
@pytest.mark.parametrize("read", [False, True])
def test_damage_takes_no_match_that_has_arrived(tmp_path: Path, lines: list[str], damaged: str, *, read: bool) -> None:
    """Its mark stood in the log or in an older main file only, and took it and what was played on it away in silence.

    ``read``: somebody reads the journal just then, so that its log cannot be emptied.
    """
    path, cut = tmp_path / "here.db", tmp_path / "cut" / "match.db"
    cut.parent.mkdir()
    here = Table(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for piece in in_pieces(read_match(lines, 2)):
            here.journal.arrive(2, piece)
            other.execute("PRAGMA wal_checkpoint")
        if read:
            other.execute("BEGIN")
            other.execute("SELECT COUNT(*) FROM events").fetchone()
        here.journal.arrived(2)
        here.record(Paused())
        for end in ("", "-wal", "-tail"):
            shutil.copyfile(path.with_name(f"here.db{end}"), cut.with_name(f"match.db{end}"))
    expected = {line.id: here.journal.events(line.id) for line in here.journal.matches()}
    if damaged == "log":
        data = bytearray(log_of(cut).read_bytes())
        data[last_frame(data)] ^= 1
        log_of(cut).write_bytes(data)
    else:
        data = bytearray(cut.read_bytes())
        data[3 * 4096] ^= 0xFF
        cut.write_bytes(data)
    with open_ledger(cut, Journal) as journal:
        assert {line.id: journal.events(line.id) for line in journal.matches()} == expected
        assert "no saved event is missing" in str(journal.notice)
    with open_ledger(cut, Journal) as journal:
        assert (journal.notice, journal.copy_trouble) == (None, None)


def last_frame(log: bytearray) -> int:
    """Return where the page begins that SQLite wrote to its log last."""
    size = 24 + int.from_bytes(log[8:12], "big")
    return max(at for at in range(32, len(log), size) if log[at + 8 : at + 16] == log[16:24]) + 24


def test_folding_one_more_event_copies_none_of_the_events_before(tmp_path: Path) -> None:
    table = Table(tmp_path / "match.db")
    before: Match = table.match
    table.record(Paused())
    assert table.match.entries._items is before.entries._items
    assert (len(before.entries), len(table.match.entries)) == (1, 2)
    other = before.entries.plus(table.match.entries[0])
    assert other[1] is not table.match.entries[1], "what grows second from the same place takes a copy"
    assert table.match.entries[1].event == Paused()
    assert other[::-1] == (other[1], other[0])
