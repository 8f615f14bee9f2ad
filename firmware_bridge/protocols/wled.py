"""WLED over a serial cable: it takes Adalight, but whatever it reads outside a frame is a command to it.

One lost byte is enough, and colours of the next frame change its speed or stop it. Three things keep it safe: zeros,
which it passes over, before a frame that may meet half of another one; colours without a command's byte; and a count of
LEDs without one. How its reader works: wled_serial.cpp, and kno.wled.ge/interfaces/serial.
"""

import json
from dataclasses import dataclass
from typing import Any

from firmware_bridge.protocols import adalight

COMMANDS = frozenset(b"AILOlov{") | frozenset(range(0xB0, 0xB8)) | {0xC9}
"""Bytes that begin something where no frame is being read; 0xB0 to 0xB7 change the speed."""
ASK_VERSION = b"v"
ASK_INFO = b'{"v":true}'
BANNER = b"WLED"
"""What the answer to `ASK_VERSION` begins with; the build's number follows."""
LONGEST_FRAME = 512
"""LEDs of a frame that another program may have left half sent; for our own frames the number is known."""


def _harmless(byte: int) -> int:
    while byte in COMMANDS:
        byte -= 1
    return byte


_PALETTE = bytes(map(_harmless, range(256)))


def safe(pixels: bytes) -> bytes:
    """Return the pixels with every byte that is a command made darker, by 8 of 255 at most and mostly by 1."""
    return pixels.translate(_PALETTE)


def preamble(leds: int = LONGEST_FRAME) -> bytes:
    """Return zeros that end a frame of up to ``leds`` LEDs, wherever it was cut off."""
    return bytes(adalight.HEADER + adalight.PIXEL * leds)


def padded(pixels: bytes) -> bytes:
    """Return the pixels with as many dark LEDs after the last as it takes to have no command in the header.

    Receivers pass over pixels beyond their last LED.
    """
    dark = bytes(adalight.PIXEL)
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
"""LEDs of a board that is believed."""

LONGEST_NAME = 64
"""Characters of a board's name or version that are told."""


@dataclass(frozen=True)
class Identity:
    """What a WLED board says of itself."""

    name: str
    version: str
    leds: int


def identity(info: Any) -> Identity | None:
    """Read what a board answers to `ASK_INFO`, or over the network to ``/json/info``; None if it is something else."""
    if isinstance(info, dict) and isinstance(info.get("info"), dict):
        info = info["info"]
    match info:
        case {"ver": str(version), "leds": {"count": int(leds)}} if 0 < leds <= MOST_LEDS:
            return Identity(_shown(str(info.get("name", "WLED"))), _shown(version), leds)
    return None


def _shown(name: str) -> str:
    """Return a name that a board gives itself as a text that can be written: JSON may bring half a character."""
    return name.encode("utf-8", "replace").decode()[:LONGEST_NAME]


def find_identity(received: bytes) -> Identity | None:
    """Look for the answer to `ASK_INFO` in what came from a board, which may say other things before and after."""
    text = received.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            found = identity(decoder.raw_decode(text, start)[0])
        except (ValueError, RecursionError):  # rubbish may nest without end
            found = None
        if found is not None:
            return found
        start = text.find("{", start + 1)
    return None
