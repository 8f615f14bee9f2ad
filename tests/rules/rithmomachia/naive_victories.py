"""Shapes on the board and the victories that they make, found by trying every three and every four men."""

from itertools import combinations, pairwise, permutations

from tests.rules.rithmomachia.naive_harmonies import kinds_of_four, kinds_of_three
from tests.rules.rithmomachia.naive_men import Board, Man, place
from tests.rules.rithmomachia.naive_moves import between, direction, steps
from tests.rules.rithmomachia.naive_options import D, I, M, Settings

Found = tuple[str, tuple[int, ...]]
"""A grade and the numbers of its men, smallest first."""


def in_line(one: str, two: str, three: str) -> bool:
    """Whether three squares follow each other, in this order, along a rank, a file or a diagonal."""
    return direction(one, three) != "askew" and two in between(one, three)


def row(squares: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the squares in the order in which they stand in one line, or None if they do not."""
    for order in permutations(squares):
        if all(in_line(*order[n : n + 3]) for n in range(len(order) - 2)):
            return order
    return None


def even_gaps(order: tuple[str, ...]) -> bool:
    return len({steps(a, b) for a, b in pairwise(order)}) == 1


def square_to(corner: str, one: str, other: str) -> bool:
    """Whether the legs from a corner run along rank and file, or along both diagonals, at a right angle."""
    (x, y), (ax, ay), (bx, by) = place(corner), place(one), place(other)
    lines = {direction(corner, one), direction(corner, other)}
    return lines in ({"straight"}, {"diagonal"}) and (ax - x) * (bx - x) + (ay - y) * (by - y) == 0


def right_angle(squares: tuple[str, ...], spacing: str) -> bool:
    return any(
        square_to(corner, one, other) and (spacing == "any" or steps(corner, one) == steps(corner, other))
        for corner, one, other in permutations(squares)
    )


def turned_angle(squares: tuple[str, ...], spacing: str) -> bool:
    """Whether by Pythagoras three squares make a right angle, however it is turned."""
    (ax, ay), (bx, by), (cx, cy) = (place(name) for name in squares)
    sides = sorted([(ax - bx) ** 2 + (ay - by) ** 2, (bx - cx) ** 2 + (by - cy) ** 2, (cx - ax) ** 2 + (cy - ay) ** 2])
    return sides[0] + sides[1] == sides[2] and (spacing == "any" or sides[0] == sides[1])


def hooked_row(squares: tuple[str, ...], spacing: str) -> bool:
    """Whether three stand in a row and the fourth square to one end of it."""
    return any(
        in_line(end, middle, other)
        and square_to(end, middle, aside)
        and (spacing == "any" or steps(end, middle) == steps(middle, other) == steps(end, aside))
        for end, middle, other, aside in permutations(squares)
    )


def parallelogram(squares: tuple[str, ...], spacing: str) -> bool:
    """Whether the four are the corners of a figure with parallel sides, all four sides equal if the spacing is."""
    for order in permutations(squares):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (place(name) for name in order)
        opposite = (bx - ax, by - ay) == (cx - dx, cy - dy)
        flat = (bx - ax) * (dy - ay) == (by - ay) * (dx - ax)
        rhomb = (bx - ax) ** 2 + (by - ay) ** 2 == (dx - ax) ** 2 + (dy - ay) ** 2
        if opposite and not flat and (spacing == "any" or rhomb):
            return True
    return False


def upright_square(squares: tuple[str, ...], side: int) -> bool:
    """Whether three or four squares are corners of a square along rank and file, so many squares wide."""
    files, ranks = ({place(name)[axis] for name in squares} for axis in (0, 1))
    wide = all(len(lines) == 2 and max(lines) - min(lines) == side - 1 for lines in (files, ranks))
    return wide and len(set(squares)) == len(squares)


def square_of_four(squares: tuple[str, ...]) -> bool:
    """Whether the four are a square along rank and file or along both diagonals."""
    return any(
        square_to(a, b, d) and square_to(c, b, d) and steps(a, b) == steps(a, d) == steps(c, b) == steps(c, d)
        for a, b, c, d in permutations(squares)
    )


def stands_right(slug: str, options: Settings, squares: tuple[str, ...], board: Board) -> bool:
    """Whether three or four men stand in one of the shapes of this game."""
    order = row(squares)
    if slug == I:
        adjacent = order is not None and all(steps(a, b) == 1 for a, b in pairwise(order))
        return upright_square(squares, options["side"]) or (len(squares) == 3 and adjacent)
    spacing = options["spacing"]
    if order is not None and (spacing == "any" or even_gaps(order)):
        numbers = [board[name]["number"] for name in order]
        if slug == D or options["order"] == "any" or numbers in (sorted(numbers), sorted(numbers, reverse=True)):
            return True
    if len(squares) == 3 and slug == D and options["right_angle"] == "any":
        return turned_angle(squares, spacing)
    if len(squares) == 3:
        return right_angle(squares, spacing)
    if slug == M:
        return hooked_row(squares, spacing) or square_of_four(squares)
    return parallelogram(squares, spacing)


def grade(slug: str, options: Settings, numbers: tuple[int, ...]) -> int:
    """Return 1 for a harmony of three, 2 for four with two kinds, 3 for four with all three, else 0."""
    if len(numbers) == 3:
        return 1 if kinds_of_three(numbers) else 0
    kinds = kinds_of_four(numbers, four_term=options["great"] == "four-term")
    if len(kinds) == 3:
        return 3
    triples = {tuple(sorted(three)) for three in combinations(numbers, 3) if kinds_of_three(three)}
    two = len(kinds) == 2 or (slug == D and options["superior"] == "two-triples" and len(triples) >= 2)
    return 2 if two else 0


def in_other_half(colour: str, ranks: int, square: str) -> bool:
    rank = place(square)[1]
    return rank > ranks // 2 if colour == "white" else rank <= ranks // 2


def formations(board: Board, slug: str, options: Settings, moved: str) -> list[tuple[int, tuple[int, ...]]]:
    """List (grade, numbers) of every harmony that the man who has just come to ``moved`` completes."""
    man = board[moved]
    if slug == M and changed_sides(man):
        return []
    if slug == I and any(other["shape"] == "pyramid" and other["colour"] != man["colour"] for other in board.values()):
        return []
    there = [
        name
        for name, other in board.items()
        if other["colour"] == man["colour"] and in_other_half(man["colour"], options["ranks"], name)
    ]
    if moved not in there:
        return []
    found = []
    for size in (3, 4):
        for others in combinations([name for name in there if name != moved], size - 1):
            numbers = tuple(sorted(board[name]["number"] for name in (moved, *others)))
            reached = grade(slug, options, numbers)
            if reached and stands_right(slug, options, (moved, *others), board):
                found.append((reached, numbers))
    return found


def changed_sides(man: Man) -> bool:
    return bool(man.get("began", man["colour"]) != man["colour"])


def minor_reached(options: Settings, held: list[Man]) -> bool:
    """Whether the men held win by what they count, tried with every selection where a selection may be made."""
    goal = options.get("minor", "none")
    numbers: list[int] = [man["number"] for man in held]
    points: int = options.get("points", 0)
    if goal in ("de-bonis", "points"):
        return sum(numbers) >= points
    if goal in ("de-corpore", "men"):
        return len(numbers) >= int(options["men_to_take"])
    if goal == "digits":
        return len("".join(map(str, numbers))) >= int(options["digits_to_take"])
    if goal == "none":
        return False
    few = options["most_men"] if "honore" in goal else len(numbers)
    digits = options["most_digits"] if "lit" in goal else 10**6
    few = min(few, digits)  # every man has one digit at least
    return any(
        sum(some) >= points and len("".join(map(str, some))) <= digits
        for size in range(1, min(few, len(numbers)) + 1)
        for some in combinations(numbers, size)
    )
