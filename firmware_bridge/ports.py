"""Serial ports: which there are, which may be asked, and finding the same board again when its name has changed."""

import os
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

Key = tuple[int, int, str]
"""Vendor, product, and serial number or, where a chip has none, the socket: what stays when a board comes back."""


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
        """Return what the port is known by; its name is not, for it changes."""
        place = self.serial or self.location
        return None if self.vid is None or self.pid is None or place is None else (self.vid, self.pid, place)

    @property
    def may_be_asked(self) -> bool:
        """Return whether a board of LEDs may be behind it, so that asking does no harm."""
        return self.vid in makers()

    def __str__(self) -> str:
        said = makers().get(self.vid or 0) or self.title
        where = f"socket {self.location}" if self.location else ""
        about = ", ".join(part for part in (said, where) if part)
        return f"{self.device} ({about})" if about else self.device


Lister = Callable[[], Sequence[Port]]


@cache
def makers() -> dict[int, str]:
    """Return the makers of chips that may be asked, by vendor number."""
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
    """Says at which ports to look for a board; remembers what it was known by. Used by one thread.

    ``wanted`` is the port that a person named, or None for any that may be asked.
    """

    def __init__(self, wanted: str | None = None, lister: Lister = list_ports) -> None:
        self._wanted = wanted
        self._lister = lister
        self._known: Key | None = None
        self._by_socket = False
        self._silent: set[Port] = set()  # what was asked and is no board, while it stays plugged in

    @property
    def wanted(self) -> str | None:
        """Return the port that a person named, as it was named."""
        return self._wanted

    @property
    def by_socket(self) -> bool:
        """Return whether the board is known by its socket only, so that it must come back to the same one."""
        return self._by_socket

    @property
    def asked(self) -> list[Port]:
        """Return the ports that are plugged in and were asked in vain."""
        return sorted(self._silent, key=lambda port: port.device)

    def candidates(self) -> list[Port]:
        """Return the ports to try now, the likeliest first; none while a known board is away."""
        ports = list(self._lister())
        if self._wanted is not None and self._known is None:
            return [self._named(ports, self._wanted)]
        known = [port for port in ports if self._known is not None and port.key == self._known]
        if self._wanted is not None:
            return known
        self._silent &= set(ports)
        others = [port for port in ports if port.may_be_asked and port not in known and port not in self._silent]
        return known + others

    def found(self, port: Port) -> None:
        """Remember that the board is at this port: from now on it is known by what does not change."""
        self._known = port.key
        self._by_socket = port.key is not None and not port.serial

    def silent(self, port: Port) -> None:
        """Remember that no board answers there: it is not asked again until it was plugged out."""
        if self._wanted is None:
            self._silent.add(port)

    @staticmethod
    def _named(ports: Sequence[Port], wanted: str) -> Port:
        real = os.path.realpath(wanted)  # names under /dev/serial are links
        return next((port for port in ports if os.path.realpath(port.device) == real), Port(wanted))
