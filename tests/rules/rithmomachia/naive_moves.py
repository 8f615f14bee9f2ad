"""Where a man can go, tried square by square: no rays, only differences of files and ranks."""

from functools import cache

from tests.rules.rithmomachia.naive_men import Board, Man, place, site, squares

LENGTHS = {"circle": 1, "triangle": 2, "square": 3}
"""How many steps each shape goes, in all three rule sets."""


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@cache
def direction(one: str, other: str) -> str:
    """Return ``"straight"``, ``"diagonal"`` or ``"askew"``."""
    across, along = (abs(a - b) for a, b in zip(place(one), place(other), strict=True))
    if (across == 0) != (along == 0):
        return "straight"
    return "diagonal" if across == along != 0 else "askew"


@cache
def steps(one: str, other: str) -> int:
    return max(abs(a - b) for a, b in zip(place(one), place(other), strict=True))


@cache
def between(one: str, other: str) -> tuple[str, ...]:
    """List the squares strictly between two that lie straight or diagonally."""
    (file, rank), (to_file, to_rank) = place(one), place(other)
    dx, dy = sign(to_file - file), sign(to_rank - rank)
    return tuple(site(file + dx * n, rank + dy * n) for n in range(1, steps(one, other)))


def clear(board: Board, one: str, other: str) -> bool:
    """Whether two squares lie straight or diagonally with nothing between them."""
    return direction(one, other) != "askew" and not any(name in board for name in between(one, other))


@cache
def regular_directions(slug: str, shape: str) -> frozenset[str]:
    if slug.endswith("durnil-guardia"):
        return frozenset(["diagonal" if shape == "circle" else "straight"])
    if slug.endswith("mebben"):
        return frozenset({"circle": ["straight"], "triangle": ["diagonal"], "square": ["straight", "diagonal"]}[shape])
    return frozenset(["straight", "diagonal"])


def is_regular(board: Board, slug: str, shape: str, one: str, other: str) -> bool:
    """Whether a man of this shape on ``one`` could move to ``other`` regularly, whatever stands on ``other``."""
    return (
        direction(one, other) in regular_directions(slug, shape)
        and steps(one, other) == LENGTHS[shape]
        and clear(board, one, other)
    )


@cache
def is_irregular(slug: str, shape: str, one: str, other: str) -> bool:
    """Whether it is the leap of Durnil & Guardia 4: two or three squares straight and one aside."""
    differences = sorted(abs(a - b) for a, b in zip(place(one), place(other), strict=True))
    return slug.endswith("durnil-guardia") and shape != "circle" and differences == [1, LENGTHS[shape]]


def shapes(man: Man, slug: str) -> frozenset[str]:
    """Return the shapes as which a man moves: a pyramid as any of its parts, a king of the Italian game as its base."""
    if man["shape"] != "pyramid":
        return frozenset([man["shape"]])
    held: frozenset[str] = frozenset(part["shape"] for part in man["parts"])
    if slug.endswith("italian"):
        return frozenset([max(held, key=lambda shape: LENGTHS[shape])])
    return held


def moves(board: Board, slug: str, ranks: int, one: str) -> list[tuple[str, str, bool]]:
    """List (square, shape, whether it is regular) for every empty square the man can go to."""
    found = []
    for other in squares(ranks):
        for shape in sorted(shapes(board[one], slug)):
            if other in board:
                continue
            if is_regular(board, slug, shape, one, other):
                found.append((other, shape, True))
            if is_irregular(slug, shape, one, other):
                found.append((other, shape, False))
    return found
