"""A match that its owner deletes is gone from the file, and nothing else is."""

import sqlite3
from pathlib import Path

import pytest

from companion.desk.page.library import Library
from companion.ledger.entries import JournalWriteError, MovedOnError
from companion.ledger.rescue import open_ledger
from companion.live.keeping import Keeping, PictureFolder
from companion.live.pictures import Pictures, digest
from companion.live.table import LiveTable
from companion.referee.events import Observed
from companion.referee.journal import Journal
from tests.desk.test_commands import Office

NAME = "Xanthippe"
PROGRAM = {"game": "ludus-regularis", "options": {}, "dice_by": "program"}


def table_with(folder: Path, names: list[list[str]], throws: int = 5) -> LiveTable:
    table = LiveTable(folder / "journal.db")
    table.start()
    for players in names:
        assert table.command("new_match", PROGRAM | {"players": players}, "tests").ok
        for _ in range(throws):
            assert table.command("roll", {}, "tests").ok
    return table


def everywhere(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("journal.db*"))


def test_a_deleted_match_leaves_no_trace_in_the_file_while_the_table_runs(tmp_path: Path) -> None:
    table = table_with(tmp_path, [["Anna", "Berno"], [NAME, "Sokrates"], ["Karl", "Ida"]])
    try:
        assert NAME.encode() in everywhere(tmp_path)
        lines = {match["name"]: match for match in table.matches()}
        gone = lines[f"{NAME}, Sokrates"]
        reply = table.command("delete_match", {"match": gone["id"], "last_hash": gone["last_hash"]}, "owner")
        assert reply.ok, str(reply.sentence)
        assert reply.data["events"] == gone["events"]
        for word in (NAME, "Sokrates"):
            assert word.encode() not in everywhere(tmp_path)
        assert [match["name"] for match in table.matches()] == ["Karl, Ida", "Anna, Berno"]
        assert table.command("roll", {}, "tests").ok, "the match on the table goes on"
        assert list(table.export(lines["Anna, Berno"]["id"]) or ())
        assert table.export(gone["id"]) is None
    finally:
        table.stop()
    with open_ledger(tmp_path / "journal.db", Journal) as journal:
        assert journal.notice is None
        assert journal.broken() == ()


def test_the_match_on_the_table_and_one_that_went_on_are_left_alone(tmp_path: Path) -> None:
    table = table_with(tmp_path, [["Anna", "Berno"], ["Karl", "Ida"]])
    try:
        now, other = table.matches()
        refused = table.command("delete_match", {"match": now["id"], "last_hash": now["last_hash"]}, "owner")
        assert not refused.ok
        assert "on the table" in str(refused.sentence)
        assert not table.command("delete_match", {"match": other["id"], "last_hash": now["last_hash"]}, "owner").ok
        assert not table.command("delete_match", {"match": 99, "last_hash": ""}, "owner").ok
        assert len(table.matches()) == 2
    finally:
        table.stop()


def test_the_journal_is_append_only_again_after_a_deletion(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    for players in (["Anna", "Ben"], ["Karl", "Ida"]):
        assert office.do("new_match", **PROGRAM, players=players).ok
    line = office.journal.matches()[-1]
    with pytest.raises(MovedOnError):
        office.journal.forget(line.id, "another hash")
    assert office.journal.forget(line.id, line.last_hash)
    db = sqlite3.connect(tmp_path / "journal.db")
    for wish in ("DELETE FROM events", "UPDATE events SET actor = 'me'"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(wish)
    db.close()


def test_a_deletion_that_fails_removes_nothing(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    for players in (["Anna", "Ben"], ["Karl", "Ida"]):
        assert office.do("new_match", **PROGRAM, players=players).ok
    line = office.journal.matches()[-1]
    office.journal._db.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalWriteError):
        office.journal.forget(line.id, line.last_hash)
    other.execute("ROLLBACK")
    other.close()
    assert len(office.journal.matches()) == 2
    with Journal(tmp_path / "journal.db", writable=False) as looking:
        assert looking.broken() == ()


def test_pictures_go_with_their_match_unless_another_one_shows_them_too(tmp_path: Path) -> None:
    office = Office(tmp_path / "journal.db")
    folder = PictureFolder(tmp_path / "kept", Keeping("all"))
    office.commands._pictures = Pictures(folder)
    mine, shared, theirs = (digest(picture) for picture in (b"mine", b"shared", b"theirs"))
    for name in (mine, shared, theirs):
        folder.keep(name, b"jpeg", asked=False)
    for players, shown in ((["Anna", "Ben"], (mine, shared)), (["Karl", "Ida"], (shared, theirs))):
        assert office.do("new_match", **PROGRAM, players=players).ok
        for name in shown:
            office.desk.record([Observed((), "read", "", 1.0, 1, name)], "tests")
    first = next(line for line in office.journal.matches() if line.started.players == ("Anna", "Ben"))
    stated = office.do("delete_match", match=first.id, last_hash=first.last_hash)
    assert stated.data["pictures"] == 1
    assert [folder.holds(name) for name in (mine, shared, theirs)] == [False, True, True]


def test_a_damaged_copy_that_may_still_hold_the_match_is_named(tmp_path: Path) -> None:
    table = table_with(tmp_path, [["Anna", "Berno"], ["Karl", "Ida"]], throws=1)
    try:
        (tmp_path / "journal.db.damaged-1").write_bytes(b"old")
        line = Library(tmp_path / "journal.db").matches()[-1]
        reply = table.command("delete_match", {"match": line["id"], "last_hash": line["last_hash"]}, "owner")
        assert reply.ok
        assert "damaged journal" in str(reply.sentence)
        assert table.upkeep.vital_signs().damaged == ("journal.db.damaged-1",)
        assert not table.upkeep.vital_signs().well
    finally:
        table.stop()
