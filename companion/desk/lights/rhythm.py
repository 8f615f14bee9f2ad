"""When the lights change: at once if all has been calm, soon otherwise, and smoothly while something pulses. Pure."""

from typing import Final

from companion.desk.lights.marks import DARKNESS, Marks
from companion.desk.lights.theme import Theme
from firmware_bridge.frame import Colour

CALM: Final = 0.25
"""Seconds at least between two changes of what is told: two flashes a second at most, however fast a match goes.

With `theme.MOST_FLASHES` of the slow pulses that makes three, which WCAG 2.3.1 allows.
"""

PULSE_FRAME: Final = 1 / 15
"""Seconds between two frames while something pulses."""


class Rhythm:
    """Holds what is to be told and says when the next frame is due. The newest wins; time is handed in, in seconds."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._wanted = self._shown = DARKNESS
        self._changed: float | None = None  # when what is told was changed last
        self._drawn: float | None = None  # when the last frame was drawn

    def want(self, marks: Marks) -> None:
        """Tell this from the next frame on."""
        self._wanted = marks

    def due(self, now: float) -> float | None:
        """Return the seconds until a frame is to be drawn, 0 if one is overdue, None if nothing will change."""
        waits = []
        if self._wanted != self._shown or self._drawn is None:
            waits.append(0.0 if self._changed is None else self._changed + CALM - now)
        if self._drawn is not None and self._theme.pulses(self._shown):
            waits.append(self._drawn + PULSE_FRAME - now)
        return max(0.0, min(waits)) if waits else None

    def draw(self, now: float) -> dict[str, Colour]:
        """Return the colours of the marked sites now; what is newly wanted is taken up unless all changed just now."""
        if self._wanted != self._shown and (self._changed is None or now - self._changed >= CALM):
            self._shown, self._changed = self._wanted, now
        self._drawn = now
        return self._theme.colours(self._shown, now)
