"""The best play of Ludix between two players: when to throw again and when to stop."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from companion.odds.ludix.race import PolicyError, Race, RaceTurn, race
from companion.rules.ludix.numerals import is_sum
from companion.rules.options import OptionValue

POLICY_PLAYERS = 2
"""The number of players for which the best play is known."""

TABLE_STEP = 25
"""The points between two rows, and two columns, of the displayed table."""


def solved(players: int, options: Mapping[str, OptionValue]) -> Race:
    """Return the solved match with these options; the first call for a target takes some seconds.

    Raises:
        PolicyError: it is not solved for this number of players, or with these options.
    """
    if players != POLICY_PLAYERS:
        raise PolicyError(f"The best play is known for {POLICY_PLAYERS} players, but {players} play.")
    if options["going_on"] != "free":
        raise PolicyError(f"The best play is known for going_on free, but it is {options['going_on']}.")
    return race(int(options["target"]), str(options["ending"]))


@lru_cache(maxsize=4096)
def turn(match: Race, seat: int, own: int, other: int) -> RaceTurn:
    """Return the best plan for a turn in a solved match, cached: a player chooses several times in a turn."""
    return match.turn(seat, own, other)


@dataclass(frozen=True)
class Holding:
    """When to stop in one state: the lowest stake to stop at, and ranges of higher ones at which to throw again."""

    stake: int
    again: tuple[tuple[int, int], ...]


def holding(match: Race, seat: int, own: int, other: int) -> Holding:
    """Return when to stop, among the stakes that numerals can add up to."""
    plan = turn(match, seat, own, other)
    stakes = [stake for stake in range(1, len(plan.again)) if is_sum(stake, best_only=True)]
    stops = [stake for stake in stakes if not plan.again[stake]]
    later = [stake for stake in stakes if stake > stops[0] and plan.again[stake]]
    stretches: list[tuple[int, int]] = []
    for stake in later:
        if stretches and not any(stretches[-1][1] < stop < stake for stop in stops):
            stretches[-1] = (stretches[-1][0], stake)
        else:
            stretches.append((stake, stake))
    return Holding(stops[0], tuple(stretches))


@cache
def table(match: Race, seat: int) -> dict[int, dict[int, Holding]]:
    """Return when to stop by the player's own points and the other player's, every `TABLE_STEP` points."""
    points = range(0, match.target, TABLE_STEP)
    return {own: {other: holding(match, seat, own, other) for other in points} for own in points}
