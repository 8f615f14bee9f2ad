"""The driver at a real terminal device: every kind of board is known, and shows frames."""

import time
from collections.abc import Callable
from random import Random

import pytest

from firmware_bridge.driver import State
from firmware_bridge.frame import DARK, Colour, LedFrame
from firmware_bridge.protocols.uplink import Message, Refused
from firmware_bridge.serial_transport import KEEP_ALIVE
from tests.firmware_bridge.rig import LEDS, frame, rig
from tests.firmware_bridge.simulated.firmware import Firmware, OwnFirmware, Sketch, hyperserial
from tests.firmware_bridge.waiting import until
from tests.firmware_bridge.wled_board import WledBoard

CHANCE = Random(7)


@pytest.mark.parametrize(
    ("make", "protocol"),
    [(OwnFirmware, "own"), (Sketch, "adalight"), (lambda: WledBoard(LEDS), "wled"), (hyperserial, "awa")],
)
def test_every_kind_of_board_is_known_and_shows_frames_and_is_dark_at_the_end(
    make: Callable[[], Firmware], protocol: str
) -> None:
    with rig(make()) as it:
        it.live()
        assert it.driver.board is not None
        assert it.driver.board.protocol == protocol
        for _ in range(3):
            it.show(frame(CHANCE))
        it.driver.stop()
        until(lambda: set(it.board.shown()) == {DARK})
        assert it.driver.state is State.OFF


def test_a_board_tells_how_many_leds_buttons_and_squares_it_has() -> None:
    with rig(OwnFirmware(leds=LEDS, buttons=2, squares=32)) as it:
        it.live()
        assert str(it.driver.board) == "alea 1, 64 LEDs, buttons: 2, squares: 32, 115200 baud"


def test_wled_is_asked_nothing_but_its_version_and_its_leds() -> None:
    board = WledBoard(LEDS, name="Oak board")
    with rig(board) as it:
        it.live()
        for _ in range(5):
            it.show(frame(CHANCE))
        assert str(it.driver.board) == "Oak board (WLED 0.15.1), 64 LEDs, 115200 baud"
        assert board.executed == ["version", "JSON"]


def test_wled_does_not_fall_back_to_its_own_effects() -> None:
    with rig(WledBoard(LEDS)) as it:
        it.live()
        shown = frame(CHANCE)
        it.show(shown)
        ends = time.monotonic() + 3  # it would after 2.5
        while time.monotonic() < ends:
            assert it.lit(shown)
            time.sleep(0.05)


def test_an_equal_frame_is_sent_again_only_to_keep_it() -> None:
    board = OwnFirmware(LEDS)
    with rig(board) as it:
        it.live()
        shown = frame(CHANCE)
        it.show(shown)
        before, began = board.frames, time.monotonic()
        for _ in range(20):
            it.driver.show(LedFrame(shown.colours))
            time.sleep(0.02)
        assert board.frames - before <= 1 + (time.monotonic() - began) / KEEP_ALIVE


def test_what_a_shorter_frame_leaves_free_is_dark() -> None:
    with rig() as it:
        it.live()
        it.show(frame(CHANCE))
        it.show(LedFrame((Colour(9, 200, 9),)))
        until(lambda: set(it.board.shown()[1:]) == {DARK})
        it.show(LedFrame(()))
        until(lambda: set(it.board.shown()) == {DARK})


def test_a_frame_longer_than_the_board_is_cut_not_refused() -> None:
    board = OwnFirmware(leds=LEDS)
    with rig(board) as it:
        it.live()
        heard: list[Message] = []
        it.driver.overhear(heard.append)
        long = LedFrame((*frame(CHANCE).colours, Colour(255, 255, 255)))
        it.driver.show(long)
        until(lambda: board.frames)
        until(lambda: it.driver.notice)
        assert it.driver.notice == "The LED board says that it has 64 LEDs, but 65 are needed: the rest stays dark."
        assert Refused("L") not in heard  # "T", stopped half way, only says that this computer is busy
        assert it.driver.state is State.LIVE
