"""What a position of Rithmomachia is worth: men and points taken, and the way to each victory that the rules know."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import log

from companion.rules.rithmomachia import ending, numbers
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RuleSet
from companion.rules.rithmomachia.squares import enemy

WON = 30.0
"""The worth of a won game; the sooner it is won, the more."""

POINTS, MAN, KING = 5.0, 0.12, 4.0
"""The worth of all points of a minor victory; of a man, times the logarithm of his number; of the enemy's king."""

FAR, FORWARD, PAIR, TRIPLE = 0.12, 0.02, 0.12, 0.6
"""The worth of a man in the enemy's half, of each rank that a man has gone, of two men there whose harmony a third own
man could complete, and of three men there in progression."""


def worth(position: RithmoPosition) -> float:
    """Return the worth of a position that goes on for the player to act, as the log of the odds to win."""
    player = position.turn
    other = enemy(player)
    return _worth(position, player) - _worth(position, other)


def _worth(position: RithmoPosition, player: int) -> float:
    rules = position.rules
    far = rules.board.half(enemy(player))
    places, ranks = rules.board.places, rules.board.ranks
    there: list[Man] = []
    every: list[int] = []
    found = 0.0
    for square, man in enumerate(position.men):
        if man is None or man.owner != player:
            continue
        found += MAN * log(man.number + 1)
        if man.is_pyramid and rules.has_kings:
            found += KING
        every.append(man.number)
        rank = places[square][1]
        found += FORWARD * (rank if player == 1 else ranks - 1 - rank) if by_harmony(rules) else 0
        if square in far:
            there.append(man)
    minor = _taken_share(position, player)
    if minor:
        found += POINTS * minor
    if by_harmony(rules):
        found += FAR * min(len(there), 6) + _harmonies([man.number for man in there], every)
    return found


def by_harmony(rules: RuleSet) -> bool:
    """Whether a harmony in the enemy's half can win by these rules."""
    if rules.has_kings:
        return True
    return str(rules["goal"] if "goal" in rules.rulings else rules["major"]) != "none"


def _taken_share(position: RithmoPosition, player: int) -> float:
    """Return how much of a minor victory the men taken are, from 0 to 1."""
    rules = position.rules
    minor = str(rules["minor"])
    if minor == "none":
        return 0.0
    men = ending.counted(position, player)
    if minor in ("de-corpore", "men"):
        return min(1.0, len(men) / int(rules["men_to_take"]))
    if minor == "digits":
        return min(1.0, sum(len(str(man.number)) for man in men) / int(rules["digits_to_take"]))
    return min(1.0, sum(man.number for man in men) / int(rules["points"]))


def _harmonies(there: Sequence[int], every: Sequence[int]) -> float:
    found = 0.0
    for one, other in combinations(there, 2):
        thirds = completing(min(one, other), max(one, other))
        found += PAIR * any(third in every for third in thirds)
        found += TRIPLE / 3 * sum(third in there for third in thirds)
    return min(found, 2.0)


@lru_cache(maxsize=1 << 14)
def completing(low: int, high: int) -> tuple[int, ...]:
    """Return the numbers that are in some progression with two others."""
    return tuple(sorted(set(_thirds(low, high))))


def _thirds(low: int, high: int) -> Iterator[int]:
    candidates = {2 * low - high, 2 * high - low, *range(low + 1, high)} if high - low < 400 else {2 * high - low}  # noqa: PLR2004
    candidates |= {high * high // low, low * low // high}
    if 2 * high != low:
        candidates |= {low * high // abs(2 * low - high)} if 2 * low != high else set()
        candidates |= {low * high // (2 * high - low)}
    for third in candidates:
        if third > 0 and numbers.progression((low, high, third)):
            yield third
