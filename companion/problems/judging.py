"""What a line leads to in a problem, judged by the rules, and the words beside the board."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.language.sentence import Sentence
from companion.lessons.course import THROW, Step
from companion.lessons.study import Studied, study
from companion.problems import ludix, ludus_regularis, rithmomachia, tables
from companion.problems.problem import Kind, Problem

ANSWERS = ("0", "1", "2", "3", "4")
"""How many of the tetrahedron's faces may win."""

IDEAS: Mapping[Kind, Callable[[Problem], Sentence]] = {
    **dict.fromkeys(("all", "take", "win"), rithmomachia.idea),
    **dict.fromkeys(("best", "point", "only"), tables.idea),
    "risk": ludix.idea,
    "odds": ludus_regularis.idea,
}
REASONS: Mapping[Kind, Callable[[Problem, Studied], Sentence]] = {
    **dict.fromkeys(("all", "take", "win"), rithmomachia.why),
    **dict.fromkeys(("best", "point", "only"), tables.why),
    "risk": ludix.why,
    "odds": ludus_regularis.why,
}


def judged(problem: Problem, line: Sequence[str]) -> Studied:
    """Return what became of a line: the choices as typed, after `THROW` where the problem has a throw."""
    studied = study(step_of(problem), line)
    if studied.verdict == "done":
        return replace(studied, sentence=REASONS[problem.kind](problem, studied))
    return studied


def step_of(problem: Problem) -> Step:
    """Return the problem as the single step of a lesson."""
    lines = tuple((*first_line(problem), *line) for line in problem.right)
    answers, meant = (ANSWERS, problem.right[0]) if problem.kind == "odds" else ((), ())
    thrown = (problem.throw,) if problem.throw else ()
    answer = title(problem.kind)  # `judged` says more of each line
    idea, task, otherwise = IDEAS[problem.kind](problem), _task(problem), _otherwise(problem)
    return Step(idea, task, problem.start, thrown, answers, problem.goal, lines, (), answer, otherwise, (), meant)


def first_line(problem: Problem) -> tuple[str, ...]:
    """Return what is done before somebody looks for the answer: the throw."""
    return (THROW,) if problem.throw else ()


def title(kind: str) -> Sentence:
    """Return what a kind of problem is called."""
    return {
        "all": Sentence("What can be taken here?"),
        "take": Sentence("One man can be taken"),
        "win": Sentence("Win in one turn"),
        "best": Sentence("Find the best play"),
        "point": Sentence("Close the point"),
        "only": Sentence("One play only: Zeno's throw"),
        "risk": Sentence("Take the risk?"),
        "odds": Sentence("Which faces win?"),
    }[kind]


def _task(problem: Problem) -> Sentence:
    return {
        "all": Sentence("Take every man that can be taken: tap him, then name the rule."),
        "take": Sentence("Find the move, then take the man."),
        "win": Sentence("Win with this turn."),
        "best": Sentence("Play your throw."),
        "point": Sentence("Play your throw."),
        "only": Sentence("Find the only play."),
        "risk": Sentence("Choose a numeral; then stop, or throw again."),
        "odds": Sentence("How many of the four faces of the tetrahedron acquire it?"),
    }[problem.kind]


def _otherwise(problem: Problem) -> Sentence:
    if problem.chances and problem.kind != "odds":
        best, second = (round(100 * chance) for chance in problem.chances)
        return Sentence(
            "Nothing else wins more than about {second} of 100 games; the best choice wins about {best}.",
            best=best,
            second=second,
        )
    return {
        "all": Sentence("More can be taken."),
        "take": Sentence("Nothing can be taken after that. Another move takes a man."),
        "win": Sentence("That does not win. Another turn does."),
        "only": Sentence("That is not the whole play."),
        "odds": Sentence("Count again: the vowels on the cubes first, then the consonants on each face."),
    }[problem.kind]
