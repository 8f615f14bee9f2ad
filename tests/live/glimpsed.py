"""Faces as a reading glimpsed them, for tests of what is learnt: no picture is read for them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import DESCRIPTOR_LENGTH
from companion.vision.dice.memory.exemplars import View
from companion.vision.dice.memory.table import TableMemory


@dataclass(frozen=True, eq=False)
class Glimpsed:
    """A square face of a look of its own."""

    number: int

    @property
    def polygon(self) -> Any:
        left = 100.0 * self.number
        return np.array([(left, 0), (left + 50, 0), (left + 50, 50), (left, 50)])

    @property
    def middle(self) -> tuple[float, float]:
        return 100.0 * self.number + 25, 25.0

    def teach(self, memory: TableMemory, text: str | None, source: str, *, named: bool) -> None:
        seen = np.random.default_rng(self.number).normal(size=(4, DESCRIPTOR_LENGTH)).astype(np.float32)
        seen /= np.linalg.norm(seen, axis=1, keepdims=True)
        rng = np.random.default_rng(self.number)
        patch = np.kron(rng.integers(0, 255, (4, 4, 3), np.uint8), np.ones((16, 16, 1), np.uint8))
        memory.learn(4, bag_of(text or ""), View(seen, [patch] * 4), source, named=named, recalled=None)

    def small(self) -> "Glimpsed":
        return self
