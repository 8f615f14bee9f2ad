"""All faults of a position that somebody set up by hand, reported at once."""

from collections.abc import Iterator

from companion.language.sentence import Sentence
from companion.rules.tables.courses.course import DICE, bit_at
from companion.rules.tables.courses.duty import Dice
from companion.rules.tables.rulings import HIGHEST_PIPS, TablesRules
from companion.rules.tables.sentences import listed
from companion.rules.tables.state import TablesState


def faults(position: TablesState) -> tuple[Sentence, ...]:
    """Return one sentence for each fault; a position that play can reach has none."""
    return (*_men(position), *_meetings(position), *_standing(position), *_dice(position), *_turn(position))


def _men(position: TablesState) -> Iterator[Sentence]:
    rules = position.rules
    for side in (1, 2):
        course, men = rules.courses[side - 1], position.men[side - 1]
        total = sum(course.unpack(men).values()) + course.in_hand(men) + course.off(men)
        if total != rules.men:
            yield Sentence("Side {side} has {total} men, not {men}.", side=side, total=total, men=rules.men)
        for fault in course.further_faults(men):
            yield Sentence("Side {side}: {told}", side=side, told=fault)
        if course.off(men) and not course.bears:
            yield Sentence("Side {side} has men off, but nobody bears off in this game.", side=side)


def _meetings(position: TablesState) -> Iterator[Sentence]:
    ours, theirs = (course.unpack(men) for course, men in zip(position.rules.courses, position.men, strict=True))
    for point in ours:
        if point in theirs:
            yield Sentence("Men of both sides stand on {point}.", point=point)


def _standing(position: TablesState) -> Iterator[Sentence]:
    rules = position.rules
    begun = rules.start()
    for side in (1, 2):
        course, men = rules.courses[side - 1], position.men[side - 1]
        start = course.unpack(begun[side - 1])
        for point, count in course.unpack(men).items():
            bit = bit_at(course.places[point])
            if bit & course.paired and count > course.movement.most:
                yield Sentence("Side {side} has {count} men on {point}, which takes two.", **_parts(side, count, point))
            if bit & course.single and count > max(1, start.get(point, 0)):
                yield Sentence(
                    "Side {side} has {count} men on {point}, where no second man may join.",
                    **_parts(side, count, point),
                )


def _parts(side: int, count: int, point: str) -> dict[str, object]:
    return {"side": side, "count": count, "point": point}


def _dice(position: TablesState) -> Iterator[Sentence]:
    dice, rules, aside = position.dice, position.rules, position.aside
    unknown = tuple(die for die in dice if die not in DICE)
    if unknown:
        yield Sentence("The dice {dice} show no number from 1 to 6.", dice=listed(unknown))
        return
    if not dice:
        if aside.turning or aside.resume or aside.again:
            yield Sentence("A throw is given, but it has no dice.")
        return
    if aside.turning:
        if not rules.turns_one or HIGHEST_PIPS in dice or len(dice) != len(rules.thrown):
            yield Sentence("None of the dice {dice} may be turned to a six.", dice=listed(dice))
        return
    if not any(_left_of(dice, lying) for lying in _lyings(rules)):
        yield Sentence("No throw of this game leaves the dice {dice}.", dice=listed(dice))
    if position.over:
        yield Sentence("The game is over, but the dice {dice} are still to be played.", dice=listed(dice))
    elif not position.duty.movable(position.own, dice):
        yield Sentence("None of the dice {dice} can be played, so the turn has passed.", dice=listed(dice))


def _lyings(rules: TablesRules) -> set[Dice]:
    """Return the dice that a throw may leave to play, after a die is turned in games that turn one."""
    thrown = set(rules.numbers.values())
    if rules.turns_one:
        thrown = {numbers for numbers in thrown if HIGHEST_PIPS in numbers}
    return {rules.lying(numbers) for numbers in thrown}


def _left_of(dice: Dice, lying: Dice) -> bool:
    return all(dice.count(die) <= lying.count(die) for die in dice)


def _turn(position: TablesState) -> Iterator[Sentence]:
    rules, aside, men = position.rules, position.aside, position.men
    if rules.goal != "places" and not aside.won and all(rules.reached(men, side) for side in (1, 2)):
        yield Sentence("Both sides have reached the goal.")
    if aside.tied and not rules.stuck(men):
        yield Sentence("The game is called a tie, but some throw can move a man.")
    if aside.won:
        yield from _slaps(position)
    elif aside.slaps:
        yield Sentence("Slaps are counted, but nobody has won.")
    if aside.battle is not None and men != rules.start():
        yield Sentence("The players are throwing for the start, but men have already moved.")
    agreed = {
        Sentence("The players are throwing for the start, but that was not agreed."): (
            aside.battle is not None,
            rules.options["battle"],
        ),
        Sentence("Somebody has lost ad fallum, but that was not agreed."): (aside.lost, rules.ad_fallum),
        Sentence("Dice are left for the other side, but that was not agreed."): (aside.resume, rules.to_opponent),
        Sentence("The player throws again, but that was not agreed."): (aside.again, rules.extra_turn),
        Sentence("The winners go on, but that was not agreed."): (aside.won, rules.slaps),
    }
    for sentence, (claimed, allowed) in agreed.items():
        if claimed and not allowed:
            yield sentence


def _slaps(position: TablesState) -> Iterator[Sentence]:
    """Say what is wrong while the winners bear off the losers' men."""
    rules, aside = position.rules, position.aside
    if not rules.reached(position.men, aside.won):
        yield Sentence("Side {side} is given as the winner, but it has men left.", side=aside.won)
    if rules.sides[position.turn] != aside.won:
        yield Sentence("Side {side} has won and goes on, but it is not its turn.", side=aside.won)
    if aside.slaps > position.course.off(position.own):
        yield Sentence("More slaps are counted than the losers have men borne off: {slaps}.", slaps=aside.slaps)
