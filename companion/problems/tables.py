"""Problems of tables: the best play of a throw, the one that closes a point, and the only play, as Zeno had."""

from companion.language.sentence import Sentence
from companion.lessons.study import Studied
from companion.problems.chances import compared
from companion.problems.problem import SCENE, Problem


def idea(problem: Problem) -> Sentence:
    """Return what one knows of the play that one looks for."""
    if problem.origin.startswith(SCENE):
        return Sentence("This is the throw of the emperor Zeno that the poet Agathias described.")
    if problem.kind == "only":
        return Sentence("The emperor Zeno once had a throw that he could play in one way only. So have you here.")
    if problem.kind == "point":
        return Sentence("You play the light men. The best play puts a second man on a point.")
    return Sentence("You play the light men. One play is clearly better than all others.")


def why(problem: Problem, studied: Studied) -> Sentence:
    """Return why a play was the only one, or by how much it is better, and what it does."""
    del studied
    if problem.origin.startswith(SCENE):
        return Sentence("No other play was allowed, and eight of the emperor's men were left alone.")
    if problem.kind == "only":
        return Sentence("No other play is allowed: the rules want every number played that can be.")
    return compared(problem)
