"""The words beside a problem's board: what one sees before the answer, and why the answer is right, by kind."""

from companion.language.sentence import Listing, Sentence
from companion.lessons.study import Studied
from companion.players.player import Budget
from companion.players.thinking import reasons, weigh
from companion.problems.problem import SCENE, Problem
from companion.rules.appearance_words import colour
from companion.rules.dice import Throw, dice_set
from companion.rules.game import Position
from companion.rules.ludix import LudixPosition
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.rithmomachia.choices import Claim
from companion.rules.rithmomachia.men import COLOURS
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.words import kind_sentence, man_sentence

MOST_REASONS = 2


def idea(problem: Problem) -> Sentence:
    """Return what one sees before one looks for the answer."""
    match problem.kind:
        case "all" | "take" | "win":
            return _of_numbers(problem)
        case "best" | "point" | "only":
            return _of_tables(problem)
        case "risk":
            return _of_ludix(problem)
        case "odds":
            return _of_virtues(problem)


def why(problem: Problem, studied: Studied) -> Sentence:
    """Return why the line that answers a problem is right."""
    match problem.kind:
        case "all" | "take" | "win":
            return _why_of_numbers(problem, studied)
        case "best" | "point" | "only":
            return _why_of_tables(problem)
        case "risk":
            return _compared(problem)
        case "odds":
            return _why_of_virtues(problem)


def _of_numbers(problem: Problem) -> Sentence:
    """Return what one sees: whose men one has, and what is known."""
    position = problem.asked
    assert isinstance(position, RithmoPosition), "a game of numbers"
    side = colour(COLOURS[position.turn])
    if problem.kind == "win":
        own, goal = position.scores()[position.turn], position.goal
        return Sentence("Your colour: {side}. You have {own} points; {goal} win.", side=side, own=own, goal=goal)
    if problem.kind == "take" or position.last is None:
        return Sentence("Your colour: {side}. Only one of your moves makes a capture possible.", side=side)
    here, there = (position.rules.board.names[square] for square in position.last)
    return Sentence("Your colour: {side}. You have just moved from {start} to {end}.", side=side, start=here, end=there)


def _why_of_numbers(problem: Problem, studied: Studied) -> Sentence:
    """Return how the game was won, or what was taken, with the arithmetic."""
    if problem.kind == "win" and studied.position.outcome is not None:
        return studied.position.outcome.why
    proofs = [_proof(act.before, act.move) for act in studied.acts if isinstance(act.move, Claim)]
    return Sentence("Taken: {proofs}.", proofs=Listing(proofs, "comma"))


def _proof(before: Position, claim: Claim) -> Sentence:
    assert isinstance(before, RithmoPosition), "only numbers are claimed"
    man = before.stood[before.rules.board.numbered[claim.target.site]]
    assert man is not None, "he was taken"
    proof = before.claims.get(claim) or Sentence("no way out")
    return Sentence("{man} by {kind}: {proof}", man=man_sentence(man), kind=kind_sentence(claim.kind), proof=proof)


def _of_tables(problem: Problem) -> Sentence:
    """Return what one knows of the play that one looks for."""
    if problem.origin.startswith(SCENE):
        return Sentence("This is the throw of the emperor Zeno that the poet Agathias described.")
    if problem.kind == "only":
        return Sentence("The emperor Zeno once had a throw that he could play in one way only. So have you here.")
    if problem.kind == "point":
        return Sentence("You play the light men. The best play puts a second man on a point.")
    return Sentence("You play the light men. One play is clearly better than all others.")


def _why_of_tables(problem: Problem) -> Sentence:
    """Return why a play was the only one, or by how much it is better, and what it does."""
    if problem.origin.startswith(SCENE):
        return Sentence("No other play was allowed, and eight of the emperor's men were left alone.")
    if problem.kind == "only":
        return Sentence("No other play is allowed: the rules want every number played that can be.")
    return _compared(problem)


def _of_ludix(problem: Problem) -> Sentence:
    """Say how the match stands."""
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


def _of_virtues(problem: Problem) -> Sentence:
    """Return which virtue the cubes point to, and whether it is free."""
    virtue, taken = _virtue(problem)
    if taken:
        return Sentence("The cubes lie: the lot of {virtue}. Somebody has this virtue already.", virtue=virtue)
    return Sentence("The cubes lie: the lot of {virtue}. This virtue is free.", virtue=virtue)


def _why_of_virtues(problem: Problem) -> Sentence:
    """Return which faces win, or what stands in the way."""
    virtue, taken = _virtue(problem)
    if taken:
        return Sentence("A virtue stays with its owner: nobody can acquire {virtue} now.", virtue=virtue)
    account = problem.asked.account
    throws = _throws(problem)
    faces = [throw.shown[-1][1] for throw in throws if account(throw).details["result"] == "acquired"]
    if faces:
        return Sentence("All its vowels lie, and {faces} have one of its consonants.", faces=Listing(faces))
    return Sentence("A vowel of its name is missing on the cubes, so no face acquires {virtue}.", virtue=virtue)


def _virtue(problem: Problem) -> tuple[Sentence, bool]:
    position = problem.asked
    assert isinstance(position, LudusPosition), "a game of virtues"
    virtue = position.effect(_throws(problem)[0]).meant[0]
    return virtue.called, bool(position.holder(virtue))


def _throws(problem: Problem) -> list[Throw]:
    """Return the throws that the cubes and each face of the tetrahedron make."""
    dice = dice_set("wibold")
    (last,) = (die for die in dice.dice if die.name not in problem.shows)
    return [Throw.of(dice.name, {**problem.shows, last.name: face.text}) for face in last.faces]


def _compared(problem: Problem) -> Sentence:
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
