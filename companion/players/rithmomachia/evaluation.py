"""What a position of Rithmomachia is worth: men and points taken, and the way to each victory that the rules know."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import log
from typing import NamedTuple

from companion.rules.rithmomachia import ending, numbers
from companion.rules.rithmomachia.men import BLACK, WHITE
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
    rules = position.rules
    ground = _ground(rules)
    sums = [0.0, 0.0, 0.0]
    there: tuple[list[int], list[int], list[int]] = [], [], []
    every: tuple[set[int], set[int], set[int]] = set(), set(), set()
    for man, forward in zip(position.men, ground.forward, strict=True):
        if man is None:
            continue
        owner, number = man.owner, man.number
        sums[owner] += _of_number(number)
        if man.parts and ground.kings:
            sums[owner] += KING
        if ground.harmonies:
            gone, far = forward[owner - 1]
            sums[owner] += gone
            every[owner].add(number)
            if far:
                there[owner].append(number)
    for player in (WHITE, BLACK):
        minor = _taken_share(position, player)
        if minor:
            sums[player] += POINTS * minor
        if ground.harmonies:
            sums[player] += FAR * min(len(there[player]), 6)
            if len(there[player]) > 1:
                sums[player] += _harmonies(there[player], every[player])
    player = position.turn
    return sums[player] - sums[enemy(player)]


class _Ground(NamedTuple):
    """What the worth of men depends on: the worth of each square for white and for black, and if it is far ahead."""

    kings: bool
    harmonies: bool
    forward: tuple[tuple[tuple[float, bool], tuple[float, bool]], ...]


@cache
def _ground(rules: RuleSet) -> _Ground:
    board = rules.board
    forward = tuple(
        (
            (FORWARD * rank, square in board.half(BLACK)),
            (FORWARD * (board.ranks - 1 - rank), square in board.half(WHITE)),
        )
        for square, (_, rank) in enumerate(board.places)
    )
    return _Ground(rules.has_kings, by_harmony(rules), forward)


@cache
def _of_number(number: int) -> float:
    return MAN * log(number + 1)


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


def _harmonies(there: Sequence[int], every: Collection[int]) -> float:
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
