"""From a position of the rules to the boards of many games, and back from their steps to choices."""

from functools import lru_cache

import numpy as np

from companion.odds.tables.layout import TrackLayout, laid_out
from companion.odds.tables.men import BIT_SLICES, TAKEN_BIT, WIDTH, sliced
from companion.odds.tables.pools import HIGHEST_PIPS, Dice
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, judge_of
from companion.players.tables.search import TablesSearch
from companion.rules.options import OptionValue
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step
from companion.rules.tables.courses.course import OFF_PLACE
from companion.rules.tables.courses.duty import without
from companion.rules.tables.rulings import TablesRules

PAIRS_PLACE = TAKEN_PLACE = OFF_PLACE + 2
"""The first place of the rules for the further counts of the special courses."""

UNCHANGED_STEP_OPTIONS: dict[str, OptionValue] = {
    "battle": False,
    "lympolded": "announce",
    "lurched": "announce",
    "barata": "announce",
    "shut_out": "announce",
    "emperador_tie": "announce",
    "patterns": "none",
    "slaps": False,
    "gammon": False,
}
"""Options that change the start or the end of a game, but no step; the boards of many games go without them."""


class PositionRules:
    """The rules of a position, laid out for a search."""

    def __init__(self, rules: TablesRules) -> None:
        """Lay out the rules. Raises `NotVectorisedError` if a rule is not known to boards of many games."""
        self.rules = rules
        self.layout: TrackLayout = laid_out(rules.game.slug, rules.players, _layout_options(rules))
        self.search = TablesSearch(self.layout, Evaluation(self.layout, judge_of(rules.game.slug)))
        self._pools: dict[tuple[Dice, bool], int] = {}
        turned = self.layout.pools.turned[0] > 0
        for number, dice in enumerate(self.layout.pools.dice):
            self._pools[tuple(dice), bool(turned[number])] = number

    def board(self, position: TablesPosition) -> Boards:
        """Return the board of a position as one column, with its dice, or none where a throw is due."""
        side = position.side - 1
        men = [self._slices(position, number) for number in (side, 1 - side)]
        hit = [self.rules.courses[number].hit(position.men[number]) for number in (side, 1 - side)]
        pool = self._pools[position.dice, position.aside.turning] if position.dice else 0
        nothing = np.zeros(1, np.uint32)
        return self.search.turning.from_across(
            Boards(
                np.concatenate(men),
                np.array(hit, np.int8)[:, None],
                nothing,
                nothing,
                np.array([pool], np.int16),
                np.array([side], np.int8),
            )
        )

    def _slices(self, position: TablesPosition, side: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
        course, men = self.rules.courses[side], position.men[side]
        counted = np.zeros((1, WIDTH), np.int8)
        counted[0, : course.length + 1] = [course.at(men, place) for place in range(course.length + 1)]
        if self.layout.corners:
            counted[0, 0] = 0
            counted[0, TAKEN_BIT:] = [course.at(men, TAKEN_PLACE + table) for table in range(WIDTH - TAKEN_BIT)]
        if self.layout.pairs:
            counted[0, course.length + 1 : 2 * course.length + 1] = [
                1 - course.at(men, PAIRS_PLACE + index) for index in range(course.length)
            ]
        slices = sliced(counted)
        assert slices.shape == (BIT_SLICES, 1), "one column"
        return slices

    def step(self, side: int, place: int, die: int) -> Step:
        """Return the choice that goes from a place of a side's track (1 or 2) with a die."""
        course = self.rules.courses[side - 1]
        if self.layout.corners and place >= TAKEN_BIT:
            at = TAKEN_PLACE + place - TAKEN_BIT
        elif self.layout.pairs and place > course.length:
            at = PAIRS_PLACE + place - course.length - 1
        else:
            at = place
        return course.steps[1 << 4 * at][die]

    def turned_for(self, dice: Dice, pool: int) -> int:
        """Return the die that is turned to a six so that these dice become this pool."""
        return next(
            die for die in sorted(set(dice)) if self.layout.pools.dice[pool] == self.rules.lying(_turned(dice, die))
        )


def _turned(dice: Dice, die: int) -> Dice:
    return tuple(sorted((*without(dice, die), HIGHEST_PIPS)))


def _layout_options(rules: TablesRules) -> dict[str, OptionValue]:
    """Return the options of the rules as far as they decide steps."""
    kept: dict[str, OptionValue] = {
        name: UNCHANGED_STEP_OPTIONS.get(name, value) for name, value in rules.options.items()
    }
    if kept.get("unused") == "offered":
        kept["unused"] = "opponent"
    return kept


@lru_cache(maxsize=16)
def ground(rules: TablesRules) -> PositionRules:
    """Return the ground of these rules; always the same object, because its tables take a while to make."""
    return PositionRules(rules)
