"""Whole turns: every position that the dice of a turn can lead to, with one way to each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.rules.game import Choice, Play, Position
from companion.rules.tables.course import FULL
from companion.rules.tables.duty import Dice, distinct, without
from companion.rules.tables.rulings import Men

if TYPE_CHECKING:
    from companion.rules.tables.position import TablesPosition

Way = tuple[Choice, ...]


def plays(position: "TablesPosition") -> Sequence[Play]:
    """Return one play for each position that the turn can lead to, none while a throw is awaited.

    Ways that have come to the same men with the same dice left are followed once. A turn ends where the next throw is
    awaited or the dice go to the other side.
    """
    found: dict[Position, Way] = {}
    if position.aside.turning:
        for choice in position.legal():
            laid = position.after(choice)
            assert isinstance(laid, type(position)), "a position leads to its own kind"
            if laid.turn == position.turn and laid.dice:
                for play in plays(laid):
                    found.setdefault(play.position, (choice, *play.choices))
            else:
                found.setdefault(laid, (choice,))
    elif position.dice and not position.over:
        _follow(position, found)
    return tuple(Play(way, reached) for reached, way in found.items())


def _follow(position: "TablesPosition", found: dict[Position, Way]) -> None:
    """Follow all ways at once, layer by layer: men (own, foe) with the dice left, each with one way to get there."""
    if position.aside.won:
        _follow_slowly(position, (), found)
        return
    rules, side, duty, aside = position.rules, position.side, position.duty, position.aside
    course, taken = position.course, rules.courses[2 - side].taken
    steps, facing, moved = course.steps, course.facing_of, course.moved
    layer: dict[Dice, dict[Men, Way]] = {position.dice: {(position.own, position.foe): ()}}
    while layer:
        further: dict[Dice, dict[Men, Way]] = {}
        for dice, nodes in layer.items():
            reached = {die: further.setdefault(without(dice, die), {}) for die in distinct(dice)}
            for (own, foe), way in nodes.items():
                men = (own, foe) if side == 1 else (foe, own)
                if rules.reached(men, side):
                    found.setdefault(position.finished(men, aside), way)
                    continue
                last = True
                for key in duty.legal(own, dice):
                    last = False
                    met = facing[key]
                    hit = foe + taken[met] if met and foe & met * FULL == met else foe
                    after = (moved(own, *key), hit)
                    if after not in reached[key[1]]:
                        reached[key[1]][after] = (*way, steps[key])
                if last:
                    found.setdefault(position.ended(men, dice, aside, played=True), way)
        layer = further


def _follow_slowly(position: "TablesPosition", way: Way, found: dict[Position, Way]) -> None:
    """Follow each way by itself where a position keeps more than its men and dice: the slaps after a win."""
    for choice in position.legal():
        reached = position.after(choice)
        longer = (*way, choice)
        if reached.dice:
            _follow_slowly(reached, longer, found)
        else:
            found.setdefault(reached, longer)
