"""What a bad wire makes of frames, and rubbish that leads a board on."""

from random import Random

from firmware_bridge.protocols import awa
from firmware_bridge.protocols.uplink import Button, answer


def flipped(frame: bytes, chance: Random) -> bytes:
    """Return the frame with one bit turned."""
    bit = chance.randrange(8 * len(frame))
    return bytes(byte ^ (1 << bit % 8 if bit // 8 == place else 0) for place, byte in enumerate(frame))


def shortened(frame: bytes, chance: Random) -> bytes:
    """Return the frame without one of its bytes."""
    place = chance.randrange(len(frame))
    return frame[:place] + frame[place + 1 :]


def cut(frame: bytes, chance: Random) -> bytes:
    """Return the frame's beginning."""
    return frame[: chance.randrange(1, len(frame))]


PIECES = (b"Ada", b"Awa", awa.HELLO, b"$BA,", b"*", b"\n", b"\r\n", answer(Button(0, 0, pressed=True))[:-2])


def rubbish(chance: Random, count: int) -> bytes:
    """Return ``count`` random bytes; one in six hundred is the start of a piece of what the board understands.

    Whole headers of frames are not among the pieces: what follows one *is* a frame of Adalight, which checks no more.
    """
    made = bytearray()
    while len(made) < count:
        made += chance.choice(PIECES) if chance.random() < 0.03 else chance.randbytes(chance.randrange(1, 30))
    return bytes(made[:count])
