"""Surrounding: every way of a man is stopped, and whether his own side can set him free."""

from collections.abc import Callable
from functools import cache

from tests.rules.rithmomachia.naive_men import Board, place, squares
from tests.rules.rithmomachia.naive_moves import LENGTHS, between, direction, moves, regular_directions, shapes, steps
from tests.rules.rithmomachia.naive_options import D, Settings


def besieged(board: Board, slug: str, options: Settings, square: str) -> bool:
    """Whether all ways of the man, end off the board or are stopped, at least one by an enemy."""
    man = board[square]
    enemies = {name for name, other in board.items() if other["colour"] != man["colour"]}
    stops = set(board) - {square} if options["surrounding"] == "all-men" else enemies
    ways = way_ends(slug, options["ranks"], square, shapes(man, slug))
    if not any(stopped(square, way, enemies) for way in ways):
        return False
    return all(stopped(square, way, stops) for way in ways)


def stopped(square: str, way: tuple[str, bool], stops: set[str]) -> bool:
    """Whether one of the stops stands at the end of a way, or anywhere along it if it is a regular one."""
    end, regular = way
    return end in stops or (regular and any(name in stops for name in between(square, end)))


@cache
def way_ends(slug: str, ranks: int, square: str, held: frozenset[str]) -> list[tuple[str, bool]]:
    """List the squares on the board where a way of these shapes ends, and whether the way is regular."""
    found = []
    for end in squares(ranks):
        differences = sorted(abs(a - b) for a, b in zip(place(square), place(end), strict=True))
        for shape in held:
            if steps(square, end) == LENGTHS[shape] and direction(square, end) in regular_directions(slug, shape):
                found.append((end, True))
            if slug == D and shape != "circle" and differences == [1, LENGTHS[shape]]:
                found.append((end, False))
    return found


Lifts = Callable[[Board, str, str], bool]
"""Whether on this board the man of the first square could take the whole man of the second by meeting or assault."""


def set_free(board: Board, slug: str, options: Settings, square: str, lifts: Lifts) -> bool:
    """Mebben: whether another man of his own side, by a move or by lifting an enemy or both, lets the man move."""
    own = [name for name, man in board.items() if man["colour"] == board[square]["colour"] and name != square]
    tries = [(board, name) for name in own] if options["capturing"] == "any" else []
    for mate in own:
        for end, _, _ in moves(board, slug, options["ranks"], mate):
            after = {name: man for name, man in board.items() if name != mate} | {end: board[mate]}
            if moves(after, slug, options["ranks"], square):
                return True
            tries.append((after, end))
    for after, rescuer in tries:
        for stop in after:
            if after[stop]["colour"] != board[square]["colour"] and lifts(after, rescuer, stop):
                opened = {name: man for name, man in after.items() if name != stop}
                if moves(opened, slug, options["ranks"], square):
                    return True
    return False
