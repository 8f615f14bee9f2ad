"""Positions to try the rules on: written in words for one claim, or scattered over the board at random."""

import random
from itertools import combinations
from typing import Any

from tests.rules.rithmomachia.naive import State
from tests.rules.rithmomachia.naive_harmonies import KINDS, fours, triples
from tests.rules.rithmomachia.naive_men import Board, Man, array, pyramid, simple, site, squares, values_of_the_start
from tests.rules.rithmomachia.naive_moves import moves
from tests.rules.rithmomachia.naive_options import I, settings


def men(text: str) -> Board:
    """Read ``"white 4c b3, 91p c2, 25s+16t c3; black 64t g8"``: numbers with their shape and square.

    ``91p`` is a whole pyramid of this colour, ``25s+16t`` one that has these parts left, a star behind the number a man
    who has changed sides.
    """
    board: Board = {}
    for side in filter(str.strip, text.split(";")):
        colour, _, rest = side.strip().partition(" ")
        for entry in rest.split(","):
            word, square = entry.split()
            board[square] = _man(colour, word)
    return board


def _man(colour: str, word: str) -> Man:
    if word.endswith("*"):
        other = "black" if colour == "white" else "white"
        return {**_man(other, word[:-1]), "colour": colour, "began": other}
    if word.endswith("p"):
        return pyramid(colour)
    if "+" in word:
        return broken(pyramid(colour), {int(part[:-1]) for part in word.split("+")})
    return simple(colour, word)


def broken(man: Man, left: set[int]) -> Man:
    """Return a pyramid with only these parts left."""
    parts = [part for part in man["parts"] if part["number"] in left]
    return {**man, "parts": parts, "number": sum(part["number"] for part in parts)}


def state(slug: str, placed: str, turn: int = 1, **more: Any) -> State:
    """Return the JSON of a position in which a move is awaited; ``more`` are its options."""
    return {
        "game": slug,
        "options": more,
        "turn": turn,
        "phase": "move",
        "men": men(placed),
        "captured": {"1": [], "2": []},
        "last": None,
        "lifted": {},
        "removed": {"1": [], "2": []},
        "triumphs": {"1": [], "2": []},
        "returned": {"1": [], "2": []},
    }


def scattered(slug: str, seed: int, **more: Any) -> State:
    """Return a position with men of both sides thrown together: much to take, pyramids broken, men on the wrong side.

    Every man not on the board is held by the other side, or by his own side if he was taken twice: none is lost.
    """
    chance = random.Random(seed)
    options = settings(slug, more)
    found = state(slug, "", turn=chance.choice([1, 2]), **more)
    ranks = chance.randint(4, 10)
    first = chance.randint(1, options["ranks"] - ranks + 1)
    free = [square for square in squares(options["ranks"]) if first <= int(square[1:]) < first + ranks]
    chance.shuffle(free)
    share = chance.uniform(0.3, 1)
    for man in array(options["ranks"]).values():
        king = man["shape"] == "pyramid" and slug == I
        for piece in torn(man, chance):
            changed = not king and chance.random() < 0.15
            if free and (chance.random() < share):
                found["men"][free.pop()] = turned(piece) if changed else piece
            else:
                holder = "2" if (piece["colour"] == "white") != changed else "1"
                held = turned(piece) if changed else piece
                found["removed" if king else "captured"][holder].append(held)
    return found


def torn(man: Man, chance: random.Random) -> list[Man]:
    """Return a man, or what is left of a pyramid and the parts that it has lost."""
    if man["shape"] != "pyramid" or chance.random() < 0.4:
        return [man]
    numbers = [part["number"] for part in man["parts"]]
    left = set(chance.sample(numbers, chance.randint(1, len(numbers))))
    lost = [{"colour": man["colour"], **part} for part in man["parts"] if part["number"] not in left]
    return [broken(man, left), *lost]


def turned(man: Man) -> Man:
    """Return a man who has changed sides."""
    other = "black" if man["colour"] == "white" else "white"
    return {**man, "colour": other, "began": man["colour"]}


SMALL = (1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 18, 20, 25, 27, 36, 64)
"""Numbers between which there is much arithmetic; not all are on a man, which the taking of men need not know."""


def crowded(slug: str, seed: int, **more: Any) -> State:
    """Return a position of made-up men with small numbers, close together: a few captures after most moves."""
    chance = random.Random(seed)
    options = settings(slug, more)
    found = state(slug, "", turn=chance.choice([1, 2]), **more)
    ranks = chance.randint(4, 9)
    first = chance.randint(1, options["ranks"] - ranks + 1)
    free = [square for square in squares(options["ranks"]) if first <= int(square[1:]) < first + ranks]
    chance.shuffle(free)
    for colour in ("white", "black"):
        for _ in range(chance.randint(2, 2 * ranks)):
            shape = chance.choice(["circle", "triangle", "square"])
            man = {"colour": colour, "shape": shape, "number": chance.choice(SMALL)}
            if chance.random() < 0.2:
                man["began"] = "black" if colour == "white" else "white"
            found["men"][free.pop()] = man
        if chance.random() < 0.8:
            found["men"][free.pop()] = torn(pyramid(colour), chance)[0]
    return found


def hemmed_in(slug: str, seed: int, **more: Any) -> State:
    """Return a position with a black man in a corner among his own men, and a few white men who may close him in."""
    chance = random.Random(seed)
    last = settings(slug, more)["ranks"]
    found = state(slug, "", **more)
    shapes = ["circle", "triangle", "square"]
    found["men"][f"a{last}"] = {"colour": "black", "shape": chance.choice(shapes), "number": 81}
    near = [f"{file}{rank}" for file in "abcdef" for rank in range(last - 5, last + 1) if (file, rank) != ("a", last)]
    for square in chance.sample(near, chance.randint(8, 20)):
        colour = "white" if chance.random() < 0.2 else "black"
        found["men"][square] = {"colour": colour, "shape": chance.choice(shapes), "number": chance.choice([7, 11, 13])}
    return found


def harmonious(slug: str, seed: int, **more: Any) -> tuple[State, str]:
    """Return a position and a move by which men of one harmony come together, in the right shape or not."""
    chance = random.Random(seed)
    options = settings(slug, more)
    values = values_of_the_start()
    kind = chance.choice(["triple", "big", "great"])
    if kind == "triple":
        numbers = chance.choice(triples(values, chance.choice(["arithmetic", "geometric", "harmonic"])))
    else:
        kinds = [set(KINDS)] if kind == "great" else [set(pair) for pair in combinations(KINDS, 2)]
        numbers = chance.choice(fours(values, chance.choice(kinds), four_term=True))
    colour = chance.choice(["white", "black"])
    far = options["ranks"] // 2 if colour == "white" else 0
    spots = shape_of(chance, len(numbers))
    file = chance.randint(1, 9 - max(x for x, _ in spots))
    rank = chance.randint(far + 1, options["ranks"] // 2 + far + 1 - max(y for _, y in spots))
    found = state(slug, "", turn=1 if colour == "white" else 2, **more)
    names = [site(file + x - 1, rank + y - 1) for x, y in spots]
    order = list(numbers) if chance.random() < 0.5 else chance.sample(numbers, len(numbers))
    for name, number in zip(names, order, strict=True):
        shape = chance.choice(["circle", "triangle", "square"])
        found["men"][name] = {"colour": colour, "shape": shape, "number": number}
    back = [(name, origin) for name in names for origin, _, _ in moves(found["men"], slug, options["ranks"], name)]
    if not back:
        return harmonious(slug, seed + 1000, **more)
    moved, origin = chance.choice(back)
    found["men"][origin] = found["men"].pop(moved)
    return found, f"{origin}-{moved}"


def shape_of(chance: random.Random, count: int) -> list[tuple[int, int]]:
    """Return places counted from 1: a row, corners of a parallelogram or of its half, a hook, or any places at all."""
    kind = chance.choice(["row", "corners", "hook", "any"])
    if kind == "any":
        return chance.sample([(x, y) for x in range(1, 5) for y in range(1, 5)], count)
    (ax, ay), (bx, by) = chance.choice([((1, 0), (0, 1)), ((1, 1), (1, -1)), ((2, 1), (-1, 2)), ((2, 0), (1, 1))])
    n = 1 if ax == 2 else chance.choice([1, 2, 2])
    places = {
        "row": [(ax * k, ay * k) for k in (0, 1, 2, 3 if ax == 2 else chance.choice([3, 4]))],
        "corners": [(0, 0), (ax * n, ay * n), (bx * n, by * n), ((ax + bx) * n, (ay + by) * n)],
        "hook": [(0, 0), (ax, ay), (2 * ax, 2 * ay), (bx, by)],
    }[kind][:count]
    low_x, low_y = min(x for x, _ in places), min(y for _, y in places)
    return [(x - low_x + 1, y - low_y + 1) for x, y in places]
