"""The fewest moves to places on a board with men on it, for all men of one shape at once; a set of squares is bits."""

from collections.abc import Mapping
from functools import cache

from companion.rules.rithmomachia.rule_set import DIRECTIONS, RithmoRules
from companion.rules.rithmomachia.squares import Squares

MOST_MOVES = 8
"""Longer routes are not followed."""

EVERYBODY = 1_000

Step = tuple[int, int, int]
"""The squares from which a step in one direction stays on the board, and by what a square's number grows or shrinks."""


def moves_to(
    rules: RithmoRules, shape: str, places: Mapping[int, int], occupied: int, starts: int, *, enough: int = EVERYBODY
) -> Mapping[int, int]:
    """Return the fewest moves of men on ``starts`` to one of the places; who finds no way there is missing.

    ``places``: by the moves that they cost beforehand, such as to clear them, the squares to come to. A man goes round
    all that is ``occupied``; he may come to a place where somebody stands. When ``enough`` men have come, those who
    need more moves are missing, too.
    """
    found: dict[int, int] = {}
    free, ways = _steps(rules, shape)
    free &= ~occupied
    fresh, left = 0, free | starts
    last = max(places, default=-1)
    for moves in range(MOST_MOVES + 1):
        fresh &= left
        passed = fresh & free
        if moves in places:
            fresh |= places[moves]
            passed |= places[moves]
        left &= ~fresh
        there = fresh & starts
        while there:
            lowest = there & -there
            found[lowest.bit_length() - 1] = moves
            there ^= lowest
        starts &= left
        if not starts or len(found) >= enough or (not passed and moves >= last):
            break
        fresh = 0
        for (mask, grows, shrinks), between in ways:
            here = passed
            for _ in between:
                here = (here & mask) << grows >> shrinks & free
            fresh |= (here & mask) << grows >> shrinks
    return found


@cache
def _steps(rules: RithmoRules, shape: str) -> tuple[int, tuple[tuple[Step, range], ...]]:
    """Return all squares, and the directions of a shape with the steps to take in each; a jump is one step."""
    found: list[tuple[Step, range]] = []
    for rule in rules.data["ways"][shape]:
        length = int(rule["length"])
        for down, along in DIRECTIONS[rule["along"]]:
            if not rule.get("jump"):
                found.append((_step(rules.board, down, along), range(length - 1)))
                continue
            for side in (1, -1):
                step = _step(rules.board, down * length + side * (down == 0), along * length + side * (along == 0))
                found.append((step, range(0)))
    return (1 << rules.board.count) - 1, tuple(found)


def _step(board: Squares, down: int, along: int) -> Step:
    mask = sum(
        1 << square
        for square, (file, rank) in enumerate(board.places)
        if board.at(file + down, rank + along) is not None
    )
    grows = down * board.ranks + along
    return mask, max(0, grows), max(0, -grows)
