"""Many random games of one kind, played in parts, several at once.

Each game has its own dice, which depend on the seed and on its number alone (games of virtues: each part of them). So
the numbers are the same on one core, on many, and on a cluster.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.odds.known.known_odds import known_odds
from companion.odds.playouts import PLY_CAP, Played, check_count, play
from companion.parallel.parts import Workers, WorkPart, in_order, parts_of
from companion.rules.options import OptionValue
from companion.rules.registry import game

Progress = Callable[[int], object]
"""Gets how many more games are done."""

AT_ONCE: Final = 20_000
LEAST_AT_ONCE: Final = 2_500
"""Games of one part that are played many at once: small parts keep all workers busy, large ones are quicker."""

BY_RULES: Final = 50
"""Games of one part that are played by the rules."""

PARTS_PER_WORKER: Final = 4
"""Parts for each worker, if there are enough games: so the last ones end at about the same time."""


@dataclass(frozen=True)
class SimulatedGame:
    """What is played, and where its dice start. Each game stops as capped after ``cap`` throws and choices."""

    slug: str
    seed: int
    players: int
    options: Mapping[str, OptionValue]
    cap: int = PLY_CAP

    def by_rules(self, part: WorkPart) -> Played:
        """Play the games with these numbers by the rules core."""
        return play(game(self.slug), part.count, self.seed, self.players, self.options, self.cap, part.first)

    def vectorised(self, part: WorkPart) -> tuple[Played | None, str]:
        """Play them as `KnownOdds.vectorised` does."""
        known = known_odds(game(self.slug))
        return known.vectorised(
            self.slug, part.count, self.seed, self.players, self.options, self.cap, first=part.first
        )

    def own(self, part: WorkPart) -> Any:
        """Play them as `KnownOdds.own` does."""
        return known_odds(game(self.slug)).own(self.slug, part, self.seed, self.players, self.options)


def by_rules(kind: SimulatedGame, count: int, workers: Workers, report: Progress) -> Played:
    """Play ``count`` games by the rules core.

    Raises:
        OptionError: the game does not take these players or options.
        GamesCountError: there are too many.
    """
    begun = time.perf_counter()
    size = min(BY_RULES, max(1, count // (PARTS_PER_WORKER * workers.number)))
    played = in_order(workers, kind.by_rules, _parts(count, size), lambda part: report(part.count))
    return _joined(played, begun)


def vectorised(kind: SimulatedGame, count: int, workers: Workers, report: Progress) -> tuple[Played | None, str]:
    """Play games that the rules core could play too, many at a time; or return None and why not, "" if never.

    Raises:
        OptionError, GamesCountError: as `by_rules`.
    """
    begun = time.perf_counter()
    parts = _parts(count, min(AT_ONCE, max(LEAST_AT_ONCE, count // (PARTS_PER_WORKER * workers.number))))
    one, why_not = kind.vectorised(WorkPart(0, 1))
    if one is None:
        return None, why_not
    done = in_order(workers, kind.vectorised, parts, lambda part: report(part.count))
    played = [played for played, _ in done if played is not None]
    return _joined(played, begun), ""


def own(kind: SimulatedGame, count: int, workers: Workers, report: Progress) -> dict[str, Any] | None:
    """Return the results of games that a family simulates in its own way, None if it does not.

    Raises:
        OptionError, GamesCountError: as `by_rules`.
    """
    known = known_odds(game(kind.slug))
    if not known.own_part:
        return None
    begun = time.perf_counter()
    parts = _parts(count, known.own_part)
    results = known.results(in_order(workers, kind.own, parts, lambda part: report(part.count)))
    seconds = time.perf_counter() - begun
    return {"game": kind.slug, "seed": kind.seed, "options": dict(kind.options), "seconds": seconds} | results


def _parts(count: int, size: int) -> list[WorkPart]:
    check_count(count)
    return parts_of(count, size)


def _joined(played: Sequence[Played], begun: float) -> Played:
    records = [record for one in played for record in one.records]
    return Played(played[0].game, played[0].players, played[0].cap, records, time.perf_counter() - begun)
