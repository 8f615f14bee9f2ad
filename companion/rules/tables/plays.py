"""Whole turns: every position that the dice of a turn can lead to, with one way to each."""

from collections.abc import Mapping

from companion.rules.game import Choice
from companion.rules.tables.courses.course import LARGEST_COUNT, Course
from companion.rules.tables.courses.duty import Dice, distinct, without
from companion.rules.tables.legal import each
from companion.rules.tables.state import TablesState
from companion.rules.tables.turns import State, chosen, ended, finished

Way = tuple[Choice, ...]


def ways(position: State) -> Mapping[State, Way]:
    """Return each position that the turn can lead to, with one way to it; none while a throw is awaited.

    The search follows ways to the same men with the same dice left only once. A turn ends where the position awaits
    the next throw, or the dice go to the other side.
    """
    found: dict[State, Way] = {}
    if position.aside.turning:
        for choice in each(position):
            laid = chosen(position, choice)
            if laid.turn == position.turn and laid.dice:
                for reached, way in ways(laid).items():
                    found.setdefault(reached, (choice, *way))
            else:
                found.setdefault(laid, (choice,))
    elif position.aside.won or position.may_leave:
        _follow_slowly(position, (), found)
    elif position.dice and not position.over:
        _follow(position, found)
    return found


def _follow(position: State, found: dict[State, Way]) -> None:
    """Follow all ways at once, layer by layer: men (own, foe) with the dice left, each with one way to get there.

    If `_commutes` holds, the search follows only ways in which no step starts behind the origin of the step before. Of
    several ways to the same men, it keeps the one whose last origin is hindmost, with that origin.
    """
    rules, side, duty, aside = position.rules, position.side, position.duty, position.aside
    course, taken = position.course, rules.courses[2 - side].taken
    keys, facing, moved = course.by_step, course.facing_of, course.moved
    forward = _commutes(position)
    layer: dict[tuple[int, int, Dice], tuple[int, Way]] = {(position.own, position.foe, position.dice): (0, ())}
    left: dict[Dice, dict[int, Dice]] = {}
    while layer:
        further: dict[tuple[int, int, Dice], tuple[int, Way]] = {}
        for (own, foe, dice), (origin, way) in layer.items():
            men = (own, foe) if side == 1 else (foe, own)
            if rules.reached(men, side):
                found.setdefault(finished(position, men, aside), way)
                continue
            if not dice or not duty.movable(own, dice):
                found.setdefault(ended(position, men, dice, aside, played=True), way)
                continue
            rest = left.get(dice)
            if rest is None:
                rest = left[dice] = {die: without(dice, die) for die in distinct(dice)}
            for step in duty.legal(own, dice, origin):
                key = keys[step]
                met = facing[key]
                hit = foe + taken[met] if met and foe & met * LARGEST_COUNT == met else foe
                after = (moved(own, *key), hit, rest[key[1]])
                known = further.get(after)
                if known is None or key[0] < known[0]:
                    further[after] = (key[0] if forward else 0, (*way, step))
        layer = further


def _commutes(position: TablesState) -> bool:
    """Whether the steps of every whole turn can also be made in the order of their origins, the hindmost first.

    The steps of one man are in that order anyway. The steps of different men do not hinder each other: only enemies
    close points, and the men behind are those that must enter or come home first. This does not hold where own men
    close points, where a variant has its own way of moving, or where a step may win the game before another is made.
    """
    course = position.course
    if type(course) is not Course or course.single or course.paired or position.rules.goal == "places":
        return False
    return course.bears or course.count(position.own, course.outside // LARGEST_COUNT) > len(position.dice)


def _follow_slowly(position: State, way: Way, found: dict[State, Way]) -> None:
    """Follow each way by itself where men and dice do not suffice: slaps after a win, dice that may be left."""
    for choice in each(position):
        reached = chosen(position, choice)
        longer = (*way, choice)
        if reached.dice:
            _follow_slowly(reached, longer, found)
        else:
            found.setdefault(reached, longer)
