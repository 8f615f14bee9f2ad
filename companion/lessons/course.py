"""Courses as data: their steps, what each asks for, the lines that reach it, and the wrong ones with their answer.

A course is a TOML file in ``courses``. Moves stand there as players type them; ``throw`` is the learner's next throw.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from companion.language.sentence import Sentence, Template
from companion.rules.game import Position
from companion.rules.registry import game


@dataclass(frozen=True)
class Goal:
    """What must all hold. ``player``: the learner.

    ``board``: what stands on a site, in the form of `Position.occupancy`; an empty mapping for nothing. ``score``:
    what the learner then has; None for any. ``ended``: the learner's turn is over. ``won``: the learner has won.
    """

    player: int
    board: Mapping[str, Any] = field(default_factory=dict, hash=False)
    score: int | None = None
    ended: bool = False
    won: bool = False

    def reached(self, position: Position) -> bool:
        """Whether a position after the learner's moves is one."""
        there = position.occupancy()
        return (
            all(there.get(site, {}) == men for site, men in self.board.items())
            and self.score in (None, position.scores()[self.player])
            and (not self.ended or turn_over(position, self.player))
            and (not self.won or (position.outcome is not None and self.player in position.outcome.winners))
        )


def turn_over(position: Position, player: int) -> bool:
    """Whether the turn has passed to somebody else, or the game is over."""
    waits = position.awaits
    return waits.player != player or waits.kind == "over"


THROW: Final = "throw"
"""What a line has in place of a throw: the learner presses the button, and the step says what falls."""


@dataclass(frozen=True)
class WrongLine:
    """A line that a learner is likely to try. ``reply``: what the other side then throws and plays to punish it."""

    line: tuple[str, ...]
    why: Sentence
    reply: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One idea and one thing to do.

    ``start``: the position, in which the learner is to act. ``throws``: what the learner throws, one after another.
    ``answers``: for a question about the last throw, the sites to choose from; no moves are made then. ``meant``: the
    right ones, where the throw's account does not say it. ``goal``: when the step is done. ``right``: lines that reach
    it, the best one first. ``why``: what a learner reads then. ``otherwise``: what a learner reads after a line that is
    none of ``wrong`` and does not reach the goal. ``arrows``: moves from site to site that the board shows at the
    beginning.
    """

    idea: Sentence
    task: Sentence
    start: Position
    throws: tuple[str, ...]
    answers: tuple[str, ...]
    goal: Goal
    right: tuple[tuple[str, ...], ...]
    wrong: tuple[WrongLine, ...]
    why: Sentence
    otherwise: Sentence
    arrows: tuple[tuple[str, str], ...]
    meant: tuple[str, ...] = ()


@dataclass(frozen=True)
class Course:
    """A family's lessons. ``then``: the game that a learner can play afterwards, and ``options`` that suit it."""

    name: str
    title: Sentence
    minutes: int
    steps: tuple[Step, ...]
    then: str
    options: Mapping[str, Any]


@cache
def courses() -> Mapping[str, Course]:
    """Return every course by its name, the shortest first."""
    folder = files(__package__) / "courses"
    found = [_read(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")) for file in folder.iterdir()]
    return {course.name: course for course in sorted(found, key=lambda course: (course.minutes, course.name))}


def _read(name: str, text: str) -> Course:
    data = tomllib.loads(text)
    options: Mapping[str, Any] = data.get("options", {})
    steps = tuple(_step(entry, data["game"], options) for entry in data["step"])
    return Course(name, _sentence(data["title"]), data["minutes"], steps, data["game"], options)


def _step(entry: Mapping[str, Any], slug: str, options: Mapping[str, Any]) -> Step:
    played = game(entry.get("game", slug))
    own = {**options, **entry.get("options", {})}
    start: Position = (
        played.from_json({"game": played.slug, "options": own, **entry["position"]})
        if "position" in entry
        else played.start(played.least_players, **own)
    )
    for text in entry.get("before", ()):
        start = start.after(start.parse(text))
    return Step(
        _sentence(entry["idea"]),
        _sentence(entry["task"]),
        start,
        tuple(entry.get("throws", ())),
        tuple(entry.get("answers", ())),
        Goal(start.awaits.player, **entry.get("goal", {})),
        _lines(entry.get("right", ())),
        tuple(
            WrongLine(tuple(one["line"]), _sentence(one["why"]), tuple(one.get("reply", ())))
            for one in entry.get("wrong", ())
        ),
        _sentence(entry["why"]),
        _sentence(entry["otherwise"]),
        tuple((arrow["from"], arrow["to"]) for arrow in entry.get("arrows", ())),
    )


def _lines(lists: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line) for line in lists)


def _sentence(text: str) -> Sentence:
    return Sentence.of(Template(text))
