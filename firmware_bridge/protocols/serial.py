"""The protocols that a board behind a serial port may speak, one record each; a new one is a record in `SERIAL`.

Zeros and the hello of Awa have no effect on any board but the addressed one; WLED gets its question only after them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.protocols import awa, wled
from firmware_bridge.protocols.uplink import Hello, LineReader

ADALIGHT_BANNER = re.compile(rb"(?:^|[\r\n])Ada\r?\n")
_WLED_BANNER = re.compile(rb"WLED (\d+)")
_SLOWEST_WLED = 0.05  # seconds between two frames: more than 20 a second have made such boards restart


@dataclass(frozen=True)
class BoardGreeting:
    """What a board says of itself; ``hello`` is that of our own firmware."""

    name: str
    leds: int | None = None
    hello: Hello | None = None


Recognise = Callable[[bytes], BoardGreeting | None]


@dataclass(frozen=True)
class SerialProtocol:
    """How boards of one kind are asked, recognised and sent a frame.

    ``greeting``: the question, which harms no other board; empty if such boards say their name at boot alone.
    ``recognise``: reads everything that was heard; None if it is of another kind. ``encode``: three bytes an LED, red
    first, to a frame. ``pace``: the least seconds between two frames. ``acknowledges``: whether the board reports each
    frame, and drops one with more LEDs than it has. ``details``: a second question and what reads its answer.
    """

    name: str
    greeting: bytes
    recognise: Recognise
    encode: Callable[[bytes], bytes]
    pace: float = 0.0
    acknowledges: bool = False
    details: tuple[bytes, Recognise] | None = None


def _own(heard: bytes) -> BoardGreeting | None:
    hellos = [message for message in LineReader().feed(heard) if isinstance(message, Hello)]
    return BoardGreeting(f"{hellos[-1].name} {hellos[-1].version}", hellos[-1].leds, hellos[-1]) if hellos else None


def _awa(heard: bytes) -> BoardGreeting | None:
    return BoardGreeting("HyperSerial board") if awa.BANNER in heard else None


def _wled(heard: bytes) -> BoardGreeting | None:
    banner = _WLED_BANNER.search(heard)
    return None if banner is None else BoardGreeting(f"WLED {banner[1].decode()}")


def _wled_details(heard: bytes) -> BoardGreeting | None:
    known = wled.find_identity(heard)
    return None if known is None else BoardGreeting(f"{known.name} (WLED {known.version})", known.leds)


def _adalight(heard: bytes) -> BoardGreeting | None:
    return BoardGreeting("Adalight board") if ADALIGHT_BANNER.search(heard) else None


SERIAL = (
    SerialProtocol("own", awa.HELLO, _own, awa.encode, acknowledges=True),
    SerialProtocol("awa", awa.HELLO, _awa, awa.encode),
    SerialProtocol("wled", wled.ASK_VERSION, _wled, wled.encode, _SLOWEST_WLED, details=(wled.ASK_INFO, _wled_details)),
    # Half a frame may stand before one of Adalight's, and WLED boards may pass for such: its encoding harms neither.
    SerialProtocol("adalight", b"", _adalight, wled.encode, _SLOWEST_WLED),
)
"""In the order in which a board is asked."""

BY_NAME = {protocol.name: protocol for protocol in SERIAL}
