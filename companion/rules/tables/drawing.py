"""The board in plain text, as the players see it: n to z above, a to m below, each side's men marked."""

from collections.abc import Mapping

from companion.rules.tables.points import HALF, POINTS
from companion.rules.tables.state import TablesState

_MARKS = {1: "x", 2: "o"}
"""How a man of each side is drawn."""


def drawn(position: TablesState, names: Mapping[int, str]) -> str:
    """Return the board with four characters for each point, ``7x`` for seven men of side 1, and the players' names."""
    cells = dict.fromkeys(POINTS, " .")
    aside = []
    for side in (1, 2):
        course, men = position.rules.courses[side - 1], position.men[side - 1]
        for point, count in course.unpack(men).items():
            cells[point] = f"{count}{_MARKS[side]}"
        whose = f"side {side}{_named(position, side, names)}"
        aside.append(f"{_MARKS[side]} {whose}: {course.in_hand(men)} in hand, {course.off(men)} off")
    above, below = POINTS[HALF:], POINTS[:HALF][::-1]
    lines = [_row(above), _row([cells[point] for point in above]), ""]
    lines += [_row([cells[point] for point in below]), _row(below), *aside]
    if position.dice:
        lines.append("dice " + " ".join(map(str, position.dice)))
    return "\n".join(lines)


def _named(position: TablesState, side: int, names: Mapping[int, str]) -> str:
    """Return the names of a side's players in brackets, or nothing if they are unknown."""
    team = [names[number] for number in position.rules.team(side) if number in names]
    return f" ({', '.join(team)})" if team else ""


def _row(cells: "str | list[str]") -> str:
    middle = len(cells) // 2
    left, right = ("".join(f"{cell:>4}" for cell in half) for half in (cells[:middle], cells[middle:]))
    return f"{left} |{right}"
