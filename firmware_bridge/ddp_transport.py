"""A board on the network that takes DDP, usually WLED on Wi-Fi: frames go by UDP, its identity comes by HTTP."""

import json
import socket
import time
import urllib.request
from http.client import HTTPException
from typing import Any

from firmware_bridge.bell import Bell
from firmware_bridge.brightness import Brightness
from firmware_bridge.frame import LedFrame
from firmware_bridge.phrase import Phrase
from firmware_bridge.protocols import adalight, ddp, wled
from firmware_bridge.transport import BoardError, ConnectedBoard, Transport, too_few

KEEP_ALIVE = 0.9  # seconds; WLED returns to its own effects after 2.5
FRAME_SECONDS = 0.04  # seconds between two frames: more than 25 a second only load the radio
ASK_TIMEOUT = 1.0  # seconds for an answer by HTTP
CHECK_EVERY_SECONDS = 10.0  # seconds between two checks whether a board that answers by HTTP is still there
_SILENT_BOARD_FACTOR = 3
_MOST_INFO = 1 << 16  # bytes
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a board is local: no proxy knows it


class DdpTransport(Transport):
    """A board at ``host``. Used by the driver's thread.

    UDP does not report whether a packet arrives. So the transport regularly asks a board that answers by HTTP whether
    it is still there.
    """

    keep_alive: float | None = KEEP_ALIVE

    def __init__(
        self,
        host: str,
        port: int = ddp.PORT,
        *,
        http_port: int = 80,
        brightness: Brightness | None = None,
        check_every: float = CHECK_EVERY_SECONDS,
    ) -> None:
        self._host, self._port, self._http_port = host, port, http_port
        self._brightness = brightness or Brightness()
        self._check_every = check_every
        self._socket: socket.socket | None = None
        self._sequence = 0
        self._free_at = 0.0
        self._check_at = float("inf")
        self._leds = self._wanted_leds = 0

    @property
    def notice(self) -> Phrase | None:
        """Return that nobody has reported that a board is there, or that it has too few LEDs."""
        if self.board is None and self._socket is not None:
            return Phrase(
                "Nothing at {host} says that it is an LED board: if no light comes on, check its power and address.",
                host=self._host,
            )
        return too_few(self.board, self._wanted_leds)

    @property
    def name(self) -> str:
        """Return the name of the board for a player."""
        return f"LED board at {self._host}"

    def open(self, bell: Bell) -> None:
        """Find the host, and ask what it is; frames go to a host that does not say it, too, and `notice` says so.

        Raises:
            BoardError: there is no such host, or it does not answer although it did before.
        """
        del bell
        self.close()
        self._check()
        try:
            kind, *_, address = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(kind, socket.SOCK_DGRAM)
            self._socket.connect(address)
        except OSError as why:
            self._drop()
            reason = str(why.strerror or why)
            raise BoardError(
                Phrase("The network knows no LED board {host}: {why}.", host=self._host, why=reason)
            ) from why

    def busy(self) -> float:
        """Return for how many seconds no frame should be sent."""
        return max(0.0, self._free_at - time.monotonic())

    def send(self, frame: LedFrame) -> None:
        """Send a frame.

        Raises:
            BoardError: the board is gone.
        """
        if time.monotonic() >= self._check_at:
            self._check()
        pixels = frame.pixels()
        self._wanted_leds = len(frame.colours)
        self._leds = max(self._leds, len(pixels) // adalight.PIXEL_BYTES)
        self._write(self._brightness.applied(pixels.ljust(adalight.PIXEL_BYTES * self._leds, b"\0")))
        self._free_at = time.monotonic() + FRAME_SECONDS

    def close(self) -> None:
        """Make the board dark and close the socket."""
        if self._socket is not None and self._leds:
            try:
                for _ in range(2):  # one may get lost
                    self._write(bytes(adalight.PIXEL_BYTES * self._leds))
            except BoardError:
                pass
        self._drop()

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._check_at = float("inf")

    def _write(self, pixels: bytes) -> None:
        assert self._socket is not None, "sending comes after opening"
        self._sequence += 1
        try:
            for packet in ddp.packets(pixels, self._sequence):
                self._socket.send(packet)
        except OSError as why:  # the host is there but reports that nothing listens
            raise BoardError(
                Phrase("Nothing at {host} accepts LED frames: {why}.", host=self._host, why=str(why.strerror or why))
            ) from why

    def _check(self) -> None:
        """Ask what is there. A host that has never answered may still be there; ask it less often.

        Raises:
            BoardError: it does not answer although it did before.
        """
        known = self._ask()
        if known is not None:
            self.board = ConnectedBoard("ddp", f"{known.name} (WLED {known.version})", known.leds)
        elif self.board is not None:
            raise BoardError(
                Phrase("The LED board at {host} does not answer; the program keeps waiting for it.", host=self._host)
            )
        self._check_at = time.monotonic() + self._check_every * (_SILENT_BOARD_FACTOR if self.board is None else 1)

    def _ask(self) -> wled.Identity | None:
        host = f"[{self._host}]" if ":" in self._host else self._host
        try:
            with _DIRECT.open(f"http://{host}:{self._http_port}/json/info", timeout=ASK_TIMEOUT) as answer:
                info: Any = json.loads(answer.read(_MOST_INFO))
        except (OSError, ValueError, RecursionError, HTTPException):
            return None
        return wled.identity(info)
