"""The positions that a throw, a choice and the end of a turn lead to.

A new position has the class of the position that it follows, so callers get back the class that they pass in.
"""

from typing import TypeVar

from companion.rules.game import Choice
from companion.rules.tables.choices import Leave, Step, TurnDie
from companion.rules.tables.courses.duty import Dice, without
from companion.rules.tables.rulings import HIGHEST_PIPS, Men
from companion.rules.tables.state import PLAIN, TablesState, TurnState

State = TypeVar("State", bound=TablesState)


def thrown(position: State, numbers: Dice) -> State:
    """Return the position after a throw of these numbers where a throw is awaited."""
    aside = position.aside
    if aside.battle is not None:
        return _battled(position, sum(numbers))
    if position.rules.turns_one and HIGHEST_PIPS not in numbers:
        return type(position)(position.rules, position.turn, position.men, numbers, aside._replace(turning=True))
    return _laid(position, numbers)


def chosen(position: State, choice: Choice) -> State:
    """Return the position after a legal choice."""
    if isinstance(choice, Step):
        return _stepped(position, *position.course.by_step[choice])
    if isinstance(choice, TurnDie):
        return _laid(position, tuple(sorted((*without(position.dice, choice.die), HIGHEST_PIPS))))
    assert isinstance(choice, Leave), "there is no other kind of choice"
    return type(position)(position.rules, position.aside.resume, position.men)


def _battled(position: State, total: int) -> State:
    rules, men, aside, make = position.rules, position.men, position.aside, type(position)
    sums = (*(aside.battle or ()), total)
    if len(sums) == 1:
        return make(rules, rules.opponent(position.turn), men, (), aside._replace(battle=sums))
    ours, theirs = sums
    if ours == theirs:
        return make(rules, 1, men, (), aside._replace(battle=()))
    first = 1 if ours > theirs else 2
    begun = rules.begun_by(first)
    return make(begun, begun.team(first)[0], men if begun is rules else begun.start())


def _laid(position: State, numbers: Dice) -> State:
    """Return the position with these dice to play, or the position after the turn if no die can be played."""
    rules, aside = position.rules, position.aside
    again = rules.again(numbers)
    if aside.turning or again:
        aside = aside._replace(turning=False, again=again)
    dice = rules.lying(numbers)
    laid = type(position)(rules, position.turn, position.men, dice, aside)
    laid.__dict__["_over"] = False
    if laid.duty.movable(position.own, dice):
        return laid
    return ended(laid, laid.men, dice, aside, played=False)


def _stepped(position: State, bit: int, die: int) -> State:
    rules, side, aside = position.rules, position.side, position.aside
    men = rules.step(position.men, side, bit, die)
    if aside.won and position.course.off(men[side - 1]) > position.course.off(position.own):
        aside = aside._replace(slaps=aside.slaps + 1)
    if rules.reached(men, side):
        return finished(position, men, aside)
    rest = without(position.dice, die)
    if rest and position.duty.movable(men[side - 1], rest):
        stepped = type(position)(rules, position.turn, men, rest, aside)
        kept = stepped.__dict__
        kept["_duty"] = position.duty
        kept["_over"] = False
        return stepped
    return ended(position, men, rest, aside, played=True)


def finished(position: State, men: Men, aside: TurnState) -> State:
    """Return the position in which the side to play has just reached the goal."""
    rules, turn, make = position.rules, position.turn, type(position)
    if rules.slaps and not aside.won:
        return make(rules, rules.next_of_side(turn), men, (), PLAIN._replace(won=rules.sides[turn]))
    return make(rules, turn, men, (), PLAIN._replace(won=aside.won, slaps=aside.slaps))


def ended(position: State, men: Men, left: Dice, aside: TurnState, *, played: bool) -> State:
    """Return the position after the turn; ``left`` are the dice that were left, ``played`` whether any was played."""
    rules, turn, make = position.rules, position.turn, type(position)
    if aside is PLAIN and played and not left:
        return make(rules, rules.next_player(turn), men)
    if aside.won:
        then = turn if aside.again else rules.next_of_side(turn)
        return make(rules, then, men, (), PLAIN._replace(won=aside.won, slaps=aside.slaps))
    if left and rules.ad_fallum and not aside.resume:
        return make(rules, turn, men, (), PLAIN._replace(lost=rules.sides[turn]))
    if not played and rules.stuck(men):
        return make(rules, turn, men, (), PLAIN._replace(tied=True))
    then = aside.resume or (turn if aside.again else rules.next_player(turn))
    if left and rules.to_opponent and not aside.resume:
        taker = make(rules, rules.opponent(turn), men, left, PLAIN._replace(resume=then))
        if taker.duty.movable(taker.own, left):
            return taker
    return make(rules, then, men)


def passed(position: State) -> State | None:
    """Return the position after this turn passes with its dice unplayed."""
    if position.over or position.aside.battle is not None:
        return None
    rules, aside, make = position.rules, position.aside, type(position)
    if aside.won:
        kept = PLAIN._replace(won=aside.won, slaps=aside.slaps)
        return make(rules, rules.next_of_side(position.turn), position.men, (), kept)
    return make(rules, aside.resume or rules.next_player(position.turn), position.men)
