"""Problems of Ludix: whether to stop or to throw again, with points at stake."""

from collections.abc import Iterator
from typing import Final

from companion.language.sentence import Sentence
from companion.lessons.study import Studied
from companion.players.player import Budget
from companion.players.thinking import weigh
from companion.problems.found import Found, compared, tries
from companion.problems.problem import Problem
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.ludix import LudixPosition

LEAST_LEAD: Final = 0.06
"""By how much likelier the best choice must win than the next best; the chances are exact."""


def find(before: Position, throw: Throw) -> Iterator[Found]:
    """Yield the problem of a throw of Ludix with points at stake, by the exact chances."""
    assert isinstance(before, LudixPosition), "a game of numerals"
    position = before.after(throw)
    if position.awaits.kind != "choice" or not position.formed or max(position.points) >= position.goal:
        return
    weighed = weigh(position, Budget())
    if len(weighed) > 1 and weighed[0].chance - weighed[1].chance >= LEAST_LEAD:
        found = tries(position, weighed, [weighed[0]])
        chances = (weighed[0].chance, weighed[1].chance)
        yield Found("risk", before, ((str(weighed[0].choices[0]),),), found, before.text(throw), chances)


def idea(problem: Problem) -> Sentence:
    """Return how the match stands."""
    position = problem.asked
    assert isinstance(position, LudixPosition), "a game of numerals"
    other = next(points for number, points in position.scores().items() if number != position.turn)
    return Sentence(
        "You have {own} points, the other player {other}; {goal} win. {stake} points are at stake.",
        own=position.own,
        other=other,
        goal=position.goal,
        stake=position.stake,
    )


def why(problem: Problem, studied: Studied) -> Sentence:
    """Return by how much the choice is better, and what may come of it."""
    del studied
    return compared(problem)
