"""Find out what is behind a port: from what it says by itself, else from its answers to questions that harm no board.

Zeros and the hello of Awa have no effect on any board but the addressed one; WLED gets its question only after them.
"""

import re
import time
from collections.abc import Sequence

from firmware_bridge.bell import Bell
from firmware_bridge.protocols import awa, wled
from firmware_bridge.protocols.uplink import Hello, LineReader
from firmware_bridge.serial_wire import Wire, WireSpeedError
from firmware_bridge.transport import Board, EndedError

SPEEDS = (115_200, 2_000_000, 1_000_000, 500_000, 250_000)
"""Baud; the first is the general default, the second is that of HyperSerial."""

_ASKED_AT = (0.25, 2.2)
# Seconds after opening: a board that did not restart answers at once. The gap leaves room for a whole second without a
# byte, after which the public sketch says its name.
_ANSWER_WAIT = 0.3
_VERSION_WAIT = 0.25
_INFO_WAIT = 2.0  # the answer has a few thousand bytes
_MOST_HEARD = 1 << 16  # bytes; a device that says more is none of our boards
_ADALIGHT = re.compile(rb"(?:^|[\r\n])Ada\r?\n")
_WLED = re.compile(rb"WLED (\d+)")


def identify(wire: Wire, bell: Bell, speeds: Sequence[int] = SPEEDS) -> Board | None:
    """Return what is behind an open port, or None if no known board answers at any of ``speeds``.

    The wire keeps the speed at which the board answered.

    Raises:
        WireLostError, WireStuckError: as the wire.
        EndedError: the bell rang for the last time.
    """
    for number, speed in enumerate(speeds):
        if wire.speed != speed:
            try:
                wire.speed = speed
            except WireSpeedError:
                continue
        interview = _Interview(wire, bell)
        # after the first speed a board that restarts has already said its name, perhaps at another speed
        found = interview.long() if number == 0 else interview.ask()
        if found is not None:
            return found
    return None


class _Interview:
    """Questions at one speed."""

    def __init__(self, wire: Wire, bell: Bell) -> None:
        self._wire = wire
        self._bell = bell
        self._heard = b""
        self._lines = LineReader()
        self._hello: Hello | None = None

    def long(self) -> Board | None:
        """Wait for a name and ask at intervals, until every board has had time to start."""
        began = time.monotonic()
        for asked_at in _ASKED_AT:
            found = self._listen(began + asked_at - time.monotonic()) or self.ask()
            if found is not None:
                return found
        return None

    def ask(self) -> Board | None:
        """Ask once."""
        greeting = wled.preamble() + awa.HELLO
        self._wire.write(greeting)
        found = self._listen(self._wire.seconds(len(greeting)) + _ANSWER_WAIT, patient=True)
        if found is None:
            self._wire.write(wled.ASK_VERSION)
            self._listen(_VERSION_WAIT, until=_WLED)
            found = self._of_wled()
        if found is None and _ADALIGHT.search(self._heard):
            found = Board("adalight", "Adalight board", speed=self._wire.speed)
        return found

    def _listen(self, seconds: float, *, until: re.Pattern[bytes] | None = None, patient: bool = False) -> Board | None:
        """Listen until the board has named itself; ``patient``: also after the word Ada, which many boards say."""
        ends = time.monotonic() + seconds
        late = False
        while not late:
            left = ends - time.monotonic()
            late = left <= 0  # look once more: received bytes count even if this thread was delayed
            if self._bell.final:
                raise EndedError
            self._take(self._wire.read(self._bell, max(0.0, left)))
            if self._hello is not None:
                said = self._hello
                return Board("own", f"{said.name} {said.version}", said.leds, self._wire.speed, said)
            if awa.BANNER in self._heard:
                return Board("awa", "HyperSerial board", speed=self._wire.speed)
            if until is not None and until.search(self._heard):
                return None
            if not patient and until is None and _ADALIGHT.search(self._heard):
                return None  # it has started: no need to wait longer before asking
        return None

    def _take(self, data: bytes) -> None:
        self._heard = (self._heard + data)[-_MOST_HEARD:]
        for message in self._lines.feed(data):
            if isinstance(message, Hello):
                self._hello = message

    def _of_wled(self) -> Board | None:
        said = _WLED.search(self._heard)
        if said is None:
            return None
        self._heard = b""
        self._wire.write(wled.ASK_INFO)
        ends = time.monotonic() + _INFO_WAIT
        known = None
        while known is None and (left := ends - time.monotonic()) > 0:
            if self._bell.final:
                raise EndedError
            self._take(self._wire.read(self._bell, left))
            known = wled.find_identity(self._heard)
        if known is None:
            return Board("wled", f"WLED {said[1].decode()}", speed=self._wire.speed)
        return Board("wled", f"{known.name} (WLED {known.version})", known.leds, self._wire.speed)
