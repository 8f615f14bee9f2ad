"""A drawn board for the tests: pictures that bear a number, and a reader that knows what stands there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.referee.board.seating import Seating
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading, SiteReading
from companion.vision.readings import Image
from tests.live.drawn import HEIGHT, WIDTH
from tests.referee.board.simulated import perfect

CORNERS = ((120.0, 100.0), (520.0, 100.0), (520.0, 380.0), (120.0, 380.0))
BITS = 8


@dataclass
class Place:
    corners: Any
    bar: float = 0.0
    harmony: float = 1.0


@dataclass
class BoardStage:
    """Draws positions as pictures, each with other patches where men lie, and reads them back."""

    seating: Seating
    shown: list[BoardReading] = field(default_factory=list)
    fails: bool = False
    finds: int = 0
    reads: int = 0

    def picture(self, position: Position) -> Image:
        return self.draw(perfect(position, self.seating))

    def draw(self, reading: BoardReading) -> Image:
        """Return a picture of which `read` gives this reading."""
        self.shown.append(reading)
        number = len(self.shown)
        image = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
        image[100:380, 120:520] = 140
        for bit in range(BITS):
            on = number >> bit & 1
            image[200:250, 150 + 40 * bit : 180 + 40 * bit] = 240 if on else 20
        return image

    @staticmethod
    def hand(image: Image) -> Image:
        """Return the picture with a hand over it."""
        covered = image.copy()
        covered[150:, 250:420] = (120, 150, 200)
        return covered

    def find(self, image: Image) -> Place | None:
        del image
        self.finds += 1
        return Place(np.array(CORNERS))

    def correct(self, image: Image, corners: Any) -> Place | None:
        del image
        return Place(corners)

    def known(self, image: Image, corners: Any) -> Place:
        del image
        return Place(corners)

    def read(self, image: Image, field: Any = None) -> BoardReading:
        assert field is not None
        self.reads += 1
        if self.fails:
            raise RuntimeError("the nets are missing.")
        number = sum((image[225, 165 + 40 * bit, 0] > 130) << bit for bit in range(BITS))
        known = self.shown[int(number) - 1]
        return BoardReading(known.board, known.sites, CORNERS, known.status, known.reason)


def uncertain(reading: BoardReading, sites: Sequence[str]) -> BoardReading:
    """Return a reading in which these sites are hidden."""
    hidden = {name: SiteReading(name, (), "hidden") for name in sites}
    return BoardReading(reading.board, {**reading.sites, **hidden}, CORNERS, "read")
