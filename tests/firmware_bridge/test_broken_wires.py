"""A wire that breaks at any operation, in every way in which ports do: the driver comes back and shows the frame."""

import errno
import termios
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from serial import PortNotOpenError, Serial, SerialException

from firmware_bridge.bell import Bell
from firmware_bridge.brightness import Brightness
from firmware_bridge.driver import Driver, State
from firmware_bridge.ports import Port
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.serial_wire import SerialWire, WireLostError, WireStuckError
from tests.firmware_bridge.rig import LEDS, frame, rig
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.waiting import until

CHANCE = Random(21)


class CountedWire(SerialWire):
    """A wire in memory to our firmware; the operation of a given number breaks it."""

    device = "memory"
    speed = 115_200
    operations = 0
    breaks_at = -1
    stuck = False  # whether it is stuck rather than lost

    def __init__(self, board: OwnFirmware) -> None:
        self.broken = False
        self._board = board
        self._answer = board.boot(time.monotonic())

    def seconds(self, count: int) -> float:
        del count
        return 0.0

    def write(self, data: bytes) -> None:
        self._count(len(data))
        self._answer += self._board.feed(data, time.monotonic())

    def read(self, bell: Bell, timeout: float) -> bytes:
        self._count(0)
        if not self._answer:
            bell.wait(min(timeout, 0.05))
        stated, self._answer = self._answer + self._board.tick(time.monotonic()), b""
        return stated

    def drop_unsent(self) -> None:
        """Nothing waits in memory."""

    def close(self) -> None:
        """Nothing is held."""

    def _count(self, size: int) -> None:
        number, CountedWire.operations = CountedWire.operations, CountedWire.operations + 1
        if number == CountedWire.breaks_at:
            if CountedWire.stuck and size:
                raise WireStuckError("stuck")
            self.broken = True
            raise WireLostError("lost")


@pytest.mark.parametrize(("breaks_at", "stuck"), [*((number, False) for number in range(9)), (1, True), (3, True)])
def test_breaking_at_any_operation_is_survived(breaks_at: int, *, stuck: bool) -> None:
    CountedWire.operations, CountedWire.breaks_at, CountedWire.stuck = 0, breaks_at, stuck
    board = OwnFirmware(LEDS, squares=0)
    port = Port("memory", 0x2341, 0x43, "1", None)
    transport = SerialTransport(lister=lambda: [port], opener=lambda _device, _speed: CountedWire(board))
    driver = Driver(transport)
    driver.start()
    until(lambda: driver.state is State.LIVE)
    for _ in range(2):
        shown = frame(CHANCE)
        driver.show(shown)
        wanted = Brightness().applied(shown.pixels())
        until(lambda: board.lit() == wanted)  # noqa: B023  (it is waited for in this round)
    driver.show(frame(CHANCE))
    until(lambda: CountedWire.operations > breaks_at)
    driver.stop()
    assert driver.state is State.OFF


WAYS: list[Callable[[], Exception]] = [
    lambda: OSError(errno.EIO, "Input/output error"),
    lambda: SerialException("device reports readiness to read but returned no data"),
    lambda: termios.error(errno.EIO, "Input/output error"),
    PortNotOpenError,
    lambda: TypeError("an integer is required"),  # what pyserial raises for a port closed under it
]


@pytest.mark.parametrize(
    ("method", "way"),
    [
        *(("read", way) for way in range(5)),
        ("write", 0),
        ("write", 2),
        ("reset_input_buffer", 2),
        ("open", 1),
        ("open", 4),
    ],
)
def test_whatever_pyserial_raises_is_a_board_lost_and_found(
    monkeypatch: pytest.MonkeyPatch, method: str, way: int
) -> None:
    real: Any = getattr(Serial, method)
    failures = iter([WAYS[way]()])

    def failing(port: Serial, *arguments: object, **named: object) -> object:
        for failure in failures:
            raise failure
        return real(port, *arguments, **named)

    with rig(OwnFirmware(LEDS)) as it:
        it.live()
        monkeypatch.setattr(Serial, method, failing)
        if method in ("open", "reset_input_buffer"):
            it.board.unplug()
            it.board.plug()
        it.show(frame(CHANCE))
        it.show(frame(CHANCE))
