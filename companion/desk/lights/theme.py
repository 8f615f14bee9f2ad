"""Themes: the colours and rhythm in which an LED board shows its meanings. Pure: from marks and a time to colours."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from companion.data_file import data_of
from companion.desk.lights.marks import DARKNESS, LightMarks, Mark, Meaning
from firmware_bridge.frame import Colour, ColourError

STANDARD: Final = "standard"
"""The theme for when nobody names one."""

MOST_FLASHES: Final = 1.0
"""Most flashes a second of all rhythms of a theme together.

WCAG 2.3.1 allows three in any second; changes in the match take the other two (`rhythm.CALM_SECONDS`).
"""


class ThemeError(ValueError):
    """There is no such theme, or its data does not have the expected form."""


@dataclass(frozen=True)
class LightStyle:
    """How a meaning looks. ``colour``: its own, or None for the colour of the player concerned.

    ``share``: of the colour's brightness, above 0 to 1. ``period``: seconds of one slow pulse between that brightness
    and ``low`` of it, 0 for a steady light.
    """

    share: float
    colour: Colour | None = None
    period: float = 0.0
    low: float = 1.0

    def strength(self, time: float) -> float:
        """Return the share of the brightness at a time in seconds from any zero."""
        if not self.period:
            return self.share
        wave = (1 + math.cos(2 * math.pi * time / self.period)) / 2
        return self.share * (self.low + (1 - self.low) * wave)


@dataclass(frozen=True)
class Theme:
    """A theme by its name. ``dimmed``: the share of brightness that a dimmed light keeps."""

    name: str
    players: tuple[Colour, ...]
    dimmed: float
    styles: Mapping[Meaning, LightStyle]

    def colour(self, mark: Mark, time: float, *, dimmed: bool = False) -> Colour:
        """Return the colour of a mark at a time in seconds; ``dimmed`` spares marks that need a person."""
        style = self.styles[mark.meaning]
        colour = style.colour or self.players[(mark.player - 1) % len(self.players)]
        share = self.dimmed if dimmed and mark.meaning not in (Meaning.ASKED, Meaning.MISMATCH) else 1.0
        return colour.dimmed(style.strength(time) * share)

    def colours(self, marks: LightMarks, time: float) -> dict[str, Colour]:
        """Return the colour of every marked site at a time in seconds."""
        return {site: self.colour(mark, time, dimmed=marks.dimmed) for site, mark in marks.sites.items()}

    def pulses(self, marks: LightMarks) -> bool:
        """Whether these marks change with time."""
        return any(self.styles[mark.meaning].period for mark in marks.sites.values())

    def to_json(self) -> dict[str, Any]:
        """Return what a page needs to draw lights in this theme: colours as [red, green, blue], times in seconds."""
        return {
            "name": self.name,
            "dimmed": self.dimmed,
            "players": [_parts(colour) for colour in self.players],
            "looks": {
                str(meaning): {
                    "colour": None if style.colour is None else _parts(style.colour),
                    "share": style.share,
                    "period": style.period,
                    "low": style.low,
                }
                for meaning, style in self.styles.items()
            },
        }


@cache
def theme(name: str = STANDARD) -> Theme:
    """Return a theme by its name.

    Raises:
        ThemeError: no theme has this name.
    """
    known = themes()
    if name not in known:
        raise ThemeError(f"The themes for lights are {', '.join(known)}, not {name!r}.")
    return parsed(name, known)


def parsed(name: str, data: Mapping[str, Any]) -> Theme:
    """Read one theme from the data of all themes.

    Raises:
        ThemeError: its data does not have the form that `themes.toml` shows.
    """
    own = data[name]
    base = own.get("like", name)
    if base not in data or "like" in data[base]:
        raise ThemeError(f"Theme {name} is like {base!r}, which is no theme that stands for itself.")
    whole = data[base]
    brightness = float(own.get("brightness", 1.0))
    try:
        players = tuple(Colour(*parts) for parts in whole["players"])
        styles = {meaning: _style(whole[meaning], brightness) for meaning in Meaning}
        found = Theme(name, players, float(whole["dimmed"]), styles)
    except (ColourError, KeyError, TypeError) as why:
        raise ThemeError(f"Theme {base} lacks something or has a wrong value: {why}.") from why
    _check(found)
    return found


def _style(entry: Mapping[str, Any], brightness: float) -> LightStyle:
    colour = Colour(*entry["colour"]) if "colour" in entry else None
    period = float(entry.get("period", 0.0))
    return LightStyle(float(entry["share"]) * brightness, colour, period, float(entry.get("low", 1.0)))


def _check(found: Theme) -> None:
    flashes = sum(1 / style.period for style in found.styles.values() if style.period)
    if flashes > MOST_FLASHES:
        raise ThemeError(
            f"Theme {found.name} flashes {flashes:.2f} times a second: expected at most {MOST_FLASHES} in all."
        )
    for meaning, style in found.styles.items():
        if not 0 < style.share <= 1 or not 0 <= style.low <= 1 or style.period < 0:
            raise ThemeError(f"Theme {found.name} has shares and times for {meaning} that are out of their range.")
    if not found.players or not 0 < found.dimmed <= 1:
        raise ThemeError(f"Theme {found.name} needs colours of players, and a share of the dimmed above 0 to 1.")


def themes() -> Mapping[str, Any]:
    """Return the data of the themes by name, the standard one first."""
    return data_of(__package__, "themes.toml")


def _parts(colour: Colour) -> list[int]:
    return [colour.red, colour.green, colour.blue]


CALM_SECONDS: Final = 0.25
"""Least seconds between two changes of the marks: at most two flashes a second, however fast a match goes.

With `theme.MOST_FLASHES` of the slow pulses that makes three, which WCAG 2.3.1 allows.
"""

PULSE_FRAME: Final = 1 / 15
"""Seconds between two frames while something pulses."""


class Rhythm:
    """Holds the wanted marks and says when the next frame is due. The newest marks win; times are in seconds."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._wanted = self._shown = DARKNESS
        self._changed: float | None = None  # when the shown marks last changed
        self._drawn: float | None = None  # when the last frame was drawn

    def want(self, marks: LightMarks) -> None:
        """Show these marks from the next frame on."""
        self._wanted = marks

    def due(self, now: float) -> float | None:
        """Return the seconds until the next frame, 0 if one is overdue, None if nothing will change."""
        waits = []
        if self._wanted != self._shown or self._drawn is None:
            waits.append(0.0 if self._changed is None else self._changed + CALM_SECONDS - now)
        if self._drawn is not None and self._theme.pulses(self._shown):
            waits.append(self._drawn + PULSE_FRAME - now)
        return max(0.0, min(waits)) if waits else None

    def draw(self, now: float) -> dict[str, Colour]:
        """Return the colours of the marked sites now; new marks wait if the last change is too recent."""
        if self._wanted != self._shown and (self._changed is None or now - self._changed >= CALM_SECONDS):
            self._shown, self._changed = self._wanted, now
        self._drawn = now
        return self._theme.colours(self._shown, now)
