"""WLED over a serial cable: it takes Adalight, but treats everything outside a frame as a command.

If one byte is lost, colours of the next frame may change its speed or stop it. Three things prevent that: zeros, which
it ignores, before a frame that may follow half of another one; colours without a command's byte; and a count of LEDs
without one. How its reader works: wled_serial.cpp, and kno.wled.ge/interfaces/serial.
"""

import json
from dataclasses import dataclass
from typing import Any

from firmware_bridge.protocols import adalight

COMMANDS = frozenset(b"AILOlov{") | frozenset(range(0xB0, 0xB8)) | {0xC9}
"""Bytes that start a command outside a frame; 0xB0 to 0xB7 change the speed."""
ASK_VERSION = b"v"
ASK_INFO = b'{"v":true}'
BANNER = b"WLED"
"""The beginning of the answer to `ASK_VERSION`; the build's number follows."""
LONGEST_FRAME = 512
"""The most LEDs of a frame that another program may have left half sent; for our own frames the number is known."""


def _harmless(byte: int) -> int:
    while byte in COMMANDS:
        byte -= 1
    return byte


_PALETTE = bytes(map(_harmless, range(256)))


def safe(pixels: bytes) -> bytes:
    """Return the pixels with every command's byte made darker, by 8 of 255 at most and usually by 1."""
    return pixels.translate(_PALETTE)


def preamble(leds: int = LONGEST_FRAME) -> bytes:
    """Return zeros that end a frame of up to ``leds`` LEDs, wherever it was cut."""
    return bytes(adalight.HEADER + adalight.PIXEL_BYTES * leds)


def padded(pixels: bytes) -> bytes:
    """Return the pixels plus as many dark LEDs as are necessary for a header without commands.

    Receivers ignore pixels beyond their last LED.
    """
    dark = bytes(adalight.PIXEL_BYTES)
    while not COMMANDS.isdisjoint(adalight.header(b"", pixels)):
        pixels += dark
    return pixels


def encode(pixels: bytes) -> bytes:
    """Return an Adalight frame that shows ``pixels`` and is harmless wherever it is cut.

    Raises:
        PixelsError: as `adalight.encode`.
    """
    return adalight.encode(padded(safe(pixels)))


MOST_LEDS = 100_000
"""The most LEDs that a board may credibly report."""

LONGEST_NAME = 64
"""The most characters of a board's name or version to keep."""


@dataclass(frozen=True)
class Identity:
    """What a WLED board says of itself."""

    name: str
    version: str
    leds: int


def identity(info: Any) -> Identity | None:
    """Read a board's answer to `ASK_INFO`, or over the network to ``/json/info``; None if it is something else."""
    if isinstance(info, dict) and isinstance(info.get("info"), dict):
        info = info["info"]
    match info:
        case {"ver": str(version), "leds": {"count": int(leds)}} if 0 < leds <= MOST_LEDS:
            return Identity(_shown(str(info.get("name", "WLED"))), _shown(version), leds)
    return None


def _shown(name: str) -> str:
    """Return a board's own name as a text that can be encoded: JSON may contain half a character."""
    return name.encode("utf-8", "replace").decode()[:LONGEST_NAME]


def find_identity(received: bytes) -> Identity | None:
    """Look for the answer to `ASK_INFO` in the bytes from a board, which may say other things before and after."""
    text = received.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found = identity(decoder.raw_decode(text, start)[0])
        except (ValueError, RecursionError):  # garbage may nest without end
            found = None
        if found is not None:
            return found
        start = text.find("{", start + 1)
    return None
