"""A wire in memory to the double of WLED's reader, which can be cut after any byte."""

from firmware_bridge.bell import Bell
from firmware_bridge.ports import Port
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.serial_wire import SerialWire, WireStuckError
from tests.firmware_bridge.wled_board import WledBoard

HARMLESS = ["version", "JSON"]
"""The commands that identifying a board gives it."""


class WledWire(SerialWire):
    """Bytes reach the board at once; ``cut`` lets only so many of the next ones through."""

    device = "memory"
    broken = False
    speed = 115_200

    def __init__(self, board: WledBoard) -> None:
        self.board = board
        self.cut: int | None = None
        self.lost: int | None = None  # which of the next bytes is lost without anybody knowing
        self.written = 0
        self._answer = b""
        self.now = 0.0

    def seconds(self, count: int) -> float:
        del count
        return 0.0

    def write(self, data: bytes) -> None:
        self.written = len(data)
        cut, self.cut = self.cut, None
        if self.lost is not None:
            data = data[: self.lost] + data[self.lost + 1 :]
            self.lost = None
        self._answer += self.board.feed(data[:cut], self.now)
        if cut is not None:
            raise WireStuckError("cut")

    def read(self, bell: Bell, timeout: float) -> bytes:
        if not self._answer:
            bell.wait(timeout)  # the board says nothing of itself
        stated, self._answer = self._answer, b""
        return stated

    def drop_unsent(self) -> None:
        """Nothing waits in memory."""

    def close(self) -> None:
        """Nothing is held."""


def wired(leds: int) -> tuple[WledBoard, WledWire, SerialTransport]:
    """Return a board that has been identified, the wire to it and the transport."""
    board = WledBoard(leds)
    wire = WledWire(board)
    transport = SerialTransport(
        "memory", lister=lambda: [Port("memory", 0x1A86, 0x7523, None, "1-1")], opener=lambda _device, _speed: wire
    )
    bell = Bell()
    transport.open(bell)
    bell.close()
    assert board.executed == HARMLESS
    return board, wire, transport
