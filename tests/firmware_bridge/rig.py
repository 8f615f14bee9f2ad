"""A simulated board on a terminal device with a driver at its port."""

import gc
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random

from firmware_bridge.brightness import Brightness
from firmware_bridge.driver import Driver, State
from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.protocols import wled
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.serial_wire import SerialWire
from tests.firmware_bridge.simulated.board import Faults, SimulatedBoard
from tests.firmware_bridge.simulated.firmware import Firmware
from tests.firmware_bridge.waiting import until

LEDS = 64


class WireTo(SerialWire):
    """A wire from which nothing is dropped that a real board would have by then: a busy computer runs this one late."""

    def __init__(self, board: SimulatedBoard, device: str, speed: int) -> None:
        super().__init__(device, speed)
        self._board = board

    def drop_unsent(self) -> None:
        """Wait for a board that is still there and listens, and discard the rest."""
        board = self._board
        until(lambda: board.device != self.device or board.faults.deaf or board.heard_all())
        super().drop_unsent()


class Rig:
    """The board, what drives it, and what was heard."""

    def __init__(self, board: SimulatedBoard, transport: SerialTransport) -> None:
        self.board = board
        self.transport = transport
        self.driver = Driver(transport)

    def live(self) -> None:
        until(lambda: self.driver.state is State.LIVE)

    def lit(self, frame: LedFrame) -> bool:
        """Say whether the board shows this frame, as its supply and its program allow."""
        pixels = Brightness().applied(frame.pixels())
        shown = self.board.firmware.lit()[: len(pixels)]
        return shown in (pixels, wled.safe(pixels))

    def right_again(self, frame: LedFrame) -> float:
        """Return after how long the board shows a frame that it is to show already."""
        return until(lambda: self.lit(frame))

    def show(self, frame: LedFrame) -> float:
        """Show a frame and return after how long the board shows it."""
        self.driver.show(frame)
        return until(lambda: self.lit(frame))


@contextmanager
def rig(
    firmware: Firmware | None = None,
    *,
    faults: Faults | None = None,
    named: bool = False,
    paced: bool = True,
    started: bool = True,
    serial: str | None = "SIMULATED1",
) -> Iterator[Rig]:
    """Give a running rig; afterwards nothing of it may be left: no thread, no open file."""
    gc.collect()  # what others have dropped and not closed is none of ours
    threads, opened = set(threading.enumerate()), open_files()
    board = SimulatedBoard(firmware, leds=LEDS, paced=paced, serial=serial, chance=Random(1))
    board.faults = faults or Faults()
    board.start()
    transport = SerialTransport(board.device if named else None, lister=board.lister, opener=partial(WireTo, board))
    made = Rig(board, transport)
    if started:
        made.driver.start()
    try:
        yield made
    finally:
        made.driver.stop(60)
        board.stop()
    assert set(threading.enumerate()) <= threads
    assert open_files() <= opened


def open_files() -> Counter[str]:
    """Return what this process has open, and how often: a later one less this one is what was opened since.

    What another test left behind may close at any time, so a mere number says nothing.
    """
    found: Counter[str] = Counter()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the folder's own, which is closed by now, or another thread's
            found[str(descriptor.readlink())] += 1
    return found


def frame(chance: Random, leds: int = LEDS) -> LedFrame:
    """Return a frame of random colours."""
    return LedFrame.of(Colour(*chance.randbytes(3)) for _ in range(leds))
