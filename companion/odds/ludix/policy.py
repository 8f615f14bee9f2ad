"""The best play of Ludix between two players: when to throw again and when to stop, as a choice and as a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from companion.odds.ludix.race import PolicyError, Race, RaceTurn, race
from companion.rules.errors import GameOverError
from companion.rules.game import Position
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.choices import AGAIN, STOP
from companion.rules.ludix.ending import last_turn
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


def best_choice(position: Position) -> Formed:
    """Return the choice that wins most often against a player who also chooses best; a shared win counts one half.

    Raises:
        PolicyError: not a position of Ludix that awaits a choice, or one that is not solved.
        GameOverError: the game is over.
    """
    if not isinstance(position, LudixPosition):
        raise PolicyError(f"Expected a position of Ludix, but one of {position.game.title} came.", position)
    if position.outcome is not None:
        raise GameOverError("The game is over: there is nothing to choose.", position)
    if position.cast is None:
        raise PolicyError("Expected a position that waits for a choice, but the dice are to be thrown.", position)
    match = solved(position.players, position.options)
    best = position.best
    stake = position.stake + best.value
    other = position.points[2 - position.turn]
    if last_turn(position):
        again = position.own + stake <= other
    else:
        again = throws_again(turn(match, position.turn - 1, position.own, other), stake)
    return Formed(best.text, AGAIN if again else STOP)


@lru_cache(maxsize=4096)
def turn(match: Race, seat: int, own: int, other: int) -> RaceTurn:
    """Return the best plan for a turn in a solved match, cached: a player chooses several times in a turn."""
    return match.turn(seat, own, other)


def throws_again(plan: RaceTurn, stake: int) -> bool:
    """Return whether the plan throws again at this stake."""
    return stake < len(plan.again) and bool(plan.again[stake])


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
