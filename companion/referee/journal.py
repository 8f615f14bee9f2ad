"""The journal: every event of every match in one SQLite file that is only ever added to.

Only a whole match can be taken out of it, for good, by its owner's wish.
"""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from companion.referee.events import Event, MatchStarted, from_json, to_json
from companion.rules.sentence import SaidError, Sentence, why_of

SCHEMA = 1
APPLICATION = 0x416C6561  # "Alea" in the file's header: other SQLite files are left alone
GENESIS = "0" * 64
LARGEST_NUMBER = 2**63 - 1  # that an SQLite file can hold

_NEVER_REMOVED = """CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"""
_TABLES = """
CREATE TABLE events (
    match INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (match, number)
);
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_come_in_order BEFORE INSERT ON events
WHEN NEW.number <> 1 + (SELECT COALESCE(MAX(number), 0) FROM events WHERE match = NEW.match)
BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps'); END;
"""


class JournalError(SaidError):
    """Anything that keeps a journal from being opened, read or written; its text is one sentence."""


class NotAJournalError(JournalError):
    """The file is there but was never a journal of this program."""


class DamagedJournalError(JournalError):
    """The file is torn or overwritten; `companion.referee.rescue` saves what can be read."""


class NewerJournalError(JournalError):
    """A later version of the program wrote this journal."""


class JournalWriteError(JournalError):
    """The event could not be made durable, so it did not happen."""


class MovedOnError(JournalError):
    """The match is not as it was when somebody looked at it."""


class UnknownMatchError(JournalError):
    """The journal has no match of this number."""


@dataclass(frozen=True)
class Entry:
    """One line of a match: ``number`` counts from 1 within the match, ``at`` is in seconds since 1970.

    ``body`` is the event as it is stored; ``hash`` covers it and the hash before it, so nothing is changed unseen.
    """

    match: int
    number: int
    at: float
    actor: str
    event: Event
    body: str = field(repr=False)
    hash: str


@dataclass(frozen=True)
class MatchLine:
    """One match as a list shows it; ``at`` and ``last`` are when it began and when something last happened."""

    id: int
    started: MatchStarted
    at: float
    last: float
    events: int
    first_hash: str
    last_hash: str


def chained(before: str, number: int, at: float, actor: str, body: str) -> str:
    """Return the hash of an entry, given the hash of the one before it (`GENESIS` for the first)."""
    text = json.dumps([before, number, at, actor, body], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def written(event: Event) -> str:
    """Return the event in the one form that is stored and hashed."""
    return json.dumps(to_json(event), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_row(row: Sequence[Any]) -> Entry:
    """Make an entry of a row ``match, number, at, actor, body, hash``.

    Raises:
        JournalError: the row does not hold an event of this program.
    """
    match_id, number, at, actor, body, digest = row
    try:
        event = from_json(json.loads(body))
        return Entry(int(match_id), int(number), float(at), str(actor), event, str(body), str(digest))
    except (ValueError, TypeError, AttributeError) as why:
        raise JournalError(
            Sentence(
                "Event {number} of match {match} cannot be read ({why}): export the matches that can, and "
                "start a new journal.",
                number=number,
                match=match_id,
                why=why_of(why),
            )
        ) from why


class Journal:
    """An open journal. One thread writes; `reading` opens another one for looking only.

    ``notice`` is a sentence about what was found and done at opening, or None.
    """

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        """Open the journal; a writable one is made if there is none.

        Raises:
            DamagedJournalError, NotAJournalError, NewerJournalError, JournalError: the file is left as it is.
        """
        self.path = path
        self.notice: Sentence | None = None
        self._tips: dict[int, tuple[int, str]] = {}
        try:
            if writable:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _open(path) if writable else _look(path)
        except (sqlite3.OperationalError, OSError) as why:
            raise JournalError(
                Sentence(
                    "The journal {path} cannot be opened ({why}): name a file that may be written.",
                    path=str(path),
                    why=why_of(why),
                )
            ) from why
        except (sqlite3.DatabaseError, UnicodeError) as why:  # SQLite quotes a damaged schema in bytes of its own
            raise DamagedJournalError(
                Sentence("The journal {path} is damaged ({why}).", path=str(path), why=why_of(why))
            ) from why

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Nothing is lost: every event was durable when its append returned."""
        self._db.close()

    def begin(self, started: MatchStarted, at: float, actor: str) -> int:
        """Write the first event of a new match; return the match's number."""
        match_id = self.next_match()
        self._tips[match_id] = (0, GENESIS)
        self.append(match_id, [started], at, actor)
        return match_id

    def next_match(self) -> int:
        """Return the number that the next match will have."""
        row = self._db.execute("SELECT COALESCE(MAX(match), 0) + 1 FROM events").fetchone()
        return int(row[0])

    def append(self, match_id: int, events: Sequence[Event], at: float, actor: str) -> list[Entry]:
        """Write events, all or none; they are durable when this returns.

        Raises:
            UnknownMatchError: no such match.
            JournalWriteError: the disk or another program stood in the way; nothing was written.
        """
        number, digest = self._tip(match_id)
        at = float(at)  # as the file gives it back: the hash covers how it is written
        entries = []
        for event in events:
            number += 1
            body = written(event)
            digest = chained(digest, number, at, actor, body)
            entries.append(Entry(match_id, number, at, actor, event, body, digest))
        self.restore(entries)
        self._tips[match_id] = (number, digest)
        return entries

    def restore(self, entries: Sequence[Entry]) -> None:
        """Write entries as they are, all or none: an imported or a rescued match, checked by `broken_at`.

        Raises:
            JournalWriteError: nothing was written.
        """
        rows = [(e.match, e.number, e.at, e.actor, e.event.kind, e.body, e.hash) for e in entries]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as why:
            self._tips.clear()
            raise self._unwritten(why) from why

    def forget(self, match_id: int, last_hash: str) -> bool:
        """Remove a whole match for good: the one thing that is ever taken out, because people may ask for it.

        What it said is overwritten in the file, and the log beside it is emptied. Returns whether that is done; False
        means that somebody was reading just then, so that the log is emptied when the journal is closed. ``last_hash``
        is that of the match's last event: a match that has gone on since somebody looked at it is left alone.

        Raises:
            UnknownMatchError: no such match.
            MovedOnError: its last event is another one.
            JournalWriteError: nothing was removed.
        """
        if self._tip(match_id)[1] != last_hash:
            raise MovedOnError(
                Sentence("Match {match} has gone on since it was looked at: look at the list again.", match=match_id)
            )
        try:
            self._db.execute("PRAGMA secure_delete = ON")  # else the bytes stay where they were
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.execute("DROP TRIGGER events_are_never_removed")
                self._db.execute("DELETE FROM events WHERE match = ?", (match_id,))
                self._db.execute(_NEVER_REMOVED)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._tips.pop(match_id, None)
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as why:
            self._tips.clear()
            raise self._unwritten(why) from why
        return not busy

    def _unwritten(self, why: sqlite3.Error) -> JournalWriteError:
        return JournalWriteError(
            Sentence(
                "The journal {path} could not be written ({why}): see that the disk has room and that "
                "no other companion uses the same journal.",
                path=str(self.path),
                why=why_of(why),
            )
        )

    def check_room(self) -> None:
        """Write the file's own first page as it is, durably: after a refused event this tells whether there is room.

        Raises:
            JournalWriteError: there is none yet.
        """
        try:
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")
        except sqlite3.Error as why:
            raise JournalWriteError(f"The journal {self.path} still cannot be written ({why}).") from why

    def _tip(self, match_id: int) -> tuple[int, str]:
        if match_id not in self._tips:
            last = "SELECT number, hash FROM events WHERE match = ? ORDER BY number DESC LIMIT 1"
            row = self._db.execute(last, (match_id,)).fetchone() if 0 < match_id <= LARGEST_NUMBER else None
            if row is None:
                raise UnknownMatchError(
                    Sentence("The journal {path} has no match {match}.", path=str(self.path), match=match_id)
                )
            self._tips[match_id] = (int(row[0]), str(row[1]))
        return self._tips[match_id]

    def events(self, match_id: int, after: int = 0) -> tuple[Entry, ...]:
        """Return the entries of a match, from the one after the number given.

        Raises:
            UnknownMatchError: no such match.
            JournalError: an entry cannot be read.
        """
        self._tip(match_id)
        rows = self._db.execute(
            "SELECT match, number, at, actor, body, hash FROM events WHERE match = ? AND number > ? ORDER BY number",
            (match_id, after),
        )
        return tuple(read_row(row) for row in rows)

    def broken(self) -> tuple[tuple[int, int], ...]:
        """Return match and number of the first event of each match whose hash does not follow from the one before."""
        found: dict[int, int] = {}
        digest, of = GENESIS, None
        for match_id, number, at, actor, body, kept in self._db.execute(
            "SELECT match, number, at, actor, body, hash FROM events ORDER BY match, number"
        ):
            before = digest if match_id == of else GENESIS
            if match_id not in found and kept != chained(before, number, at, actor, body):
                found[match_id] = number
            digest, of = kept, match_id
        return tuple(found.items())

    def latest(self) -> tuple[int, ...]:
        """Return the numbers of all matches, the one that was written to last first, whatever the clock said then."""
        rows = self._db.execute("SELECT match FROM events GROUP BY match ORDER BY MAX(rowid) DESC")
        return tuple(int(row[0]) for row in rows)

    def matches(self) -> tuple[MatchLine, ...]:
        """Return every match, the one in which something last happened first."""
        rows = self._db.execute(
            "SELECT a.match, a.number, a.at, a.actor, a.body, a.hash, b.at, b.number, b.hash"
            " FROM events a JOIN events b ON b.match = a.match AND b.number ="
            " (SELECT MAX(number) FROM events c WHERE c.match = a.match)"
            " WHERE a.number = 1 ORDER BY b.at DESC, a.match DESC"
        )
        lines = []
        for row in rows.fetchall():
            first = read_row(row[:6])
            if isinstance(first.event, MatchStarted):
                lines.append(MatchLine(first.match, first.event, first.at, row[6], row[7], first.hash, row[8]))
        return tuple(lines)


def _text(data: bytes) -> str:
    """Decode a text of the file; a damaged one is found by its hash, not by an exception on the way."""
    return data.decode("utf-8", "replace")


def _look(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5)
    db.text_factory = _text
    return db


def _open(path: Path) -> sqlite3.Connection:
    new = not path.exists() or path.stat().st_size == 0
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    db.text_factory = _text
    try:
        if not new:
            check_header(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone():
            db.executescript(
                f"BEGIN; {_TABLES} {_NEVER_REMOVED}; PRAGMA application_id = {APPLICATION}; "
                f"PRAGMA user_version = {SCHEMA}; COMMIT;"
            )
        _check_pages(db)
    except BaseException:
        db.close()
        raise
    return db


def _check_pages(db: sqlite3.Connection) -> None:
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def check_header(db: sqlite3.Connection, path: Path) -> None:
    """See that an SQLite file is a journal that this version can read.

    Raises:
        NotAJournalError, NewerJournalError
    """
    application = db.execute("PRAGMA application_id").fetchone()[0]
    schema = db.execute("PRAGMA user_version").fetchone()[0]
    tables = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    if application != APPLICATION and (application or schema or tables):
        raise NotAJournalError(
            Sentence("Expected a journal, but {path} is another program's database: name another file.", path=str(path))
        )
    if schema > SCHEMA:
        raise NewerJournalError(
            Sentence(
                "The journal {path} has the form {schema} of a newer companion, and this one reads up to "
                "{known}: update the companion, or name another file.",
                path=str(path),
                schema=schema,
                known=SCHEMA,
            )
        )


def broken_at(entries: Sequence[Entry]) -> int | None:
    """Return the number of the first entry whose number or hash does not follow from the one before, or None."""
    digest = GENESIS
    for number, entry in enumerate(entries, start=1):
        digest = chained(digest, number, entry.at, entry.actor, entry.body)
        if entry.number != number or entry.hash != digest:
            return number
    return None
