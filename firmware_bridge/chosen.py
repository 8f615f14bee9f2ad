"""The board that a person chose with ``--leds``."""

import os
from urllib.parse import urlsplit

from firmware_bridge.brightness import Brightness
from firmware_bridge.ddp_transport import DdpTransport
from firmware_bridge.protocols import ddp
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.simulated.transport import SimulatedTransport
from firmware_bridge.transport import Nothing, Transport

EXPECTED = "auto, none, simulated, a serial port or ddp://HOST[:PORT]"


class UnknownBoardError(ValueError):
    """These words choose no board; the text is one sentence."""


def chosen(words: str, brightness: Brightness | None = None) -> Transport:
    """Return the transport to the board that ``words`` choose; it is not open yet.

    Raises:
        UnknownBoardError: they choose no board.
    """
    match words:
        case "none":
            return Nothing()
        case "auto":
            return SerialTransport(brightness=brightness)
        case "simulated":
            return SimulatedTransport(brightness=brightness)
        case _ if words.startswith("ddp:"):
            return _on_the_network(words, brightness)
        case _ if os.sep in words:
            return SerialTransport(words, brightness=brightness)
    raise UnknownBoardError(f"Expected {EXPECTED} for the LEDs, but got {words!r}.")


def _on_the_network(words: str, brightness: Brightness | None) -> DdpTransport:
    try:
        parts = urlsplit(words)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.path not in ("", "/"):
        raise UnknownBoardError(f"Expected ddp://HOST[:PORT] for LEDs on the network, but got {words!r}.")
    return DdpTransport(host, port or ddp.PORT, brightness=brightness)
