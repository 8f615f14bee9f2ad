"""How the men of a harmony must stand: rows, right angles, parallelograms, squares, as each game requires.

Places are (file, rank), in the rising order of the men's numbers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations

from companion.rules.rithmomachia.rule_set import RithmoRules, kind_of

Spot = tuple[int, int]
Vector = tuple[int, int]

EQUAL, ADJACENT = "equal", "adjacent"


def _to(one: Spot, other: Spot) -> Vector:
    return other[0] - one[0], other[1] - one[1]


def _along(vector: Vector) -> bool:
    """Whether a vector runs along a rank, file or diagonal."""
    return 0 in vector or abs(vector[0]) == abs(vector[1])


def _length(vector: Vector) -> int:
    """Return the steps of a vector along a rank, file or diagonal."""
    return max(abs(vector[0]), abs(vector[1]))


def _squared(vector: Vector) -> int:
    return vector[0] ** 2 + vector[1] ** 2


def _across(one: Vector, other: Vector) -> bool:
    """Whether two vectors, along ranks and files or both along diagonals, are at right angles."""
    return _along(one) and _along(other) and one[0] * other[0] + one[1] * other[1] == 0


def _same_way(one: Vector, other: Vector) -> bool:
    return one[0] * other[1] == one[1] * other[0] and one[0] * other[0] + one[1] * other[1] > 0


def is_row(spots: Sequence[Spot], spacing: str, *, ascending: bool = False) -> bool:
    """Whether all stand on one rank, file or diagonal with this spacing; ``ascending`` requires the given order."""
    rows = sorted(spots)
    if ascending and list(spots) not in (rows, rows[::-1]):
        return False
    gaps = [_to(one, other) for one, other in pairwise(rows)]
    if not all(_along(gap) and _same_way(gap, gaps[0]) for gap in gaps):
        return False
    if spacing == ADJACENT:
        return all(_length(gap) == 1 for gap in gaps)
    return spacing != EQUAL or len(set(gaps)) == 1


def _corners(spots: Sequence[Spot]) -> Iterator[tuple[Spot, Vector, Vector]]:
    """Yield each right angle of three places: its corner and legs."""
    for corner, one, other in permutations(spots):
        legs = _to(corner, one), _to(corner, other)
        if one < other and _across(*legs):
            yield corner, *legs


def is_right_angle(spots: Sequence[Spot], *, equal: bool) -> bool:
    """Whether three stand at a right angle along the lines of the board; ``equal`` requires equal legs."""
    return any(not equal or _length(one) == _length(other) for _, one, other in _corners(spots))


def is_right_triangle(spots: Sequence[Spot], *, equal: bool) -> bool:
    """Whether three stand at a right angle, turned in any way; ``equal`` requires equal legs."""
    for corner, one, other in permutations(spots):
        legs = _to(corner, one), _to(corner, other)
        if legs[0][0] * legs[1][0] + legs[0][1] * legs[1][1] == 0:
            return not equal or _squared(legs[0]) == _squared(legs[1])
    return False


def is_long_angle(spots: Sequence[Spot], *, equal: bool) -> bool:
    """Whether three of four stand in a row, and the fourth at a right angle to one end of it."""
    for corner, middle, far, fourth in permutations(spots):
        row, leg = (_to(corner, middle), _to(corner, far)), _to(corner, fourth)
        if not (_along(row[0]) and _same_way(*row) and _length(row[0]) < _length(row[1]) and _across(row[0], leg)):
            continue
        if not equal or _length(row[1]) == 2 * _length(row[0]) == 2 * _length(leg):
            return True
    return False


def is_parallelogram(spots: Sequence[Spot], *, equal: bool) -> bool:
    """Whether four are the corners of a parallelogram, rectangles included; ``equal`` requires equal sides."""
    first, *others = spots
    for one, opposite, other in permutations(others):
        legs = _to(first, one), _to(first, other)
        if _to(other, opposite) != legs[0] or legs[0][0] * legs[1][1] == legs[0][1] * legs[1][0]:
            continue
        if not equal or _squared(legs[0]) == _squared(legs[1]):
            return True
    return False


def is_square(spots: Sequence[Spot]) -> bool:
    """Whether four are the corners of a square along ranks and files or along both diagonals."""
    return is_parallelogram(spots, equal=True) and any(
        _length(one) == _length(other) for three in (spots[1:], spots[:3]) for _, one, other in _corners(three)
    )


def _upright(spots: Sequence[Spot], side: int) -> bool:
    """Whether all stand on different corners of an upright square that is ``side`` squares wide."""
    files, ranks = {file for file, _ in spots}, {rank for _, rank in spots}
    return all(len(lines) == 2 and max(lines) - min(lines) == side - 1 for lines in (files, ranks))  # noqa: PLR2004 -- two lines each way


def _durnil_guardia(rules: RithmoRules, spots: Sequence[Spot]) -> bool:
    spacing = str(rules["spacing"])
    if is_row(spots, spacing):
        return True
    if len(spots) == 3:  # noqa: PLR2004 -- three men
        angle = is_right_triangle if rules["right_angle"] == "any" else is_right_angle
        return angle(spots, equal=spacing == EQUAL)
    return is_parallelogram(spots, equal=spacing == EQUAL)


def _mebben(rules: RithmoRules, spots: Sequence[Spot]) -> bool:
    spacing = str(rules["spacing"])
    if is_row(spots, spacing, ascending=rules["order"] == "ascending"):
        return True
    if len(spots) == 3:  # noqa: PLR2004 -- three men
        return is_right_angle(spots, equal=spacing == EQUAL)
    return is_long_angle(spots, equal=spacing == EQUAL) or is_square(spots)


def _italian(rules: RithmoRules, spots: Sequence[Spot]) -> bool:
    if len(spots) == 3 and is_row(spots, ADJACENT):  # noqa: PLR2004 -- three men
        return True
    return _upright(spots, int(rules["side"]))


RULES: Mapping[str, Callable[[RithmoRules, Sequence[Spot]], bool]] = {
    "durnil-guardia": _durnil_guardia,
    "mebben": _mebben,
    "italian": _italian,
}


def arranged(rules: RithmoRules, spots: Sequence[Spot]) -> bool:
    """Whether three or four men of a harmony stand as the game requires, in the rising order of their numbers."""
    return RULES[kind_of(rules.slug)](rules, spots)
