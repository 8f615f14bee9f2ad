"""The stream of one game in plain Python: what the streams of many games side by side must equal."""

from collections.abc import Sequence
from typing import TypeVar

from companion.odds.tables.games import FIRST, FLOAT_BITS, GAMMA, SECOND, WORD_MASK

T = TypeVar("T")


class Stream:
    """The stream of one game, number after number, in plain Python."""

    def __init__(self, seed: int, game: int) -> None:
        self.key = _mixed((_mixed((seed + GAMMA) & WORD_MASK) + game * GAMMA) & WORD_MASK)
        self.taken = 0

    def number(self) -> float:
        """Return the next number, from 0 to just below 1."""
        self.taken += 1
        return (_mixed((self.key + self.taken * GAMMA) & WORD_MASK) >> (64 - FLOAT_BITS)) * 2.0**-FLOAT_BITS

    def die(self) -> int:
        """Return the pips of the next die."""
        return int(6 * self.number()) + 1

    def choice(self, among: Sequence[T]) -> T:
        """Return one of these, each as likely as the next."""
        return among[int(self.number() * len(among))]


def _mixed(word: int) -> int:
    word = (word ^ (word >> 30)) * FIRST & WORD_MASK
    word = (word ^ (word >> 27)) * SECOND & WORD_MASK
    return word ^ (word >> 31)
