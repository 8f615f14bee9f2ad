"""A worksheet from a match: what its dice showed beside what exact odds say, and tasks with their answers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from companion.odds.throws import ThrowOdds, counted, throw_odds
from companion.referee.match import Match
from companion.rules.dice import Throw

MOST_LINES: Final = 24
"""Lines of the table: as many as leave room for the tasks on a page of A4."""

MOST_SUMS: Final = 16
"""So many different sums are all listed, also those that never fell; of more, the ones that fell."""

Part = int | float | str


@dataclass(frozen=True)
class WorksheetLine:
    """One sum or face: how many equally likely ways lead to it, and how often it was ``thrown``.

    ``name``: the sum, or a face's text; None for all others together.
    """

    name: str | None
    ways: int
    thrown: int


@dataclass(frozen=True)
class Task:
    """One task by its name, with the numbers of its question and answer."""

    name: str
    parts: Mapping[str, Part]


@dataclass(frozen=True)
class Worksheet:
    """What the throws of a match showed.

    ``throws``: how many are counted; ``others``: how many are not, because other dice were thrown or a die was cast
    again; ``dice``: how many dice are added; ``total``: the equally likely ways in which they fall. Without throws the
    rest is empty.
    """

    throws: int
    others: int = 0
    dice: int = 0
    total: int = 0
    lines: Sequence[WorksheetLine] = ()
    tasks: Sequence[Task] = ()


def worksheet(match: Match) -> Worksheet:
    """Return the worksheet of a match, of the throws that count now."""
    stand = [turn for turn in match.history if turn.before is not None and isinstance(turn.move, Throw)]
    throws = [turn.move for turn in stand if turn.kind == "throw" and isinstance(turn.move, Throw)]
    groups = Counter((throw.set_name, tuple(name for name, _ in throw.shown)) for throw in throws)
    if not groups:
        return Worksheet(0)
    (which, count), *_ = groups.most_common()
    mine = [throw for throw in throws if (throw.set_name, tuple(name for name, _ in throw.shown)) == which]
    odds, dice = throw_odds(*which), len(counted(mine[0]))
    lines = _lines(mine, odds)
    tasks = _of_faces(lines, odds, count) if odds.faces else _of_sums(mine, lines, odds)
    return Worksheet(count, len(stand) - count, dice, odds.total, _shown(lines), tasks)


def _lines(throws: Sequence[Throw], odds: ThrowOdds) -> list[WorksheetLine]:
    """Return a line for every sum or face that there is."""
    if odds.faces:
        faces = Counter(face.text for throw in throws for _, face in counted(throw))
        return [WorksheetLine(text, ways, faces[text]) for text, ways in odds.faces.items()]
    sums = Counter(_sum(throw) for throw in throws)
    return [WorksheetLine(str(number), ways, sums[number]) for number, ways in odds.sums.items()]


def _shown(lines: Sequence[WorksheetLine]) -> list[WorksheetLine]:
    """Return the lines for the table; where they are too many, those that fell, and the others together."""
    if len(lines) <= MOST_SUMS:
        return list(lines)
    often = sorted((line for line in lines if line.thrown), key=lambda line: -line.thrown)[: MOST_LINES - 1]
    kept = [line for line in lines if line in often]
    rest = [line for line in lines if line not in often]
    return [*kept, WorksheetLine(None, sum(line.ways for line in rest), sum(line.thrown for line in rest))]


def _sum(throw: Throw) -> int:
    return sum(face.value for _, face in counted(throw))


def _of_sums(throws: Sequence[Throw], lines: Sequence[WorksheetLine], odds: ThrowOdds) -> list[Task]:
    count = len(throws)
    likeliest = max(lines, key=lambda line: line.ways)
    unlikeliest = min(lines, key=lambda line: line.ways)
    surplus = max(lines, key=lambda line: line.thrown - _expected(line, odds, count))
    rarest = min(throws, key=lambda throw: odds.kinds[_kind(throw)])
    ways = odds.kinds[_kind(rarest)]
    alike = sum(len(set(_kind(throw))) < len(_kind(throw)) for throw in throws)
    total = sum(map(_sum, throws))
    tasks = [
        Task("expected", _compared(likeliest, odds, count)),
        Task(
            "rarest",
            {
                "faces": ", ".join(face.text for _, face in counted(rarest)),
                "ways": ways,
                "total": odds.total,
                "percent": _percent(Fraction(ways, odds.total)),
            },
        ),
        Task(
            "alike",
            {"n": count, "thrown": alike, "chance": str(odds.alike), "expected": _decimal(count * odds.alike)},
        ),
        Task(
            "mean",
            {"n": count, "total": total, "mean": _decimal(Fraction(total, count)), "expected": _decimal(odds.mean)},
        ),
        Task("never", _never(unlikeliest, odds, count)),
        Task("surplus", _compared(surplus, odds, count)),
    ]
    return tasks if len(_kind(rarest)) > 1 else [task for task in tasks if task.name != "alike"]


def _of_faces(lines: Sequence[WorksheetLine], odds: ThrowOdds, count: int) -> list[Task]:
    often = max(lines, key=lambda line: line.thrown)
    different = sum((1 - _missed(line, odds, count) for line in lines), Fraction())
    all_once = sum((Fraction(odds.total, number) for number in range(1, odds.total + 1)), Fraction())
    tasks = [
        Task("expected_face", _compared(often, odds, count)),
        Task("never_face", _never(often, odds, count)),
        Task(
            "different",
            {
                "n": count,
                "of": len(lines),
                "thrown": sum(line.thrown > 0 for line in lines),
                "expected": _decimal(different),
            },
        ),
    ]
    equal = len({line.ways for line in lines}) == 1
    return [*tasks, Task("every", {"of": len(lines), "expected": _decimal(all_once)})] if equal else tasks


def _kind(throw: Throw) -> tuple[int, ...]:
    return tuple(sorted(face.value for _, face in counted(throw)))


def _expected(line: WorksheetLine, odds: ThrowOdds, count: int) -> Fraction:
    return Fraction(count * line.ways, odds.total)


def _missed(line: WorksheetLine, odds: ThrowOdds, count: int) -> Fraction:
    """Return the chance that this sum or face does not fall once in so many throws."""
    return (1 - Fraction(line.ways, odds.total)) ** count


def _compared(line: WorksheetLine, odds: ThrowOdds, count: int) -> dict[str, Part]:
    return {
        "what": str(line.name),
        "n": count,
        "thrown": line.thrown,
        "chance": str(Fraction(line.ways, odds.total)),
        "expected": _decimal(_expected(line, odds, count)),
    }


def _never(line: WorksheetLine, odds: ThrowOdds, count: int) -> dict[str, Part]:
    return {
        "what": str(line.name),
        "n": count,
        "chance": str(1 - Fraction(line.ways, odds.total)),
        "percent": _percent(_missed(line, odds, count)),
    }


def _decimal(exact: Fraction) -> float:
    return float(round(exact, 2))


def _percent(exact: Fraction) -> float:
    return float(round(100 * exact, 2))
