"""How near a side is to taking the enemy's king part by part, which triumphs wait for (Italian).

Each part is taken from exactly the king's distance, by few men alone, by more of them in twos. So what counts for a
part are the fewest moves that bring one man or two who take it to that distance; men on the line are in the way.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from companion.players.rithmomachia.harmony import TOO_FAR, Side, moves_between
from companion.rules.rithmomachia import numbers
from companion.rules.rithmomachia.choices import AMBUSH, ASSAULT, ENCOUNTER, PROGRESSION
from companion.rules.rithmomachia.men import whole_pyramid
from companion.rules.rithmomachia.rule_set import RithmoRules, numbers_of

SHARE_PER_MOVE = 0.85
"""What one move more makes of the worth of a part of the king; to take it is one more."""

MOST_TO_TAKE = 2
"""Moves: an enemy on the line who cannot be taken so soon may as well step aside."""

Takers = tuple[tuple[int, ...], ...]
"""The places of one man, or of two, who take a number together."""


def hunted(rules: RithmoRules, own: Side, others: Side, away: Sequence[int]) -> float:
    """Return how much of the enemy's king is taken or in reach, from 0 to 1: a part counts less for each move to it.

    ``away``: for each of the others the moves to a place from which he can be taken, who may stand in the way.
    """
    found = next(((square, man) for square, man in others if man.parts), None)
    if found is None:
        return 1.0
    square, king = found
    hunters = sorted((man.number, start, man.shape) for start, man in own if not man.is_pyramid)
    distance = rules.king_distance(king)
    clearing = {place: 1 + min(moves, MOST_TO_TAKE) for (place, _), moves in zip(others, away, strict=True)}
    for place, _ in own:
        clearing[place] = 1
    lines = [line[:distance] for _, line in rules.board.rays[square] if len(line) >= distance]
    places = [(line[-1], sum(clearing.get(passed, 0) for passed in line[:-1])) for line in lines]
    needed = [
        min((_moves(rules, start, shape, place, clearing) + cleared for place, cleared in places), default=TOO_FAR)
        for _, start, shape in hunters
    ]
    having = tuple(number for number, _, _ in hunters)
    shares = [
        SHARE_PER_MOVE
        * SHARE_PER_MOVE
        ** min(
            (sum(needed[one] for one in group) for group in _takers(rules, having, number, distance)), default=TOO_FAR
        )
        for _, number in numbers_of(king)
    ]
    whole = len(whole_pyramid(king.began))
    return (whole - len(king.parts) + max(sum(shares[1:]), len(king.parts) * shares[0])) / whole


def _moves(rules: RithmoRules, start: int, shape: str, place: int, clearing: Mapping[int, int]) -> int:
    """Return the moves from a square to another; who stands there, or in the way of a last move, has to go first."""
    if start == place:
        return 0
    moves = int(moves_between(rules, (shape,))[start, place])
    if moves == 1 and place not in clearing:
        ways = (way for way in rules.tables[shape][start] if way.end == place)
        return moves + min(sum(clearing.get(passed, 0) for passed in way.path) for way in ways)
    return moves + clearing.get(place, 0)


@lru_cache(maxsize=1 << 12)
def _takers(rules: RithmoRules, having: tuple[int, ...], wanted: int, distance: int) -> Takers:
    """Return who of these numbers take another at a king's distance, alone or in twos."""
    alone = [
        (one,)
        for one, number in enumerate(having)
        if (ENCOUNTER in rules.captures and number == wanted)
        or (ASSAULT in rules.captures and numbers.assault(number, wanted, distance + rules.offset) is not None)
    ]
    able = {one for (one,) in alone}
    return (
        *alone,
        *(
            (one, other)
            for one, other in combinations(range(len(having)), 2)
            if not able & {one, other} and _in_twos(rules, having[one], having[other], wanted)
        ),
    )


@lru_cache(maxsize=1 << 16)
def _in_twos(rules: RithmoRules, one: int, other: int, wanted: int) -> bool:
    if AMBUSH in rules.captures and numbers.together((one, other), wanted, all_four=rules.all_four) is not None:
        return True
    return PROGRESSION in rules.captures and numbers.progression((one, other, wanted)) is not None
