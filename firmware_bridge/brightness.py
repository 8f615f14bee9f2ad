"""How bright LEDs may be: colours for the eye become what an LED takes, and never more than the supply can give.

An LED at full white takes 60 mA, so a board of 128 takes 7.7 A; a socket of a computer gives 0.5 A, and then the board
starts anew in the middle of a game.
"""

from dataclasses import dataclass
from functools import cache

from firmware_bridge.frame import Colour

MOST_MA = 400.0
"""What may be drawn from a computer's socket, with a rest for the board itself."""
GAMMA = 2.2
"""Of screens; LEDs are linear."""

_IDLE_MA = 1.0  # of an LED that is dark
_PART_MA = 20.0  # of one of its three parts at 255
_FULL = 255


@dataclass(frozen=True)
class Brightness:
    """The limits of a board: milliamperes for the whole of it, and the exponent by which colours become light."""

    most_ma: float = MOST_MA
    gamma: float = GAMMA

    def applied(self, pixels: bytes) -> bytes:
        """Return what the LEDs are sent: three bytes an LED, all darker by one factor where the limit asks for it."""
        linear = pixels.translate(_curve(self.gamma))
        idle = _IDLE_MA * len(linear) / 3
        wanted = current_ma(linear) - idle
        allowed = max(0.0, self.most_ma - idle)
        if wanted <= allowed:
            return linear
        share = allowed / wanted
        return linear.translate(bytes(int(part * share) for part in range(_FULL + 1)))


def seen(light: Colour, gamma: float = GAMMA) -> Colour:
    """Return the colour that an eye sees in what an LED was sent: the way back, but for what the limit took."""
    parts = (light.red, light.green, light.blue)
    return Colour(*(round(_FULL * (part / _FULL) ** (1 / gamma)) for part in parts))


def current_ma(pixels: bytes) -> float:
    """Return what LEDs draw that are sent these bytes, in milliamperes."""
    return _IDLE_MA * len(pixels) / 3 + _PART_MA * sum(pixels) / _FULL


@cache
def _curve(gamma: float) -> bytes:
    # what is to be lit at all stays lit
    return bytes(max(part > 0, round(_FULL * (part / _FULL) ** gamma)) for part in range(_FULL + 1))
