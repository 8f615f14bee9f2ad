"""Harmonies in the enemy's half: which of them the last move completed, and their grade."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from companion.rules.rithmomachia import numbers
from companion.rules.rithmomachia.arrangements import arranged
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.rule_set import RithmoRules, kind_of
from companion.rules.rithmomachia.squares import enemy
from companion.rules.rithmomachia.state import RithmoState

Placed = tuple[int, Man]
"""A square and the man on it."""

ALL_KINDS = len(numbers.KINDS)


class Harmony(NamedTuple):
    """A harmony on the board: its grade (0 is the least), its squares and numbers in rising order of the numbers."""

    grade: int
    squares: tuple[int, ...]
    numbers: tuple[int, ...]


def grade(rules: RithmoRules, wanted: Sequence[int]) -> int | None:
    """Return the grade of three or four numbers (0 is the least), or None if they make no harmony."""
    kinds = len(numbers.kinds(wanted, four_term=rules["great"] == "four-term"))
    if len(wanted) == numbers.TRIPLE:
        return 0 if kinds else None
    if kinds == ALL_KINDS:
        return 2
    if rules["superior"] == "two-triples" and len(set(wanted)) == numbers.FOUR:
        progressions = sum(numbers.progression(triple) is not None for triple in combinations(wanted, numbers.TRIPLE))
        return 1 if progressions > 1 else None
    return 1 if kinds > 1 else None


def completed(position: RithmoState, least: int) -> tuple[Harmony, ...]:
    """Return the harmonies of the highest grade that the last move completed; none of a grade below ``least``."""
    last = position.last
    if last is None:
        return ()
    square, player = last[1], position.actor
    mover = position.men[square]
    far = position.rules.board.half(enemy(player))
    if square not in far or mover is None or mover.owner != player:
        return ()
    if kind_of(position.rules.slug) == "mebben" and mover.began != player:
        return ()  # a man who changed sides may be part of a harmony, but not complete it (Mebben, E)
    others = [(place, man) for place in far if place != square and (man := position.men[place]) and man.owner == player]
    found = tuple(_found(position.rules, (square, mover), others, least))
    best = max((harmony.grade for harmony in found), default=0)
    return tuple(sorted(harmony for harmony in found if harmony.grade == best))


def _found(rules: RithmoRules, mover: Placed, others: Sequence[Placed], least: int) -> Iterator[Harmony]:
    for group in _promising(rules, mover[1].number, others, least):
        men = sorted((mover, *group), key=lambda placed: placed[1].number)
        made = tuple(man.number for _, man in men)
        reached = grade(rules, made)
        if reached is None or reached < least:
            continue
        places = tuple(place for place, _ in men)
        if arranged(rules, [rules.board.places[place] for place in places]):
            yield Harmony(reached, places, made)


def _promising(rules: RithmoRules, number: int, others: Sequence[Placed], least: int) -> Iterator[tuple[Placed, ...]]:
    """Yield the pairs and triples of men that can make a harmony with this number; of many men, only few can.

    Two kinds of progression among four numbers need a progression that includes this number, or two pairs in equal
    proportion.
    """
    made = [man.number for _, man in others]
    count = range(len(others))
    in_progression = {
        pair for pair in combinations(count, 2) if numbers.progression((number, *(made[i] for i in pair)))
    }
    if least == 0:
        for one, other in in_progression:
            yield others[one], others[other]
    four_term = rules["great"] == "four-term"
    for one, other, third in combinations(count, 3):
        if (one, other) in in_progression or (one, third) in in_progression or (other, third) in in_progression:
            yield others[one], others[other], others[third]
        elif four_term:
            a, b, c = made[one], made[other], made[third]
            if number * a == b * c or number * b == a * c or number * c == a * b:
                yield others[one], others[other], others[third]
