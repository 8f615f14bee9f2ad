"""The men of one side in many games at once, counted in binary: four bit masks a game instead of a number a point.

Bit 0 is the men in hand, bits 1 to 24 are the points in the order of the side's track. If men in hand are grouped by
the table where they were hit, bits 25 to 28 are these groups instead. Slice k of a side (uint32, one word a game) has a
point's bit set if the binary number of the men there has its digit k set. A point holds at most fifteen men, so four
slices are enough. One machine word shows for all points at once which are held, which are single and which a die can
leave.
"""

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.int8]

BIT_SLICES = 4
HAND = np.uint32(1)
TAKEN_BIT = 25
CORNERS = np.uint32(0b1111 << TAKEN_BIT)
WIDTH = TAKEN_BIT + 4
"""The most bits in use: the hand, 24 points, and the hand by four tables."""

_PAIRS, _FOURS, _EIGHTS, _SUM = (np.uint32(word) for word in (0x55555555, 0x33333333, 0x0F0F0F0F, 0x01010101))
_ONE, _TWO, _FOUR, _TOP = (np.uint32(shift) for shift in (1, 2, 4, 24))


def held(men: Bits) -> Bits:
    """Return the places of at least one man, from slices (4, games)."""
    anywhere: Bits = men[0] | men[1] | men[2] | men[3]
    return anywhere


def paired(men: Bits) -> Bits:
    """Return the places of at least two men."""
    twice: Bits = men[1] | men[2] | men[3]
    return twice


def remove(men: Bits, place: Bits) -> None:
    """Remove one man from each of these places (any bits; each must hold a man), in place."""
    for digit in range(BIT_SLICES):
        men[digit] ^= place
        place = men[digit] & place


def add(men: Bits, place: Bits) -> None:
    """Put one man on each of these places (any bits; no bit adds no man), in place."""
    for digit in range(BIT_SLICES):
        full = men[digit] & place
        men[digit] ^= place
        place = full


def count(bits: Bits) -> Bits:
    """Return how many bits of each word are set."""
    bits = bits - ((bits >> _ONE) & _PAIRS)
    bits = (bits & _FOURS) + ((bits >> _TWO) & _FOURS)
    bits = (bits + (bits >> _FOUR)) & _EIGHTS
    counted: Bits = (bits * _SUM) >> _TOP
    return counted


def sliced(counts: Counts) -> Bits:
    """Return slices (4, games) of counts (games, `WIDTH`)."""
    places = np.uint32(1) << np.arange(WIDTH, dtype=np.uint32)
    return np.stack(
        [
            np.where(counts >> digit & 1, places, np.uint32(0)).sum(axis=1, dtype=np.uint32)
            for digit in range(BIT_SLICES)
        ]
    )


def counts(men: Bits) -> Counts:
    """Return counts (games, `WIDTH`) of slices (4, games)."""
    places = np.arange(WIDTH, dtype=np.uint32)
    digits = (men[:, :, None] >> places & 1).astype(np.int8)
    weighed: Counts = sum((digits[digit] << digit for digit in range(BIT_SLICES)), np.zeros(digits.shape[1:], np.int8))
    return weighed
