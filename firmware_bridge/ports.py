"""Serial ports: list them, decide which to ask, and find the same board again when its port's name has changed."""

import os
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

Key = tuple[int, int, str]
"""Vendor, product, and serial number (or, for a chip without one, the socket): what stays when a board comes back."""


@dataclass(frozen=True)
class Port:
    """A serial port; all but its ``device`` may be unknown."""

    device: str
    vid: int | None = None
    pid: int | None = None
    serial: str | None = None
    location: str | None = None
    title: str = ""

    @property
    def key(self) -> Key | None:
        """Return what identifies the port; not its name, because that changes."""
        place = self.serial or self.location
        return None if self.vid is None or self.pid is None or place is None else (self.vid, self.pid, place)

    @property
    def may_be_asked(self) -> bool:
        """Return whether an LED board may be behind it, so that a question does no harm."""
        return self.vid in makers()

    def __str__(self) -> str:
        maker = makers().get(self.vid or 0) or self.title
        where = f"socket {self.location}" if self.location else ""
        about = ", ".join(part for part in (maker, where) if part)
        return f"{self.device} ({about})" if about else self.device


Lister = Callable[[], Sequence[Port]]


@cache
def makers() -> dict[int, str]:
    """Return the makers of chips that the program may ask, by vendor number."""
    listed = tomllib.loads((files("firmware_bridge") / "ports.toml").read_text("utf-8"))["makers"]
    return {int(vid, 16): str(name) for vid, name in listed.items()}


def list_ports() -> list[Port]:
    """List the computer's serial ports."""
    from serial.tools.list_ports import comports  # noqa: PLC0415  (simulated and networked boards need no pyserial)

    return [
        Port(it.device, it.vid, it.pid, it.serial_number or None, it.location or None, _described(it.description))
        for it in sorted(comports(), key=lambda it: it.device)
    ]


def _described(description: str | None) -> str:
    return "" if description in (None, "n/a") else str(description)


class PortFinder:
    """Finds the ports at which to look for a board, and remembers how to recognize it. Used by one thread.

    ``wanted``: the port that a person named, exactly as given, or None for any port that the program may ask.
    """

    def __init__(self, wanted: str | None = None, lister: Lister = list_ports) -> None:
        self.wanted = wanted
        self._lister = lister
        self._known: Key | None = None
        self._by_socket = False
        self._silent: set[Port] = set()  # ports without a board that have been asked, while they stay plugged in

    @property
    def by_socket(self) -> bool:
        """Return whether only the socket identifies the board, so that it must come back to the same one."""
        return self._by_socket

    @property
    def asked(self) -> list[Port]:
        """Return the plugged-in ports that were asked and did not answer."""
        return sorted(self._silent, key=lambda port: port.device)

    def candidates(self) -> list[Port]:
        """Return the ports to try now, the likeliest first; with a named port none while its known board is away."""
        ports = list(self._lister())
        if self.wanted is not None and self._known is None:
            return [self._named(ports, self.wanted)]
        known = [port for port in ports if self._known is not None and port.key == self._known]
        if self.wanted is not None:
            return known
        self._silent &= set(ports)
        others = [port for port in ports if port.may_be_asked and port not in known and port not in self._silent]
        return known + others

    def found(self, port: Port) -> None:
        """Remember that the board is at this port: from now on its key identifies it."""
        self._known = port.key
        self._by_socket = port.key is not None and not port.serial

    def silent(self, port: Port) -> None:
        """Remember that no board answers there: do not ask again until it has been unplugged."""
        if self.wanted is None:
            self._silent.add(port)

    @staticmethod
    def _named(ports: Sequence[Port], wanted: str) -> Port:
        real = os.path.realpath(wanted)  # names under /dev/serial are links
        return next((port for port in ports if os.path.realpath(port.device) == real), Port(wanted))
