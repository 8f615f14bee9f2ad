"""Whole turns: every position that the dice of a turn can lead to, with one way to each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.rules.game import Choice, Play, Position
from companion.rules.tables.duty import Dice, without
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
    if position.aside.won:
        _follow_slowly(position, (), found)
        return
    rules, side, duty, aside = position.rules, position.side, position.duty, position.aside
    steps = position.course.steps
    frontier: dict[tuple[Men, Dice], Way] = {(position.men, position.dice): ()}
    while frontier:
        further: dict[tuple[Men, Dice], Way] = {}
        for (men, dice), way in frontier.items():
            for bit, die in duty.legal(men[side - 1], dice):
                after = rules.step(men, side, bit, die)
                longer = (*way, steps[bit, die])
                if rules.reached(after, side):
                    found.setdefault(position.finished(after, aside), longer)
                    continue
                rest = without(dice, die)
                if rest and duty.movable(after[side - 1], rest):
                    further.setdefault((after, rest), longer)
                else:
                    found.setdefault(position.ended(after, rest, aside, played=True), longer)
        frontier = further


def _follow_slowly(position: "TablesPosition", way: Way, found: dict[Position, Way]) -> None:
    """Follow each way by itself where a position keeps more than its men and dice: the slaps after a win."""
    for choice in position.legal():
        reached = position.after(choice)
        longer = (*way, choice)
        if reached.dice:
            _follow_slowly(reached, longer, found)
        else:
            found.setdefault(reached, longer)
