"""Problems as data: a position of a played game, what is asked in it, the lines that answer it, and how hard it is.

The shipped ones are a file of JSON, one problem in a line (`docs/problems.md` describes its fields). Positions stand
there in few characters: a board of numbered men would otherwise fill a page.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from importlib.resources import files
from math import gcd
from typing import Any, Final, Literal

from companion.lessons.course import Goal
from companion.rules.game import Game, Position
from companion.rules.registry import game

Kind = Literal["all", "take", "win", "best", "point", "only", "risk", "odds"]
KINDS: Final[tuple[Kind, ...]] = ("all", "take", "win", "best", "point", "only", "risk", "odds")

Level = Literal["easy", "middle", "hard"]
LEVELS: Final[tuple[Level, ...]] = ("easy", "middle", "hard")

SHIPPED: Final = "shipped.jsonl"

GOLDEN_SHARE: Final = 0.618
"""By what share of the file the days go on: neighbours in it, which are alike, then come far apart."""

SCENE: Final = "agathias"
"""The origin of the one problem that no game of the program's gave."""


COLOURS: Final = {"w": "white", "b": "black"}
SHAPES: Final = {"c": "circle", "t": "triangle", "s": "square", "p": "pyramid"}
MAN: Final = re.compile(r"([a-z]\d+)?([wb])([ctsp])(\d+)(?::([ctsp\d,]+))?")
PART: Final = re.compile(r"([cts])(\d+)")


@dataclass(frozen=True)
class EndsIn(Goal):
    """Done in one of these positions."""

    ends: frozenset[Position] = frozenset()

    def reached(self, position: Position) -> bool:
        """Whether the position is one of them."""
        return position in self.ends


@dataclass(frozen=True)
class Problem:
    """One problem, by its ``number`` in its file, from 1.

    ``data``: the packed position; ``throw``: what falls in it, if its player is to throw. ``right``: lines that answer
    it, the first to be shown; for ``odds`` the one right answer. ``shows``: faces of the dice that lie, for ``odds``.
    ``found``: the share of tries in which a weak player or a guesser finds it. ``chances``: to win after the best play
    and after the next best. ``origin``: seed and number of the game that it comes from.
    """

    number: int
    kind: Kind
    slug: str
    data: Mapping[str, Any] = field(hash=False)
    throw: str
    right: tuple[tuple[str, ...], ...]
    shows: Mapping[str, str] = field(hash=False)
    found: float
    chances: tuple[float, ...]
    origin: str

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game(self.slug)

    @cached_property
    def start(self) -> Position:
        """The position before the throw, if there is one."""
        return self.game.from_json({"game": self.slug, **unpacked(self.data)})

    @cached_property
    def asked(self) -> Position:
        """The position in which somebody looks for the answer."""
        return self.start.after(self.start.parse(self.throw)) if self.throw else self.start

    @property
    def player(self) -> int:
        """Who is to find the answer."""
        return self.asked.awaits.player

    @cached_property
    def goal(self) -> Goal:
        """When the problem is solved: the game is won, or a right line's position is reached in any way."""
        if self.kind == "win":
            return Goal(self.player, won=True)
        if self.kind == "odds":
            return Goal(self.player)
        ends = [self.after(line) for line in self.right]
        if self.kind == "all":
            emptied: Mapping[str, Any] = {
                site: {} for site in self.asked.occupancy() if site not in ends[0].occupancy()
            }
            return Goal(self.player, board=emptied)
        return EndsIn(self.player, ends=frozenset(ends))

    def after(self, line: Sequence[str]) -> Position:
        """Return the position after a line of choices."""
        position = self.asked
        for text in line:
            position = position.after(position.parse(text))
        return position

    def to_json(self) -> dict[str, Any]:
        """Return the fields of the file, without those that hold nothing."""
        fields = {
            "kind": self.kind,
            "game": self.slug,
            "position": dict(self.data),
            "throw": self.throw,
            "right": [list(line) for line in self.right],
            "shows": dict(self.shows),
            "found": round(self.found, 3),
            "chances": [round(chance, 3) for chance in self.chances],
            "origin": self.origin,
        }
        return {name: value for name, value in fields.items() if value or name == "found"}


def unpacked(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON of a position, without its game, that `workshop.problems.found.packed` made short."""
    found = dict(data)
    if isinstance(found.get("men"), str):
        found["men"] = dict(map(_man, found["men"].split()))
        found["captured"] = {player: [_man(man)[1] for man in men.split()] for player, men in found["captured"].items()}
    if isinstance(found.get("virtues"), str):
        held = [entry.split(":") for entry in found["virtues"].split()]
        found["virtues"] = {lot: {"player": int(player), "throw": int(throw)} for lot, player, throw in held}
    return found


def _man(text: str) -> tuple[str, dict[str, Any]]:
    found = MAN.fullmatch(text)
    assert found is not None, "packed by the maker of the file"
    site, colour, shape, number, parts = found.groups()
    man: dict[str, Any] = {"colour": COLOURS[colour], "shape": SHAPES[shape], "number": int(number)}
    if parts:
        man["parts"] = [{"shape": SHAPES[part], "number": int(one)} for part, one in PART.findall(parts)]
    return site or "", man


def read(lines: Iterable[str]) -> tuple[Problem, ...]:
    """Return the problems of a file, whose numbers are those of its lines. A last line that was cut off is left out."""
    found = []
    for number, line in enumerate(lines, 1):
        if line.endswith("\n"):
            found.append(from_json(number, json.loads(line)))
    return tuple(found)


def from_json(number: int, fields: Mapping[str, Any]) -> Problem:
    """Return the problem that `Problem.to_json` wrote."""
    return Problem(
        number,
        fields["kind"],
        fields["game"],
        fields["position"],
        fields.get("throw", ""),
        tuple(tuple(line) for line in fields["right"]),
        fields.get("shows", {}),
        fields["found"],
        tuple(fields.get("chances", ())),
        fields["origin"],
    )


@cache
def shipped() -> tuple[Problem, ...]:
    """Return the problems that come with the program."""
    with (files(__package__) / SHIPPED).open(encoding="utf-8") as lines:
        return read(lines)


@cache
def levels() -> Mapping[int, Level]:
    """Return how hard each shipped problem is, by its number: of each kind a third is easy, and a third hard.

    Those that are found equally often are equally hard.
    """
    found: dict[int, Level] = {}
    for kind in KINDS:
        alike = [one.found for one in shipped() if one.kind == kind]
        for one in shipped():
            if one.kind == kind:
                easier, equal = sum(share > one.found for share in alike), alike.count(one.found)
                found[one.number] = LEVELS[(2 * easier + equal) * len(LEVELS) // (2 * len(alike) + 1)]
    return found


def of_the_day(day: date) -> Problem:
    """Return the problem of a day, the same wherever the program runs; each has its day before one comes again."""
    count = len(shipped())
    stride = next(step for step in range(int(GOLDEN_SHARE * count), count + 1) if gcd(step, count) == 1)
    return shipped()[day.toordinal() * stride % count]
