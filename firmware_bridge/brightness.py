"""How bright LEDs may be: convert screen colours to LED values, and stay within what the supply can deliver.

An LED at full white draws 60 mA, so a board of 128 draws 7.7 A. A computer's socket delivers 0.5 A; beyond that the
board restarts in the middle of a game.
"""

from dataclasses import dataclass
from functools import cache

from firmware_bridge.frame import Colour

MOST_MA = 400.0
"""The current to draw from a computer's socket, with a reserve for the board itself."""
SCREEN_GAMMA = 2.2
"""The gamma of screens; LEDs are linear."""

_IDLE_MA = 1.0  # of a dark LED
_PART_MA = 20.0  # of one of its three parts at 255
_FULL_CHANNEL = 255


@dataclass(frozen=True)
class Brightness:
    """The limits of a board: milliamperes for all of it, and the exponent that converts colours to light."""

    most_ma: float = MOST_MA
    gamma: float = SCREEN_GAMMA

    def applied(self, pixels: bytes) -> bytes:
        """Return the values to send to the LEDs: three bytes an LED, all darkened by one factor to keep the limit."""
        linear = pixels.translate(_curve(self.gamma))
        idle = _IDLE_MA * len(linear) / 3
        wanted = current_ma(linear) - idle
        allowed = max(0.0, self.most_ma - idle)
        if wanted <= allowed:
            return linear
        share = allowed / wanted
        return linear.translate(bytes(int(part * share) for part in range(_FULL_CHANNEL + 1)))


def seen(light: Colour, gamma: float = SCREEN_GAMMA) -> Colour:
    """Return the colour that an eye sees for an LED value: the inverse conversion, without undoing the limit."""
    parts = (light.red, light.green, light.blue)
    return Colour(*(round(_FULL_CHANNEL * (part / _FULL_CHANNEL) ** (1 / gamma)) for part in parts))


def current_ma(pixels: bytes) -> float:
    """Return the current that LEDs draw with these values, in milliamperes."""
    return _IDLE_MA * len(pixels) / 3 + _PART_MA * sum(pixels) / _FULL_CHANNEL


@cache
def _curve(gamma: float) -> bytes:
    # a part that is not 0 never becomes 0
    return bytes(
        max(part > 0, round(_FULL_CHANNEL * (part / _FULL_CHANNEL) ** gamma)) for part in range(_FULL_CHANNEL + 1)
    )
