"""An open serial port: bytes in both directions, and one error for every way in which it can break."""

import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import serial

from firmware_bridge.bell import Bell
from firmware_bridge.phrase import Phrase
from firmware_bridge.transport import BoardAwayError, BoardError

WRITE_TIMEOUT = 1.0  # seconds that a board may accept nothing before that is an error
_MOST_BYTES = 4096  # bytes read at once


class WireLostError(BoardAwayError):
    """The port broke while it was open: usually somebody unplugged the cable."""


class WireSpeedError(BoardError):
    """The computer's port cannot have that speed."""


class WireStuckError(BoardError):
    """The board accepts no more bytes; part of the written bytes may be on the wire."""


class SerialWire:
    """One open port. Used by one thread."""

    def __init__(self, device: str, speed: int) -> None:
        """Open a port exclusively, if possible without the pulse that makes many boards restart.

        Raises:
            OSError: as the system reports it; see `troubles.explain`.
        """
        self.broken = False
        self.device = device
        port = serial.Serial(timeout=0, write_timeout=WRITE_TIMEOUT, exclusive=True, baudrate=speed)
        port.port = device
        port.dtr = port.rts = False
        try:
            port.open()
        except (termios.error, TypeError) as why:  # it vanished while it was being opened
            port.close()
            raise WireLostError(Phrase("The port {port} disappeared while it was being opened.", port=device)) from why
        except ValueError as why:
            port.close()
            raise WireSpeedError(
                Phrase("The port {port} cannot be set to {speed} baud.", port=device, speed=str(speed))
            ) from why
        self._port = port

    @property
    def speed(self) -> int:
        """Return the speed in baud."""
        return int(self._port.baudrate)

    @speed.setter
    def speed(self, baud: int) -> None:
        with self._breaking():
            try:
                self._port.baudrate = baud
            except ValueError as why:
                raise WireSpeedError(
                    Phrase("The port {port} cannot be set to {speed} baud.", port=self.device, speed=str(baud))
                ) from why

    def seconds(self, count: int) -> float:
        """Return how long ``count`` bytes take on the wire: eight bits each, one before and one after."""
        return 10 * count / self.speed

    def write(self, data: bytes) -> None:
        """Write all the bytes, or raise.

        Raises:
            WireStuckError: the board accepts no bytes.
            WireLostError: the port broke.
        """
        with self._breaking():
            self._port.write(data)

    def read(self, bell: Bell, timeout: float) -> bytes:
        """Return the received bytes; wait up to ``timeout`` seconds for the first one. Empty too when the bell rings.

        Raises:
            WireLostError: the port broke.
        """
        with self._breaking():
            return bytes(self._port.read(_MOST_BYTES)) if bell.wait(timeout, self._port.fileno()) else b""

    def drop_unsent(self) -> None:
        """Discard what the system has not sent yet: it is old, and closing would wait for it.

        Raises:
            WireLostError: the port broke.
        """
        with self._breaking():
            self._port.reset_output_buffer()

    def close(self) -> None:
        """Close the port."""
        with suppress(OSError, termios.error):
            self._port.close()

    @contextmanager
    def _breaking(self) -> Iterator[None]:
        try:
            yield
        except serial.SerialTimeoutException as why:
            raise WireStuckError(
                Phrase("The LED board at {port} accepts no more data: has it hung?", port=self.device)
            ) from why
        except (OSError, termios.error, ValueError, TypeError) as why:
            # pyserial raises each of them for a port that is gone; termios.error is not an OSError
            if isinstance(why, BoardError):
                raise
            self.broken = True
            raise WireLostError(
                Phrase("The LED board at {port} is gone; the program waits for it.", port=self.device)
            ) from why
