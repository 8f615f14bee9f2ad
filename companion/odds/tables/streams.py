"""A fixed stream of numbers for each game: the same seed and game always give the same dice and choices.

Number k of game g depends on seed, g and k alone (the finalizer of SplitMix64: Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014). So games may run in parallel in any order, or one after another through
the rules core, and use the very same numbers. Each die uses one number and each choice uses one, even if there is only
one choice.
"""

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

GAMMA = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD_MASK = (1 << 64) - 1
FLOAT_BITS = 53
"""The upper bits of each word that become the number: as many as a float holds."""

_GAMMA, _FIRST, _SECOND = (np.uint64(number) for number in (GAMMA, FIRST, SECOND))
_SHIFTS = tuple(np.uint64(bits) for bits in (30, 27, 31, 64 - FLOAT_BITS))


def mixed(words: Words) -> Words:
    """Return each word with its bits well mixed."""
    words = (words ^ (words >> _SHIFTS[0])) * _FIRST
    words = (words ^ (words >> _SHIFTS[1])) * _SECOND
    mixed_words: Words = words ^ (words >> _SHIFTS[2])
    return mixed_words


def keys(seed: int, games: npt.NDArray[np.int64]) -> Words:
    """Return the key of each game's stream."""
    start = np.array([seed & WORD_MASK], np.uint64)
    return mixed(mixed(start + _GAMMA) + games.astype(np.uint64) * _GAMMA)


def numbers(key: Words, at: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return number ``at`` (from 0) of each stream, from 0 to just below 1."""
    words = mixed(key + (at.astype(np.uint64) + np.uint64(1)) * _GAMMA)
    return (words >> _SHIFTS[3]).astype(np.float64) * np.float64(2.0**-FLOAT_BITS)
