"""Problems of Rithmomachia: the one capture, everything that can be taken after a move, a win in one turn."""

from companion.language.sentence import Listing, Sentence
from companion.lessons.study import Studied
from companion.problems.problem import Problem
from companion.rules.appearance_words import colour
from companion.rules.game import Position
from companion.rules.rithmomachia.choices import Claim
from companion.rules.rithmomachia.men import COLOURS
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.words import kind_sentence, man_sentence


def idea(problem: Problem) -> Sentence:
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


def why(problem: Problem, studied: Studied) -> Sentence:
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
