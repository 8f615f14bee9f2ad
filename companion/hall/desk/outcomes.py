"""How the matches in the book ended: each is replayed once it is over, or once its table plays another one."""

import json
from dataclasses import dataclass
from typing import Final

from companion.hall.book.database import Database
from companion.language.sentence import SentenceError
from companion.ledger.entries import JournalError
from companion.referee.journal import read_row
from companion.referee.match import Match
from companion.rules.errors import GameError
from companion.rules.strict_json import read_json

UNREADABLE: Final = (SentenceError, JournalError, GameError, ValueError, TypeError, LookupError)
"""What reading events from elsewhere may raise: those of a newer program, or of nobody's."""


@dataclass(frozen=True)
class Ended:
    """How a match ended: the numbers of its ``winners``, and the ``scores`` in the order of the players."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]

    def written(self) -> str:
        """Return it as the book keeps it."""
        return json.dumps({"winners": self.winners, "scores": self.scores})


def read_ended(text: str) -> Ended:
    """Return what `Ended.written` wrote."""
    data = read_json(text)
    return Ended(tuple(data["winners"]), tuple(data["scores"]))


def replayed(database: Database, match: int) -> tuple[Ended, float] | None:
    """Return how a match in the book ended, and when; None if it goes on, or if its events cannot be played here.

    Raises:
        BookError: the book cannot be read.
    """
    rows = database.rows("SELECT number, at, actor, body, hash FROM events WHERE match = %s ORDER BY number", match)
    if [row[0] for row in rows] != [*range(1, len(rows) + 1)]:
        return None  # some are missing, or the journal went on in two ways
    try:
        entries = [read_row((match, number, at, actor, body, digest)) for number, at, actor, body, digest in rows]
        played = Match.of(entries)
        outcome = played.outcome
        if outcome is None or played.misfit is not None:
            return None
        scores = played.position.scores()
        ended = Ended(outcome.winners, tuple(scores[number] for number in range(1, len(played.started.players) + 1)))
    except UNREADABLE:
        return None
    return ended, float(rows[-1][1])


def judge(database: Database, hall: str) -> None:
    """Write into the book how its matches ended. A match that its table still plays is left alone.

    A match is replayed again when the book has more of its events than the last replay knew. Their count says so, not
    the number of the newest: what fills a gap comes after what follows it.

    Raises:
        BookError: the book cannot be read or written.
    """
    rows = database.rows(
        "SELECT m.id, m.number, t.state, m.judged,"
        " (SELECT COUNT(*) FROM events e WHERE e.match = m.id)"
        " FROM matches m JOIN tables t ON t.id = m.of_table WHERE t.hall = %s",
        hall,
    )
    for match, number, state, judged, events in rows:
        if events <= judged or _goes_on(state, number):
            continue
        found = replayed(database, match)
        with database.transaction():
            database.rows(
                "UPDATE matches SET outcome = %s, ended = %s, judged = %s WHERE id = %s",
                None if found is None else found[0].written(),
                None if found is None else found[1],
                events,
                match,
            )


def _goes_on(state: str | None, number: int) -> bool:
    """Return whether a table says that it plays this match now."""
    try:
        told = read_json(state) if state else None
    except ValueError:
        return False
    return isinstance(told, dict) and told.get("match") == number and told.get("over") is not True
