"""Problems of Ludix: whether to stop or to throw again, with points at stake."""

from companion.language.sentence import Sentence
from companion.lessons.study import Studied
from companion.problems.chances import compared
from companion.problems.problem import Problem
from companion.rules.ludix import LudixPosition


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
