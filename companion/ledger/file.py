"""The SQLite file of a ledger: its tables, its triggers, and how it is opened."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.language.sentence import Sentence
from companion.ledger.entries import NewerJournalError, NotAJournalError
from companion.ledger.kind import LedgerKind
from companion.ledger.tail import END, beside, write_tail
from companion.whole_file import for_owner_alone

CACHE = "PRAGMA cache_size = -256"  # kB of pages kept in memory; the default of 2 MB fills over hundreds of matches

BESIDE = ("-wal", "-shm", END)
"""What the names of the files beside a ledger add to its own."""

NO_LOG = "SQLite cannot keep its log there"

_SHARE = (
    *("SQLITE_IOERR_SHM", "SQLITE_IOERR_LOCK", "SQLITE_IOERR_RDLOCK", "SQLITE_IOERR_CHECKRESERVEDLOCK"),
    *("SQLITE_IOERR_UNLOCK", "SQLITE_PROTOCOL", "SQLITE_NOLFS", "SQLITE_BUSY"),
)

MARK = "mirrored_in_a_tail"
"""An empty table that marks a ledger that has had a tail."""

MARKED = f"CREATE TABLE IF NOT EXISTS {MARK} (without_rows)"

ARRIVING = "CREATE TABLE IF NOT EXISTS arriving (chain INTEGER PRIMARY KEY)"
"""A table of the chains that come in from elsewhere piece by piece and are not whole yet: nobody is shown them."""

NEVER_REMOVED = """CREATE TRIGGER IF NOT EXISTS events_are_never_removed BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"""


def _tables(chain: str) -> str:
    return f"""
CREATE TABLE IF NOT EXISTS events (
    {chain} INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY ({chain}, number)
);
CREATE TRIGGER IF NOT EXISTS events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS events_come_in_order BEFORE INSERT ON events
WHEN NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM events WHERE {chain} = NEW.{chain})
BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps'); END;
"""  # noqa: S608  (a word of our own)


def arriving(db: sqlite3.Connection) -> frozenset[int]:
    """Return the chains that are not whole yet.

    Raises:
        sqlite3.Error
    """
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'arriving'").fetchone():
        return frozenset()
    return frozenset(row[0] for row in db.execute("SELECT chain FROM arriving"))


def _text(data: bytes) -> str:
    """Decode a text of the file; its hash reveals a damaged one, so no exception is needed here."""
    return data.decode("utf-8", "replace")


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a ledger's file read-only.

    Raises:
        sqlite3.Error, OSError
    """
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5)
    db.text_factory = _text
    db.execute(CACHE)
    return db


def open_file(path: Path, kind: LedgerKind[Any]) -> sqlite3.Connection:
    """Open a ledger's file for writing; create it if it is missing.

    Raises:
        NotAJournalError, NewerJournalError, sqlite3.Error, OSError
    """
    new = not path.exists() or path.stat().st_size == 0
    if not path.exists():
        for_owner_alone(path, *BESIDE)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    db.text_factory = _text
    db.execute(CACHE)
    try:
        if not new:
            check_header(db, path, kind)
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone():
            # The tables come before the log, so that a damaged log cannot take them along; and after the tail,
            # so that after a kill in between the next start does not report a missing tail.
            if new and not beside(path).exists():
                with suppress(OSError):  # the mirror reports what is wrong
                    write_tail(beside(path), {}, (), ())
            db.executescript(
                f"BEGIN IMMEDIATE; {_tables(kind.chain)} {NEVER_REMOVED}; {MARKED}; "
                f"PRAGMA application_id = {kind.application}; PRAGMA user_version = {kind.schema}; COMMIT;"
            )
        for_owner_alone(path, *BESIDE)  # only now: another program's file stays as it is
        _keep_a_log(db)
        db.execute("PRAGMA synchronous = FULL")
        _check_pages(db)
    except BaseException:
        close_as_it_is(db, path)
        raise
    return db


def _keep_a_log(db: sqlite3.Connection) -> None:
    if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise sqlite3.OperationalError(NO_LOG)


def is_of_a_share(why: sqlite3.Error) -> bool:
    """Tell whether SQLite failed as it does in another computer's folder: without shared memory or without locks."""
    return str(why) == NO_LOG or getattr(why, "sqlite_errorname", "").startswith(_SHARE)


def close_as_it_is(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged file without letting SQLite write its log into it: a rescue reads the two separately.

    SQLite writes the log when the last connection closes, unless that connection is read-only.
    """
    with suppress(sqlite3.Error, OSError), closing(open_read_only(path)) as last:
        with suppress(sqlite3.Error):
            last.execute("SELECT 1 FROM sqlite_master").fetchone()
        db.close()
    db.close()


def _check_pages(db: sqlite3.Connection) -> None:
    found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]  # the quick one compares no index with its table
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def check_header(db: sqlite3.Connection, path: Path, kind: LedgerKind[Any]) -> None:
    """Check that an SQLite file is a ledger of this kind that this version can read.

    Raises:
        NotAJournalError, NewerJournalError
    """
    application = db.execute("PRAGMA application_id").fetchone()[0]
    schema = db.execute("PRAGMA user_version").fetchone()[0]
    tables = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    if application != kind.application and (application or schema or tables):
        raise NotAJournalError(
            Sentence("Expected a journal, but {path} is another program's database: name another file.", path=str(path))
        )
    if schema > kind.schema:
        raise NewerJournalError(
            Sentence(
                "The journal {path} has format {schema} of a newer companion, and this one reads up to {known}: "
                "update the companion, or name another file.",
                path=str(path),
                schema=schema,
                known=kind.schema,
            )
        )
