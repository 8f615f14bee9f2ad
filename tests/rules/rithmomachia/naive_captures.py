"""What can be taken: every enemy against every man, every two and every group of men, one formula after the other."""

from itertools import combinations
from typing import NamedTuple

from tests.rules.rithmomachia.naive_harmonies import kinds_of_three
from tests.rules.rithmomachia.naive_men import Board, Man, place
from tests.rules.rithmomachia.naive_moves import (
    LENGTHS,
    clear,
    direction,
    is_regular,
    regular_directions,
    shapes,
    steps,
)
from tests.rules.rithmomachia.naive_options import D, I, M, Settings
from tests.rules.rithmomachia.naive_siege import besieged, set_free

WHOLE = {"white": 91, "black": 190}


class Actor(NamedTuple):
    """A man, a whole pyramid or a part of one, as it takes or is taken; ``name`` is ``"b5"`` or ``"b5/9"``."""

    name: str
    square: str
    number: int
    shapes: frozenset[str]


Capture = tuple[str, str, tuple[str, ...]]
"""The taken one's name, the kind, the takers' names in the order of their squares."""


def in_turn(name: str) -> tuple[int, int]:
    return place(name.split("/", maxsplit=1)[0])


def targets(square: str, man: Man) -> list[Actor]:
    """Return as what a man can be taken: a pyramid of several parts whole or one part."""
    if man["shape"] != "pyramid":
        return [Actor(square, square, man["number"], frozenset([man["shape"]]))]
    every = frozenset(part["shape"] for part in man["parts"])
    whole = Actor(square, square, sum(part["number"] for part in man["parts"]), every)
    if len(man["parts"]) == 1:
        return [whole]
    parts = [
        Actor(f"{square}/{part['number']}", square, part["number"], frozenset([part["shape"]])) for part in man["parts"]
    ]
    return [whole, *parts]


def complete(man: Man) -> bool:
    first: str = man.get("began") or man["colour"]
    return bool(man["number"] == WHOLE[first])


def takers(slug: str, square: str, man: Man) -> list[Actor]:
    """Return as what a man can take: in Mebben's game a broken pyramid takes only by its parts."""
    found = targets(square, man)
    if slug == M and len(found) > 1 and not complete(man):
        return found[1:]
    return found


def king_length(man: Man) -> int:
    """Return how far a king goes: as far as his base."""
    return max(LENGTHS[shape] for shape in shapes(man, I))


def right_steps(board: Board, options: Settings, taker: Actor, target: Actor, otherwise: int | None) -> bool:
    """Italian: whether the two stand as far apart as the kings among them ask for, or else ``otherwise`` steps."""
    asked = []
    if board[taker.square]["shape"] == "pyramid":
        asked.append(king_length(board[taker.square]))
    if board[target.square]["shape"] == "pyramid" and options["king_taken_at"] == "king":
        asked.append(king_length(board[target.square]))
    if not asked and otherwise is not None:
        asked.append(otherwise)
    return all(steps(taker.square, target.square) == length for length in asked)


def reaches(board: Board, slug: str, options: Settings, taker: Actor, target: Actor) -> bool:
    if slug == I:
        own = min(LENGTHS[shape] for shape in taker.shapes)
        return clear(board, taker.square, target.square) and right_steps(board, options, taker, target, own)
    return any(is_regular(board, slug, shape, taker.square, target.square) for shape in taker.shapes)


def distance(options: Settings, one: str, other: str) -> int:
    return steps(one, other) + {"between": -1, "steps": 0, "inclusive": 1}[options["distances"]]


def has_line(board: Board, slug: str, options: Settings, taker: Actor, target: Actor) -> bool:
    """Whether the taker sees the enemy along a line in which he may make an assault."""
    if not clear(board, taker.square, target.square):
        return False
    if slug == M:
        lines = {line for shape in taker.shapes for line in regular_directions(slug, shape)}
        return direction(taker.square, target.square) in lines
    if slug == D:
        return True
    own = min(LENGTHS[shape] for shape in taker.shapes) if options["assault_at"] == "own" else None
    return right_steps(board, options, taker, target, own)


def one_man_kinds(board: Board, slug: str, options: Settings, taker: Actor, target: Actor) -> set[str]:
    found = set()
    v, t = taker.number, target.number
    if v == t and reaches(board, slug, options, taker, target):
        found.add("encounter")
    if has_line(board, slug, options, taker, target):
        n = distance(options, taker.square, target.square)
        if n >= options["least_factor"] and (v * n == t or t * n == v):
            found.add("assault")
        if slug == D and n >= 2 and (v**n == t or t**n == v):
            found.add("power")
    return found


def makes(numbers: list[int], total: int, operations: str) -> bool:
    """Whether the numbers make the total by sum or difference, two of them also by product or quotient."""
    if sum(numbers) == total or any(number - (sum(numbers) - number) == total for number in numbers):
        return True
    if len(numbers) > 2 or operations == "sum-difference":
        return False
    a, b = numbers
    return total in (a * b, a / b, b / a)


def ambush_groups(near: list[Actor], ambushers: str) -> list[tuple[Actor, ...]]:
    """List the groups of two or more actors that are all different men."""
    most = 2 if ambushers == "two" else len(near)
    return [
        group
        for size in range(2, most + 1)
        for group in combinations(near, size)
        if len({actor.square for actor in group}) == size
    ]


def captures(board: Board, slug: str, options: Settings, colour: str, moved: str | None) -> set[Capture]:
    """List what this colour can take on this board; with ``moved`` only captures in which that man takes part."""
    found: set[Capture] = set()
    own = [actor for square, man in board.items() if man["colour"] == colour for actor in takers(slug, square, man)]
    for square, enemy in board.items():
        if enemy["colour"] == colour:
            continue
        for target in targets(square, enemy):
            for kind, group in arithmetic_captures(board, slug, options, own, target):
                if moved is None or moved in {actor.square for actor in group}:
                    names = tuple(sorted((actor.name for actor in group), key=in_turn))
                    found.add((target.name, kind, names))
        if siege_stands(board, slug, options, square, moved):
            found.add((square, "siege", ()))
    return {capture for capture in found if capture[1] in counted_kinds(slug, str(options["captures"]))}


def counted_kinds(slug: str, captures: str) -> list[str]:
    """List the kinds of capture that count, as the option's text names them one after another."""
    power, progression = (["power"] if slug == D else []), (["progression"] if slug != M else [])
    known = ["assault", "encounter", "ambush", *power, *progression, "siege"]
    counts = {"assault": 1, "two-kinds": 2, "three-kinds": 3, "four-kinds": 4, "five-kinds": 5, "all": 6}
    return known[: counts[captures]]


def arithmetic_captures(
    board: Board, slug: str, options: Settings, own: list[Actor], target: Actor
) -> list[tuple[str, tuple[Actor, ...]]]:
    found: list[tuple[str, tuple[Actor, ...]]] = []
    for taker in own:
        found += [(kind, (taker,)) for kind in one_man_kinds(board, slug, options, taker, target)]
    near = [taker for taker in own if reaches(board, slug, options, taker, target)]
    for group in ambush_groups(near, options["ambushers"]):
        if makes([actor.number for actor in group], target.number, options["operations"]):
            found.append(("ambush", group))
    if slug != M:
        for group in ambush_groups(near, "two"):
            if kinds_of_three([group[0].number, group[1].number, target.number]):
                found.append(("progression", group))
    return found


def siege_stands(board: Board, slug: str, options: Settings, square: str, moved: str | None) -> bool:
    if not besieged(board, slug, options, square):
        return False
    if moved is not None:
        without = {name: man for name, man in board.items() if name != moved}
        if besieged(without, slug, options, square):
            return False
    return not (slug == M and options["relief"] and freed(board, slug, options, square))


def freed(board: Board, slug: str, options: Settings, square: str) -> bool:
    """Mebben: whether another man of the besieged man's side can set him free."""

    def lifts(after: Board, rescuer: str, stop: str) -> bool:
        """Whether the rescuer could take the stop, whole, by meeting or assault."""
        stopped = targets(stop, after[stop])[0]
        return any(
            one_man_kinds(after, slug, options, actor, stopped) & {"encounter", "assault"}
            for actor in takers(slug, rescuer, after[rescuer])
        )

    return set_free(board, slug, options, square, lifts)
