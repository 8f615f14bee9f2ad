"""Frames of colours, and the driver that sends the newest one."""

import threading

import pytest

from firmware_bridge.driver import Driver
from firmware_bridge.frame import DARK, Colour, ColourError, LedFrame
from firmware_bridge.transport import NoBoard
from tests.firmware_bridge.recorder import Recorder
from tests.firmware_bridge.waiting import until

RED, BLUE = LedFrame((Colour(255, 0, 0),)), LedFrame((Colour(0, 0, 255),))


class SlowBoard(Recorder):
    """Is busy with its first frame until it is let go, then fails once if asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.taken = threading.Event()
        self.go = threading.Event()
        self.fails = False

    def send(self, frame: LedFrame) -> None:
        self.taken.set()
        assert self.go.wait(60)
        if self.fails:
            self.fails = False
            raise OSError("the cable was pulled")
        super().send(frame)


def test_a_frame_is_three_bytes_an_led_in_order() -> None:
    assert LedFrame((Colour(1, 2, 3), DARK)).pixels() == bytes([1, 2, 3, 0, 0, 0])


def test_a_colour_out_of_range_is_refused() -> None:
    with pytest.raises(ColourError, match="but got 256 0 -1"):
        Colour(256, 0, -1)


def test_dimming_keeps_the_hue() -> None:
    assert Colour(200, 100, 0).dimmed(0.5) == Colour(100, 50, 0)


def test_what_was_not_sent_yet_gives_way_to_the_newest() -> None:
    board = SlowBoard()
    driver = Driver(board)
    driver.start()
    driver.show(RED)
    assert board.taken.wait(60)
    driver.show(LedFrame((DARK,)))
    driver.show(BLUE)
    board.go.set()
    driver.stop()
    assert board.frames == [RED, BLUE]
    assert board.closed


def test_an_equal_frame_is_not_sent_again() -> None:
    board = SlowBoard()
    driver = Driver(board)
    driver.start()
    driver.show(RED)
    assert board.taken.wait(60)
    driver.show(LedFrame((Colour(255, 0, 0),)))
    board.go.set()
    driver.stop()
    assert board.frames == [RED]


def test_a_broken_wire_does_not_end_the_driver() -> None:
    board = SlowBoard()
    board.fails = True
    driver = Driver(board)
    driver.start()
    driver.show(RED)
    assert board.taken.wait(60)
    driver.show(BLUE)
    board.go.set()
    until(lambda: board.frames == [BLUE])
    assert driver.state == "LIVE"
    assert driver.trouble is None
    driver.stop()


def test_no_board_takes_frames_too() -> None:
    driver = Driver(NoBoard())
    driver.start()
    driver.show(RED)
    driver.stop()
    assert driver.trouble is None
