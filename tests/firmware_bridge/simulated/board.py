"""A simulated board on a real terminal device, with the faults of real boards. Linux only, like its device."""

import fcntl
import os
import select
import struct
import threading
import time
import tty
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from firmware_bridge.frame import Colour
from firmware_bridge.ports import Port
from tests.firmware_bridge.simulated.firmware import Firmware, OwnFirmware, colours

VENDOR, PRODUCT = 0x2341, 0x0043  # an Arduino Uno's

_POLL_SECONDS = 0.005  # seconds between two polls of the wire
_TCGETS2_REQUEST = 0x802C542A  # returns the speed in plain baud; the older call knows only some speeds
_TERMIOS2 = struct.Struct("4I20s2I")
_SPEED_TOLERANCE = 0.045  # share by which two speeds may differ and still work
_MOST_BYTES = 4096


@dataclass
class Faults:
    """The faults of a board; they may change while it runs."""

    late: float = 0.05  # seconds from the opening of its port to its start; it hears nothing meanwhile
    deaf: bool = False  # it reads nothing: bytes accumulate in the wire
    mute: bool = False  # none of its messages gets out
    rubbish: float = 0.0  # chance of random bytes before its messages
    lose: float = 0.0  # chance of each received piece to lose one byte
    flip: float = 0.0  # chance of each received piece to have one bit changed


class SimulatedBoard:
    """A board that runs in a thread of its own. `lister` lists its port as the computer would."""

    def __init__(
        self,
        firmware: Firmware | None = None,
        *,
        leds: int = 128,
        serial: str | None = "SIMULATED1",
        paced: bool = True,
        chance: Random | None = None,
    ) -> None:
        """Prepare the board; it is not plugged in yet.

        Args:
            firmware: the program on it; our own by default.
            leds: on its chain.
            serial: the serial number of its USB chip; some have none.
            paced: whether bytes take their time on the wire.
            chance: the random generator of its faults.
        """
        self.firmware: Firmware = firmware or OwnFirmware(leds)
        self.faults = Faults()
        self.boots = 0
        self._leds = leds
        self._serial = serial
        self._paced = paced
        self._chance = chance or Random(0)
        self._lock = threading.Lock()  # guards master and device: unplugging closes them while the thread runs
        self._master: int | None = None
        self._device: str | None = None
        self._next: tuple[int, str] | None = None
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._in_use = False
        self._holder: int | None = None  # the port's file in another program
        self._started_at = 0.0  # when the program starts; it hears nothing before
        self._booting = False
        self._credit = 0.0  # bytes that may have come through the wire since the last poll
        self._looked_at = 0.0

    @property
    def device(self) -> str | None:
        """Return the name of its port, or None while it is unplugged."""
        return self._device

    def lister(self) -> list[Port]:
        """List its port in the form of the computer's ports; empty while it is unplugged."""
        device = self._device
        return [] if device is None else [Port(device, VENDOR, PRODUCT, self._serial, "1-2", "simulated")]

    def shown(self) -> tuple[Colour, ...]:
        """Return the colours of its LEDs, as it received them: linear in light."""
        return colours(self.firmware.lit(), self._leds)

    def heard_all(self) -> bool:
        """Tell whether its wire is empty: a busy computer may run it late, unlike a real board."""
        with self._lock:
            return self._master is None or not select.select([self._master], [], [], 0)[0]

    def start(self) -> None:
        """Plug it in and run it."""
        self.plug()
        self._ending.clear()
        self._thread = threading.Thread(target=self._run, name="simulated board", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Unplug it and end its thread."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.let_go()
        self.unplug()
        if self._next is not None:
            os.close(self._next[0])
            self._next = None

    def plug(self) -> None:
        """Plug it in, under a new name."""
        with self._lock:
            if self._master is None:
                self._master, self._device = self._next or _terminal()
                self._next = None
                self._in_use = False

    def unplug(self) -> None:
        """Unplug it: its port hangs up."""
        with self._lock:
            if self._master is None:
                return
            if not self._ending.is_set():
                self._next = _terminal()  # made before the old one is gone, so its name differs
            os.close(self._master)
            self._master = self._device = None

    def hold(self) -> None:
        """Let another program use the port, until the board is unplugged or `let_go` is called."""
        assert self._device is not None, "a board that is pulled out has no port to hold"
        self._holder = os.open(self._device, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(self._holder, fcntl.LOCK_EX)

    def let_go(self) -> None:
        """End the other program."""
        if self._holder is not None:
            os.close(self._holder)
            self._holder = None

    def _run(self) -> None:
        self._looked_at = time.monotonic()
        while not self._ending.is_set():
            with self._lock:
                waits = self._turn(time.monotonic())
            if waits:
                time.sleep(_POLL_SECONDS)

    def _turn(self, now: float) -> bool:
        """Poll the wire once; return whether there is nothing to do for a moment."""
        master = self._master
        if master is None or not self._opened(master, now):
            return True
        if now < self._started_at:
            self._read(master, now)
            return True
        if self._booting:
            self._booting = False
            self.boots += 1
            self._send(master, self.firmware.boot(now))
        data = b"" if self.faults.deaf else self._read(master, now)
        message = self.firmware.feed(self._spoilt(data), now) if data else b""
        self._send(master, message + self.firmware.tick(now))
        return not data or self._paced

    def _opened(self, master: int, now: float) -> bool:
        """Return whether a program has the port open; opening it restarts the board, as with many real ones."""
        poll = select.poll()
        poll.register(master, select.POLLIN | select.POLLHUP)
        # what was sent before the port was closed has reached a real board, though a busy computer runs this one late
        in_use = not any(events & select.POLLHUP and not events & select.POLLIN for _, events in poll.poll(0))
        if in_use and not self._in_use:
            self._started_at, self._booting, self._credit = now + self.faults.late, True, 0.0
        self._in_use = in_use
        return in_use

    def _read(self, master: int, now: float) -> bytes:
        speed = _speed(master)
        most = _MOST_BYTES
        if self._paced:
            self._credit = min(self._credit + (now - self._looked_at) * speed / 10, 2 * _POLL_SECONDS * speed)
            most = int(self._credit)
        self._looked_at = now
        if not most or not select.select([master], [], [], 0)[0]:
            self._credit = 0.0 if most else self._credit
            return b""
        with suppress(OSError):  # the other side has closed it meanwhile
            data = os.read(master, most)
            self._credit -= len(data)
            garbled = abs(speed - self.firmware.speed) > _SPEED_TOLERANCE * self.firmware.speed
            return self._chance.randbytes(max(1, len(data) * self.firmware.speed // speed)) if garbled else data
        return b""

    def _spoilt(self, data: bytes) -> bytes:
        whole = bytearray(data)
        if self._chance.random() < self.faults.flip:
            whole[self._chance.randrange(len(whole))] ^= 1 << self._chance.randrange(8)
        if self._chance.random() < self.faults.lose:
            del whole[self._chance.randrange(len(whole))]
        return bytes(whole)

    def _send(self, master: int, message: bytes) -> None:
        if not message or self.faults.mute:
            return
        if self._chance.random() < self.faults.rubbish:
            message = self._chance.randbytes(self._chance.randrange(1, 40)) + message
        speed = _speed(master)
        if abs(speed - self.firmware.speed) > _SPEED_TOLERANCE * self.firmware.speed:
            message = self._chance.randbytes(len(message))
        with suppress(OSError):
            os.write(master, message)


def _terminal() -> tuple[int, str]:
    """Make a terminal device; return the board's side and the name of the other side."""
    master, slave = os.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.close(slave)
    os.set_blocking(master, False)
    return master, name


def _speed(master: int) -> int:
    """Return the speed in baud that the other side has set."""
    try:
        raw = fcntl.ioctl(master, _TCGETS2_REQUEST, bytes(_TERMIOS2.size))
    except OSError:
        return 115_200
    return int(_TERMIOS2.unpack(raw)[-1]) or 115_200
