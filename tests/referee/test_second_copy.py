"""The tail beside a journal: what SQLite's log loses is known, said and put back; nothing is said without a reason."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.table import flipped_bits
from companion.desk.page.library import Library
from companion.ledger import mirror
from companion.ledger import tail as tails
from companion.ledger.entries import DamagedJournalError, JournalWriteError
from companion.ledger.file import MARK
from companion.ledger.rescue import open_ledger
from companion.ledger.tail import Gap, Head, beside, read_gaps, read_tail, write_tail
from companion.referee.events import Paused, Resumed
from companion.referee.journal import Journal
from tests.referee.build import NOTHING, Table, started
from tests.referee.chain import broken_at
from tests.referee.killed import damage_log, killed, log_of

END_UNKNOWN = "There is no way of knowing whether events are missing at its end."


def hashes(journal: Journal) -> dict[int, list[str]]:
    return {line.id: [entry.hash for entry in journal.events(line.id)] for line in journal.matches()}


def whole(path: Path) -> dict[int, list[str]]:
    """Return what an undamaged copy of these files holds."""
    folder = path.parent / "undamaged"
    folder.mkdir()
    for end in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + end), folder / f"match.db{end}")
    with Journal(folder / "match.db") as journal:
        return hashes(journal)


def quiet(journal: Journal) -> bool:
    return journal.notice is None and journal.copy_trouble is None


def test_what_a_damaged_log_lost_is_put_back_and_said_once(tmp_path: Path) -> None:
    path = killed(tmp_path)
    before = whole(path)
    damage_log(path)
    damaged = log_of(path).read_bytes()
    with pytest.raises(DamagedJournalError, match=r"is missing .* saved events"):
        Journal(path)
    with open_ledger(path, Journal) as journal:
        assert hashes(journal) == before
        assert "was damaged" in str(journal.notice)
        assert "no saved event is missing" in str(journal.notice)
        journal.append(1, [Paused()], 1.0, "a")
    assert (tmp_path / "match.db.damaged-1-wal").read_bytes() == damaged, "it is kept as it was found"
    assert not list(tmp_path.glob("*.rescued*"))
    with open_ledger(path, Journal) as journal:
        assert quiet(journal)
        assert broken_at(journal.events(1)) is None


def test_a_bit_that_flips_in_the_closed_file_is_put_back_from_the_tail_and_said() -> None:
    assert flipped_bits.measure(12, seed=1) == {"restored and told": 12}


@pytest.mark.parametrize("number", [1, 10, 41])
def test_a_flipped_hash_is_no_sign_of_another_journal(tmp_path: Path, number: int) -> None:
    path = tmp_path / "j.db"
    flipped_bits.written(path, matches=1, throws=40)
    with Journal(path) as journal:
        digest = journal.events(1)[number - 1].hash
    before = beside(path).read_bytes()
    path.write_bytes(path.read_bytes().replace(digest.encode(), digest[::-1].encode(), 1))
    with open_ledger(path, Journal) as journal:
        assert journal.events(1)[number - 1].hash == digest
        assert "no saved event is missing" in str(journal.notice)
    assert (tmp_path / "j.db.damaged-1-tail").read_bytes() == before
    assert not list(tmp_path.glob("*damaged-tail*"))


def test_what_neither_holds_is_named_and_stays_in_the_list_of_matches(tmp_path: Path) -> None:
    path = killed(tmp_path)
    before = whole(path)[1]
    tail = read_tail(beside(path))
    assert tail is not None
    write_tail(beside(path), tail.heads, (), ())  # it knows how far the match went, and holds nothing
    damage_log(path)
    with open_ledger(path, Journal) as journal:
        kept = hashes(journal)[1]
        lost = len(before) - len(kept)
        assert kept == before[: len(kept)]
        assert 0 < lost < len(before)
        assert f"These saved events are missing: {lost} of match 1, after event {len(kept)}." in str(journal.notice)
        assert journal.gaps == (Gap(1, len(kept), lost),)
        journal.append(1, [Paused()], 1.0, "a")
    gap = [{"after": len(kept), "events": lost}]
    assert [line["lost"] for line in Library(path).matches()] == [gap]
    with open_ledger(path, Journal) as journal:
        assert quiet(journal), "it is said once; the list goes on saying it"
    assert [line["lost"] for line in Library(path).matches()] == [gap]
    with open_ledger(path, Journal) as journal:
        line = journal.matches()[0]
        assert journal.forget(line.id, line.last_hash)
    assert read_gaps(path) == ()


@pytest.mark.parametrize("how", ["flipped", "cut", "deleted"])
def test_with_both_copies_damaged_it_is_said_that_nobody_knows(tmp_path: Path, how: str) -> None:
    path = killed(tmp_path)
    damage_log(path)
    data = bytearray(beside(path).read_bytes())
    if how == "flipped":
        data[len(data) // 3] ^= 1
    elif how == "cut":
        del data[len(data) // 3 :]
    beside(path).write_bytes(data)
    if how == "deleted":
        beside(path).unlink()
    with open_ledger(path, Journal) as journal:
        assert broken_at(journal.events(1)) is None
        stated = f"{journal.notice} {journal.copy_trouble}"
        assert END_UNKNOWN in stated or "damaged or incomplete" in stated or "was not there" in stated


def test_a_journal_of_before_and_a_copy_without_its_log_open_quietly(tmp_path: Path) -> None:
    path = killed(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"DROP TABLE {MARK}")  # as journals were before there were tails
    beside(path).unlink()
    with open_ledger(path, Journal) as journal:
        assert quiet(journal)
        assert len(journal.events(1)) == 41
    assert beside(path).exists()
    beside(path).unlink()
    with open_ledger(path, Journal) as journal:
        assert "was not there" in str(journal.copy_trouble), "this one has had a tail"
    with open_ledger(path, Journal) as journal:
        assert quiet(journal)


def test_an_older_backup_is_brought_up_to_date_as_far_as_the_tail_reaches(tmp_path: Path) -> None:
    path = killed(tmp_path, throws=10, name="old.db")
    with Journal(path) as journal:
        before = hashes(journal)
    shutil.copyfile(path, tmp_path / "backup.db")
    with Journal(path) as journal:
        journal.append(1, [Paused()], 2.0, "a")
        journal.append(1, [Resumed()], 3.0, "a")
        after = hashes(journal)
    shutil.copyfile(tmp_path / "backup.db", path)
    with open_ledger(path, Journal) as journal:
        assert hashes(journal) == after
        assert len(after[1]) == len(before[1]) + 2
        assert "no saved event is missing" in str(journal.notice)


def test_the_tail_of_another_journal_is_kept_aside_and_changes_nothing(tmp_path: Path) -> None:
    mine = killed(tmp_path / "mine", throws=5)
    other = Table(tmp_path / "other.db", started("Clara", "Dora", ending="throws", throws=10_000))
    for _ in range(9):
        other.throw(NOTHING)
    other.journal.close()
    beside(tmp_path / "other.db").replace(beside(mine))
    before = whole(mine)
    with open_ledger(mine, Journal) as journal:
        assert hashes(journal) == before
        assert "belongs to another journal" in str(journal.copy_trouble)
    assert (mine.parent / "match.db.damaged-tail-1").exists()
    with open_ledger(mine, Journal) as journal:
        assert quiet(journal)


@settings(max_examples=40)
@given(st.data())
def test_a_kill_or_power_cut_at_any_moment_of_an_addition_alarms_nobody(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """The ledger is written first: the tail may lack the last addition, or have any beginning of it."""
    folder = tmp_path_factory.mktemp("cut")
    with Journal(folder / "match.db") as journal:
        match = journal.begin(started(), 1.0, "a")
        for number in range(data.draw(st.integers(0, 3))):
            journal.append(match, [Paused(), Resumed()], 2.0 + number, "a")
        before = beside(journal.path).stat().st_size
        journal.append(match, [Paused(), Resumed()], 9.0, "b")
        expected = hashes(journal)
    path = folder / "match.db"
    content = beside(path).read_bytes()
    cut = data.draw(st.integers(before, len(content) - 1))
    beside(path).write_bytes(content[:cut])
    with open_ledger(path, Journal) as journal:
        assert quiet(journal)
        assert hashes(journal) == expected
        journal.append(match, [Paused()], 10.0, "a")
    tail = read_tail(beside(path))
    assert tail is not None
    assert tail.heads[match].number == len(expected[match]) + 1


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_tail_never_harms_the_journal_and_is_said_unless_a_power_cut_may_have_torn_it(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """What is written last looks as if it was cut off; the journal has it, so nothing is lost."""
    folder = tmp_path_factory.mktemp("tail")
    with Journal(folder / "match.db") as journal:
        match = journal.begin(started(), 1.0, "a")
        for number in range(6):
            last = beside(journal.path).stat().st_size
            journal.append(match, [Paused()], 2.0 + number, "a")
        expected = hashes(journal)
    content = bytearray(beside(folder / "match.db").read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    beside(folder / "match.db").write_bytes(content)
    with open_ledger(folder / "match.db", Journal) as journal:
        assert hashes(journal) == expected
        assert journal.notice is None
        whole_lines = read_tail(beside(folder / "match.db"))
        assert whole_lines is not None
        assert whole_lines.spoiled == 0, "a new one is made"
        assert "damaged or incomplete" in str(journal.copy_trouble) or place >= last


def test_a_kill_between_the_wish_to_delete_and_the_deletion_alarms_nobody(tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    with Journal(path) as journal:
        for player in ("Anna", "Clara"):
            journal.begin(started(player, "Ben"), 1.0, "a")
        assert journal._mirror is not None
        journal._mirror.forgetting(2)
    for gone in (False, True):  # killed before the deletion, and after it
        if gone:
            with closing(sqlite3.connect(path)) as db:
                db.execute("DROP TRIGGER events_are_never_removed")
                db.execute("DELETE FROM events WHERE match = 2")
                db.commit()
            with beside(path).open("ab") as file:
                file.write(tails.forgetting_framed(2))
        with open_ledger(path, Journal) as journal:
            assert quiet(journal)
            assert set(hashes(journal)) == ({1} if gone else {1, 2})


def test_two_writers_share_one_tail_even_when_one_begins_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.db"
    monkeypatch.setattr(mirror, "TAIL_BYTES", 1500)
    with Journal(path) as one, Journal(path) as other:
        chains = [
            (one, one.begin(started("Anna", "Ben"), 1.0, "a")),
            (other, other.begin(started("Carl", "Dan"), 1.0, "b")),
        ]
        for number in range(60):
            for journal, chain in chains:
                journal.append(chain, [Paused() if number % 2 else Resumed()], 2.0 + number, "a")
        expected = hashes(one)
        tail = read_tail(beside(path))
        assert tail is not None
        assert {chain: head.number for chain, head in tail.heads.items()} == {chain: 61 for _, chain in chains}
        assert len(tail.rows) < 122, "it was begun anew"
    with open_ledger(path, Journal) as journal:
        assert quiet(journal)
        assert hashes(journal) == expected


def test_a_tail_that_is_long_is_begun_anew_once_the_log_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "TAIL_BYTES", 4000)
    monkeypatch.setattr(mirror, "RETRY_BYTES", 400)
    path = tmp_path / "match.db"
    with Journal(path) as journal:
        match = journal.begin(started(), 1.0, "a")
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT COUNT(*) FROM events").fetchone()
            for number in range(100):
                journal.append(match, [Paused()], 2.0 + number, "a")
            held = read_tail(beside(path))
            assert held is not None
            assert len(held.rows) == 101, "while somebody reads, the log is full and the tail holds all of it"
            reader.execute("ROLLBACK")
        for number in range(40):
            journal.append(match, [Paused()], 200.0 + number, "a")
        short = read_tail(beside(path))
        assert short is not None
        assert len(short.rows) < 100
        assert short.heads[match].number == 141


class NoRoom:
    """A disk on which the tail cannot be written, until it can."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        self.full = False
        self._number = number
        append, begin = mirror.Mirror._write, tails.write_tail

        def no_more(kept: mirror.Mirror, block: bytes) -> None:
            self._check()
            append(kept, block)

        def no_new(*given: Any) -> None:
            self._check()
            begin(*given)

        monkeypatch.setattr(mirror.Mirror, "_write", no_more)
        monkeypatch.setattr("companion.ledger.mirror.write_tail", no_new)

    def _check(self) -> None:
        if self.full:
            raise OSError(self._number, os.strerror(self._number))


def test_without_room_for_the_tail_the_next_event_is_refused_until_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = NoRoom(monkeypatch, errno.ENOSPC)
    with Journal(tmp_path / "match.db") as journal:
        match = journal.begin(started(), 1.0, "a")
        disk.full = True
        journal.append(match, [Paused()], 2.0, "a")  # it is in the journal, so it has happened
        assert "in one file only" in str(journal.copy_trouble)
        with pytest.raises(JournalWriteError, match="has room"):
            journal.append(match, [Resumed()], 3.0, "a")
        with pytest.raises(JournalWriteError):
            journal.check_room()
        disk.full = False
        journal.check_room()
        assert quiet(journal)
        journal.append(match, [Resumed()], 3.0, "a")
    tail = read_tail(beside(tmp_path / "match.db"))
    assert tail is not None
    assert tail.heads[match].number == 3


def test_a_tail_that_may_not_be_written_is_said_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = NoRoom(monkeypatch, errno.EACCES)
    with Journal(tmp_path / "match.db") as journal:
        match = journal.begin(started(), 1.0, "a")
        disk.full = True
        for number in range(3):
            journal.append(match, [Paused()], 2.0 + number, "a")
        assert "cannot be written" in str(journal.copy_trouble)
        with pytest.raises(JournalWriteError):  # its events would be taken for lost, and come back
            journal.forget(match, journal.events(match)[-1].hash)
        disk.full = False
        journal.append(match, [Paused()], 9.0, "a")
        assert quiet(journal)
    with open_ledger(tmp_path / "match.db", Journal) as journal:
        assert quiet(journal)
        assert len(journal.events(match)) == 5


def test_a_tail_deleted_under_a_running_program_is_made_anew(tmp_path: Path) -> None:
    path = killed(tmp_path, throws=5)
    with open_ledger(path, Journal) as journal:
        beside(path).unlink()
        journal.append(1, [Paused()], 9.0, "a")
        tail = read_tail(beside(path))
        assert tail is not None
        assert tail.heads[1].number == 7
        assert quiet(journal)


@pytest.mark.parametrize("seed", range(8))
def test_lines_are_read_in_any_order_and_behind_any_noise(tmp_path: Path, seed: int) -> None:
    path = killed(tmp_path, throws=20)
    chance = Random(seed)
    lines = beside(path).read_bytes().split(b"\n")
    chance.shuffle(lines)
    beside(path).write_bytes(b"\n".join(lines))
    tail = read_tail(beside(path))
    assert tail is not None
    assert tail.spoiled == 0
    assert tail.heads[1].number == 21
    lines.insert(chance.randrange(len(lines) - 1), chance.randbytes(300))
    beside(path).write_bytes(b"\n".join(lines))
    noisy = read_tail(beside(path))
    assert noisy is not None
    assert noisy.spoiled > 0 or noisy.torn
    assert noisy.rows == tail.rows


def test_heads_stand_in_the_tail_as_the_ledger_has_them(tmp_path: Path) -> None:
    path = killed(tmp_path, throws=3)
    with open_ledger(path, Journal) as journal:
        first, *_, last = journal.events(1)
        tail = read_tail(beside(path))
    assert tail is not None
    assert tail.heads == {1: Head(4, last.hash, first.hash)}
