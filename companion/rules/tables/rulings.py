"""A variant with settled options: both sides' courses, the dice to play after a throw, who plays, who has won."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from companion.language.sentence import Listing, Sentence, player
from companion.rules.dice import Throw, all_throws
from companion.rules.game import Game
from companion.rules.options import OptionValue
from companion.rules.tables.courses.corners import CornersCourse
from companion.rules.tables.courses.course import LARGEST_COUNT, Course, MovementRules
from companion.rules.tables.courses.doblet import DobletCourse
from companion.rules.tables.courses.duty import Dice
from companion.rules.tables.points import POINTS, table_points
from companion.rules.tables.variants import Variant, spelled, variants

DICE_SET = "pips"
HIGHEST_PIPS = 6
Settings = tuple[tuple[str, OptionValue], ...]
Men = tuple[int, int]
"""The men of side 1 and of side 2, each packed as `Course` defines."""

KINDS: Mapping[str, type[Course]] = {"": Course, "corners": CornersCourse, "doblet": DobletCourse}
"""The class of course for each rule of play that only one variant has."""


class TablesRules:
    """Everything that a position looks up and that does not change during a game; ``game`` has these rules."""

    def __init__(self, game: Game, variant: Variant, settings: Settings, players: int) -> None:
        self.game = game
        self.variant = variant
        self.settings = settings
        self.players = players
        self.key = (variant.slug, settings, players)
        self.options: Mapping[str, OptionValue] = dict(settings)
        self.goal = variant.goal or str(self.options["goal"])
        self.men = int(self.options.get("men", variant.men))
        self.courses = self._courses()
        self.mode = str(self.options["dice"])
        self.thrown = ("1", "2", "3") if self.mode.startswith("3") else ("1", "2")
        self.turns_one = self.mode == "3-turn"
        self.doubles_twice = bool(self.options.get("doubles_twice"))
        self.extra_turn = bool(self.options.get("extra_turn"))
        self.to_opponent = self.options.get("unused") in ("opponent", "offered")
        self.may_leave = self.options.get("unused") == "offered"
        self.ad_fallum = bool(self.options.get("ad_fallum"))
        self.ending_configurations = any(
            str(self.options.get(name, "")).startswith(("ends", "wins"))
            for name in ("lympolded", "lurched", "barata", "shut_out", "emperador_tie", "patterns")
        )
        self.slaps = bool(self.options.get("slaps"))
        self.counts_gammons = bool(self.options.get("gammon"))
        self.throws = all_throws(DICE_SET, self.thrown)
        self.numbers = numbers_of(self.thrown)
        self.sides = tuple(0 if number == 0 else 1 if number <= players // 2 else 2 for number in range(players + 1))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what makes these rules: positions from another process share the rules of this one."""
        return rules, (self.game, self.variant.slug, self.settings, self.players)

    @property
    def ways(self) -> tuple[str, str]:
        """The tracks of both sides, as the data file writes them."""
        first, second = self.variant.entry["tracks"]
        return first, self._second_side.get("track", second)

    @property
    def _second_side(self) -> Mapping[str, Any]:
        return dict(self.variant.second_sides.get(str(self.options.get("second_side")), {}))

    def _courses(self) -> tuple[Course, Course]:
        variant = self.variant
        movement = dict(variant.movement)
        if self.options.get("all_enter_first"):
            movement["forced"] = "hand"
        elif self.options.get("enter_first") is False:
            movement["forced"] = "none"
        movement["goal"] = self.goal
        kind = KINDS[variant.rule]
        shuts = movement.pop("start_shut", ("", ""))
        ours, theirs = (
            kind(self._track(track), self.men, MovementRules(variant.enters, start_shut=shut, **movement))
            for track, shut in zip(map(spelled, self.ways), shuts, strict=True)
        )
        ours.meet(theirs)
        theirs.meet(ours)
        return ours, theirs

    def _track(self, track: str) -> str:
        if "table" in self.options:
            return table_points(str(self.options["table"]))
        if bool(self.options.get("reversed")):
            return "".join(turned_round(point) for point in track)
        return track

    def start(self) -> Men:
        """Return the men at the start."""
        variant = self.variant
        setup = variant.start
        for option, by_value in variant.setups.items():
            ours, theirs = by_value[str(self.options[option])]
            setup = (ours, theirs)
        if self._second_side:
            setup = (setup[0], self._second_side["start"])
        if bool(self.options.get("reversed")):
            ours, theirs = ({turned_round(point): count for point, count in side.items()} for side in setup)
            setup = (ours, theirs)
        if "men" in self.options and variant.start != ({}, {}):
            ours, theirs = (_first_men(side, self.men) for side in setup)
            setup = (ours, theirs)
        first, second = (
            course.pack(side, self.men - sum(side.values()), 0)
            for course, side in zip(self.courses, setup, strict=True)
        )
        return first, second

    def begun_by(self, side: int) -> "TablesRules":
        """Return the rules after a side won the throw for the start; a win of side 2 may turn the array round."""
        if side == 1 or not self.options.get("turned_by_battle") or bool(self.options["reversed"]):
            return self
        turned = tuple((name, True if name == "reversed" else value) for name, value in self.settings)
        return rules(self.game, self.variant.slug, turned, self.players)

    def lying(self, numbers: Dice) -> Dice:
        """Return the dice to play after a throw of these numbers, or after one of them was turned to a six."""
        extra: Dice = ()
        if self.mode == "2+6":
            extra = (HIGHEST_PIPS,)
        elif self.mode == "majoret":
            extra = (max(numbers),)
        elif self.mode == "minoret":
            extra = (min(numbers),)
        if self.doubles_twice:
            extra += tuple(number for number in numbers if numbers.count(number) > 1)
        return tuple(sorted(numbers + extra))

    def again(self, numbers: Dice) -> bool:
        """Whether a throw of these numbers gives another turn."""
        return self.extra_turn and len(set(numbers)) < len(numbers)

    def next_player(self, number: int) -> int:
        """Return who plays after a player: all of side 1 in turn, then all of side 2."""
        return number % self.players + 1

    def opponent(self, number: int) -> int:
        """Return the player of the other side who plays next."""
        return self.players // 2 + 1 if self.sides[number] == 1 else 1

    def team(self, side: int) -> tuple[int, ...]:
        """Return the players of a side."""
        half = self.players // 2
        return tuple(range(1, half + 1)) if side == 1 else tuple(range(half + 1, self.players + 1))

    def next_of_side(self, number: int) -> int:
        """Return the next player of a player's own side."""
        team = self.team(self.sides[number])
        return team[(team.index(number) + 1) % len(team)]

    def named(self, side: int) -> Sentence:
        """Return the name of a side in a sentence: the player, or the team by its players."""
        team = self.team(side)
        return (
            player(team[0]) if len(team) == 1 else Sentence("The side of {players}", players=Listing(map(player, team)))
        )

    def step(self, men: Men, side: int, bit: int, die: int) -> Men:
        """Return the men after a possible step of a side; the step hits a lone enemy where it ends."""
        course = self.courses[side - 1]
        own = course.moved(men[side - 1], bit, die)
        foe = men[2 - side]
        facing = course.facing_of[bit, die]
        if facing and foe & facing * LARGEST_COUNT == facing:
            foe += self.courses[2 - side].taken[facing]
        return (own, foe) if side == 1 else (foe, own)

    def reached(self, men: Men, side: int) -> bool:
        """Whether a side has reached the goal; where points are counted, whether all of them are taken."""
        if self.goal != "places":
            return self.courses[side - 1].done(men[side - 1])
        return all(men[0] >> shift & 15 == 2 or men[1] >> shift & 15 == 2 for shift in range(4, 4 * 7, 4))  # noqa: PLR2004

    def stuck(self, men: Men) -> bool:
        """Whether no throw could move either side."""
        return all(
            not course.origins(own, course.shut(foe), die)
            for course, own, foe in zip(self.courses, men, reversed(men), strict=True)
            for die in range(1, HIGHEST_PIPS + 1)
        )


def turned_round(point: str) -> str:
    """Return the point that replaces a point when the array is turned round: z for a, y for b."""
    return POINTS[len(POINTS) - 1 - POINTS.index(point)]


def _first_men(side: Mapping[str, int], men: int) -> dict[str, int]:
    """Return a setup with fewer men; fills its points in their order until no men are left."""
    found = {}
    for point, count in side.items():
        found[point] = min(count, men)
        men -= found[point]
    return {point: count for point, count in found.items() if count}


@cache
def numbers_of(thrown: tuple[str, ...]) -> Mapping[Throw, Dice]:
    """Return the numbers of each throw of these dice, the lowest first: every variant with these dice shares them."""
    return {throw: tuple(sorted(face.value for _, face in throw)) for throw in all_throws(DICE_SET, thrown)}


@lru_cache(maxsize=256)
def rules(game: Game, name: str, settings: Settings, players: int) -> TablesRules:
    """Return the rules of a game, the variant of this name, with these options for this number of players."""
    return TablesRules(game, variants()[name], settings, players)
