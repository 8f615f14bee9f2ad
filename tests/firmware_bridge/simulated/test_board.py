"""A simulated board on a busy computer: it runs late, and misses nothing that a real one would have heard."""

import os
import time
from random import Random

import serial

from firmware_bridge.protocols import adalight
from tests.firmware_bridge.simulated.board import SimulatedBoard
from tests.firmware_bridge.simulated.firmware import Sketch
from tests.firmware_bridge.waiting import until


def test_a_board_that_runs_late_hears_what_was_sent_before_the_port_was_closed() -> None:
    board = SimulatedBoard(Sketch(), leds=2, paced=False, chance=Random(1))
    board.start()
    try:
        assert board.device is not None
        with serial.Serial(board.device, 115_200) as port:
            until(lambda: board.boots == 1)
            board.faults.deaf = True  # as if it did not run meanwhile
            os.write(port.fileno(), adalight.encode(bytes((255, 0, 0, 0, 0, 255))))
        time.sleep(0.2)  # it sees the port closed
        board.faults.deaf = False
        until(lambda: board.firmware.lit() == bytes((255, 0, 0, 0, 0, 255)))
    finally:
        board.stop()
