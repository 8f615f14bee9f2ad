"""What the tables of a hall asked their people, and whether it was needed, by table and game."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from companion.hall.book.database import Database
from companion.rules.strict_json import read_json

NEWEST_MATCHES: Final = 1000
"""How many matches are counted, the newest; a club plays some hundreds in a year."""

COUNTED: Final = ("proposed", "committed", "rejected", "corrected", "board asked")
SECONDS_PER_MINUTE: Final = 60


@dataclass
class GameAsked:
    """What one table asked in the matches of one game.

    ``throws``: by a camera. ``asked``: questions about dice; ``as_proposed``: of these, answered with the faces that
    the program proposed itself, so that a surer reader need not have asked; ``dismissed``: what lay there was no throw.
    ``of_board``: questions about men. ``corrected``: what was changed afterwards.
    """

    table: str
    game: str
    matches: int = 0
    throws: int = 0
    asked: int = 0
    as_proposed: int = 0
    dismissed: int = 0
    of_board: int = 0
    corrected: int = 0
    lengths: list[float] = field(default_factory=list)

    @property
    def minutes(self) -> float:
        """The median of the matches' lengths, from the first event to the last."""
        return median(self.lengths) if self.lengths else 0.0


def asked_by_game(database: Database, hall: str) -> list[GameAsked]:
    """Return what was asked, by table and game; an event that cannot be read counts as none.

    Raises:
        BookError: the book cannot be read.
    """
    found: dict[tuple[str, str], GameAsked] = {}
    matches = database.rows(
        "SELECT m.id, t.name, COALESCE(m.game, ''), m.began, (SELECT MAX(e.at) FROM events e WHERE e.match = m.id)"
        " FROM matches m JOIN tables t ON t.id = m.of_table WHERE t.hall = %s ORDER BY m.id DESC LIMIT %s",
        hall,
        NEWEST_MATCHES,
    )
    lines: dict[int, GameAsked] = {}
    for match, table, game, began, last in matches:
        lines[match] = line = found.setdefault((table, game), GameAsked(table, game))
        line.matches += 1
        if began is not None and last is not None:
            line.lengths.append((last - began) / SECONDS_PER_MINUTE)
    events = database.rows(
        "SELECT e.match, e.number, e.kind, e.body FROM events e JOIN matches m ON m.id = e.match"
        " JOIN tables t ON t.id = m.of_table WHERE t.hall = %s AND m.id >= %s AND e.kind IN (%s, %s, %s, %s, %s)"
        " ORDER BY e.match, e.number",
        hall,
        min(lines, default=0),
        *COUNTED,
    )
    of_match: defaultdict[int, list[tuple[int, str, Any]]] = defaultdict(list)
    for match, number, kind, body in events:
        if match in lines and isinstance(event := _read(body), dict):
            of_match[match].append((number, kind, event))
    for match, events in of_match.items():
        _count(lines[match], events)
    return [found[key] for key in sorted(found)]


def _read(body: str) -> Any:
    try:
        return read_json(body)
    except ValueError:
        return None


def _count(line: GameAsked, events: Iterable[tuple[int, str, dict[str, Any]]]) -> None:
    proposed: dict[int, Any] = {}
    for number, kind, event in events:
        if kind == "proposed":
            line.asked += 1
            proposed[number] = event.get("suggestion")
        elif kind == "committed":
            move = event.get("move")
            faces = move.get("faces") if isinstance(move, dict) else None
            line.throws += faces is not None and event.get("by") == "camera"
            line.as_proposed += bool(faces) and faces == proposed.get(event.get("proposed", 0))
        elif kind == "rejected":
            line.dismissed += event.get("proposed") in proposed
        elif kind == "board asked":
            line.of_board += 1
        else:
            line.corrected += 1
