"""The programs on simulated boards: our own, the public Adalight sketch and HyperSerial's, as seen on the wire."""

from collections import deque
from typing import Protocol

from firmware_bridge.frame import Colour
from firmware_bridge.protocols import adalight, awa, uplink
from firmware_bridge.protocols.uplink import Button, Hello, Message, Refused, Shown, Squares

DARK_AFTER = 60.0  # seconds without a frame
FRAME_GAP_SECONDS = 0.05  # seconds of silence inside a frame after which our firmware drops it

_REPEATS = (0.0, 0.2, 0.4)  # seconds after which a press is reported, until the host answers
_REPORT_EVERY = 1.0  # seconds between two reports of squares
_LONGEST_ANSWER = 16  # characters of the only line from the host


class Firmware(Protocol):
    """The program of a board. Times are in seconds of any clock that runs on."""

    speed: int

    def boot(self, now: float) -> bytes:
        """Restart; return what it says."""
        ...

    def feed(self, data: bytes, now: float) -> bytes:
        """Take bytes from the wire; return the answer."""
        ...

    def tick(self, now: float) -> bytes:
        """Return what it says by itself; called a few hundred times a second."""
        ...

    def lit(self) -> bytes:
        """Return the last values for the LEDs: three bytes each."""
        ...


def encode(message: Message) -> bytes:
    """Return the line that a board sends."""
    match message:
        case Hello(name, version, leds, buttons, squares):
            return uplink.line(f"HI,{name},{version},{leds},{buttons},{squares}")
        case Shown(counter):
            return uplink.line(f"OK,{counter}")
        case Refused(reason):
            return uplink.line(f"NO,{reason}")
        case Button(seq, button, pressed):
            return uplink.line(f"BT,{seq},{button},{pressed:d}")
        case Squares(seq, occupied):
            return uplink.line(f"SQ,{seq},{occupied:016X}")


def colours(lit: bytes, leds: int) -> tuple[Colour, ...]:
    """Return the colours of a chain of ``leds`` LEDs that received ``lit``."""
    whole = lit[: 3 * leds].ljust(3 * leds, b"\0")
    return tuple(Colour(*whole[at : at + 3]) for at in range(0, len(whole), 3))


class Sketch:
    """A program that shows frames and answers nothing: the public Adalight sketch, or HyperSerial's with Awa."""

    def __init__(self, speed: int = 115_200, magics: tuple[bytes, ...] = (b"Ada",), banner: bytes = b"Ada\n") -> None:
        self.speed = speed
        self.frames = 0
        self._magics = magics
        self._banner = banner
        self._buffer = bytearray()
        self._pixels = b""
        self._last_byte = self._last_frame = self._last_word = 0.0
        self._skip = 0  # remaining bytes of a refused frame

    def boot(self, now: float) -> bytes:
        """Restart, dark; return the banner."""
        self._buffer.clear()
        self._pixels, self._skip = b"", 0
        self._last_byte = self._last_frame = self._last_word = now
        return self._banner

    def feed(self, data: bytes, now: float) -> bytes:
        """Take bytes from the wire; return the answer."""
        message = self._late(now)
        self._last_byte = now
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._buffer += data
        while self._buffer and (used := self._used()) is not None:
            whole = bytes(self._buffer[:used])
            del self._buffer[:used]
            message += self._take(whole, now)
        return message

    def tick(self, now: float) -> bytes:
        """Go dark after a long silence; in each idle second, return what the sketch is."""
        message = self._late(now)
        if now - self._last_frame > DARK_AFTER:
            self._pixels = b""
        if self._banner.startswith(adalight.BANNER) and now - max(self._last_byte, self._last_word) > 1:
            self._last_word = now
            message += self._banner
        return message

    def lit(self) -> bytes:
        """Return the last values for the LEDs."""
        return self._pixels

    def _late(self, now: float) -> bytes:
        del now
        return b""

    def _used(self) -> int | None:
        """Return how many bytes belong together, 1 for a meaningless byte; None if more must come."""
        start = bytes(self._buffer[: adalight.HEADER])
        if not any(magic.startswith(start[:3]) for magic in self._magics):
            return 1
        if len(start) < adalight.HEADER:
            return None
        high, low, check = start[3:]
        if start == awa.HELLO:
            return len(start)
        if check != high ^ low ^ 0x55:
            return 1
        size = adalight.HEADER + adalight.PIXEL_BYTES * (256 * high + low + 1)
        size += awa.CHECKS if start.startswith(b"Awa") else 0
        return size if len(self._buffer) >= size else self._unfinished(size)

    def _unfinished(self, size: int) -> int | None:
        del size
        return None

    def _take(self, whole: bytes, now: float) -> bytes:
        if whole == awa.HELLO:
            return self._hello()
        if len(whole) < adalight.HEADER:
            return b""
        return self._frame(whole, now)

    def _frame(self, whole: bytes, now: float) -> bytes:
        pixels = whole[adalight.HEADER :]
        if whole.startswith(b"Awa"):
            pixels, sums = pixels[: -awa.CHECKS], pixels[-awa.CHECKS :]
            if sums != awa.checks(pixels):
                return self._refuse("C")
        return self._show(pixels, now)

    def _show(self, pixels: bytes, now: float) -> bytes:
        self._pixels, self._last_frame = pixels, now
        self.frames += 1
        return b""

    def _refuse(self, reason: uplink.Reason) -> bytes:
        del reason
        return b""

    def _hello(self) -> bytes:
        return b"\r\nWelcome!\r\nAwa driver 9." if b"Awa" in self._magics else b""


class OwnFirmware(Sketch):
    """Our own program: answers every frame, reports buttons and squares."""

    def __init__(self, leds: int = 200, buttons: int = 1, squares: int = 64, speed: int = 115_200) -> None:
        super().__init__(speed, (b"Ada", b"Awa"))
        self.hello = Hello("alea", 1, leds, buttons, squares)
        self.refuse = 0  # how many of the next frames to refuse although they are correct
        self._counter = self._seq = 0
        self._presses: deque[tuple[int, bool]] = deque()  # appended to by any thread
        self._untold: dict[int, tuple[Button, float, int]] = {}  # number -> press, when, how often reported
        self.occupied = 0
        self._reported: tuple[int, float] | None = None

    def press(self, button: int = 0, *, pressed: bool = True) -> None:
        """Press or release a button; any thread may call it."""
        self._presses.append((button, pressed))

    def boot(self, now: float) -> bytes:
        """Restart, dark; return what it is."""
        super().boot(now)
        self._counter = self._seq = 0
        self._untold.clear()
        self._reported = None
        return encode(self.hello)

    def tick(self, now: float) -> bytes:
        """Report the buttons and squares."""
        message = super().tick(now)
        while self._presses:
            button, pressed = self._presses.popleft()
            self._seq = (self._seq + 1) % 256
            self._untold[self._seq] = (Button(self._seq, button, pressed), now, 0)
        for seq, (press, began, reported) in list(self._untold.items()):
            if now - began >= _REPEATS[reported]:
                message += encode(press)
                self._untold[seq] = (press, began, reported + 1)
                if reported + 1 == len(_REPEATS):
                    del self._untold[seq]
        if self.hello.squares and self._reports(now):
            self._reported = (self.occupied, now)
            self._seq = (self._seq + 1) % 256
            message += encode(Squares(self._seq, self._reported[0]))
        return message

    def _reports(self, now: float) -> bool:
        last = self._reported
        return last is None or last[0] != self.occupied or now - last[1] >= _REPORT_EVERY

    def _late(self, now: float) -> bytes:
        if now - self._last_byte <= FRAME_GAP_SECONDS:
            return b""
        self._skip = 0
        half = len(self._buffer) >= adalight.HEADER
        self._buffer.clear()
        return self._refuse("T") if half else b""

    def _used(self) -> int | None:
        if self._buffer[:1] != b"$":
            return super()._used()
        end = self._buffer.find(b"\n")
        if end >= 0:
            return end + 1
        return None if len(self._buffer) < _LONGEST_ANSWER else 1

    def _unfinished(self, size: int) -> int | None:
        if size <= adalight.HEADER + adalight.PIXEL_BYTES * self.hello.leds + awa.CHECKS:
            return None
        self._skip = size - len(self._buffer)
        return len(self._buffer)

    def _take(self, whole: bytes, now: float) -> bytes:
        if not whole.startswith(b"$"):
            return super()._take(whole, now)
        message = uplink.content(whole.rstrip(b"\n"))
        if message is not None and message.startswith("BA,") and message[3:].isdecimal():
            self._untold.pop(int(message[3:]), None)
        return b""

    def _frame(self, whole: bytes, now: float) -> bytes:
        leds = 256 * whole[3] + whole[4] + 1
        return self._refuse("L") if leds > self.hello.leds else super()._frame(whole, now)

    def _show(self, pixels: bytes, now: float) -> bytes:
        if self.refuse > 0:
            self.refuse -= 1
            return self._refuse("C")
        super()._show(pixels, now)
        return self._answer(Shown(self._counter))

    def _answer(self, message: Message) -> bytes:
        self._counter = (self._counter + isinstance(message, Shown)) % 256
        return encode(message)

    def _refuse(self, reason: uplink.Reason) -> bytes:
        return self._answer(Refused(reason))

    def _hello(self) -> bytes:
        return encode(self.hello)


def hyperserial(speed: int = 2_000_000) -> Sketch:
    """Return a board with HyperSerial's program: Awa only, at its high speed, silent at boot."""
    return Sketch(speed, (b"Awa",), banner=b"")
