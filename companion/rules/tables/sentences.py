"""The referee's sentences: what the position awaits, and what a throw, a step or a turned die results in."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from companion.language.sentence import N_, Sentence, player
from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw
from companion.rules.game import Await, Choice
from companion.rules.results import Account
from companion.rules.tables import configurations, ending
from companion.rules.tables.choices import Leave, Step, TurnDie
from companion.rules.tables.courses.duty import Dice
from companion.rules.tables.rulings import DICE_SET
from companion.rules.tables.state import TablesState


def listed(dice: Sequence[int]) -> str:
    """Return dice as a sentence lists them: ``2, 5, 6``."""
    return ", ".join(map(str, dice))


def awaits(position: TablesState) -> Await:
    """Say who must do what next."""
    if position.over:
        return Await("over", position.turn, Sentence("The game is over."))
    aside = position.aside
    if position.dice or aside.turning:
        resume, may_leave = aside.resume != 0, position.may_leave
        return _awaits_step(position.turn, position.dice, turning=aside.turning, resume=resume, may_leave=may_leave)
    return _awaits_throw(position.turn, position.rules.thrown, battle=position.aside.battle is not None)


@lru_cache(maxsize=1024)
def _awaits_step(turn: int, dice: Dice, *, turning: bool, resume: bool, may_leave: bool) -> Await:
    template = N_("{player} plays {dice}.")
    if turning:
        template = N_("{player} turns one of the dice {dice} to a six.")
    elif may_leave:
        template = N_("{player} may play the dice the other side could not, {dice}, or leave them.")
    elif resume:
        template = N_("{player} plays the dice the other side could not: {dice}.")
    return Await("choice", turn, Sentence.of(template, player=player(turn), dice=listed(dice)))


@lru_cache(maxsize=64)
def _awaits_throw(turn: int, thrown: tuple[str, ...], *, battle: bool) -> Await:
    template = {2: N_("{player} throws the two dice."), 3: N_("{player} throws the three dice.")}[len(thrown)]
    if battle:
        template = N_("{player} throws to see who begins.")
    return Await("throw", turn, Sentence.of(template, player=player(turn)), (DICE_SET,), thrown)


def account(position: TablesState, move: Throw | Choice, after: TablesState) -> Account:
    """Return the account of an allowed move; ``after`` is the position that it leads to."""
    details: dict[str, Any] = {"player": position.turn, "dice": list(position.dice)}
    news = None
    sites: tuple[str, ...] = ()
    if isinstance(move, Throw):
        details |= {"kind": "throw", "dice": list(position.rules.numbers[move])}
        sentences = [_thrown(position, move, after)]
    elif isinstance(move, Step):
        hit = _hit(position, move)
        details |= {"kind": "step", "die": move.die, "hit": hit}
        sites = tuple(place for place in (move.origin, move.to) if place != OFF)
        sites += (HAND,) if hit and HAND not in sites else ()
        sentences = [_step(position, move, hit=hit)]
        if hit:
            news = Sentence("{player} hits a man on {to}.", player=player(position.turn), to=move.to)
    elif isinstance(move, Leave):
        details["kind"] = "leave"
        sentences = [Sentence("{player} leaves {dice}.", player=player(position.turn), dice=listed(position.dice))]
    else:
        assert isinstance(move, TurnDie), "there is no other kind of choice"
        details["kind"] = "turn"
        sentences = [Sentence("{player} turns the {die} to a six.", player=player(position.turn), die=move.die)]
    news = news or sentences[0]
    sentences += _then(position, move, after)
    if _left(position, move, after) and not after.over:
        template = N_("{said} No man can move.") if isinstance(move, Throw) else N_("{said} The rest cannot be played.")
        news = Sentence.of(template, said=news)
    sentence = sentences[0]
    for more in sentences[1:]:
        sentence = Sentence("{said} {more}", said=sentence, more=more)
    return Account(sentence, sites, details, news)


def _hit(position: TablesState, step: Step) -> bool:
    bit, die = position.course.by_step[step]
    return position.rules.step(position.men, position.side, bit, die)[2 - position.side] != position.foe


def _thrown(position: TablesState, throw: Throw, after: TablesState) -> Sentence:
    numbers = position.rules.numbers[throw]
    who = player(position.turn)
    if position.aside.battle is not None:
        sentence = Sentence("{player} throws {sum} for the start.", player=who, sum=sum(numbers))
        if after.aside.battle is None:
            return Sentence("{said} {first} begins.", said=sentence, first=player(after.turn))
        if not after.aside.battle:
            return Sentence("{said} A draw: both throw again.", said=sentence)
        return sentence
    sentence = Sentence("{player} throws {dice}.", player=who, dice=listed(numbers))
    lying = numbers if after.aside.turning else position.rules.lying(numbers)
    if lying != numbers:
        return Sentence("{said} That makes {lying}.", said=sentence, lying=listed(lying))
    return sentence


def _step(position: TablesState, step: Step, *, hit: bool) -> Sentence:
    parts: dict[str, Any] = {"player": player(position.turn), "die": step.die, "to": step.to, "origin": step.origin}
    if step.origin == HAND:
        template = N_("{player} enters a man on {to} with the {die}.")
        del parts["origin"]
    elif step.to == step.origin:
        template = N_("{player} takes down the pair on {origin} with the {die}.")
        del parts["to"]
    elif step.to == OFF:
        template = N_("{player} bears off a man from {origin} with the {die}.")
        del parts["to"]
    else:
        template = N_("{player} goes from {origin} to {to} with the {die}.")
    sentence = Sentence.of(template, **parts)
    return Sentence("{said} The lone man there is hit.", said=sentence) if hit else sentence


def _then(position: TablesState, move: Throw | Choice, after: TablesState) -> list[Sentence]:
    """Say what else the move brought about."""
    found = []
    found += [
        sentence
        for sentence in configurations.configuration_sentences(position.rules, after.men)
        if sentence not in _known(position)
    ]
    if position.aside.battle is not None:
        if after.aside.battle is None and after.rules is not position.rules:
            found.insert(0, Sentence("The array is turned round and runs from z to a."))
        return found
    if after.over:
        return [*found, ending.outcome(after).why]
    if after.aside.won and not position.aside.won:
        side = position.rules.named(after.aside.won)
        return [
            *found,
            Sentence("{side} has borne off all men and goes on to bear off those of the other side.", side=side),
        ]
    if after.aside.slaps > position.aside.slaps:
        found.append(Sentence("Slaps so far: {slaps}.", slaps=after.aside.slaps))
    left = _left(position, move, after)
    if left:
        found.append(_unusable(position, left, after))
    if after.dice:
        if after.aside.resume and not position.aside.resume:
            found.append(Sentence("They go to {player}.", player=player(after.turn)))
    elif after.turn == position.turn and not (position.aside.resume or after.aside.won):
        found.append(Sentence("Equal dice: {player} throws again.", player=player(after.turn)))
    return found


def _known(position: TablesState) -> list[Sentence]:
    return configurations.configuration_sentences(position.rules, position.men)


def _left(position: TablesState, move: Throw | Choice, after: TablesState) -> tuple[int, ...]:
    """Return the dice that were left after the move and could not be used."""
    if (
        isinstance(move, Leave)
        or after.aside.turning
        or (after.dice and after.turn == position.turn and not after.aside.resume)
    ):
        return ()
    if isinstance(move, Throw):
        return position.rules.lying(position.rules.numbers[move])
    dice = list(position.dice)
    dice.remove(move.die if isinstance(move, (Step, TurnDie)) else 0)
    if isinstance(move, TurnDie):
        return position.rules.lying(tuple(sorted((*dice, 6))))
    if position.aside.resume and after.dice:
        return ()
    return tuple(dice)


def _unusable(position: TablesState, left: tuple[int, ...], after: TablesState) -> Sentence:
    """Say which dice cannot be used and why."""
    side = position.side
    course, own = position.rules.courses[side - 1], after.men[side - 1]
    if own & course.forced:
        template = N_("A man in hand must enter first, but with {dice} no point is open to him.")
    elif not own & course.outside:
        template = N_("No man at home can use {dice}.")
    else:
        template = N_("With {dice} no man can go anywhere: the points are held, closed or past the end.")
    return Sentence.of(template, dice=listed(left))
