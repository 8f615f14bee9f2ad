"""A board behind a serial port: found, addressed in its own protocol, paced, and found again after it was unplugged."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from firmware_bridge.bell import Bell
from firmware_bridge.brightness import Brightness
from firmware_bridge.frame import LedFrame
from firmware_bridge.identify import SPEEDS, identify
from firmware_bridge.phrase import Phrase
from firmware_bridge.ports import Lister, Port, PortFinder, list_ports
from firmware_bridge.protocols import adalight, uplink, wled
from firmware_bridge.protocols.serial import BY_NAME, SERIAL, SerialProtocol
from firmware_bridge.protocols.uplink import Button, Hello, LineReader, Message, Refused, Shown
from firmware_bridge.serial_wire import SerialWire, WireStuckError
from firmware_bridge.transport import BoardAwayError, BoardError, ConnectedBoard, EndedError, Transport, too_few
from firmware_bridge.troubles import away, explain, none_answers, silent

KEEP_ALIVE = 0.9  # seconds; WLED returns to its own effects after 2.5
MOST_FAILURES = 6  # after this many frames in a row that were not shown, open the board again

_SECONDS_PER_LED = 30e-6  # seconds for each LED during which the chip writes the LEDs; a small chip hears nothing then
_REST_SECONDS = 0.005  # more seconds, if a board does not say when it is ready
_LATE_SECONDS = 0.05  # more seconds, if it does
_DARKENING_SECONDS = 0.3  # seconds of each wait while darkening a board at the end


class SerialTransport(Transport):
    """A board at the wanted port, or with None at any port that may be asked. Used by the driver's thread."""

    keep_alive: float | None = KEEP_ALIVE

    def __init__(
        self,
        wanted: str | None = None,
        *,
        lister: Lister = list_ports,
        brightness: Brightness | None = None,
        opener: Callable[[str, int], SerialWire] = SerialWire,
    ) -> None:
        """Open nothing yet.

        Args:
            wanted: the port that a person named: a device or a link to one.
            lister: what lists the computer's ports.
            brightness: the limits of the board.
            opener: opens a port at a speed.
        """
        self._finder = PortFinder(wanted, lister)
        self._brightness = brightness or Brightness()
        self._speeds: Sequence[int] = SPEEDS
        self._opener = opener
        self._wire: SerialWire | None = None
        self._lines = LineReader()
        self._leds = 0  # of the longest frame so far: LEDs beyond a shorter frame become dark
        self._wanted_leds = 0  # of the newest frame, regardless of the board's number
        self._protocol: SerialProtocol = SERIAL[-1]  # of the board that answered
        self._begin()

    def _begin(self) -> None:
        self._lines = LineReader()
        self._free_at = 0.0  # when the next frame may be sent
        self._waiting = False  # whether the board has not yet confirmed the last frame
        self._again = False  # whether that frame was not shown
        self._unsure = True  # whether half a frame may be on the wire: zeros first
        self._failures = 0
        self._last = b""  # the last frame, as it was sent

    @property
    def name(self) -> str:
        """Return the name of the board for a player."""
        return f"LED board at {self._finder.wanted or 'any port'}"

    @property
    def notice(self) -> Phrase | None:
        """Return what a person should know although frames arrive."""
        return too_few(self.board, self._wanted_leds)

    @property
    def device(self) -> str | None:
        """Return the port that is open."""
        return None if self._wire is None else self._wire.device

    def open(self, bell: Bell) -> None:
        """Look for the board and ask it what it is.

        Raises:
            BoardAwayError: it is not plugged in.
            BoardError: it cannot be used.
        """
        self.close()
        ports = self._finder.candidates()
        if not ports:
            asked, wanted = self._finder.asked, self._finder.wanted
            raise BoardAwayError(none_answers(asked) if asked else away(wanted, same_socket=self._finder.by_socket))
        first: BoardError | None = None
        for port in ports:
            try:
                self._try(port, bell)
            except EndedError:
                raise
            except BoardError as why:
                first = first or why
            else:
                return
        assert first is not None
        raise first

    def _try(self, port: Port, bell: Bell) -> None:
        try:
            wire = self._opener(port.device, self._speeds[0])
        except OSError as why:
            raise explain(why, port) from why
        try:
            board = identify(wire, bell, self._speeds)
            if board is None:
                self._finder.silent(port)
                raise BoardError(silent(port, list(self._speeds)))  # noqa: TRY301  (the port is closed in one place)
        except BaseException:
            _let_go(wire)
            raise
        self._take(wire, board, port)

    def _take(self, wire: SerialWire, board: ConnectedBoard, port: Port) -> None:
        self._finder.found(port)
        self._wire, self.board, self._protocol = wire, board, BY_NAME[board.protocol]
        # from now on try the speed at which it answered first
        self._speeds = (wire.speed, *(speed for speed in self._speeds if speed != wire.speed))
        self._begin()

    def busy(self) -> float:
        """Return for how many seconds no frame should be sent.

        Raises:
            BoardError: the board has not shown a frame for too long.
        """
        left = self._free_at - time.monotonic()
        if left > 0:
            return left
        if self._waiting:
            self._failed()
        return 0.0

    def refused(self) -> bool:
        """Return, once, whether the last frame was not shown."""
        again, self._again = self._again, False
        return again

    def send(self, frame: LedFrame) -> None:
        """Send a frame, as bright as the supply allows.

        Raises:
            WireLostError: the board is gone.
        """
        self._wanted_leds = len(frame.colours)
        pixels = self._fitted(frame.pixels())
        if not pixels:
            return
        self._send(self._protocol.encode(self._brightness.applied(pixels)))

    def _send(self, encoded: bytes) -> None:
        wire = self._open_wire()
        acknowledges = self._protocol.acknowledges
        # a repeated frame may also repair the effect of a lost byte, if the board would not report one
        zeros = self._unsure or (encoded == self._last and not acknowledges)
        data = (wled.preamble(self._preamble_leds()) if zeros else b"") + encoded
        self._unsure, self._last = True, encoded
        try:
            wire.write(data)
        except WireStuckError:
            self._failed()
            wire.drop_unsent()
            return
        self._unsure = False
        self._failures = self._failures if acknowledges else 0
        took = wire.seconds(len(data)) + _SECONDS_PER_LED * (len(encoded) // adalight.PIXEL_BYTES)
        rest = _LATE_SECONDS if acknowledges else _REST_SECONDS
        self._free_at = time.monotonic() + max(took + rest, self._protocol.pace)
        self._waiting = acknowledges

    def receive(self, bell: Bell, timeout: float) -> list[Message]:
        """Wait for a message of the board, for the bell or for ``timeout`` seconds; return the messages.

        Raises:
            WireLostError: the board is gone.
        """
        messages = self._lines.feed(self._open_wire().read(bell, timeout))
        for message in messages:
            match message:
                case Shown() if self._waiting:
                    self._waiting, self._free_at, self._failures = False, 0.0, 0
                case Refused() if self._waiting:
                    self._failed()
                case Hello():  # it has restarted, and is dark
                    self._again = self._unsure = True
                    self._waiting = False
                case _:
                    pass
        return messages

    def answer(self, press: Button) -> None:
        """Confirm a press to the board.

        Raises:
            WireLostError: the board is gone.
        """
        try:
            self._open_wire().write(uplink.answer(press))
        except WireStuckError:
            self._failed()

    def close(self) -> None:
        """Make the board dark if it still listens, and close the port."""
        wire, self._wire = self._wire, None
        if wire is None:
            return
        with suppress(OSError):
            if self._leds and not wire.broken:
                if self._failures:
                    wire.drop_unsent()  # a board that is late, not dead, has more hope to hear the black frame
                self._darken(wire)
        _let_go(wire)
        self._begin()

    def _darken(self, wire: SerialWire) -> None:
        """Send a black frame twice: nothing confirms whether the first has arrived."""
        black = self._protocol.encode(bytes(adalight.PIXEL_BYTES * self._leds))
        gap = wire.seconds(len(black)) + _SECONDS_PER_LED * self._leds + _REST_SECONDS
        time.sleep(min(_DARKENING_SECONDS, max(0.0, self._free_at - time.monotonic())))
        wire.write((wled.preamble(self._leds) if self._unsure else b"") + black)
        time.sleep(min(_DARKENING_SECONDS, gap))
        wire.write(black)
        time.sleep(min(_DARKENING_SECONDS, gap))  # closing a port may lose bytes that are not sent yet

    def _failed(self) -> None:
        """Record that the last frame was not shown.

        Raises:
            BoardError: that has happened too often.
        """
        self._waiting, self._again, self._unsure = False, True, True
        self._free_at = 0.0
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            raise BoardError(
                Phrase(
                    "The LED board at {port} no longer shows anything; the program opens it again.",
                    port=str(self.device),
                )
            )

    def _fitted(self, pixels: bytes) -> bytes:
        """Return pixels for the most LEDs of any frame so far, but no more than the board has."""
        self._leds = max(self._leds, len(pixels) // adalight.PIXEL_BYTES)
        if self.board is not None and self._protocol.acknowledges and self.board.leds:
            self._leds = min(self._leds, self.board.leds)
        wanted = adalight.PIXEL_BYTES * self._leds
        return pixels[:wanted].ljust(wanted, b"\0")

    def _preamble_leds(self) -> int:
        return max(
            self._leds, len(wled.padded(bytes(adalight.PIXEL_BYTES * max(self._leds, 1)))) // adalight.PIXEL_BYTES
        )

    def _open_wire(self) -> SerialWire:
        if self._wire is None:
            raise BoardAwayError(away(self._finder.wanted))
        return self._wire


def _let_go(wire: SerialWire) -> None:
    with suppress(OSError):
        wire.drop_unsent()
    wire.close()
