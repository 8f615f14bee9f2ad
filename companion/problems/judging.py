"""What a line leads to in a problem, judged by the rules, and the words beside the board."""

from collections.abc import Sequence
from dataclasses import replace

from companion.language.sentence import Listing, Sentence
from companion.lessons.course import THROW, Step
from companion.lessons.study import Studied, study
from companion.problems.problem import SCENE, Problem
from companion.rules.appearance_words import colour
from companion.rules.dice import Throw, dice_set
from companion.rules.ludix import LudixPosition
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.rithmomachia.choices import Claim
from companion.rules.rithmomachia.men import COLOURS
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.words import kind_sentence, man_sentence

MOST_REASONS = 2
ANSWERS = ("0", "1", "2", "3", "4")
"""How many of the tetrahedron's faces may win."""


def judged(problem: Problem, line: Sequence[str]) -> Studied:
    """Return what became of a line: the choices as typed, after `THROW` where the problem has a throw."""
    studied = study(step_of(problem), line)
    if studied.verdict == "done":
        return replace(studied, sentence=_why(problem, studied))
    return studied


def step_of(problem: Problem) -> Step:
    """Return the problem as the single step of a lesson."""
    lines = tuple((*first_line(problem), *line) for line in problem.right)
    answers, meant = (ANSWERS, problem.right[0]) if problem.kind == "odds" else ((), ())
    thrown = (problem.throw,) if problem.throw else ()
    said = title(problem.kind)  # `judged` says more of each line
    idea, task, otherwise = _idea(problem), _task(problem), _otherwise(problem)
    return Step(idea, task, problem.start, thrown, answers, problem.goal, lines, (), said, otherwise, (), meant)


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


def _idea(problem: Problem) -> Sentence:
    position = problem.asked
    if isinstance(position, RithmoPosition):
        return _idea_of_numbers(problem, position)
    if isinstance(position, LudixPosition):
        other = next(points for number, points in position.scores().items() if number != position.turn)
        return Sentence(
            "You have {own} points, the other player {other}; {goal} win. {stake} points are at stake.",
            own=position.own,
            other=other,
            goal=position.goal,
            stake=position.stake,
        )
    if isinstance(position, LudusPosition):
        virtue, taken = _virtue(problem, position)
        if taken:
            return Sentence("The cubes lie: the lot of {virtue}. Somebody has this virtue already.", virtue=virtue)
        return Sentence("The cubes lie: the lot of {virtue}. This virtue is free.", virtue=virtue)
    if problem.origin.startswith(SCENE):
        return Sentence("This is the throw of the emperor Zeno that the poet Agathias described.")
    return {
        "only": Sentence("The emperor Zeno once had a throw that he could play in one way only. So have you here."),
        "point": Sentence("You play the light men. The best play puts a second man on a point."),
        "best": Sentence("You play the light men. One play is clearly better than all others."),
    }[problem.kind]


def _idea_of_numbers(problem: Problem, position: RithmoPosition) -> Sentence:
    side = colour(COLOURS[position.turn])
    if problem.kind == "win":
        own, goal = position.scores()[position.turn], position.goal
        return Sentence("Your colour: {side}. You have {own} points; {goal} win.", side=side, own=own, goal=goal)
    if problem.kind == "take" or position.last is None:
        return Sentence("Your colour: {side}. Only one of your moves makes a capture possible.", side=side)
    here, there = (position.rules.board.names[square] for square in position.last)
    return Sentence("Your colour: {side}. You have just moved from {start} to {end}.", side=side, start=here, end=there)


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


def _why(problem: Problem, studied: Studied) -> Sentence:
    """Say why a line is right, with the arithmetic or the chances."""
    if problem.kind == "win" and studied.position.outcome is not None:
        return studied.position.outcome.why
    if problem.kind == "odds":
        return _counted(problem)
    if problem.kind == "only":
        if problem.origin.startswith(SCENE):
            return Sentence("No other play was allowed, and eight of the emperor's men were left alone.")
        return Sentence("No other play is allowed: the rules want every number played that can be.")
    if problem.chances:
        return _compared(problem)
    proofs = [_proof(act.before, act.move) for act in studied.acts if isinstance(act.move, Claim)]
    return Sentence("Taken: {proofs}.", proofs=Listing(proofs, "comma"))


def _compared(problem: Problem) -> Sentence:
    best, second = (round(100 * chance) for chance in problem.chances)
    said = Sentence("It wins about {best} of 100 games, the next best choice {second}.", best=best, second=second)
    for reason in _reasons(problem):
        said = Sentence("{said} {reason}", said=said, reason=reason)
    return said


def _proof(before: object, claim: Claim) -> Sentence:
    assert isinstance(before, RithmoPosition), "only numbers are claimed"
    man = before.stood[before.rules.board.numbered[claim.target.site]]
    assert man is not None, "he was taken"
    proof = before.claims.get(claim) or Sentence("no way out")
    return Sentence("{man} by {kind}: {proof}", man=man_sentence(man), kind=kind_sentence(claim.kind), proof=proof)


def _reasons(problem: Problem) -> list[Sentence]:
    from companion.players.player import Budget  # noqa: PLC0415 - brings NumPy
    from companion.players.thinking import reasons, weigh  # noqa: PLC0415 - brings NumPy

    position = problem.asked
    weighed = weigh(position, Budget())
    for turn in weighed:
        reached = position
        for choice in turn.choices:
            reached = reached.applied(choice)
        if problem.goal.reached(reached):
            return [reason.sentence for reason in reasons(position, weighed, turn)][:MOST_REASONS]
    return []


def _virtue(problem: Problem, position: LudusPosition) -> tuple[Sentence, bool]:
    virtue = position.effect(_throws(problem)[0]).meant[0]
    return virtue.called, bool(position.holder(virtue))


def _throws(problem: Problem) -> list[Throw]:
    """Return the throws that the cubes and each face of the tetrahedron make."""
    dice = dice_set("wibold")
    (last,) = (die for die in dice.dice if die.name not in problem.shows)
    return [Throw.of(dice.name, {**problem.shows, last.name: face.text}) for face in last.faces]


def _counted(problem: Problem) -> Sentence:
    position = problem.asked
    assert isinstance(position, LudusPosition), "virtues are counted"
    virtue, taken = _virtue(problem, position)
    throws = _throws(problem)
    if taken:
        return Sentence("A virtue stays with its owner: nobody can acquire {virtue} now.", virtue=virtue)
    faces = [throw.shown[-1][1] for throw in throws if position.account(throw).details["result"] == "acquired"]
    if faces:
        return Sentence("All its vowels lie, and {faces} have one of its consonants.", faces=Listing(faces))
    return Sentence("A vowel of its name is missing on the cubes, so no face acquires {virtue}.", virtue=virtue)
