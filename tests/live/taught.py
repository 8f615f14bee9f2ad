"""A drawn table whose reader lets itself be taught: each face has a look of its own."""

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import DESCRIPTOR_LENGTH
from companion.vision.dice.geometry import PATCH_PIXELS
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE, View
from companion.vision.dice.memory.table import TableMemory
from companion.vision.readings import DiceReading, Image, ReadDie
from tests.live.drawn import DICE, DrawnReader


@dataclass(frozen=True, eq=False)
class GivenView:
    """A die that was read. What it shows decides its look, whatever it is taught as."""

    die: ReadDie

    @property
    def polygon(self) -> Any:
        return np.array(self.die.polygon)

    def teach(self, memory: TableMemory, text: str | None, source: str, *, named: bool) -> None:
        cube = DICE[self.die.die or ""].shape == "cube"
        shown = [self.die.face or ""] if cube else [face.text for face in DICE[self.die.die or ""].faces]
        for one in shown:
            if not cube and one == text:
                continue  # the tetrahedron lies on it
            seed = int.from_bytes(hashlib.sha256(f"{self.die.die}{one}".encode()).digest()[:4])
            rng = np.random.default_rng(seed)
            seen = rng.normal(size=(1, DESCRIPTOR_LENGTH)).astype(np.float32)
            patch = np.full((PATCH_PIXELS, PATCH_PIXELS, 3), rng.integers(60, 250, 3), np.uint8)
            bag = bag_of((text or "") if cube else one)
            view = View(seen / np.linalg.norm(seen), [patch])
            memory.learn(4 if cube else SIDE_OUTLINE, bag, view, source, named=named, recalled=None)


class TaughtReader(DrawnReader):
    """Reads what is drawn, and keeps what it saw."""

    def __init__(self) -> None:
        super().__init__()
        self.glimpses: tuple[GivenView, ...] = ()

    def read(self, image: Image) -> DiceReading:
        reading = super().read(image)
        self.glimpses = tuple(GivenView(die) for die in reading.dice)
        return reading
