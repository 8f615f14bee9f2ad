"""Where tokens lie on the printed boards of 56 places, and which of these boards there are."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.vision.boards.kit import KitBoard, kit_board

Points = npt.NDArray[np.float64]

ANY: Final = "virtues"
"""Whichever of the three boards lies there: its markers show which it is."""

TOKEN_RADIUS: Final = 7.0
"""The radius of the kit's tokens, in millimetres (`calibration/kit/sizes.toml`); others may be a little smaller or
larger."""

SPOT_RADIUS: Final = TOKEN_RADIUS + 0.4
"""The radius of the printed circles that they lie on, in millimetres."""

PLACE_REACH_MM: Final = 11.0
"""Millimetres from the middle of a place within which something belongs to it: as far as half a square of the rim."""


@dataclass(frozen=True)
class TokenLayout:
    """The places of one printed board. ``board``: its name in the rules; ``kit``: what is printed.

    ``middles``: where each site's circle lies, in millimetres from the field's upper left corner.
    """

    board: str
    kit: KitBoard
    middles: tuple[tuple[str, float, float], ...]

    @property
    def sites(self) -> tuple[str, ...]:
        """Every site by name, in the order of the board."""
        return tuple(name for name, _, _ in self.middles)

    @cached_property
    def places(self) -> Points:
        """The middles of the sites (n x 2), millimetres of the field."""
        return np.array([(x, y) for _, x, y in self.middles], np.float64)

    def site_at(self, u: float, v: float) -> str | None:
        """Return the site at a place of the field, given as fractions of it; None outside all circles."""
        width, height = self.kit.field
        far = np.hypot(*(self.places - (u * width, v * height)).T)
        nearest = int(far.argmin())
        return self.sites[nearest] if far[nearest] <= PLACE_REACH_MM else None


@cache
def token_layouts() -> dict[str, TokenLayout]:
    """Return the boards on which tokens are read, by name."""
    data = data_of(__package__, "token_places.toml")
    return {
        board: TokenLayout(
            board, kit_board(f"virtues-{board}"), tuple((name, float(x), float(y)) for name, (x, y) in sites.items())
        )
        for board, sites in data.items()
    }
