"""Everything that can be wrong with a position that somebody set up by hand, all of it at once."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules.sentence import Sentence, player
from companion.rules.tables.telling import listed

if TYPE_CHECKING:
    from companion.rules.tables.position import TablesPosition


def faults(position: "TablesPosition") -> tuple[Sentence, ...]:
    """Return one sentence for each fault; none for every position that play can reach."""
    return (*_men(position), *_meetings(position), *_standing(position), *_dice(position), *_turn(position))


def _men(position: "TablesPosition") -> Iterator[Sentence]:
    rules = position.rules
    for side in (1, 2):
        course, men = rules.courses[side - 1], position.men[side - 1]
        total = sum(course.unpack(men).values()) + course.in_hand(men) + course.off(men)
        if total != rules.men:
            yield Sentence("Side {side} has {total} men, not {men}.", side=side, total=total, men=rules.men)
        for told in course.further_faults(men):
            yield Sentence("Side {side}: {told}", side=side, told=told)
        if course.off(men) and (rules.goal != "bear" or not course.habits.bears):
            yield Sentence("Side {side} has men off, but nobody bears off in this game.", side=side)


def _meetings(position: "TablesPosition") -> Iterator[Sentence]:
    ours, theirs = (course.unpack(men) for course, men in zip(position.rules.courses, position.men, strict=True))
    for point in ours:
        if point in theirs:
            yield Sentence("Men of both sides stand on {point}.", point=point)


def _standing(position: "TablesPosition") -> Iterator[Sentence]:
    rules = position.rules
    begun = rules.start()
    for side in (1, 2):
        course, men = rules.courses[side - 1], position.men[side - 1]
        start = course.unpack(begun[side - 1])
        for point, count in course.unpack(men).items():
            bit = 1 << 4 * course.places[point]
            if bit & course.paired and count > course.habits.most:
                yield Sentence("Side {side} has {count} men on {point}, which takes two.", **_parts(side, count, point))
            if bit & course.single and count > max(1, start.get(point, 0)):
                yield Sentence(
                    "Side {side} has {count} men on {point}, where no second man may join.",
                    **_parts(side, count, point),
                )


def _parts(side: int, count: int, point: str) -> dict[str, object]:
    return {"side": side, "count": count, "point": point}


def _dice(position: "TablesPosition") -> Iterator[Sentence]:
    dice, rules, aside = position.dice, position.rules, position.aside
    unknown = tuple(die for die in dice if not 1 <= die <= 6)  # noqa: PLR2004 - the faces of a die
    if unknown:
        yield Sentence("The dice {dice} show no number from 1 to 6.", dice=listed(unknown))
        return
    if not dice:
        if aside.turning or aside.resume or aside.again:
            yield Sentence("Dice are said to lie there, but there are none.")
        return
    if not any(_left_of(dice, rules.lying(numbers)) for numbers in rules.numbers.values() if not aside.turning):
        if not aside.turning:
            yield Sentence("No throw of this game leaves the dice {dice}.", dice=listed(dice))
        elif not rules.turns_one or 6 in dice or len(dice) != len(rules.thrown):  # noqa: PLR2004 - a six
            yield Sentence("No die of {dice} is to be turned.", dice=listed(dice))
    if aside.turning or position.over:
        return
    if not position.duty.movable(position.own, dice):
        yield Sentence("None of the dice {dice} can be played, so the turn has passed.", dice=listed(dice))


def _left_of(dice: tuple[int, ...], lying: tuple[int, ...]) -> bool:
    return all(dice.count(die) <= lying.count(die) for die in dice)


def _turn(position: "TablesPosition") -> Iterator[Sentence]:
    rules, aside = position.rules, position.aside
    if position.over and position.dice:
        yield Sentence("The game is over, but the dice {dice} are still to be played.", dice=listed(position.dice))
    if all(rules.reached(position.men, side) for side in (1, 2)) and rules.goal != "places" and not aside.won:
        yield Sentence("Both sides have reached the goal.")
    if aside.battle is not None and not rules.options["battle"]:
        yield Sentence("The start is thrown for, but that was not agreed.")
    if aside.lost and not rules.ad_fallum:
        yield Sentence("{player} has lost ad fallum, but that was not agreed.", player=player(position.turn))
    if aside.tied and not rules.stuck(position.men):
        yield Sentence("The game is called a tie, but some throw can move a man.")
