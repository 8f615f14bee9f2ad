"""The rules of one game under one set of options: men's ways, numbers and distances of captures, fixed rulings.

Everything that turns need again and again is computed once for each board and cached.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, NamedTuple

from companion.data_file import data_of
from companion.rules.options import OptionValue
from companion.rules.rithmomachia.choices import (
    AMBUSH,
    ASSAULT,
    ENCOUNTER,
    POWER,
    PROGRESSION,
    SIEGE,
    Move,
    Return,
)
from companion.rules.rithmomachia.men import BLACK, PYRAMID, SHAPES, WHITE, Man, whole_pyramid
from companion.rules.rithmomachia.squares import DIAGONALS, LINES, Squares, squares

DIRECTIONS = {"lines": LINES, "diagonals": DIAGONALS, "all": (*LINES, *DIAGONALS)}
OFFSETS = {"between": -1, "steps": 0, "inclusive": 1}

TEACHING_ORDER = (ASSAULT, ENCOUNTER, AMBUSH, POWER, PROGRESSION, SIEGE)
"""The order in which the option ``captures`` adds kinds of capture (D&G 7: begin with the assault, add the others)."""

CAPTURES_COUNTED = {"all": None, "assault": 1, "two-kinds": 2, "three-kinds": 3, "four-kinds": 4, "five-kinds": 5}
"""How many kinds of capture count, by the value of the option ``captures``."""

Hop = tuple[bool, int]
"""Whether diagonal, and how many steps."""


class Way(NamedTuple):
    """One way of a man from his square: where it ends and what it crosses; a way that jumps crosses nothing."""

    end: int
    path: tuple[int, ...]
    jumps: bool

    @property
    def stops(self) -> tuple[int, ...]:
        """The squares on which another man stops this way."""
        return (*self.path, self.end)


class Aspect(NamedTuple):
    """A number with which a man takes; ``part`` is 0 for the whole man.

    ``reach``: the hops by which he reaches an enemy; ``assault``: the hops over which he may assault.
    """

    part: int
    number: int
    reach: frozenset[Hop]
    assault: frozenset[Hop]


def game_data() -> Sequence[Mapping[str, Any]]:
    """Return the entries of ``games.toml``."""
    entries: Sequence[Mapping[str, Any]] = data_of(__package__, "games.toml")["game"]
    return entries


def kind_of(slug: str) -> str:
    """Return the name under which ``options.toml`` lists a game's options: the last part of its slug."""
    return slug.rpartition("/")[2]


@dataclass(frozen=True, eq=False)
class RithmoRules:
    """The rules of one game under one set of options, compared by identity.

    `rule_set` returns the same object for equal arguments.
    """

    slug: str
    settings: tuple[tuple[str, OptionValue], ...]
    rulings: Mapping[str, OptionValue]
    data: Mapping[str, Any]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what makes these rules: positions from another process share the rules of this one."""
        return rule_set, (self.slug, self.settings)

    def __getitem__(self, name: str) -> OptionValue:
        """Return an option's value, or the source's ruling where this game has no such option."""
        return self.rulings[name]

    @cached_property
    def board(self) -> Squares:
        """The squares of the board."""
        return squares(int(self["ranks"]))

    @cached_property
    def captures(self) -> frozenset[str]:
        """The kinds of capture that count: all of this game's, or the first few that beginners play with."""
        known = [kind for kind in TEACHING_ORDER if kind in self.data["captures"]]
        most = CAPTURES_COUNTED[str(self["captures"])]
        return frozenset(known[:most])

    @cached_property
    def grades(self) -> tuple[str, ...]:
        """The names of the three harmonic victories, least first."""
        return tuple(self.data["grades"])

    @cached_property
    def has_kings(self) -> bool:
        """Whether pyramids are kings (Italian)."""
        return bool(self.data["pyramid"] == "king")

    @cached_property
    def can_deliver(self) -> bool:
        """Whether this is the game with innocent delivery, whether or not the players agree on it."""
        return "innocent_delivery" not in self.data["fixed"]

    @cached_property
    def offset(self) -> int:
        """The number to add to the steps between two men for their distance."""
        return OFFSETS[str(self["distances"])]

    @cached_property
    def by_mover(self) -> bool:
        """Whether every capture after a move must include the man that moved."""
        return self["capturing"] == "mover"

    @cached_property
    def least_factor(self) -> int:
        """The least factor of an assault."""
        return int(self["least_factor"])

    @cached_property
    def own_men_stop(self) -> bool:
        """Whether a besieged man's own side stops his ways."""
        return self["surrounding"] == "all-men"

    @cached_property
    def all_four(self) -> bool:
        """Whether two men also make an ambush by products and quotients."""
        return self["operations"] == "all-four"

    @cached_property
    def most_ambushers(self) -> int:
        """The greatest number of men in one ambush; no square is in line with more than eight men."""
        return 2 if self["ambushers"] == "two" else 8

    @cached_property
    def _kept(self) -> dict[Any, Any]:
        return {}

    def shapes(self, man: Man) -> tuple[str, ...]:
        """Return the shapes whose moves a man has."""
        if man.shape != PYRAMID:
            return (man.shape,)
        present = tuple(shape for shape in SHAPES if any(part.shape == shape for part in man.parts))
        return present[-1:] if self.has_kings else present

    def ways(self, man: Man) -> tuple[tuple[Way, ...], ...]:
        """Return a man's ways from every square, free or not."""
        if man.shape != PYRAMID:
            return self.tables.get(man.shape, self._nowhere)
        shapes = self.shapes(man)
        found: tuple[tuple[Way, ...], ...] | None = self._kept.get(shapes)
        if found is None:
            joined = zip(*(self.tables[shape] for shape in shapes), strict=True) if shapes else self._nowhere
            found = self._kept[shapes] = tuple(tuple(chain.from_iterable(ways)) for ways in joined)
        return found

    @cached_property
    def tables(self) -> Mapping[str, tuple[tuple[Way, ...], ...]]:
        """The ways of each shape from every square."""
        return way_tables(self.slug, self.board)

    @cached_property
    def _nowhere(self) -> tuple[tuple[Way, ...], ...]:
        return ((),) * self.board.count

    def crosses(self, square: int) -> tuple[int, ...]:
        """Return the squares from which some man's way crosses or ends on this one."""
        return crossings(self.slug, self.board)[square]

    def regular(self, start: int, end: int) -> bool:
        """Whether a move between two squares is regular: along a line, without turning aside."""
        return self.board.between(start, end) is not None

    def king_distance(self, man: Man) -> int:
        """Return how far a king moves, takes and is taken (Italian)."""
        rules = self.data["ways"]
        return max((int(rules[shape][0]["length"]) for shape in self.shapes(man)), default=0)

    def aspects(self, man: Man) -> tuple[Aspect, ...]:
        """Return every number with which a man takes, and how far."""
        key = ("aspects", man.shape, man.number, man.parts, man.began)
        found: tuple[Aspect, ...] | None = self._kept.get(key)
        if found is None:
            found = self._kept[key] = tuple(self._aspects(man))
        return found

    def _aspects(self, man: Man) -> list[Aspect]:
        if man.shape != PYRAMID:
            return [self._aspect(0, man.number, (man.shape,))]
        if len(man.parts) == 1:
            return [self._aspect(0, man.number, self.shapes(man), king=man)]
        found = []
        if self.data["pyramid"] != "complete" or man.parts == whole_pyramid(man.began):
            found.append(self._aspect(0, man.number, self.shapes(man), king=man))
        return [*found, *(self._aspect(part.number, part.number, (part.shape,), king=man) for part in man.parts)]

    def _aspect(self, part: int, number: int, shapes: tuple[str, ...], king: Man | None = None) -> Aspect:
        if king is not None and self.has_kings:
            hops = self._any_way(self.king_distance(king))
            return Aspect(part, number, hops, hops)
        rules = [rule for shape in shapes for rule in self.data["ways"].get(shape, ()) if not rule.get("jump")]
        reach = {(step in DIAGONALS, rule["length"]) for rule in rules for step in DIRECTIONS[rule["along"]]}
        if self["assault_at"] == "own":
            return Aspect(part, number, frozenset(reach), frozenset(reach))
        along = {diagonal for diagonal, _ in reach} if self.data["assault_along"] == "ways" else {False, True}
        assault = {(diagonal, steps) for diagonal in along for steps in range(1, self.board.ranks)}
        return Aspect(part, number, frozenset(reach), frozenset(assault))

    def taking(self, man: Man, target: Man) -> tuple[Aspect, ...]:
        """Return the numbers with which a man takes from this target, and how far; a king requires its own distance."""
        if not (self.has_kings and target.is_pyramid and self["king_taken_at"] == "king"):
            return self.aspects(man)
        key = ("from king", man.shape, man.number, man.parts, self.king_distance(target))
        found: tuple[Aspect, ...] | None = self._kept.get(key)
        if found is None:
            asked = self._any_way(self.king_distance(target))
            found = self._kept[key] = tuple(
                aspect._replace(
                    reach=aspect.reach & asked if man.is_pyramid else asked,
                    assault=aspect.assault & asked if man.is_pyramid else asked,
                )
                for aspect in self.aspects(man)
            )
        return found

    def entering(self, player: int) -> tuple[int, ...]:
        """Return the squares on which a player may bring men back, free or not."""
        return self._entered[player]

    @cached_property
    def _entered(self) -> Mapping[int, tuple[int, ...]]:
        everywhere = frozenset(range(self.board.count))
        own_half = self["returns"] == "own-half"
        return {player: tuple(sorted(self.board.half(player) if own_half else everywhere)) for player in (WHITE, BLACK)}

    def move(self, start: int, end: int) -> Move:
        """Return the move between two squares, always the same object, because programs make millions of them."""
        found: Move | None = self._kept.get((start, end))
        if found is None:
            found = self._kept[start, end] = Move(self.board.names[start], self.board.names[end])
        return found

    def returning(self, shape: str, number: int) -> tuple[Return, ...]:
        """Return the choices that bring a man back to each square, always the same objects."""
        key = ("return", shape, number)
        found: tuple[Return, ...] | None = self._kept.get(key)
        if found is None:
            found = self._kept[key] = tuple(Return(shape, number, site) for site in self.board.names)
        return found

    @staticmethod
    def _any_way(steps: int) -> frozenset[Hop]:
        return frozenset({(False, steps), (True, steps)})


def numbers_of(man: Man) -> tuple[tuple[int, int], ...]:
    """Return what may be taken of a man by number: (0, the whole), and each part of a pyramid that has several."""
    if len(man.parts) < 2:  # noqa: PLR2004 -- the last part is the whole
        return ((0, man.number),)
    return ((0, man.number), *((part.number, part.number) for part in man.parts))


@cache
def way_tables(slug: str, board: Squares) -> Mapping[str, tuple[tuple[Way, ...], ...]]:
    """Return the ways of each shape from every square of a board."""
    rules = next(entry for entry in game_data() if entry["slug"] == slug)["ways"]
    return {
        shape: tuple(
            tuple(way for rule in rules[shape] for way in _ways_by(rule, board, square))
            for square in range(board.count)
        )
        for shape in SHAPES
    }


@cache
def crossings(slug: str, board: Squares) -> tuple[tuple[int, ...], ...]:
    """Return, for each square, the squares from which some man's way crosses or ends on it."""
    found: list[set[int]] = [set() for _ in range(board.count)]
    for table in way_tables(slug, board).values():
        for origin, ways in enumerate(table):
            for way in ways:
                for stop in way.stops:
                    found[stop].add(origin)
    return tuple(tuple(sorted(origins)) for origins in found)


def _ways_by(rule: Mapping[str, Any], board: Squares, square: int) -> Iterator[Way]:
    file, rank = board.places[square]
    length = rule["length"]
    for down, along in DIRECTIONS[rule["along"]]:
        if rule.get("jump"):
            for side in (1, -1):
                end = board.at(file + down * length + side * (down == 0), rank + along * length + side * (along == 0))
                if end is not None:
                    yield Way(end, (), jumps=True)
            continue
        crossed = [board.at(file + down * step, rank + along * step) for step in range(1, length + 1)]
        if crossed[-1] is not None:
            yield Way(crossed[-1], tuple(passed for passed in crossed[:-1] if passed is not None), jumps=False)


@cache
def rule_set(slug: str, settings: tuple[tuple[str, OptionValue], ...]) -> RithmoRules:
    """Return the rules of a game under these options with their tables made; one object for equal arguments."""
    data = next(entry for entry in game_data() if entry["slug"] == slug)
    made = RithmoRules(slug, settings, {**data["fixed"], **dict(settings)}, data)
    crossings(slug, made.board)  # now, so that no player waits for it at the first move
    return made
