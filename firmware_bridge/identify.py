"""Find out what is behind a port: from what it says by itself, else from answers to questions that harm no board."""

import time
from collections.abc import Callable, Sequence

from firmware_bridge.bell import Bell
from firmware_bridge.protocols import wled
from firmware_bridge.protocols.serial import ADALIGHT_BANNER, SERIAL, BoardGreeting, SerialProtocol
from firmware_bridge.serial_wire import SerialWire, WireSpeedError
from firmware_bridge.transport import ConnectedBoard, EndedError

SPEEDS = (115_200, 2_000_000, 1_000_000, 500_000, 250_000)
"""Baud; the first is the general default, the second is that of HyperSerial."""

_ASKED_AT = (0.25, 2.2)
# Seconds after opening: a board that did not restart answers at once. The gap leaves room for a whole second without a
# byte, after which the public sketch says its name.
_ANSWER_WAIT = 0.3
_VERSION_WAIT = 0.25
_INFO_WAIT = 2.0  # the answer has a few thousand bytes
_MOST_HEARD = 1 << 16  # bytes; a device that says more is none of our boards
_GREETED = [protocol for protocol in SERIAL if protocol.greeting == SERIAL[0].greeting]


def identify(wire: SerialWire, bell: Bell, speeds: Sequence[int] = SPEEDS) -> ConnectedBoard | None:
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
        # after the first speed a board that restarts has already sent its name, perhaps at another speed
        found = interview.long() if number == 0 else interview.ask()
        if found is not None:
            return found
    return None


class _Interview:
    """Questions at one speed."""

    def __init__(self, wire: SerialWire, bell: Bell) -> None:
        self._wire = wire
        self._bell = bell
        self._heard = b""

    def long(self) -> ConnectedBoard | None:
        """Wait for a name and ask at intervals, until every board has had time to start."""
        began = time.monotonic()
        for asked_at in _ASKED_AT:
            found = self._listen(_GREETED, began + asked_at - time.monotonic(), until=ADALIGHT_BANNER.search)
            found = found or self.ask()
            if found is not None:
                return found
        return None

    def ask(self) -> ConnectedBoard | None:
        """Ask once, each greeting after the one before was not answered."""
        before, asked = wled.preamble(), list[SerialProtocol]()
        for greeting in dict.fromkeys(protocol.greeting for protocol in SERIAL):
            asked += [protocol for protocol in SERIAL if protocol.greeting == greeting]
            if greeting:
                self._wire.write(before + greeting)
                wait = self._wire.seconds(len(before + greeting)) + (_ANSWER_WAIT if before else _VERSION_WAIT)
                found = self._listen(asked, wait)
                before = b""
            else:
                found = self._recognised(asked)
            if found is not None:
                return found
        return None

    def _listen(
        self,
        asked: Sequence[SerialProtocol],
        seconds: float,
        *,
        until: Callable[[bytes], object] = lambda _: None,
    ) -> ConnectedBoard | None:
        """Listen until a board has named itself that speaks one of these protocols, or ``until`` finds its end."""
        ends = time.monotonic() + seconds
        late = False
        while not late:
            left = ends - time.monotonic()
            late = left <= 0  # look once more: received bytes count even if this thread was delayed
            self._read(max(0.0, left))
            found = self._recognised(asked)
            if found is not None or until(self._heard):
                return found  # without one it has started: no need to wait longer before asking
        return None

    def _read(self, timeout: float) -> None:
        if self._bell.final:
            raise EndedError
        self._heard = (self._heard + self._wire.read(self._bell, timeout))[-_MOST_HEARD:]

    def _recognised(self, asked: Sequence[SerialProtocol]) -> ConnectedBoard | None:
        for protocol in asked:
            named = protocol.recognise(self._heard)
            if named is not None:
                named = self._details(protocol) or named
                return ConnectedBoard(protocol.name, named.name, named.leds, self._wire.speed, named.hello)
        return None

    def _details(self, protocol: SerialProtocol) -> BoardGreeting | None:
        """Ask a board of this kind for more about itself."""
        if protocol.details is None:
            return None
        question, reads = protocol.details
        self._heard, ends, known = b"", time.monotonic() + _INFO_WAIT, None
        self._wire.write(question)
        while known is None and (left := ends - time.monotonic()) > 0:
            self._read(left)
            known = reads(self._heard)
        return known
