"""Scores that add up over what persons said; what a person said wrongly can be taken back."""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

MOST_ADDED: Final = 200
"""How many of the newest additions can be taken back; older ones stay in the sum."""


class Scores:
    """A sum of rows of numbers, each with the throw that it comes from. Not for two threads at once.

    Args:
        whole: the sum of everything, (n,).
        added: the newest rows of it, each (n,), with the source that names its throw, the oldest first.

    Raises:
        ValueError: they are not all of the same length, or one is no number.
    """

    def __init__(self, whole: Numbers, added: Iterable[tuple[str, Numbers]] = ()) -> None:
        self.whole: Numbers = np.asarray(whole, np.float64)
        self.added = [(source, np.asarray(row, np.float64)) for source, row in added][-MOST_ADDED:]
        for row in (self.whole, *(row for _, row in self.added)):
            if row.shape != self.whole.shape or row.ndim != 1 or not np.isfinite(row).all():
                raise ValueError(f"Expected {len(self.whole)} finite scores, but got {row.shape}.")

    def copy(self) -> "Scores":
        """Return the same scores, which change no more with these."""
        return Scores(self.whole, self.added)

    def add(self, row: Numbers, source: str) -> None:
        """Add a row of numbers that a throw gave."""
        self.whole = self.whole + row
        self.added = [*self.added, (source, row)][-MOST_ADDED:]

    def take_back(self, source: str) -> bool:
        """Take back what a throw gave; return whether there was anything."""
        gone = [row for name, row in self.added if name == source]
        self.added = [(name, row) for name, row in self.added if name != source]
        for row in gone:
            self.whole = self.whole - row
        return bool(gone)
