"""Notice a camera that mirrors its pictures: its dice are read for certain only when a picture is turned back."""

from collections.abc import Callable
from typing import Final

import numpy as np

from companion.language.sentence import Sentence
from companion.vision.readings import DiceReading, Image

MIRRORED: Final = Sentence(
    "The camera mirrors its pictures, so letters and numerals cannot be read: switch that off in the camera or its "
    "program, or write mirror: before the camera's name, e.g. --camera mirror:0"
)

MIRRORED_THROWS: Final = 2
"""After so many throws that are read only when turned back, the camera mirrors: one may be a chance."""
MOST_TRIED: Final = 6
"""So many doubtful throws are read a second time; a camera that has not mirrored until then does not."""


def only_turned_back(image: Image, reading: DiceReading, read: Callable[[Image], DiceReading]) -> bool:
    """Return whether the dice of a picture, whose ``reading`` is given, are read for certain only when turned back."""
    if reading.status != "ask" or not reading.dice:
        return False
    return read(np.ascontiguousarray(image[:, ::-1])).status == "read"


class MirrorWatch:
    """Watches the throws of one camera for the signs of mirroring."""

    def __init__(self) -> None:
        self._signs = self._tried = 0
        self._read = False  # whether the throw before was read for certain

    def see(self, image: Image, reading: DiceReading, read: Callable[[Image], DiceReading]) -> Sentence | None:
        """Take the next throw; return what is wrong with the camera, or None."""
        if reading.status == "read":
            self._signs = self._tried = 0
            self._read = True
        elif self._read:  # a single doubt: on a slow computer it waits long enough for its other readings
            self._read = False
        elif self._signs < MIRRORED_THROWS and self._tried < MOST_TRIED and reading.dice:
            self._tried += 1
            self._signs += only_turned_back(image, reading, read)
        return MIRRORED if self._signs >= MIRRORED_THROWS else None
