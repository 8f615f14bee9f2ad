"""The sentence on chances, where one choice is likelier to win than all others."""

from companion.language.sentence import Sentence
from companion.players.player import Budget
from companion.players.thinking import reasons, weigh
from companion.problems.problem import Problem

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
