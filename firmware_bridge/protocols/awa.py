"""Awa, the frame of HyperSerial boards: Adalight's with three check bytes after the pixels. Boards drop a damaged one.

All three are sums modulo 255: of the bytes, of those sums, and of the bytes mixed with their position.
"""

from itertools import accumulate
from operator import xor

from firmware_bridge.protocols.adalight import header

HELLO = b"Awa\x2a\xa2\x15"
"""Asks a board what it is: a header whose check is wrong for every count, so no frame begins."""
BANNER = b"Awa driver"
"""What a HyperSerial board says of itself."""
CHECKS = 3  # bytes after the pixels

_MAGIC = b"Awa"
_CHECKSUM_MODULUS = 255
_POSITIONS = bytes(range(256))
_RESERVED, _INSTEAD = ord("A"), 0xAA  # the last check is never an A, because the next frame begins with one


def encode(pixels: bytes) -> bytes:
    """Return the frame that shows ``pixels``: three bytes an LED, red first.

    Raises:
        PixelsError: there is no LED, an incomplete one, or more than a frame can count.
    """
    return header(_MAGIC, pixels) + pixels + checks(pixels)


def checks(pixels: bytes) -> bytes:
    """Return the three check bytes over ``pixels``."""
    positions = _POSITIONS * (len(pixels) // len(_POSITIONS) + 1)
    first = sum(pixels) % _CHECKSUM_MODULUS
    second = sum(accumulate(pixels)) % _CHECKSUM_MODULUS
    mixed = sum(map(xor, pixels, positions)) % _CHECKSUM_MODULUS
    return bytes((first, second, _INSTEAD if mixed == _RESERVED else mixed))
