"""The board that a person chose with ``--leds``."""

import os

from firmware_bridge.address import Address, address
from firmware_bridge.brightness import Brightness
from firmware_bridge.ddp_transport import DdpTransport
from firmware_bridge.ports import Lister, list_ports
from firmware_bridge.protocols import ddp
from firmware_bridge.transport import NoBoard, SimulatedBoard, Transport

EXPECTED = "auto, none, simulated, a serial port such as /dev/ttyUSB0, or wled://HOST or ddp://HOST[:PORT]"


class UnknownLedBoardError(ValueError):
    """These words choose no board; the text is one sentence."""


def chosen(words: str, brightness: Brightness | None = None) -> Transport:
    """Return the transport to the board that ``words`` choose; it is not open yet.

    Raises:
        UnknownLedBoardError: they choose no board, or one that this system cannot reach.
    """
    match words:
        case "none":
            return NoBoard()
        case "auto":
            return on_a_cable(None, brightness)
        case "simulated":
            return SimulatedBoard(brightness=brightness)
        case _ if ":" in words.partition(os.sep)[0]:
            return _on_the_network(words, brightness)
        case _ if os.sep in words:
            return on_a_cable(words, brightness)
    raise UnknownLedBoardError(f"Expected {EXPECTED} for the LEDs, but got {words!r}.")


def on_a_cable(port: str | None, brightness: Brightness | None = None, *, lister: Lister = list_ports) -> Transport:
    """Return the transport to the board at a serial port, None for the first one found; it is not open yet.

    ``lister``: gives the ports of this computer.

    Raises:
        UnknownLedBoardError: this system has other terminal devices than the program knows.
    """
    try:
        from firmware_bridge.serial_transport import SerialTransport  # noqa: PLC0415  (Windows has no termios)
    except ImportError as why:
        raise UnknownLedBoardError(
            "So far LED boards on a cable work only on Linux and macOS: choose one on the network, such as wled://HOST."
        ) from why
    return SerialTransport(port, lister=lister, brightness=brightness)


def _on_the_network(words: str, brightness: Brightness | None) -> DdpTransport:
    """Read a network address: by ``ddp`` the port is that of the frames, else that of WLED's own page."""
    match address(words):
        case Address("ddp", host, port, ""):
            return DdpTransport(host, port or ddp.PORT, brightness=brightness)
        case Address("wled" | "http", host, port, ""):
            return DdpTransport(host, http_port=port or 80, brightness=brightness)
    raise UnknownLedBoardError(
        f"Expected wled://HOST, or ddp://HOST[:PORT] for another receiver, for LEDs on the network, but got {words!r}."
    )
