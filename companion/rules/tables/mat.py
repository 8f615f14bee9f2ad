"""A match of backgammon as a MAT file, which GNU Backgammon and other programs read.

Points count from the mover's last, 24 down to 1; 25 is the bar and 0 is off the board. A star marks a hit.
"""

from collections.abc import Iterable, Iterator, Mapping

from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw
from companion.rules.game import Choice
from companion.rules.tables.choices import Step
from companion.rules.tables.position import TablesPosition

FORM = "mat"
FIRST_COLUMN_CHARACTERS = 33
"""How wide the first player's column is, with the number of the turn."""


def writes_mat(start: TablesPosition) -> bool:
    """Whether a match that begins so can be written: two players, from the start of a variant that names this form."""
    return start.rules.variant.file == FORM and start.rules.players == 2 and start.men == start.rules.start()  # noqa: PLR2004


def mat_of(start: TablesPosition, moves: Iterable[Throw | Choice], names: Mapping[int, str]) -> str:
    """Return the file of a match of one game; an unfinished one ends without its result."""
    first, second = (names[number].strip() or f"Player {number}" for number in (1, 2))
    lines = ["", " 1 point match", "", " Game 1", f" {first} : 0".ljust(FIRST_COLUMN_CHARACTERS - 1) + f"{second} : 0"]
    waiting, number, last = "", 0, start
    for side, text, after in _turns(start, moves):
        last = after
        if side == 1:
            if waiting:
                lines.append(waiting)
            number += 1
            waiting = f"{number:3}) {text}"
        else:
            number += not waiting
            lines.append((waiting or f"{number:3}) ").ljust(FIRST_COLUMN_CHARACTERS) + text)
            waiting = ""
    lines += [waiting] if waiting else []
    if last.outcome is not None:
        points = last.outcome.details.get("points", 1)
        result = f"Wins {points} point{'s' if points > 1 else ''}"
        lines.append(" " * (6 if last.outcome.winners == (1,) else FIRST_COLUMN_CHARACTERS + 1) + result)
    return "\n".join([*lines, ""])


def _turns(start: TablesPosition, moves: Iterable[Throw | Choice]) -> Iterator[tuple[int, str, TablesPosition]]:
    """Yield each turn: whose it is, dice and steps as text, and the position after it."""
    position, dice, side = start, "", 0
    steps: list[str] = []
    for move in moves:
        before, position = position, position.after(move)
        if isinstance(move, Throw):
            if before.aside.battle is not None:
                continue  # the throws for the start
            if dice:
                yield side, f"{dice}: {' '.join(steps)}".rstrip(), before
            dice = "".join(sorted((str(face.value) for _, face in move), reverse=True))
            steps, side = [], before.side
        elif isinstance(move, Step):
            steps.append(_step(before, move, position))
    if dice:
        yield side, f"{dice}: {' '.join(steps)}".rstrip(), position


def _step(before: TablesPosition, step: Step, after: TablesPosition) -> str:
    places, foe = before.course.places, 2 - before.side
    start = 25 if step.origin == HAND else 25 - places[step.origin]
    end = 0 if step.to == OFF else 25 - places[step.to]
    course = before.rules.courses[foe]
    hit = course.in_hand(after.men[foe]) > course.in_hand(before.men[foe])
    return f"{start}/{end}{'*' if hit else ''}"
