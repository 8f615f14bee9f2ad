"""Positions to try the rules on: written in words for one claim, or scattered over the board at random."""

import random
from typing import Any

from tests.rules.rithmomachia.naive import State
from tests.rules.rithmomachia.naive_men import Board, Man, array, pyramid, simple, squares
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
