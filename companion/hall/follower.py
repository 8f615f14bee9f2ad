"""Following a journal from outside: its events in the order in which they were written, read only."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from companion.hall.topics import MESSAGE_FORM, EventMessage
from companion.ledger.file import arriving, check_header, open_read_only
from companion.referee.journal import MATCHES
from companion.rules.strict_json import read_json

TYPED: Final = {"started": "name", "rejected": "reason", "corrected": "reason", "finished": "reason"}
"""By the kind of an event, the field in which people write as they like."""


@dataclass(frozen=True)
class FollowedEvent:
    """One event of a journal: its place ``row`` in the file, and the message that tells of it."""

    row: int
    message: EventMessage


class JournalFollower:
    """Reads a journal that a table writes. For one thread; every read is short, so that it holds up no writer."""

    def __init__(self, path: Path, *, names: bool) -> None:
        """``names``: whether what people typed stays in the messages.

        Raises:
            JournalError, sqlite3.Error: the file is no journal of matches.
        """
        self._names = names
        self._db = open_read_only(path)
        self._firsts: dict[int, tuple[int, str]] = {}  # by match: place and hash of its first event
        try:
            check_header(self._db, path, MATCHES)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def after(self, row: int, most: int) -> list[FollowedEvent]:
        """Return at most ``most`` events after a place in the file, in the order of the journal.

        A match that still comes in piece by piece, and what follows it, waits until that match is whole.

        Raises:
            sqlite3.Error: the file cannot be read now.
        """
        self._db.execute("BEGIN")  # one state of the file for both
        try:
            hidden = arriving(self._db)
            rows = self._rows(
                "SELECT rowid, match, number, at, actor, kind, body, hash FROM events"
                " WHERE rowid > ? ORDER BY rowid LIMIT ?",
                row,
                most,
            )
        finally:
            self._db.execute("ROLLBACK")
        rows = [*takewhile(lambda one: one[1] not in hidden, rows)]
        if not rows:
            return []
        before = self._rows("SELECT hash FROM events WHERE rowid < ? ORDER BY rowid DESC LIMIT 1", rows[0][0])
        previous = str(before[0][0]) if before else ""
        found = []
        for place, match, number, at, actor, kind, body, digest in rows:
            if number == 1:
                self._firsts[match] = (place, digest)
            first = self._first(match)
            event = self._without_names(read_json(body))
            message = EventMessage(MESSAGE_FORM, match, first, number, at, actor, kind, event, digest, previous)
            found.append(FollowedEvent(place, message))
            previous = digest
        return found

    def place_of(self, digest: str) -> int | None:
        """Return the place of the event with this hash, None if the journal no longer has it."""
        rows = self._rows("SELECT rowid FROM events WHERE hash = ?", digest)
        return int(rows[0][0]) if rows else None

    def holds(self, row: int, digest: str) -> bool:
        """Return whether the event at this place still is the one with this hash."""
        return bool(self._rows("SELECT 1 FROM events WHERE rowid = ? AND hash = ?", row, digest))

    def newest(self) -> tuple[int, str]:
        """Return place and hash of the newest event, 0 and "" for an empty journal."""
        rows = self._rows("SELECT rowid, hash FROM events ORDER BY rowid DESC LIMIT 1")
        return (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")

    def since(self, at: float, most: int) -> tuple[int, int]:
        """Return how many throws and how many questions there were since a time, among the ``most`` newest events."""
        kinds = "CASE kind WHEN 'committed' THEN json_extract(body, '$.awaited') = 'throw' ELSE 0 END"
        rows = self._rows(
            f"SELECT TOTAL({kinds}), TOTAL(kind = 'proposed') FROM"  # noqa: S608  (words of our own)
            " (SELECT kind, body, at FROM events ORDER BY rowid DESC LIMIT ?) WHERE at >= ?",
            most,
            at,
        )
        return int(rows[0][0]), int(rows[0][1])

    def _first(self, match: int) -> str:
        """Return the hash of a match's first event; numbers of deleted matches may be given again."""
        known = self._firsts.get(match)
        if known is None or not self.holds(*known):
            row = self._rows("SELECT rowid, hash FROM events WHERE match = ? AND number = 1", match)[0]
            known = self._firsts[match] = (int(row[0]), str(row[1]))
        return known[1]

    def _without_names(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return an event as it may leave the table."""
        if self._names:
            return event
        shared = dict(event)
        if (typed := TYPED.get(str(event.get("kind")))) is not None:
            shared[typed] = ""
        if "players" in shared:
            shared["players"] = ["" for _ in shared["players"]]
        return shared

    def _rows(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        with closing(self._db.execute(sql, values)) as cursor:
            return cursor.fetchall()


READING_FAILED: Final = (sqlite3.Error, ValueError, IndexError)
"""What following a journal may raise while somebody deletes a match or the disk fails: read again a moment later."""
