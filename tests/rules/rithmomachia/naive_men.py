"""A second transcription of the men and of the array, typed in from the page of rulings and not from the engine's data.

Everything here is plain: a man is the dict that a position's JSON holds, the board a dict from ``"c14"`` to a man.
"""

from functools import cache
from typing import Any

Man = dict[str, Any]
Board = dict[str, Man]

FILES = "abcdefgh"

WHITE_ROWS = """
289s 169s   .    .    .    .   81s  25s
153s   P   49t  42t  20t  25t  45s  15s
 81t  72t  64c  36c  16c   4c   6t   9t
  .    .    8c   6c   4c   2c   .    .
"""
"""White's (even) rows from the own edge on, files a to h; the letter is the shape, P the pyramid."""

BLACK_ROWS = """
 49s 121s   .    .    .    .  225s 361s
 28s  66s  36t  30t  56t  64t 120s   P
 16t  12t   9c  25c  49c  81c  90t 100t
  .    .    3c   5c   7c   9c   .    .
"""
"""Black's (odd) rows from the own edge on, files a to h."""

PARTS = {"white": "36s 25s 16t 9t 4c 1c", "black": "64s 49s 36t 25t 16c"}
"""What the pyramids are built of, base first."""

SHAPES = {"c": "circle", "t": "triangle", "s": "square"}


def site(file: int, rank: int) -> str:
    """Name the square of the file and rank, both counted from 1."""
    return f"{FILES[file - 1]}{rank}"


@cache
def place(name: str) -> tuple[int, int]:
    return FILES.index(name[0]) + 1, int(name[1:])


@cache
def squares(ranks: int) -> tuple[str, ...]:
    return tuple(site(file, rank) for file in range(1, 9) for rank in range(1, ranks + 1))


def simple(colour: str, word: str) -> Man:
    """Read ``"36s"``."""
    return {"colour": colour, "shape": SHAPES[word[-1]], "number": int(word[:-1])}


def pyramid(colour: str) -> Man:
    parts = [{"shape": SHAPES[word[-1]], "number": int(word[:-1])} for word in PARTS[colour].split()]
    return {"colour": colour, "shape": "pyramid", "number": sum(part["number"] for part in parts), "parts": parts}


def array(ranks: int, forward: int = 0) -> Board:
    """Build the men of the start, their first rank ``forward`` ranks away from the edge."""
    board: Board = {}
    for colour, rows in (("white", WHITE_ROWS), ("black", BLACK_ROWS)):
        for depth, row in enumerate(rows.strip().splitlines(), 1):
            for file, word in enumerate(row.split(), 1):
                rank = depth + forward if colour == "white" else ranks + 1 - depth - forward
                if word != ".":
                    board[site(file, rank)] = pyramid(colour) if word == "P" else simple(colour, word)
    return board


def values_of_the_start() -> list[int]:
    """List each number that stands on a man of the start once, the pyramids whole."""
    return sorted({man["number"] for man in array(16).values()})
