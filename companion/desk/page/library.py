"""The matches of the journal, for listing and exporting; it reads beside the writer."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.desk.page.family_page import page_of
from companion.desk.page.names import named_json, names_of
from companion.language.sentence import SentenceError, SentenceJson
from companion.ledger.entries import JournalError, UnknownChainError
from companion.ledger.tail import Gap, read_gaps
from companion.referee.events import MatchStarted
from companion.referee.journal import Journal, MatchLine
from companion.referee.match import Match, NoMatchError
from companion.referee.transfer import export_match
from companion.rules.errors import UnknownGameError
from companion.rules.registry import game as game_of


class UnreadableMatchError(SentenceError):
    """An event of a match in the journal cannot be read or played here; ``sentence`` says which, and why."""


@dataclass(frozen=True)
class MatchStanding:
    """How a match of the list stands; the defaults are those of a match that cannot be played here.

    ``winners`` are players by name; ``scores`` and ``prizes`` have an entry for each player. ``why``: a sentence as
    JSON, None while the match goes on; ``prizes``: the lots of the virtues that each player holds. ``record``: it can
    only be viewed, because today's rules cannot play it.
    """

    over: bool = False
    paused: bool = False
    throws: int | None = None
    winners: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    why: SentenceJson | None = None
    prizes: list[list[str]] = field(default_factory=list)
    record: bool = False


def standing_of(match: Match) -> MatchStanding:
    """Return how a match stands."""
    outcome, page, names = match.outcome, page_of(match.game), names_of(match)
    seats = range(1, match.position.players + 1)
    return MatchStanding(
        match.over,
        match.paused,
        match.play.throws,
        [] if outcome is None else [match.started.players[number - 1] for number in outcome.winners],
        [match.position.scores()[number] for number in seats],
        None if outcome is None else named_json(outcome.why, names),
        [list(page.of_player(match, number)["virtues"]) for number in seats],
        match.is_record,
    )


class Library:
    """Reads the journal through its own connection, from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._standings: dict[int, tuple[str, MatchStarted, MatchStanding]] = {}  # by match, with its last event's hash

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> list[dict[str, Any]]:
        """List the matches, the one with the latest event first: ``count`` from ``first`` on, below zero all.

        Each match that is listed is played once, so a part of a long list, or ``only`` one match, is quick.
        """
        try:
            with Journal(self._path, writable=False) as journal:
                gaps = read_gaps(self._path)
                return [self._line(journal, line, gaps) for line in journal.matches(first, count, only)]
        except JournalError:
            return []

    def count(self) -> int:
        """Return how many matches there are."""
        try:
            with Journal(self._path, writable=False) as journal:
                return journal.chains()
        except JournalError:
            return 0

    def export(self, match: int) -> Iterator[str] | None:
        """Return a whole match as JSON lines, or None if there is no such match.

        Raises:
            UnreadableMatchError: one of its events cannot be read.
        """
        try:
            with Journal(self._path, writable=False) as journal:
                return iter(list(export_match(journal, match)))
        except UnknownChainError:
            return None
        except JournalError as why:
            raise UnreadableMatchError(why.sentence) from why

    def _line(self, journal: Journal, line: MatchLine, gaps: Sequence[Gap]) -> dict[str, Any]:
        started, standing = self._standing(journal, line)
        try:
            title = game_of(started.game).title
        except UnknownGameError:
            title = started.game
        return {
            "id": line.id,
            "name": started.name,
            "game": started.game,
            "title": title,
            "players": list(started.players),
            "dice_by": started.dice_by,
            "sample": bool(started.sample),
            "began": line.at,
            "last": line.last,
            "events": line.events,
            "lost": [{"after": gap.after, "events": gap.lost} for gap in gaps if gap.chain == line.id],
            "last_hash": line.last_hash,
            "options": dict(started.options),
            **asdict(standing),
        }

    def _standing(self, journal: Journal, line: MatchLine) -> tuple[MatchStarted, MatchStanding]:
        """Return who plays a match now, and how it stands."""
        played, started, standing = self._standings.get(line.id, ("", line.started, MatchStanding()))
        if played != line.last_hash:
            try:
                match = Match.of(journal.events(line.id))
                started, standing = match.started, standing_of(match)
            except (JournalError, NoMatchError, ValueError):
                started, standing = line.started, MatchStanding()
            self._standings[line.id] = line.last_hash, started, standing
        return started, standing
