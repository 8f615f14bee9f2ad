"""A problem that was found, before it has a number, and how often weak players find its answer."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.language.sentence import Sentence
from companion.players.player import Budget, Weighed
from companion.players.strengths import STRENGTHS, picked
from companion.players.thinking import player_of, reasons, weigh
from companion.problems.packing import packed
from companion.problems.problem import Kind, Problem
from companion.rules.game import Choice, Position

WEAK: Final = ("child", "beginner")
TRIES_OF_EACH: Final = 40
"""Tries of each weak strength by which a problem is graded."""


@dataclass(frozen=True)
class Found:
    """A problem before it has a number; the fields are those of `companion.problems.problem.Problem`."""

    kind: Kind
    start: Position
    right: tuple[tuple[str, ...], ...]
    found: float
    throw: str = ""
    chances: tuple[float, ...] = ()
    shows: tuple[tuple[str, str], ...] = ()

    def to_json(self, origin: str) -> dict[str, Any]:
        """Return the line of the file; of the options only those that are not usual."""
        usual = self.start.game.start(self.start.players).options
        data = self.start.to_json()
        data["options"] = {name: value for name, value in data["options"].items() if usual[name] != value}
        fields: dict[str, Any] = {"kind": self.kind, "game": self.start.game.slug, "position": packed(data)}
        extra = {"throw": self.throw, "shows": dict(self.shows), "chances": [round(one, 3) for one in self.chances]}
        fields |= {name: value for name, value in extra.items() if value}
        return fields | {"right": [list(one) for one in self.right], "found": round(self.found, 3), "origin": origin}


def tries(position: Position, weighed: Sequence[Weighed], right: Sequence[Weighed]) -> float:
    """Return the share of tries in which the weak strengths find a right turn; the lots are always the same."""
    chance, heat = random.Random(1), player_of(position.game).heat(position)  # noqa: S311 - lots, no secrets
    made = [picked(weighed, STRENGTHS[name].temperature, chance, heat) for name in WEAK for _ in range(TRIES_OF_EACH)]
    return sum(one in right for one in made) / len(made)


def line_of(position: Position, choices: Sequence[Choice]) -> tuple[str, ...]:
    """Return choices as they are typed."""
    found = []
    for choice in choices:
        found.append(position.text(choice))
        position = position.applied(choice)
    return tuple(found)


MOST_REASONS = 2


def compared(problem: Problem) -> Sentence:
    """Say how often the best choice wins and the next best, and what the best one does."""
    best, second = (round(100 * chance) for chance in problem.chances)
    sentence = Sentence("It wins about {best} of 100 games, the next best choice {second}.", best=best, second=second)
    for reason in _reasons(problem):
        sentence = Sentence("{said} {reason}", said=sentence, reason=reason)
    return sentence


def _reasons(problem: Problem) -> list[Sentence]:
    position = problem.asked
    weighed = weigh(position, Budget())
    for turn in weighed:
        reached = position
        for choice in turn.choices:
            reached = reached.applied(choice)
        if problem.goal.reached(reached):
            return [reason.sentence for reason in reasons(position, weighed, turn)][:MOST_REASONS]
    return []
