"""Solved matches that ship with the program, so that a player need not wait for them.

A state is how many points each of the two players still needs. So one table to the highest target holds every lower
target too. The chances are stored as whole steps of 1/65535: numbers that change little from place to place, so their
second differences shrink to a file of 100 KB. ``python -m workshop.players.races`` makes the file.
"""

import lzma
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np

from companion.odds.ludix.race import FIRST, REPLIES, SECOND, Race, race
from companion.odds.ludix.turns import Floats

HIGHEST_TARGET = 300
"""The highest target in the file, the booklet's own."""

CHANCE_STEPS = 65_535
"""The steps between no chance and a sure win."""

FILE = "races.xz"

_SHAPE = (len(REPLIES), 2, HIGHEST_TARGET, HIGHEST_TARGET)


@lru_cache(maxsize=16)
def shipped_race(target: int, ending: str) -> Race:
    """Return the match to a target up to `HIGHEST_TARGET`, at once; every chance is right to half a step of 1/65535.

    Raises:
        PolicyError: the match is not solved for this ending.
    """
    if target > HIGHEST_TARGET or ending not in REPLIES:
        return race(target, ending)
    tables = _tables()[list(REPLIES).index(ending), :, HIGHEST_TARGET - target :, HIGHEST_TARGET - target :]
    return Race(target, ending, (tables[FIRST], tables[SECOND]))


@cache
def _tables() -> Floats:
    """Return the chances by ending, seat, the other player's points and the own points, to the highest target."""
    packed = lzma.decompress((files(__package__) / FILE).read_bytes())
    steps = np.frombuffer(packed, "<i2").reshape(_SHAPE).astype(np.int32)
    # a difference may be too large for its 16 bits; the sums come right again in 16 bits
    return (np.cumsum(np.cumsum(steps, axis=3), axis=2) & CHANCE_STEPS) / CHANCE_STEPS
