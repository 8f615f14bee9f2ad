"""How the matches in the book ended: each is replayed once it is over, or once its table plays another one."""

import json
import time
from dataclasses import dataclass
from typing import Final

from companion.hall.book.database import Database
from companion.language.sentence import SentenceError
from companion.ledger.entries import JournalError
from companion.referee.journal import read_row
from companion.referee.match import Match
from companion.rules.errors import GameError
from companion.rules.strict_json import read_json

AT_ONCE: Final = 0.25
"""Seconds of judging after which the other tables of the page have their turn."""

EVENTS_PER_READ: Final = 20
"""Events that are read from the book at a time."""

MOST_EVENTS: Final = 20_000
MOST_BYTES: Final = 16 * 1024 * 1024
"""Events of a match that is judged, and their bytes: a table that sends more of them plays nothing."""

MOST_HALVES: Final = 200
"""Matches, of a table each, that are kept as they are replayed."""

UNREADABLE: Final = (SentenceError, JournalError, GameError, ValueError, TypeError, LookupError)
"""What reading events from elsewhere may raise: those of a newer program, or of nobody's."""


@dataclass(frozen=True)
class MatchEnd:
    """How a match ended: the numbers of its ``winners``, and the ``scores`` in the order of the players."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]

    def written(self) -> str:
        """Return it as the book keeps it."""
        return json.dumps({"winners": self.winners, "scores": self.scores})


def read_ended(text: str) -> MatchEnd:
    """Return what `MatchEnd.written` wrote."""
    data = read_json(text)
    return MatchEnd(tuple(data["winners"]), tuple(data["scores"]))


class Judge:
    """Writes into the book how its matches ended. For one thread.

    It keeps the match of each table that it replayed last, so that what comes later goes on from there, and stops after
    a moment: what is left waits for the next call, the table that waited longest first. So no table holds up another.
    """

    def __init__(self) -> None:
        self._halves: dict[str, _Half] = {}  # by table, the one that was judged longest ago first

    def judge(self, database: Database, hall: str, seconds: float = AT_ONCE) -> bool:
        """Judge for about so long; return whether something is left. A match that its table still plays is left alone.

        A match is judged again when the book has more of its events than it knew then. Their count says so, not the
        number of the newest: what fills a gap comes after what follows it.

        Raises:
            BookError: the book cannot be read or written.
        """
        due = self._due(database, hall)
        end = time.monotonic() + seconds
        for table in sorted(due, key=lambda name: [*self._halves].index(name) if name in self._halves else -1):
            half = self._halves.pop(table, None)
            for match, first, events in due[table]:
                if half is None or half.first != first or half.match != match:
                    half = _Half(match, first)
                ended = half.go_on(database, end)
                self._halves[table] = half
                if not half.done:
                    return True
                if len(self._halves) > MOST_HALVES:
                    del self._halves[next(iter(self._halves))]
                with database.transaction():
                    database.rows(
                        "UPDATE matches SET outcome = %s, ended = %s, judged = %s WHERE id = %s",
                        None if ended is None else ended[0].written(),
                        None if ended is None else ended[1],
                        events,
                        match,
                    )
                if time.monotonic() > end:
                    return True
        return False

    def _due(self, database: Database, hall: str) -> dict[str, list[tuple[int, str, int]]]:
        """Return by table the matches to judge: number, first event, count of events; the one begun comes first."""
        rows = database.rows(
            "SELECT m.id, m.first, m.number, t.name, t.state, m.judged,"
            " (SELECT COUNT(*) FROM events e WHERE e.match = m.id)"
            " FROM matches m JOIN tables t ON t.id = m.of_table WHERE t.hall = %s ORDER BY m.id",
            hall,
        )
        due: dict[str, list[tuple[int, str, int]]] = {}
        for match, first, number, table, state, judged, events in rows:
            if events > judged and not _goes_on(state, number):
                due.setdefault(table, []).append((match, first, events))
        for table, matches in due.items():
            if (half := self._halves.get(table)) is not None:
                matches.sort(key=lambda one: one[1] != half.first)
        return due


class _Half:
    """A match of the book that is replayed as far as its events go, and goes on from there."""

    def __init__(self, match: int, first: str) -> None:
        self.match, self.first = match, first
        self.done = False
        self._played: Match | None = None
        self._broken = False  # it cannot be played here, whatever comes
        self._known, self._bytes, self._at = 0, 0, 0.0

    def go_on(self, database: Database, end: float) -> tuple[MatchEnd, float] | None:
        """Replay on until a time of the steady clock, but at least one event.

        Return how the match ended, and when; None if it goes on, or if its events cannot be played here. `done` says
        whether nothing was left.

        Raises:
            BookError: the book cannot be read.
        """
        self.done, gap = True, False
        while not (self._broken or gap):
            rows = database.rows(
                "SELECT number, at, actor, body, hash FROM events WHERE match = %s AND number > %s"
                " ORDER BY number LIMIT %s",
                self.match,
                self._known,
                EVENTS_PER_READ,
            )
            for row in rows:
                if gap := row[0] > self._known + 1:
                    break
                self._take(*row)
                if time.monotonic() > end:
                    self.done = False
                    return None
            if len(rows) < EVENTS_PER_READ:
                break
        known = database.rows("SELECT COUNT(*) FROM events WHERE match = %s AND number <= %s", self.match, self._known)
        self._broken |= known != [(self._known,)]  # the journal went on in two ways
        if self._broken:
            self._played = None
        return None if gap or self._played is None else _ended(self._played, self._at)

    def _take(self, number: int, at: float, actor: str, body: str, digest: str) -> None:
        self._bytes += len(body)
        if number <= self._known or number > MOST_EVENTS or self._bytes > MOST_BYTES:
            self._broken = True
        if self._broken:
            return
        try:
            entry = read_row((self.match, number, at, actor, body, digest))
            self._played = Match.of([entry]) if self._played is None else self._played.after(entry)
        except UNREADABLE:
            self._broken = True
        self._known, self._at = number, float(at)


def _ended(played: Match, at: float) -> tuple[MatchEnd, float] | None:
    try:
        outcome = played.outcome
        if outcome is None or played.misfit is not None:
            return None
        scores = played.position.scores()
        return MatchEnd(outcome.winners, tuple(scores[one] for one in range(1, len(played.started.players) + 1))), at
    except UNREADABLE:
        return None


def _goes_on(state: str | None, number: int) -> bool:
    """Return whether a table says that it plays this match now."""
    try:
        known_state = read_json(state) if state else None
    except ValueError:
        return False
    return isinstance(known_state, dict) and known_state.get("match") == number and known_state.get("over") is not True
