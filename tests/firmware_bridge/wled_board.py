"""WLED's reader of its serial port, a double made from its documentation and its measured behaviour, faults included.

It has no time-out inside a frame; the first byte outside a frame selects what follows, and zeros mean nothing. What the
driver must never cause is listed in `WledBoard.executed`.
"""

import json
from enum import Enum, auto

from firmware_bridge.protocols import adalight

REALTIME = 2.5  # seconds after a frame until it goes back to an effect of its own
BUILD = b"2510120"
SPEEDS = (115_200, 230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000, 1_500_000)

_ORANGE = bytes((255, 160, 0))  # its own effect, as it comes from the factory
_FIRST_SPEED = 0xB0
_TPM2, _TPM2_DATA, _TPM2_PING, _TPM2_PONG = 0xC9, 0xDA, 0xAA, b"\xac"
_JSON_TIMEOUT = 1.0


class _Reading(Enum):
    IDLE = auto()
    D = auto()
    A = auto()
    HIGH = auto()
    LOW = auto()
    CHECK = auto()
    PIXELS = auto()
    TPM2_KIND = auto()
    TPM2_HIGH = auto()
    TPM2_LOW = auto()
    JSON = auto()


class WledBoard:
    """A board with WLED; ``leds`` are on its chain."""

    def __init__(self, leds: int = 128, name: str = "WLED", speed: int = 115_200) -> None:
        self.leds = leds
        self.name = name
        self.speed = speed
        self.executed: list[str] = []  # every command that it took, in order
        self.frames = 0
        self._reading = _Reading.IDLE
        self._count = self._check = 0
        self._part = b""
        self._coming = bytearray()
        self._buffer = bytearray(_ORANGE * leds)  # of the strip: a frame is written into it as it comes
        self._lit = bytes(self._buffer)
        self._realtime_until = 0.0
        self._json = bytearray()
        self._json_since = 0.0

    @property
    def idle(self) -> bool:
        """Return whether the next byte would be a command or the start of a frame."""
        return self._reading is _Reading.IDLE

    def boot(self, now: float) -> bytes:
        """Start anew, with the effect of its own."""
        self._reading = _Reading.IDLE
        self._lit, self._realtime_until = _ORANGE * self.leds, now
        self._buffer[:] = self._lit
        return b"Ada\r\n"

    def tick(self, now: float) -> bytes:
        """Go back to the effect of its own when no frame has come for long."""
        if self._realtime_until and now > self._realtime_until:
            self._realtime_until = 0.0
            self._lit = _ORANGE * self.leds
        if self._reading is _Reading.JSON and now - self._json_since > _JSON_TIMEOUT:
            self._reading = _Reading.IDLE
        return b""

    def lit(self) -> bytes:
        """Return what the LEDs show."""
        return self._lit

    def feed(self, data: bytes, now: float) -> bytes:
        """Take bytes from the wire; return the answer."""
        stated = b""
        for byte in data:
            stated += self._byte(byte, now)
        return stated

    def _byte(self, byte: int, now: float) -> bytes:  # noqa: C901  (one branch a state, as in any such reader)
        match self._reading:
            case _Reading.IDLE:
                return self._command(byte, now)
            case _Reading.D:
                self._reading = _Reading.A if byte == ord("d") else _Reading.IDLE
            case _Reading.A:
                self._reading = _Reading.HIGH if byte == ord("a") else _Reading.IDLE
            case _Reading.HIGH:
                self._count, self._check, self._reading = byte * 256, byte, _Reading.LOW
            case _Reading.LOW:
                self._count, self._check, self._reading = self._count + byte + 1, self._check ^ byte, _Reading.CHECK
            case _Reading.CHECK:
                self._begin(ok=byte == self._check ^ 0x55)
            case _Reading.PIXELS:
                self._pixel_byte(byte, now)
            case _Reading.TPM2_KIND:
                self._reading = _Reading.TPM2_HIGH if byte == _TPM2_DATA else _Reading.IDLE
                return _TPM2_PONG if byte == _TPM2_PING else b""
            case _Reading.TPM2_HIGH:
                self._count, self._reading = byte * 256 // 3, _Reading.TPM2_LOW
            case _Reading.TPM2_LOW:  # each half is divided alone: one LED is lost at 128
                self._count += byte // 3
                self._begin(ok=self._count > 0)
            case _Reading.JSON:
                return self._json_byte(byte)
        return b""

    def _begin(self, *, ok: bool) -> None:
        self._reading = _Reading.PIXELS if ok else _Reading.IDLE
        self._coming.clear()

    def _pixel_byte(self, byte: int, now: float) -> None:
        self._coming.append(byte)
        if len(self._coming) < adalight.PIXEL_BYTES * self._count:
            return
        taken = self._coming[: adalight.PIXEL_BYTES * self.leds]
        self._buffer[: len(taken)] = taken
        self._lit = bytes(self._buffer)
        self._realtime_until = now + REALTIME
        self.frames += 1
        self._reading = _Reading.IDLE

    def _command(self, byte: int, now: float) -> bytes:
        if byte == ord("A"):
            self._reading = _Reading.D
        elif byte == _TPM2:
            self.executed.append("TPM2")
            self._reading = _Reading.TPM2_KIND
        elif byte == ord("{"):
            self._json[:] = b"{"
            self._json_since, self._reading = now, _Reading.JSON
        elif byte == ord("v"):
            self.executed.append("version")
            return b"WLED " + BUILD + b"\r\n"
        elif _FIRST_SPEED <= byte < _FIRST_SPEED + len(SPEEDS):
            self.executed.append("speed")
            self.speed = SPEEDS[byte - _FIRST_SPEED]
            return b"Baud is now %d\r\n" % self.speed
        elif byte in b"IlLoO":
            self.executed.append(chr(byte))
        return b""

    def _json_byte(self, byte: int) -> bytes:
        self._json.append(byte)
        if self._json.count(b"{") > self._json.count(b"}"):
            return b""
        self._reading = _Reading.IDLE
        self.executed.append("JSON")
        try:
            asked = json.loads(self._json)
        except ValueError:
            return b""
        if not asked.get("v"):
            return b""
        info = {"ver": "0.15.1", "vid": int(BUILD), "leds": {"count": self.leds, "pwr": 0}, "name": self.name}
        return json.dumps({"state": {"on": True, "bri": 128}, "info": info}).encode() + b"\r\n"
