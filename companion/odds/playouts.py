"""Random games of any family through the rules core: how long they last and who wins.

Every throw is one of `Position.throws` and every choice one of `Position.legal`, all equally likely. A `GameRecord` is
the result of one game, whatever played it; `summary` sums up records of another engine, too.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.odds import intervals
from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Choice, Game, Position
from companion.rules.options import OptionValue

MOST_GAMES: Final = 1_000_000
"""The chances are known to 0.1 % by then, and each game stays in memory until the end."""


class GamesCountError(GameError):
    """So many games cannot be played in one run."""


def check_count(count: int) -> None:
    """Refuse a number of games that one run cannot play.

    Raises:
        GamesCountError: fewer than one game, or more than `MOST_GAMES`.
    """
    if not 1 <= count <= MOST_GAMES:
        raise GamesCountError(f"Expected 1 to {MOST_GAMES} games, but {count} were asked for.")


PLY_CAP = 10_000
"""The number of throws and choices after which a game stops as capped, unless the caller sets another."""

LENGTH_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The percentiles of the length in a summary."""


@dataclass(frozen=True)
class GameRecord:
    """One game: how many throws and choices it had, and who won; ``winners`` is None if it was capped."""

    throws: int
    choices: int
    winners: tuple[int, ...] | None

    @property
    def length(self) -> int:
        """Throws and choices together."""
        return self.throws + self.choices


@dataclass(frozen=True)
class Played:
    """Many games of one kind, and the seconds that they took."""

    game: str
    players: int
    cap: int
    records: Sequence[GameRecord]
    seconds: float


def random_move(position: Position, chance: random.Random) -> Throw | Choice:
    """Return a move that a position awaits, all equally likely; a throw before a choice if both are possible.

    A second cast of one of several dice takes each face of each die with the same chance.
    """
    return chance.choice(position.throws() or list(position.legal()))


def playout(start: Position, chance: random.Random, cap: int = PLY_CAP) -> GameRecord:
    """Play one game at random from a position."""
    throws = choices = 0
    position = start
    while (outcome := position.outcome) is None and throws + choices < cap:
        move = random_move(position, chance)
        if isinstance(move, Throw):
            throws += 1
        else:
            choices += 1
        position = position.after(move)
    return GameRecord(throws, choices, None if outcome is None else outcome.winners)


def chance_of(seed: int, number: int) -> random.Random:
    """Return the random generator of one game of many: its own, so that games may run in any order or place."""
    return random.Random(f"{seed} {number}")  # noqa: S311 - dice, no secrets


def play(  # noqa: PLR0917 - as the command names them
    game: Game,
    count: int,
    seed: int,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    cap: int = PLY_CAP,
    first: int = 0,
) -> Played:
    """Play games at random from the start; ``first`` is the number of the first one, for a part of a longer run.

    Raises:
        OptionError: the game does not take these players or options.
    """
    start = game.start(players or game.least_players, **(options or {}))
    begun = time.perf_counter()
    records = [playout(start, chance_of(seed, number), cap) for number in range(first, first + count)]
    return Played(game.slug, start.players, cap, records, time.perf_counter() - begun)


def summary(played: Played) -> dict[str, Any]:
    """Return length, wins and pace as plain data, every figure with its 95 % interval.

    A capped game counts in ``length`` with its length at the cap. So if there are capped games, that mean is too small;
    ``finished_length`` leaves them out. ``percentiles`` are lengths that this share of games does not exceed. Wins,
    shared wins and ``capped`` are shares of all games. ``together`` gives for each group that won, a team for example,
    how often it did, except for all players together. A decision is a throw or a choice, one `Position.after`.
    """
    count = len(played.records)
    ended = [record for record in played.records if record.winners is not None]
    sides = range(1, played.players + 1)
    lengths = sorted(record.length for record in played.records)
    groups = Counter(record.winners for record in ended if record.winners and 1 < len(record.winners) < played.players)
    return {
        "game": played.game,
        "players": played.players,
        "games": count,
        "cap": played.cap,
        "capped": intervals.share(count - len(ended), count).to_json(),
        "length": intervals.mean(lengths).to_json(),
        "finished_length": intervals.mean([record.length for record in ended]).to_json() if ended else None,
        "throws": intervals.mean([record.throws for record in played.records]).to_json(),
        "percentiles": {f"{share:.0%}": lengths[math.ceil(share * count) - 1] for share in LENGTH_SHARES},
        "longest": lengths[-1],
        "wins": {
            str(side): intervals.share(sum(record.winners == (side,) for record in ended), count).to_json()
            for side in sides
        },
        "shared": intervals.share(sum(len(record.winners or ()) > 1 for record in ended), count).to_json(),
        "together": {
            ", ".join(map(str, group)): intervals.share(won, count).to_json() for group, won in sorted(groups.items())
        },
        "nobody": intervals.share(sum(not record.winners for record in ended), count).to_json(),
        "methods": {"shares": intervals.SHARE_METHOD, "means": intervals.MEAN_METHOD},
        "seconds": played.seconds,
        "decisions_a_second": sum(lengths) / played.seconds if played.seconds else None,
    }
