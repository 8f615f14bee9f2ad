"""The journal: only added to, durable, chained, and opened whatever state its file is in."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.ledger.entries import (
    DamagedJournalError,
    JournalError,
    JournalWriteError,
    NewerJournalError,
    NotAJournalError,
    UnknownChainError,
)
from companion.ledger.rescue import open_ledger
from companion.ledger.tail import beside, read_tail, write_tail
from companion.referee.events import Paused, Resumed
from companion.referee.journal import Journal
from tests.referee.build import MISERICORDIA, NOTHING, Table, started
from tests.referee.chain import broken_at


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.db"


def filled(path: Path, throws: int = 60, matches: int = 2) -> list[tuple[int, int]]:
    """Write matches of so many throws and close the journal; return each match's number and count of events."""
    sizes = []
    for _ in range(matches):
        table = Table(path, started("Anna", "Ben", ending="throws", throws=10_000))
        for number in range(throws):
            table.throw(NOTHING if number % 2 else MISERICORDIA)
        sizes.append((table.match.id, len(table.match.entries)))
        table.journal.close()
    return sizes


def raw(path: Path, command: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(command)
        db.commit()


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE events SET actor = 'somebody else'",
        "DELETE FROM events",
        "INSERT INTO events VALUES (1, 9, 0, 'x', 'paused', '{}', '')",
        "INSERT OR REPLACE INTO events VALUES (1, 1, 0, 'x', 'paused', '{}', '')",
    ],
)
def test_the_file_itself_refuses_what_is_not_an_addition_at_the_end(path: Path, command: str) -> None:
    filled(path, throws=2, matches=1)
    with pytest.raises(sqlite3.IntegrityError):
        raw(path, command)


def test_it_is_written_in_full_synchrony_and_with_a_log_ahead(path: Path) -> None:
    with Journal(path) as journal:
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_what_was_appended_is_there_for_another_reader_at_once(path: Path) -> None:
    with Journal(path) as journal:
        number = journal.begin(started(), 1.0, "a")
        journal.append(number, [Paused(), Resumed()], 2.0, "b")
        with Journal(path, writable=False) as other:
            assert [entry.event for entry in other.events(number, after=1)] == [Paused(), Resumed()]
            assert [(line.id, line.events, line.last) for line in other.matches()] == [(number, 3, 2.0)]


def test_a_reader_cannot_write(path: Path) -> None:
    filled(path, throws=1, matches=1)
    with Journal(path, writable=False) as journal, pytest.raises(JournalWriteError):
        journal.append(1, [Paused()], 1.0, "a")


def test_events_go_in_together_or_not_at_all(path: Path) -> None:
    with Journal(path) as journal:
        number = journal.begin(started(), 1.0, "a")
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            journal._db.execute("PRAGMA busy_timeout = 0")
            with pytest.raises(JournalWriteError, match="could not be written"):
                journal.append(number, [Paused(), Resumed()], 1.0, "a")
        assert len(journal.events(number)) == 1
        journal.append(number, [Paused()], 1.0, "a")
        assert broken_at(journal.events(number)) is None


def test_two_writers_cannot_weave_their_events_into_one_match(path: Path) -> None:
    with Journal(path) as one, Journal(path) as other:
        number = one.begin(started(), 1.0, "a")
        other.append(number, [Paused()], 1.0, "b")
        with pytest.raises(JournalWriteError):
            one.append(number, [Paused()], 1.0, "a")
        one.append(number, [Resumed()], 1.0, "a")
        assert broken_at(one.events(number)) is None


@pytest.mark.parametrize("held", [False, True])
def test_a_change_behind_its_back_is_said_and_undone_where_the_tail_holds_the_event(path: Path, *, held: bool) -> None:
    filled(path, throws=5, matches=1)
    raw(path, "DROP TRIGGER events_are_never_changed")
    raw(path, "UPDATE events SET body = replace(body, 'MNPR', 'BCDF') WHERE number = 4")
    if not held:
        tail = read_tail(beside(path))
        assert tail is not None
        write_tail(beside(path), tail.heads, (), ())  # as after it was begun again
    with open_ledger(path, Journal) as journal:
        assert broken_at(journal.events(1)) == (None if held else 4)
        wanted = "no saved event is missing" if held else "event 4 of match 1 is not the one that was"
        assert wanted in str(journal.notice)


def test_a_share_of_the_network_is_named_and_nothing_is_removed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_shared_memory(where: Path | str, **more: Any) -> sqlite3.Connection:
        uri = f"{where}&vfs=unix-dotfile" if isinstance(where, str) else f"{where.as_uri()}?vfs=unix-dotfile"
        db: sqlite3.Connection = connect(uri, **{**more, "uri": True})
        return db

    connect = sqlite3.connect
    monkeypatch.setattr("companion.ledger.file.sqlite3.connect", without_shared_memory)
    with pytest.raises(JournalError, match="a share of the network, where no journal is safe"):
        Journal(path)
    monkeypatch.undo()
    with Journal(path) as journal:  # another program may have begun one there: nothing is removed
        assert journal.matches() == ()


def test_a_journal_that_another_program_begins_at_the_same_time_is_used_by_both(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second once found the tables of the first there, and removed its file under it."""
    others: list[Journal] = []

    def just_then(*tail: Any) -> None:
        monkeypatch.undo()
        others.append(Journal(path))
        others[0].begin(started(), 1.0, "other")
        write_tail(*tail)

    monkeypatch.setattr("companion.ledger.file.write_tail", just_then)
    with Journal(path) as journal, others[0] as other:
        assert other.begin(started(), 2.0, "other") == 2
        assert journal.begin(started(), 3.0, "this") == 3
    with open_ledger(path, Journal) as journal:
        assert (journal.notice, journal.copy_trouble) == (None, None)
        assert [journal.events(match)[0].actor for match in (1, 2, 3)] == ["other", "other", "this"]


def test_an_unknown_match_is_named(path: Path) -> None:
    with Journal(path) as journal, pytest.raises(UnknownChainError, match="no match 7"):
        journal.events(7)


def test_a_newer_journal_is_left_alone(path: Path) -> None:
    filled(path, throws=1, matches=1)
    raw(path, "PRAGMA user_version = 2")
    before = path.read_bytes()
    with pytest.raises(NewerJournalError, match="newer companion"):
        open_ledger(path, Journal)
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["database", "text"])
def test_another_programs_file_is_left_alone(path: Path, kind: str) -> None:
    if kind == "database":
        raw(path, "CREATE TABLE recipes (name TEXT)")
    else:
        path.write_text("Dear diary, " * 500, encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(NotAJournalError):
        open_ledger(path, Journal)
    assert path.read_bytes() == before


def test_a_folder_in_its_place_is_said_in_a_sentence(path: Path) -> None:
    path.mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        open_ledger(path, Journal)


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    with open_ledger(path, Journal) as journal:
        assert journal.matches() == ()
        assert journal.notice is None


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.95])
def test_of_a_truncated_journal_all_that_can_be_read_is_kept(path: Path, share: float) -> None:
    sizes = filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(DamagedJournalError):
        Journal(path)
    with open_ledger(path, Journal) as journal:
        assert journal.notice is not None
        assert "was damaged" in str(journal.notice)
        kept = sum(len(journal.events(line.id)) for line in journal.matches())
        assert all(broken_at(journal.events(line.id)) is None for line in journal.matches())
    assert kept >= sum(size for _, size in sizes) * (share - 0.3)
    assert path.with_name("match.db.damaged-1").read_bytes() == whole[: int(len(whole) * share)]


def test_of_a_journal_with_a_hole_the_matches_before_and_after_are_kept(path: Path) -> None:
    sizes = filled(path, throws=40, matches=5)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = bytes(4096)
    path.write_bytes(data)
    with open_ledger(path, Journal) as journal:
        whole = [number for number, size in sizes if line_count(journal, number) == size]
        assert len(whole) >= 3
        assert all(broken_at(journal.events(line.id)) is None for line in journal.matches())


def line_count(journal: Journal, number: int) -> int:
    return next((line.events for line in journal.matches() if line.id == number), 0)


def test_a_torn_log_costs_at_most_what_was_not_acknowledged(path: Path) -> None:
    table = Table(path)
    for _ in range(20):
        table.throw(NOTHING)
    log = path.with_name("match.db-wal")
    torn = path.with_name("torn.db")
    torn.write_bytes(path.read_bytes())
    data = log.read_bytes()
    for cut in (len(data) - 100, len(data) // 2, 40):
        log.with_name("torn.db-wal").write_bytes(data[:cut])
        with open_ledger(torn, Journal) as journal:
            for line in journal.matches():
                assert broken_at(journal.events(line.id)) is None
    table.journal.close()


@pytest.mark.parametrize("tail", [True, False])
def test_a_zeroed_file_is_set_aside_and_play_can_begin(path: Path, *, tail: bool) -> None:
    sizes = filled(path, throws=3, matches=1)
    path.write_bytes(bytes(path.stat().st_size))
    if not tail:
        beside(path).unlink()
    with open_ledger(path, Journal) as journal:
        assert [(line.id, line.events) for line in journal.matches()] == (sizes if tail else [])
        assert journal.begin(started(), 1.0, "a") == (2 if tail else 1)


@pytest.mark.parametrize("seed", range(12))
def test_noise_anywhere_in_the_file_is_survived(path: Path, seed: int) -> None:
    filled(path, throws=30, matches=2)
    chance = Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(100, len(data))] = chance.randrange(256)
    path.write_bytes(data)
    try:
        journal = open_ledger(path, Journal)
    except JournalError:
        return
    with journal:
        for line in journal.matches():
            entries = journal.events(line.id)
            assert journal.notice is not None or broken_at(entries) is None
        journal.begin(started(), 1.0, "a")


@pytest.mark.parametrize("number", [0, -1, 2**63, 10**30])
def test_a_number_that_no_match_can_have_is_that_of_no_match(path: Path, number: int) -> None:
    with Journal(path) as journal, pytest.raises(UnknownChainError):
        journal.events(number)


@pytest.mark.skipif(os.name != "posix", reason="the rights of files are POSIX's")
def test_a_journal_is_for_its_owner_alone_also_one_that_was_not(path: Path) -> None:
    def rights() -> dict[str, int]:
        return {one.name: one.stat().st_mode & 0o777 for one in path.parent.iterdir()}

    before = os.umask(0)
    try:
        for widened in (False, True):
            with Journal(path) as journal:
                journal.begin(started(), 1.0, "tests")
                names = {path.name, *(f"{path.name}{end}" for end in ("-wal", "-shm", "-tail"))}
                assert rights() == dict.fromkeys(names, 0o600), widened
            for one in path.parent.iterdir():
                one.chmod(0o644)
    finally:
        os.umask(before)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA application_id = 1")
    path.chmod(0o644)
    with pytest.raises(NotAJournalError):
        Journal(path)
    assert path.stat().st_mode & 0o777 == 0o644, "another program's file stays as it is"
