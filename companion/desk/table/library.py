"""The matches of the journal, for listing and exporting; it reads beside the writer."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.language.sentence import SentenceError
from companion.ledger.tail import Gap, read_gaps
from companion.referee.journal import Journal, JournalError, MatchLine, UnknownMatchError
from companion.referee.match import Match, NoMatchError
from companion.referee.transfer import export_match
from companion.rules.errors import UnknownGameError
from companion.rules.registry import game as game_of


class UnreadableMatchError(SentenceError):
    """An event of a match in the journal cannot be read or played here; ``sentence`` says which, and why."""


class Library:
    """Reads the journal through its own connection, from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._over: dict[str, tuple[bool, bool]] = {}  # by the hash of a match's last event: is it over, is it paused

    def matches(self) -> list[dict[str, Any]]:
        """List the matches, the one with the latest event first."""
        try:
            with Journal(self._path, writable=False) as journal:
                gaps = read_gaps(self._path)
                return [self._line(journal, line, gaps) for line in journal.matches()]
        except JournalError:
            return []

    def export(self, match: int) -> Iterator[str] | None:
        """Return a whole match as JSON lines, or None if there is no such match.

        Raises:
            UnreadableMatchError: one of its events cannot be read.
        """
        try:
            with Journal(self._path, writable=False) as journal:
                return iter(list(export_match(journal, match)))
        except UnknownMatchError:
            return None
        except JournalError as why:
            raise UnreadableMatchError(why.sentence) from why

    def _line(self, journal: Journal, line: MatchLine, gaps: Sequence[Gap]) -> dict[str, Any]:
        over, paused = self._standing(journal, line)
        started = line.started
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
            "over": over,
            "paused": paused,
        }

    def _standing(self, journal: Journal, line: MatchLine) -> tuple[bool, bool]:
        if line.last_hash not in self._over:
            try:
                match = Match.of(journal.events(line.id))
                self._over[line.last_hash] = (match.over, match.paused)
            except (JournalError, NoMatchError, ValueError):
                self._over[line.last_hash] = (False, False)
        return self._over[line.last_hash]
