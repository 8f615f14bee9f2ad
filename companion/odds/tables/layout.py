"""A tables variant in bits: what the vector simulation needs to know of its board, men and options."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from companion.odds.tables.men import CORNERS, HAND, WIDTH, Counts
from companion.odds.tables.pools import MOST_PIP_KINDS, Pools, pools
from companion.rules.errors import GameError
from companion.rules.options import OptionValue
from companion.rules.registry import game
from companion.rules.tables.courses.course import MovementRules
from companion.rules.tables.courses.duty import without
from companion.rules.tables.position import TablesPosition
from companion.rules.tables.rulings import HIGHEST_PIPS, TablesRules

MOVEMENT = {"counts_hits", "forced", "pairing", "start_shut", "entry_only", "still_home", "most", "goal"}
OPTIONS = {
    *("dice", "goal", "enter_first", "all_enter_first", "doubles_twice", "extra_turn", "unused", "ad_fallum", "battle"),
    *("lympolded", "lurched", "barata", "shut_out", "emperador_tie", "patterns", "slaps", "gammon"),
    *("table", "men", "reversed", "turned_by_battle", "divided", "laquet_man", "second_side"),
}
RULES = {"", "corners", "doblet"}
"""What this simulation knows: movement, options and special rules. The rules core plays games with others."""


class NotVectorisedError(GameError):
    """The vector simulation does not know a rule of this game; the rules core plays it one game after another."""


@dataclass(frozen=True)
class TrackLayout:
    """One variant with its options; bits are places on a side's own track: 0 the hand, 1 the first point.

    A field of one word is the same for both sides, each along its own track.
    """

    tracks: tuple[tuple[str, ...], tuple[str, ...]]
    """The points of each side's track in order."""
    start: Counts
    """Men of each side at the start, (2, `WIDTH`)."""
    pools: Pools
    home: np.uint32
    """The last table of the track."""
    goal: str
    """What ends the game: "bear", all men of a side borne off; "home", all in the last table; "places", all points
    held."""
    single: np.uint32
    """Points on which a side never puts a second man."""
    stays: np.uint32
    """Points from which a man does not move on, except by bearing."""
    never_entered: np.uint32
    """Points on which no man enters from the hand."""
    most_two: bool
    """Whether a point takes at most two men of a side."""
    enter_first: bool
    """Whether a hit man must enter before any other man moves."""
    all_enter_first: bool
    """Whether no man moves while any man is in hand."""
    ad_fallum: bool
    """Whether a side that cannot use a die of its throw loses."""
    lends: bool
    """Whether the opponent plays the dice that a player cannot use."""
    slaps: bool
    """Whether the winners go on and bear off the losers' men."""
    corners: bool
    """Whether a hit man enters in the table opposite the one where it was hit (`corners`)."""
    pairs: np.uint32
    """Doblet: the bits past the track for the pairs not yet taken down, in the order of the points."""
    players: int

    @property
    def hand(self) -> np.uint32:
        """All bits of men in hand."""
        return CORNERS if self.corners else HAND

    @property
    def length(self) -> int:
        """Points on the track of either side."""
        return len(self.tracks[0])

    @property
    def track(self) -> np.uint32:
        """All points of the track."""
        return np.uint32((1 << self.length + 1) - 2)


def laid_out(slug: str, players: int, options: Mapping[str, OptionValue]) -> TrackLayout:
    """Return the layout of a variant, read from the rules core.

    Raises:
        UnknownGameError, OptionError: there is no such game, or it does not take these players or options.
        NotVectorisedError: this simulation does not know something in the game.
    """
    start = game(slug).start(players, **options)
    if not isinstance(start, TablesPosition):
        raise NotVectorisedError(f"Many games at once are played of tables games with dice, which {slug} is not.")
    rules = start.rules
    unknown = _unknown(start)
    if unknown:
        raise NotVectorisedError(f"{slug} cannot be played many games at once: {unknown}. The rules can still play it.")
    course = rules.courses[0]
    return TrackLayout(
        tracks=(tuple(rules.courses[0].track), tuple(rules.courses[1].track)),
        start=_array(start, pairs=rules.variant.rule == "doblet"),
        pools=_pools(rules),
        goal=rules.goal,
        home=_bits(course.home),
        single=_bits(course.single),
        stays=_bits(course.on_track & ~course.movable),
        never_entered=_bits(course.entry_shut),
        most_two=bool(course.paired),
        enter_first=course.movement.forced == "hit",
        all_enter_first=course.movement.forced == "hand",
        ad_fallum=rules.ad_fallum,
        lends=rules.to_opponent,
        slaps=rules.slaps,
        corners=rules.variant.rule == "corners",
        pairs=np.uint32(((1 << course.length) - 1) << course.length + 1 if rules.variant.rule == "doblet" else 0),
        players=players,
    )


def _unknown(start: TablesPosition) -> str:
    """Name what this simulation does not know of a game, or return nothing."""
    rules = start.rules
    ours, theirs = (
        (way.length, way.home, way.single, way.movable, way.entry_shut, way.paired, way.movement.forced)
        for way in rules.courses
    )
    reasons = {
        "it has a rule of its own": rules.variant.rule not in RULES,
        f"more than {MOST_PIP_KINDS} dice are thrown": len(rules.thrown) > MOST_PIP_KINDS,
        "the start is rolled for": start.aside.battle is not None,
        "dice may be left": rules.may_leave,
        "special configurations end it": bool(rules.ending_configurations),
        "its sides do not play alike": ours != theirs,
        f"the option {min(set(rules.options) - OPTIONS, default='')} is new": bool(set(rules.options) - OPTIONS),
        "its men have a new rule": any(_moves_by(way.movement) - MOVEMENT for way in rules.courses),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _moves_by(movement: MovementRules) -> set[str]:
    """Return the rules of movement that a game has otherwise than most games."""
    return {rule.name for rule in fields(movement) if getattr(movement, rule.name) != rule.default}


def _bits(mask: int) -> np.uint32:
    """Convert a mask of the rules core, four bits a place, to one bit a place."""
    return np.uint32(sum(1 << place for place in range(WIDTH) if mask >> 4 * place & 1))


def _array(start: TablesPosition, *, pairs: bool) -> Counts:
    """Return the men of both sides at the start; a pair not yet taken down also has a bit past the track."""
    counts = np.zeros((2, WIDTH), np.int8)
    for side, (course, men) in enumerate(zip(start.rules.courses, start.men, strict=True)):
        places = range(course.length + 1)
        counts[side, : len(places)] = [course.at(men, place) for place in places]
        if pairs:
            counts[side, len(places) : len(places) + course.length] = 1
    return counts


def _pools(rules: TablesRules) -> Pools:
    numbers = set(rules.numbers.values())
    turns = {dice for dice in numbers if rules.turns_one and HIGHEST_PIPS not in dice}
    laid = {tuple(sorted((*without(dice, die), HIGHEST_PIPS))) for dice in turns for die in dice} | (numbers - turns)
    return pools(
        len(rules.thrown),
        {dice: rules.lying(dice) for dice in laid},
        turns,
        [dice for dice in laid if rules.again(dice)],
    )
