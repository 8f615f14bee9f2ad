"""The driver at a real terminal device: presses and squares arrive, once."""

import threading
import time
from random import Random

from firmware_bridge.driver import Driver
from firmware_bridge.frame import DARK, Colour, LedFrame
from firmware_bridge.protocols.uplink import Button, Squares
from tests.firmware_bridge.rig import LEDS, frame, rig
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.simulated.transport import SimulatedTransport
from tests.firmware_bridge.waiting import until

CHANCE = Random(7)


def test_a_press_is_told_once_and_answered() -> None:
    board = OwnFirmware(LEDS)
    heard: list[Button | Squares] = []
    with rig(board) as it:
        it.driver.listen(heard.append)
        it.live()
        board.press()
        board.press(pressed=False)
        until(lambda: len(presses(heard)) == 2)
        until(lambda: not board._untold)
        time.sleep(0.5)  # it would have been told twice more
        assert [press.pressed for press in presses(heard)] == [True, False]


def test_a_press_that_could_not_be_used_is_told_again() -> None:
    board = OwnFirmware(LEDS)
    heard: list[Button] = []

    def listen(event: Button | Squares) -> None:
        if isinstance(event, Button):
            heard.append(event)
            if len(heard) == 1:
                raise RuntimeError("the table was busy")

    with rig(board) as it:
        it.driver.listen(listen)
        it.live()
        board.press()
        until(lambda: len(heard) == 2)
        assert heard[0] == heard[1]


def test_squares_arrive_when_they_change() -> None:
    board = OwnFirmware(LEDS)
    heard: list[Button | Squares] = []
    with rig(board) as it:
        it.driver.listen(heard.append)
        it.live()
        board.occupied = 1 << 63 | 5
        until(lambda: heard and isinstance(heard[-1], Squares) and heard[-1].occupied == 1 << 63 | 5)


def test_presses_arrive_while_frames_are_sent() -> None:
    board = OwnFirmware(LEDS)
    heard: list[Button | Squares] = []
    with rig(board) as it:
        it.driver.listen(heard.append)
        it.live()
        for number in range(20):
            it.driver.show(frame(CHANCE))
            board.press(number % 2)
            time.sleep(0.03)
        until(lambda: len(presses(heard)) == 20)
        assert [press.button for press in presses(heard)] == [0, 1] * 10


def test_the_simulated_board_in_one_shows_frames_and_ends() -> None:
    threads = set(threading.enumerate())
    transport = SimulatedTransport()
    driver = Driver(transport)
    driver.start()
    driver.show(LedFrame((Colour(255, 0, 0),)))
    until(lambda: transport.simulated.shown()[0] == Colour(255, 0, 0))
    driver.stop()
    assert set(threading.enumerate()) <= threads
    assert set(transport.simulated.shown()) == {DARK}


def presses(heard: list[Button | Squares]) -> list[Button]:
    return [event for event in heard if isinstance(event, Button)]
