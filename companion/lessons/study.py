"""What a learner's line leads to in a step: done, wrong with the reason and the other side's reply, or not yet over."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from companion.language.sentence import Sentence
from companion.lessons.course import THROW, Step, WrongLine, turn_over
from companion.rules.dice import Throw
from companion.rules.die import ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position

LONGEST_LINE: Final = 24  # acts; no step needs half as many

Verdict = Literal["open", "done", "wrong", "refused"]


@dataclass(frozen=True)
class Act:
    """A throw or choice, and the position in which it was made."""

    before: Position
    move: Throw | Choice


@dataclass(frozen=True)
class Studied:
    """What became of a line. ``position``: after it; of a refused line, before what the rules refuse.

    ``sentence``: why, for any verdict but ``open``, where it is the account of the last act, if there was one.
    ``reply``: what the other side did then. ``taps``: sites among which the learner chooses an answer.
    """

    position: Position
    verdict: Verdict
    sentence: Sentence | None
    acts: tuple[Act, ...] = ()
    reply: tuple[Act, ...] = ()
    taps: tuple[str, ...] = field(default=())

    @property
    def replied(self) -> Position:
        """The position after the reply, or after the line without one."""
        return after(self.reply[-1]) if self.reply else self.position


def after(act: Act) -> Position:
    """Return the position after an act that the rules allow."""
    return act.before.after(act.move)


def study(step: Step, line: Sequence[str]) -> Studied:
    """Judge a line: the learner's choices as typed, `THROW` for each throw, in a question the site chosen last.

    What the rules refuse ends the line; what comes after it is not heard.
    """
    acts: list[Act] = []
    position = step.start
    throws = iter(step.throws)
    for text in line[:LONGEST_LINE]:
        if step.answers and text != THROW:
            return _answered(step, acts, text)
        try:
            move = position.parse(next(throws, "") if text == THROW else text)
            reached = position.after(move)
        except (GameError, ThrowError) as why:
            return Studied(position, "refused", why.sentence, tuple(acts))
        acts.append(Act(position, move))
        position = reached
    return _judged(step, acts, position)


def follow(position: Position, line: Sequence[str]) -> Studied:
    """Play a line from any position, with throws as typed; what the rules refuse ends it."""
    acts: list[Act] = []
    for text in line[:LONGEST_LINE]:
        try:
            move = position.parse(text)
            reached = position.after(move)
        except (GameError, ThrowError) as why:
            return Studied(position, "refused", why.sentence, tuple(acts))
        acts.append(Act(position, move))
        position = reached
    return Studied(position, "open", _account(acts), tuple(acts))


def _answered(step: Step, acts: Sequence[Act], site: str) -> Studied:
    """Judge an answer to a question: where the step does not say which is right, the rules know."""
    right = site in (step.meant or acts[-1].before.account(acts[-1].move).details["meant"])
    reached = after(acts[-1]) if acts else step.start
    return Studied(
        reached, "done" if right else "wrong", step.why if right else step.otherwise, tuple(acts), (), step.answers
    )


def _judged(step: Step, acts: Sequence[Act], position: Position) -> Studied:
    made = tuple(acts)
    if step.answers:
        return Studied(position, "open", None, made, (), step.answers if len(acts) == len(step.throws) else ())
    if acts and step.goal.reached(position):
        return Studied(position, "done", step.why, made)
    ways = [(wrong, _way(step, wrong.line)) for wrong in step.wrong]
    for wrong, way in ways:
        if acts and position == way[-1]:
            return Studied(position, "wrong", wrong.why, made, tuple(_reply(position, wrong)))
    thrown = sum(isinstance(act.move, Throw) for act in acts)
    if acts and not any(position in way for _, way in ways) and _hopeless(step, position, thrown):
        return Studied(position, "wrong", step.otherwise, made)
    return Studied(position, "open", _account(acts), made)


def _hopeless(step: Step, position: Position, thrown: int) -> bool:
    """Whether nothing that the learner can still do in this turn reaches the goal; later throws may."""
    ahead, seen = [position], {position}
    while ahead:
        here = ahead.pop()
        if step.goal.reached(here):
            return False
        if turn_over(here, step.goal.player):
            continue
        if here.awaits.kind != "choice":
            if thrown < len(step.throws):
                return False
            continue
        found = {here.after(choice) for choice in here.legal()} - seen
        seen |= found
        ahead += found
    return True


def _account(acts: Sequence[Act]) -> Sentence | None:
    return acts[-1].before.account(acts[-1].move).sentence if acts else None


def _way(step: Step, line: Sequence[str]) -> Sequence[Position]:
    """Return the positions along a line, so that moves count in any order that meets them."""
    way = []
    position = step.start
    throws = iter(step.throws)
    for text in line:
        position = position.after(position.parse(next(throws) if text == THROW else text))
        way.append(position)
    return way


def _reply(position: Position, wrong: WrongLine) -> Sequence[Act]:
    acts: list[Act] = []
    for text in wrong.reply:
        acts.append(Act(position, position.parse(text)))
        position = after(acts[-1])
    return acts
