"""The driver at a real terminal device: a board that is pulled out, or starts anew, is found again."""

import logging
import time
from random import Random

import pytest

from firmware_bridge.driver import State
from tests.firmware_bridge.rig import LEDS, frame, rig
from tests.firmware_bridge.simulated.board import Faults
from tests.firmware_bridge.simulated.firmware import OwnFirmware
from tests.firmware_bridge.waiting import until
from tests.firmware_bridge.wled_board import WledBoard

CHANCE = Random(7)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("serial", ["SIMULATED1", None])
def test_a_board_pulled_out_is_found_again_under_another_name(*, named: bool, serial: str | None) -> None:
    with rig(named=named, serial=serial) as it:
        it.live()
        it.show(frame(CHANCE))
        before = it.board.device
        it.board.unplug()
        until(lambda: it.driver.state is State.LOST)
        it.driver.show(shown := frame(CHANCE))
        it.board.plug()
        assert it.board.device != before
        it.right_again(shown)


def test_what_is_pulled_out_is_told_and_waited_for() -> None:
    with rig(named=True) as it:
        it.live()
        device = it.board.device
        it.board.unplug()
        until(lambda: it.driver.trouble and "not plugged in" in it.driver.trouble)
        assert f"The LED board at {device} is not plugged in; the program waits for it." in str(it.driver.trouble)


@pytest.mark.parametrize("after", [0.0, 0.1, 0.3, 0.6])
def test_pulling_it_out_while_it_is_asked_what_it_is_is_survived(after: float) -> None:
    with rig(WledBoard(LEDS), faults=Faults(mute=True)) as it:
        time.sleep(after)
        it.board.unplug()
        it.board.faults.mute = False
        it.board.plug()
        it.show(frame(CHANCE))


@pytest.mark.parametrize("seed", range(2))
def test_hang_ups_at_random_moments_leave_the_leds_right(seed: int) -> None:
    chance = Random(seed)
    with rig() as it:
        for _ in range(6):
            shown = frame(chance)
            it.driver.show(shown)
            time.sleep(chance.uniform(0, 0.15))
            it.board.unplug()
            time.sleep(chance.uniform(0, 0.1))
            it.board.plug()
            it.right_again(shown)


def test_a_board_that_starts_anew_in_the_middle_shows_the_frame_again() -> None:
    class Restarting(OwnFirmware):
        restart = False

        def tick(self, now: float) -> bytes:
            if self.restart:
                self.restart = False
                return self.boot(now)
            return super().tick(now)

    board = Restarting(LEDS)
    with rig(board) as it:
        it.live()
        it.show(shown := frame(CHANCE))
        board.restart = True
        until(lambda: not board.restart)
        until(lambda: it.lit(shown))


def test_a_trouble_that_lasts_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="firmware_bridge")  # a command may have hushed it
    with rig(started=False) as it:
        it.board.unplug()
        it.driver.start()
        until(lambda: it.driver.trouble)
        time.sleep(1)  # it is looked for again several times
        assert [record.getMessage() for record in caplog.records] == [it.driver.trouble]
        it.board.plug()
        it.live()
        assert it.driver.trouble is None
