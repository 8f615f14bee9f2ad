"""The men: shape, number, present and first owner, a pyramid's parts. ``men.toml`` lists them."""

from collections import Counter
from functools import cache
from typing import NamedTuple

from companion.data_file import data_of

WHITE, BLACK = 1, 2
COLOURS = {WHITE: "white", BLACK: "black"}
PLAYERS = {"white": WHITE, "black": BLACK}
LETTERS = {"C": "circle", "T": "triangle", "S": "square", "P": "pyramid"}
SHAPES = ("circle", "triangle", "square")
PYRAMID = "pyramid"


class Part(NamedTuple):
    """A man without an owner; a pyramid consists of such parts."""

    shape: str
    number: int


class Man(NamedTuple):
    """One man. ``owner`` is the player for whom he fights now, ``began`` the player for whom he fought first.

    ``parts`` are those that a pyramid still has, in the order of the pile from its base; empty for any other man.
    The ``number`` of a pyramid is their sum.
    """

    owner: int
    shape: str
    number: int
    began: int
    parts: tuple[Part, ...] = ()

    @property
    def is_pyramid(self) -> bool:
        """Whether this is a pyramid, complete or not."""
        return self.shape == PYRAMID

    def without(self, number: int) -> "Man | None":
        """Return a pyramid that lost the part of this number, or None if that was its last."""
        left = tuple(part for part in self.parts if part.number != number)
        return self._replace(number=sum_of(left), parts=left) if left else None

    def part(self, number: int) -> "Man":
        """Return the part of this number as a man by himself."""
        found = next(part for part in self.parts if part.number == number)
        return Man(self.owner, found.shape, found.number, self.began)

    def turned(self, owner: int) -> "Man":
        """Return the man with this player as his owner."""
        return self._replace(owner=owner)

    def __str__(self) -> str:
        return f"{COLOURS[self.owner]} {self.shape} {self.number}"


def sum_of(parts: tuple[Part, ...]) -> int:
    """Return the number of a pyramid that has these parts."""
    return sum(part.number for part in parts)


def of_either_army(man: Man) -> Man:
    """Return the man as one who changed sides if only the other side began with a man of his shape and number."""
    other = BLACK if man.began == WHITE else WHITE
    like = Part(man.shape, man.number)
    if man.is_pyramid or like in army(man.began) or like not in army(other):
        return man
    return man._replace(began=other)


Men = tuple[Man | None, ...]
"""The men square by square; None is an empty square."""


Hands = tuple[tuple[Man, ...], tuple[Man, ...]]
"""The men that player 1 and player 2 hold, sorted, each as he was at his capture."""

EMPTY_HANDS: Hands = ((), ())


def with_man(hands: Hands, number: int, man: Man) -> Hands:
    """Return what both players hold after one of them gets another man."""
    if number == 1:
        return tuple(sorted((*hands[0], man))), hands[1]
    return hands[0], tuple(sorted((*hands[1], man)))


def _read(word: str) -> Part:
    return Part(LETTERS[word[0]], int(word[1:]))


@cache
def whole_pyramid(began: int) -> tuple[Part, ...]:
    """Return the parts of a side's complete pyramid, base first."""
    return tuple(_read(word) for word in data_of(__package__, "men.toml")[COLOURS[began]]["pyramid"])


@cache
def array(side: int) -> tuple[tuple[Man | None, ...], ...]:
    """Return a side's men rank by rank from its own edge, files a to h."""
    rows = (row.split() for row in data_of(__package__, "men.toml")[COLOURS[side]]["array"])
    return tuple(tuple(None if word == "." else _man(side, _read(word)) for word in row) for row in rows)


def _man(side: int, read: Part) -> Man:
    parts = whole_pyramid(side) if read.shape == PYRAMID else ()
    return Man(side, read.shape, read.number, side, parts)


@cache
def army(side: int) -> Counter[Part]:
    """Return a side's men at the start, the pyramid as its parts: how many of each shape and number."""
    counted: Counter[Part] = Counter()
    for row in array(side):
        for man in row:
            if man is not None:
                counted.update(man.parts or [Part(man.shape, man.number)])
    return counted
