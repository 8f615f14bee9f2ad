"""Games from files of other programs as whole matches, ready to be written into a journal."""

from collections.abc import Sequence

from companion.ledger.entries import GENESIS, chained
from companion.referee.events import Event, MatchStarted
from companion.referee.journal import Entry, written
from companion.referee.match import Match
from companion.rules.game import Game, Recorded
from companion.rules.registry import games

ACTOR = "file"
"""Who did everything in such a match."""

MOST_NAME_CHARACTERS = 40
"""As much of a name as fits on a phone."""


def matches_in(text: str, at: float) -> list[Sequence[Entry]]:
    """Return each game of a file as the events of a match, all at one time; none if no game here knows the file's form.

    Raises:
        GameError: the file has such a form, but cannot be played here.
    """
    return [_match(game, recorded, at) for game in games().values() for recorded in game.from_file(text)]


def _match(game: Game, recorded: Recorded, at: float) -> Sequence[Entry]:
    first, *others = (name[:MOST_NAME_CHARACTERS] for name in recorded.players)
    named = (first, *others) if all((first, *others)) and first not in others else ()
    players = named or tuple(f"Player {number}" for number in range(1, len(recorded.players) + 1))
    started = MatchStarted(", ".join(players), game.slug, players, {}, "tapped", game.rules_hash)
    entries = [_entry(started, 1, at, GENESIS)]
    match = Match.of(entries)
    for move in recorded.moves:
        entries.append(_entry(match.committed(move, "tapped"), len(entries) + 1, at, entries[-1].hash))
        match = match.after(entries[-1])
    return entries


def _entry(event: Event, number: int, at: float, before: str) -> Entry:
    body = written(event)
    return Entry(1, number, at, ACTOR, event, body, chained(before, number, at, ACTOR, body))
