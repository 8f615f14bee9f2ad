"""What is written into the hall's book. Every insert may be repeated: a second time it changes nothing."""

import json
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from companion.hall.book.database import Database
from companion.hall.topics import EventMessage

SeriesRow = tuple[str, int, int, str, float, str, Mapping[str, Any]]
"""One event of a series of throws: hash of the series' first event, series, number, hash, time, kind, event."""


EVENTS_CHECKED: Final = 2_000
"""Events that are examined beyond a gap."""

MOST_KNOWN: Final = 10_000
"""Matches whose numbers in the book are remembered."""


@dataclass(frozen=True)
class BookGap:
    """Where a journal is missing in the book: after ``reached``, up to the event ``until``, "" if nobody knows.

    ``jumped``: whether events that the book already had have just been counted.
    """

    reached: str
    until: str = ""
    jumped: bool = False


class Book:
    """Writes events of one hall's tables. For one thread."""

    def __init__(self, database: Database, hall: str) -> None:
        self._db = database
        self._hall = hall
        self._tables: dict[str, int] = {}
        self._chains: dict[tuple[str, int, str], int] = {}

    def _table(self, name: str) -> int:
        if name not in self._tables:
            self._db.rows(
                "INSERT INTO tables (hall, name) VALUES (%s, %s) ON CONFLICT (hall, name) DO NOTHING", self._hall, name
            )
            rows = self._db.rows("SELECT id FROM tables WHERE hall = %s AND name = %s", self._hall, name)
            self._tables[name] = int(rows[0][0])
        return self._tables[name]

    def take(
        self,
        events: Iterable[tuple[str, EventMessage]] = (),
        states: Mapping[str, str] | None = None,
        statuses: Mapping[str, str] | None = None,
        at: float = 0.0,
    ) -> dict[str, str]:
        """Write what came of tables, all or nothing in one transaction; it is durable when this returns.

        ``states``: how tables were, as JSON, ``at`` a time in seconds since 1970; ``statuses``: which of them are
        ``online`` or ``offline``. Return for each table of which an event or a state came how far its journal is here
        without a gap: the hash of that event, "" for none.

        Raises:
            BookError: nothing was written.
        """
        states, statuses, events = states or {}, statuses or {}, list(events)
        try:
            with self._db.transaction():
                before = self._reached({table for table, _ in events} | states.keys())
                reached = dict(before)
                rows = []
                for table, event in events:
                    rows.append(self._row(table, event))
                    if event.after in ("", reached[table]):
                        reached[table] = event.hash
                self._db.many(
                    "INSERT INTO events (match, number, hash, at, actor, kind, body, previous)"
                    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (match, number, hash) DO NOTHING",
                    rows,
                )
                gone_on = [(reached[table], self._table(table)) for table in before if reached[table] != before[table]]
                self._db.many("UPDATE tables SET reached = %s WHERE id = %s", gone_on)
                were = [(state, at, self._table(table)) for table, state in states.items()]
                self._db.many("UPDATE tables SET state = %s, seen = %s WHERE id = %s", were)
                are = [(status, self._table(table)) for table, status in statuses.items()]
                self._db.many("UPDATE tables SET status = %s WHERE id = %s", are)
        except BaseException:
            self._tables.clear()  # what was rolled back may have made them
            self._chains.clear()
            raise
        return reached

    def gone_on(self, table: str) -> BookGap:
        """Count what the book has beyond a gap that is filled now; return where the next gap of a table's journal is.

        Raises:
            BookError: nothing was written.
        """
        number, begun = self._table(table), self._reached({table})[table]
        place = self._db.rows(
            "SELECT e.match, e.number FROM events e JOIN matches m ON m.id = e.match"
            " WHERE m.of_table = %s AND e.hash = %s",
            number,
            begun,
        )
        if not place:
            return BookGap(begun)
        later = self._db.rows(
            "SELECT hash, previous FROM events WHERE match = %s AND number > %s ORDER BY number LIMIT %s",
            *place[0],
            EVENTS_CHECKED,
        )
        following, digest = {previous: one for one, previous in later}, begun
        while digest in following:
            digest = following.pop(digest)
        if digest != begun:
            with self._db.transaction():
                self._db.rows("UPDATE tables SET reached = %s WHERE id = %s", digest, number)
        return BookGap(digest, str(next(iter(following), None) or ""), jumped=digest != begun)

    def _reached(self, tables: AbstractSet[str]) -> dict[str, str]:
        """Return, by table, the hash of the event up to which nothing of its journal is missing, "" for none."""
        if not tables:
            return {}
        named = {self._table(table): table for table in sorted(tables)}
        marks = ", ".join(["%s"] * len(named))
        rows = self._db.rows(f"SELECT id, reached FROM tables WHERE id IN ({marks})", *named)  # noqa: S608  (only marks)
        return {named[int(number)]: str(digest) for number, digest in rows}

    def _row(self, table: str, event: EventMessage) -> tuple[Any, ...]:
        """Return an event's row; its match, and how that began, are written at once."""
        match = self._chain("matches", table, event.first, event.match)
        if event.number == 1:
            self._begin(match, event)
        actor, kind = _text(event.actor) or "", _text(event.kind) or ""
        return match, event.number, event.hash, event.at, actor, kind, written(event.event), event.after

    def _begin(self, match: int, event: EventMessage) -> None:
        started = event.event
        self._db.rows(
            "UPDATE matches SET game = %s, name = %s, began = %s WHERE id = %s",
            _text(started.get("game")),
            _text(started.get("name")),
            event.at,
            match,
        )
        programs, players = started.get("programs"), started.get("players")
        self._db.many(
            "INSERT INTO players (match, number, name, program) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (match, number) DO NOTHING",
            [
                (match, number, _text(name), int(isinstance(programs, list) and number in programs))
                for number, name in enumerate(players if isinstance(players, list) else [], start=1)
            ],
        )

    def _chain(self, kind: str, table: str, first: str, number: int) -> int:
        """Return the number in the book of a match or series; a table's journal names it by its first event's hash."""
        of_table = self._table(table)
        key = (kind, of_table, first)
        if len(self._chains) > MOST_KNOWN:
            self._chains.clear()
        if key not in self._chains:
            self._db.rows(
                f"INSERT INTO {kind} (of_table, first, number) VALUES (%s, %s, %s)"  # noqa: S608  (a word of our own)
                " ON CONFLICT (of_table, first) DO NOTHING",
                of_table,
                first,
                number,
            )
            found = f"SELECT id FROM {kind} WHERE of_table = %s AND first = %s"  # noqa: S608  (a word of our own)
            self._chains[key] = int(self._db.rows(found, of_table, first)[0][0])
        return self._chains[key]

    def take_series(self, table: str, entries: Iterable[SeriesRow]) -> None:
        """Write events of series of throws, all or none.

        Raises:
            BookError: nothing was written.
        """
        try:
            with self._db.transaction():
                for first, series, number, digest, at, kind, event in entries:
                    chain = self._chain("series", table, first, series)
                    if number == 1:
                        title = _text(event.get("title"))
                        self._db.rows("UPDATE series SET title = %s, began = %s WHERE id = %s", title, at, chain)
                    self._db.rows(
                        "INSERT INTO throws (series, number, hash, at, kind, die, outcome, body)"
                        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (series, number, hash) DO NOTHING",
                        chain,
                        number,
                        digest,
                        at,
                        kind,
                        _text(event.get("die")),
                        _text(event.get("outcome")),
                        written(event),
                    )
        except BaseException:
            self._tables.clear()
            self._chains.clear()
            raise

    def forget(self, table: str, first: str) -> bool:
        """Delete a match for good, by the hash of its first event; return whether the book had it.

        Raises:
            BookError: nothing was deleted.
        """
        with self._db.transaction():
            deleted = self._db.rows(
                "DELETE FROM matches WHERE first = %s AND of_table IN"
                " (SELECT id FROM tables WHERE hall = %s AND name = %s) RETURNING id",
                first,
                self._hall,
                table,
            )
        self._chains.clear()
        return bool(deleted)


def written(event: Mapping[str, Any]) -> str:
    """Return an event in the form that journals store and hash."""
    return json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _text(value: Any) -> str | None:
    """Return a text as both databases take it, None for an empty one or anything else."""
    return (value.replace("\0", "") or None) if isinstance(value, str) else None
