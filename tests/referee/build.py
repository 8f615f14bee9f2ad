"""Matches and readings for the tests: built from texts, without a camera."""

import math
import weakref
from collections.abc import Iterable
from pathlib import Path

from companion.referee.arrangement import LyingDie, arranged
from companion.referee.events import Event, MatchStarted
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.dice import Throw, dice_set
from companion.rules.registry import game
from companion.vision.readings import DiceReading, ReadDie, Status

CUBES = ("1", "2", "3")
ALL = (*CUBES, "consonants")
PLACES = {"1": (100.0, 100.0), "2": (260.0, 110.0), "3": (410.0, 130.0), "consonants": (220.0, 300.0)}
SIZE = 60.0

MISERICORDIA = "EI EIOUA I MNPR"
NOTHING = "A E I BCDF"
KARITAS = "A E I GHKL"  # 1.1.1 with a consonant that fits: one cube may be thrown again


def started(*players: str, game_name: str = "ludus-regularis", **options: bool | int | str) -> MatchStarted:
    names = players or ("Anna", "Ben")
    return MatchStarted("A match", game_name, names, dict(options), "camera", game(game_name).rules_hash)


class Table:
    """A match in a journal, played by faces as text."""

    def __init__(self, path: Path, start: MatchStarted | None = None) -> None:
        self.journal = Journal(path)
        weakref.finalize(self, self.journal.close)
        number = self.journal.begin(start or started(), 1000.0, "tests")
        self.match = Match.of(self.journal.events(number))

    def record(self, *events: Event) -> int:
        for entry in self.journal.append(self.match.id, events, 1000.0, "tests"):
            self.match = self.match.after(entry)
        return self.match.entries[-1].number

    def throw(self, text: str, lying: tuple[LyingDie, ...] = ()) -> int:
        move = self.match.position.parse(text)
        return self.record(self.match.committed(move, "tapped", lying))

    def replayed(self) -> Match:
        return Match.of(self.journal.events(self.match.id))


def square(
    x: float, y: float, *, angle: float = 0.0, size: float = SIZE, corners: int = 4
) -> tuple[tuple[float, float], ...]:
    """Return an outline with ``corners`` around a centre, its edges ``size`` long."""
    radius = size / (2 * math.sin(math.pi / corners))
    steps = [angle + math.tau * (corner + 0.5) / corners for corner in range(corners)]
    return tuple((x + radius * math.cos(step), y + radius * math.sin(step)) for step in steps)


def seen(
    die: str,
    face: str,
    at: tuple[float, float] | None = None,
    *,
    status: Status = "read",
    angle: float = 0.0,
    set_name: str = "wibold",
) -> ReadDie:
    """Return a die as a reader sees it."""
    x, y = at or PLACES[die]
    shape = dice_set(set_name).die(die).shape
    chances = ((face, 0.99),) if status == "read" else ((face, 0.6), ("?", 0.4))
    outline = square(x, y, angle=angle, corners=4 if shape == "cube" else 3)
    return ReadDie(set_name, die, face, status, chances[0][1], chances, outline, "" if status == "read" else "glare")


def reading(dice: Iterable[ReadDie], reason: str = "") -> DiceReading:
    shown = tuple(dice)
    status: Status = "read" if shown and all(die.status == "read" for die in shown) else "ask"
    return DiceReading(shown, status, reason, 10.0, 1, ALL)


def thrown(text: str, shift: float = 0.0, names: tuple[str, ...] = ALL) -> DiceReading:
    """Return the reading of a throw, all dice shifted sideways from their usual places."""
    faces = Throw.parse("wibold", text, names)
    return reading(seen(die, face, (PLACES[die][0] + shift, PLACES[die][1] + shift / 3)) for die, face in faces.shown)


def lying(text: str, shift: float = 0.0) -> tuple[LyingDie, ...]:
    return arranged(thrown(text, shift).dice)
