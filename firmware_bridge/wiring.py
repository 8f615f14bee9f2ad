"""Which LED lights which site: the map of one board, stored as a file, and maps of the usual wirings.

A map knows names of sites and numbers of LEDs, nothing of games. LEDs count from 0 along the chain, in the direction of
the wire.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

from firmware_bridge.frame import DARK, Colour, LedFrame

FILE_VERSION: Final = 1
"""The version of the file format to write."""

ENDING: Final = ".leds.toml"
"""The extension of a map's file."""

MOST_LEDS: Final = 1024
"""The most LEDs of a map: more than any board has, few enough that a mistyped number does not make an endless frame."""

MOST_SQUARES: Final = 64
"""The most squares with a sensor that one board reports."""

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""A map's own name, which is also a file name."""

_SITE: Final = re.compile(r'[^\s"\\\x00-\x1f\x7f][^"\\\x00-\x1f\x7f]{0,39}')


class WiringError(ValueError):
    """A map of LEDs does not have the expected form, or contradicts itself; the message says what to do."""


@dataclass(frozen=True)
class Wiring:
    """The LEDs of one board.

    ``leds``: how many are on the chain; a frame has that many. ``sites``: for each site its LEDs, in the order of the
    chain; a site may have several, an LED belongs to one site only. ``squares``: for a site with a reed or a Hall
    sensor, the number of its bit in the board's reports. ``board``: the name of the board for which the map was made,
    as it was then.
    """

    name: str
    board: str
    leds: int
    sites: Mapping[str, tuple[int, ...]] = field(hash=False)
    squares: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise WiringError(
                f"Expected a name of letters, digits, - and _ for a map of LEDs, but got {self.name!r}: choose another."
            )
        if not 0 <= self.leds <= MOST_LEDS:
            raise WiringError(f"Expected 0 to {MOST_LEDS} LEDs, but got {self.leds}: count the LEDs of the chain.")
        for site in chain(self.sites, self.squares):
            if not _SITE.fullmatch(site):
                raise WiringError(f"Expected the name of a site, but got {site!r}: sites are named as the game has it.")
        self._check_leds()
        self._check_squares()

    def _check_leds(self) -> None:
        owners: dict[int, str] = {}
        for site, leds in self.sites.items():
            for led in leds:
                if not 0 <= led < self.leds:
                    raise WiringError(
                        f"Site {site} has LED {led}, but the chain has {self.leds} LEDs, counted from 0: correct one."
                    )
                if led in owners:
                    raise WiringError(f"LED {led} belongs to {owners[led]} and to {site}: leave it to one of them.")
                owners[led] = site

    def _check_squares(self) -> None:
        owners: dict[int, str] = {}
        for site, bit in self.squares.items():
            if not 0 <= bit < MOST_SQUARES:
                raise WiringError(
                    f"Site {site} has sensor {bit}, but sensors are counted from 0 to {MOST_SQUARES - 1}."
                )
            if bit in owners:
                raise WiringError(f"Sensor {bit} belongs to {owners[bit]} and to {site}: leave it to one of them.")
            owners[bit] = site

    def frame(self, marks: Mapping[str, Colour]) -> LedFrame:
        """Return the frame with these colours on their sites and every other LED dark; ignore sites without LEDs."""
        colours = [DARK] * self.leds
        for site, colour in marks.items():
            for led in self.sites.get(site, ()):
                colours[led] = colour
        return LedFrame(tuple(colours))

    def occupied(self, bitmap: int) -> dict[str, bool]:
        """Return for each site with a sensor whether something is there, by the bits that the board reported."""
        return {site: bool(bitmap >> bit & 1) for site, bit in self.squares.items()}

    @classmethod
    def load(cls, path: Path) -> "Wiring":
        """Read a map.

        Raises:
            WiringError: it cannot be read, or is not a map.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as why:
            raise WiringError(
                f"The map of LEDs {path} cannot be read ({why}): make one with `companion leds map`."
            ) from why
        try:
            return cls.parse(text)
        except WiringError as why:
            raise WiringError(f"{path.name}: {why}") from why

    @classmethod
    def parse(cls, text: str) -> "Wiring":
        """Read the text of a map.

        Raises:
            WiringError: it is not a map.
        """
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as why:
            raise WiringError(f"Expected a map of LEDs as TOML, but it cannot be read as such: {why}.") from why
        version = data.get("version")
        if version != FILE_VERSION:
            raise WiringError(f"Expected version = {FILE_VERSION}, but got {version!r}: make the map again.")
        named = _table(data, "sites")
        sites = {site: _numbers(site, leds) for site, leds in named.items()}
        squares = {site: _number(f"squares.{site}", bit) for site, bit in _table(data, "squares").items()}
        return cls(_text(data, "name"), _text(data, "board"), _number("leds", data.get("leds")), sites, squares)

    def text(self) -> str:
        """Return the map as the text that `parse` reads."""
        lines = [
            "# Which LED lights which site. LEDs are counted from 0 along the chain; squares are sensors' bits.",
            f"version = {FILE_VERSION}",
            f'name = "{self.name}"',
            f'board = "{_quotable(self.board)}"',
            f"leds = {self.leds}",
            "",
            "[sites]",
            *(f'"{site}" = [{", ".join(map(str, leds))}]' for site, leds in self.sites.items()),
        ]
        if self.squares:
            lines += ["", "[squares]", *(f'"{site}" = {bit}' for site, bit in self.squares.items())]
        return "\n".join(lines) + "\n"


def strips(name: str, board: str, runs: Iterable[Sequence[str]], *, each: int = 1) -> Wiring:
    """Make the map of strips that follow each other on the chain, each over the sites of one run in its order.

    If a strip is mounted the other way round, reverse its run. ``each``: LEDs for each site.

    Raises:
        WiringError: a site occurs twice, or there is less than one LED for each site.
    """
    if each < 1:
        raise WiringError(f"Expected at least 1 LED a site, but got {each}.")
    ordered = list(chain.from_iterable(runs))
    twice = sorted({site for site in ordered if ordered.count(site) > 1})
    if twice:
        raise WiringError(f"Expected every site once, but {', '.join(twice)} came twice: name each in one strip only.")
    sites = {site: tuple(range(index * each, (index + 1) * each)) for index, site in enumerate(ordered)}
    return Wiring(name, board, len(ordered) * each, sites)


def serpentine(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Return rows in the order of one strip that runs through them: to and fro, every second one backwards."""
    return [row if index % 2 == 0 else row[::-1] for index, row in enumerate(rows)]


def rows_of(sites: Sequence[str], rows: int, columns: int) -> list[Sequence[str]]:
    """Split the sites of a board, in its own order, into rows.

    Raises:
        WiringError: their number is not rows times columns.
    """
    if rows * columns != len(sites):
        raise WiringError(
            f"Expected rows and columns for {len(sites)} sites, but {rows}x{columns} makes {rows * columns}."
        )
    return [sites[row * columns : (row + 1) * columns] for row in range(rows)]


def shortest(places: Sequence[tuple[str, float, float]]) -> list[Sequence[str]]:
    """Return a board's sites in the order of a short wire through them, row by row in the board's own order.

    ``places``: name, x and y of each site, left to right and top down in any unit. Sites of one row follow each other
    and have the same y. If a row begins at the far end of the row before it, the wire runs through it backwards.
    """
    found: list[list[tuple[str, float, float]]] = []
    for place in places:
        if found and found[-1][-1][2] == place[2]:
            found[-1].append(place)
        else:
            found.append([place])
    runs: list[Sequence[str]] = []
    end: tuple[float, float] | None = None
    for row in found:
        first, last = row[0][1:], row[-1][1:]
        backwards = end is not None and _far(end, last) < _far(end, first)
        runs.append([name for name, _, _ in (row[::-1] if backwards else row)])
        end = first if backwards else last
    return runs


def _far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, Mapping):
        raise WiringError(f"Expected [{name}] as a table of sites, but got {value!r}.")
    return value


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise WiringError(f"Expected {name} as a text, but got {value!r}.")
    return value


def _number(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise WiringError(f"Expected {name} as a whole number, but got {value!r}.")
    return value


def _numbers(site: str, value: object) -> tuple[int, ...]:
    """Return the LEDs of a site, written as a list or as one number."""
    if isinstance(value, list):
        return tuple(_number(f"each LED of site {site}", led) for led in value)
    return (_number(f"the LED of site {site}", value),)


def _quotable(text: str) -> str:
    return re.sub(r'["\\\x00-\x1f\x7f]', "", text)
