"""When the lights change: at once after a calm time, else soon, and smoothly while something pulses. Pure."""

from typing import Final

from companion.desk.lights.marks import DARKNESS, LightMarks
from companion.desk.lights.theme import Theme
from firmware_bridge.frame import Colour

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
