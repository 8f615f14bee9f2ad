"""DDP, version 1: frames to WLED and similar receivers by UDP, in packets; the last packet says: show it.

The header: flags, sequence (1 to 15), data type (RGB, 8 bits), destination, offset in bytes (4), length (2).
"""

import struct
from collections.abc import Iterator

PORT = 4048
MOST_BYTES = 1440  # of pixels in a packet: 480 LEDs, and Ethernet need not fragment it
SEQUENCE_NUMBERS = 15

_HEADER = struct.Struct(">BBBBIH")
_VERSION_1, _PUSH = 0x40, 0x01
_RGB, _DISPLAY = 0x0B, 0x01


def packets(pixels: bytes, sequence: int) -> Iterator[bytes]:
    """Yield the packets that show ``pixels``, three bytes an LED.

    ``sequence`` counts frames; with it, receivers drop packets that are late.
    """
    number = sequence % SEQUENCE_NUMBERS + 1
    for offset in range(0, len(pixels), MOST_BYTES):
        part = pixels[offset : offset + MOST_BYTES]
        flags = _VERSION_1 | (_PUSH if offset + len(part) == len(pixels) else 0)
        yield _HEADER.pack(flags, number, _RGB, _DISPLAY, offset, len(part)) + part
