"""What an LED board shows at one moment: a colour for each of its LEDs."""

from collections.abc import Iterable
from dataclasses import dataclass

FULL_BRIGHTNESS = 255
LEAST_BRIGHTNESS = 0.1
"""The least share of their brightness that lights keep: darker ones cannot be seen by day."""


class ColourError(ValueError):
    """A colour's parts are not whole numbers from 0 to 255."""


@dataclass(frozen=True)
class Colour:
    """Red, green and blue, 0 to 255 each, as on a screen (sRGB); the transport converts them to LED values."""

    red: int
    green: int
    blue: int

    def __post_init__(self) -> None:
        if not all(0 <= part <= FULL_BRIGHTNESS for part in (self.red, self.green, self.blue)):
            raise ColourError(
                f"Expected red, green and blue from 0 to 255, but got {self.red} {self.green} {self.blue}."
            )

    def dimmed(self, share: float) -> "Colour":
        """Return the colour at ``share`` (0 to 1) of its brightness."""
        return Colour(round(self.red * share), round(self.green * share), round(self.blue * share))


DARK = Colour(0, 0, 0)


@dataclass(frozen=True)
class LedFrame:
    """The colours of all LEDs of a board in the order of its chain."""

    colours: tuple[Colour, ...]

    @classmethod
    def of(cls, colours: Iterable[Colour]) -> "LedFrame":
        """Make a frame of colours in order."""
        return cls(tuple(colours))

    def pixels(self) -> bytes:
        """Return three bytes an LED, red first: the body of every protocol that boards speak."""
        return bytes(part for colour in self.colours for part in (colour.red, colour.green, colour.blue))
