"""A match of backgammon as a MAT file, which GNU Backgammon and other programs read.

Points count from the mover's last, 24 down to 1; 25 is the bar and 0 is off the board. A star marks a hit.

The rules here know no doubling cube: what a file says of it is left out, and so is how many points a game counts. In a
game that the second player begins, this one becomes player 1, whom the rules let begin.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from companion.language.sentence import Sentence
from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position, Recorded
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


MOST_CHARACTERS: Final = 200_000
"""The longest file: a match to 25 points has some 40,000 characters."""

HEAD: Final = re.compile(r"^ *\d+ point match *$", re.MULTILINE)
GAME: Final = re.compile(r"^ *Game (\d+) *$", re.MULTILINE)
NAMES: Final = re.compile(r"^ *(\S.*?) *: *\d+ {2,}(\S.*?) *: *\d+ *$", re.MULTILINE)
ROW: Final = re.compile(r"^ *(\d+)\)(.*)$", re.MULTILINE)
POINT: Final = r"(?:\d{1,2}|bar|off)"
TURN: Final = re.compile(rf"(?P<dice>[1-6][1-6]):(?P<steps>(?: +{POINT}(?:/{POINT}\*?)+(?:\([1-4]\))?)*)")
SECOND_COLUMN: Final = 12
"""Characters behind the number of a row after which its first turn is the second player's."""

BAR, HOME = 25, 0


def is_mat(text: str) -> bool:
    """Whether a text says of itself that it is such a file."""
    return HEAD.search(text[:MOST_CHARACTERS]) is not None


def read_mat(text: str, start: TablesPosition) -> Sequence[Recorded]:
    """Return each game of a file; an unfinished one, or one that was given up, goes on at its end.

    Raises:
        GameError: there is no game in it, or a turn is no play of its throw.
    """
    if len(text) > MOST_CHARACTERS:
        raise GameError(Sentence("Expected at most {most} characters in a MAT file.", most=MOST_CHARACTERS))
    parts = GAME.split(text)[1:]
    found = [_game(int(number), rows, start) for number, rows in zip(parts[::2], parts[1::2], strict=True)]
    if not found:
        raise GameError(Sentence("This MAT file holds no game."))
    return found


def _game(number: int, text: str, start: TablesPosition) -> Recorded:
    named = NAMES.search(text)
    names = ("", "") if named is None else (named[1], named[2])
    rows = ROW.findall(text)
    first = next((turn for _, row in rows if (turn := TURN.search(row)) is not None), None)
    swapped = first is not None and first.start() > SECOND_COLUMN
    position, moves = start, list[Throw | Choice]()
    for row, turns in rows:
        for turn in TURN.finditer(turns):
            if position.over:
                raise GameError(Sentence("Game {game}, turn {turn}: the game was over before.", game=number, turn=row))
            played = _played(position, turn["dice"], turn["steps"].split())
            if played is None:
                raise GameError(
                    Sentence(
                        "Game {game}, turn {turn}: {text} is no play of this throw here.",
                        game=number,
                        turn=row,
                        text=" ".join(turn[0].split()),
                    )
                )
            moves += played
            for move in played:
                position = position.applied(move)
    return Recorded((names[1], names[0]) if swapped else names, tuple(moves))


def _played(position: TablesPosition, dice: str, steps: Sequence[str]) -> list[Throw | Choice] | None:
    """Return a throw and the choices that lead where the steps lead, None if no play does."""
    throw = position.parse(" ".join(dice))
    assert isinstance(throw, Throw), "two numbers are a throw"
    thrown = position.applied(throw)
    if not steps:
        return [throw]  # nothing can be played, or the file ends here
    own, foe = _counted(position, position.side), _counted(position, 3 - position.side)
    point_of = {BAR - place: point for point, place in position.course.places.items()} | {BAR: HAND, HOME: OFF}
    for start, end, hit in _parts(steps):
        own[point_of[start]] -= 1
        own[point_of[end]] += 1
        if hit:
            foe[point_of[end]] -= 1
            foe[HAND] += 1
    for play in thrown.plays():
        if _counted(play.position, position.side) == own and _counted(play.position, 3 - position.side) == foe:
            return [throw, *play.choices]
    return None


def _counted(position: Position, side: int) -> Counter[str]:
    """Return the men of a side by point; points without men count as points with none."""
    return Counter({point: there.get(str(side), 0) for point, there in position.occupancy().items()})


def _parts(steps: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield each step as the points where it begins and ends, and whether it hits."""
    for step in steps:
        way, _, times = step.rstrip(")").partition("(")
        points = way.split("/")
        ends = [(_point(point.rstrip("*")), point.endswith("*")) for point in points]
        for _ in range(int(times or 1)):
            for (start, _), (end, hit) in pairwise(ends):
                yield start, end, hit


def _point(text: str) -> int:
    return BAR if text == "bar" else HOME if text == "off" else min(int(text), BAR)
