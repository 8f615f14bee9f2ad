"""Adalight: the frame that every hobby board understands. It has no checksum over the pixels and no answer.

``A d a``, high and low byte of the number of LEDs *minus one*, the exclusive or of both with 0x55, then the pixels.
"""

PIXEL_BYTES = 3  # bytes of one LED: red, green, blue; the board reorders them for its chips
HEADER = 6  # bytes before the pixels
MOST_LEDS = 1 << 16
BANNER = b"Ada"
"""What such boards say at boot; some repeat it in each idle second."""

_MAGIC = b"Ada"
_CHECKSUM_SALT = 0x55


class PixelsError(ValueError):
    """These pixels cannot be a frame."""


def encode(pixels: bytes) -> bytes:
    """Return the frame that shows ``pixels``: three bytes an LED, red first.

    Raises:
        PixelsError: there is no LED, an incomplete one, or more than a frame can count.
    """
    return header(_MAGIC, pixels) + pixels


def header(magic: bytes, pixels: bytes) -> bytes:
    """Return the six bytes before ``pixels``; ``magic`` is the first three of them.

    Raises:
        PixelsError: as `encode`.
    """
    leds, rest = divmod(len(pixels), PIXEL_BYTES)
    if rest or not 0 < leds <= MOST_LEDS:
        raise PixelsError(f"Expected three bytes for each of 1 to {MOST_LEDS} LEDs, but got {len(pixels)} bytes.")
    high, low = divmod(leds - 1, 256)
    return magic + bytes((high, low, high ^ low ^ _CHECKSUM_SALT))
