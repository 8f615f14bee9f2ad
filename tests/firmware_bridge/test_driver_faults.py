"""The driver at a real terminal device: faults are survived, and people are told what to do."""

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from serial import Serial

from firmware_bridge import identify, serial_transport
from firmware_bridge.bell import Bell
from firmware_bridge.driver import State
from firmware_bridge.frame import DARK, Colour, LedFrame
from firmware_bridge.protocols.uplink import Button, Squares
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.serial_wire import WRITE_TIMEOUT, SerialWire
from tests.firmware_bridge.rig import LEDS, frame, rig
from tests.firmware_bridge.simulated.board import Faults, SimulatedBoard
from tests.firmware_bridge.simulated.firmware import Firmware, OwnFirmware, hyperserial
from tests.firmware_bridge.waiting import until
from tests.firmware_bridge.wled_board import WledBoard

CHANCE = Random(7)


def test_a_late_banner_is_waited_for() -> None:
    with rig(faults=Faults(late=1.7)) as it:
        it.live()
        it.show(frame(CHANCE))
        assert it.board.boots == 1


def test_rubbish_from_the_board_changes_nothing() -> None:
    with rig(OwnFirmware(LEDS), faults=Faults(rubbish=0.7)) as it:
        heard: list[Button | Squares] = []
        it.driver.listen(heard.append)
        it.live()
        for _ in range(10):
            it.show(frame(CHANCE))
        assert all(isinstance(event, Squares) and event.occupied == 0 for event in heard)


def test_a_refused_frame_is_sent_again() -> None:
    board = OwnFirmware(LEDS)
    with rig(board) as it:
        it.live()
        board.refuse = 3
        it.show(frame(CHANCE))
        assert board.refuse == 0


def test_a_board_that_answers_but_shows_nothing_is_tried_ever_more_slowly() -> None:
    board = OwnFirmware(LEDS)
    board.refuse = 1_000_000
    with rig(board) as it:
        it.driver.show(frame(CHANCE))
        until(lambda: it.board.boots >= 3)
        before, began = it.board.boots, time.monotonic()
        time.sleep(1)
        assert it.board.boots <= before + max(1, time.monotonic() - began)
        board.refuse = 0
        it.show(frame(CHANCE))


def test_a_wire_that_loses_and_changes_bytes_shows_nothing_wrong_for_long() -> None:
    with rig(OwnFirmware(LEDS), faults=Faults(lose=0.02, flip=0.02)) as it:
        it.live()
        for _ in range(15):
            it.show(frame(CHANCE))


@pytest.mark.parametrize("make", [OwnFirmware, lambda: WledBoard(LEDS)])
def test_a_board_that_never_reads_keeps_nobody_waiting(make: Callable[[], Firmware]) -> None:
    with rig(make()) as it:
        it.live()
        it.board.faults.deaf = True
        began = time.monotonic()
        for _ in range(200):  # each would take a second if it waited for the wire
            it.driver.show(frame(CHANCE))
            time.sleep(0.005)
        assert time.monotonic() - began < 0.5 * 200 * WRITE_TIMEOUT
        it.board.faults.deaf = False
        it.show(frame(CHANCE))


def test_a_frame_whose_answer_is_lost_is_sent_again_soon() -> None:
    board = OwnFirmware(LEDS)
    with rig(board) as it:
        it.transport.keep_alive = 3600  # none is sent again at the pace of keeping it alive
        it.live()
        it.show(frame(CHANCE))
        it.board.faults.mute = True
        before = board.frames
        it.driver.show(frame(CHANCE))
        until(lambda: board.frames >= before + 5)


def test_a_board_that_fell_silent_is_told_and_found_again() -> None:
    with rig(OwnFirmware(LEDS), paced=False) as it:
        it.live()
        it.board.faults.mute = True
        it.driver.show(frame(CHANCE))
        until(lambda: it.driver.state is State.LOST)
        assert it.driver.trouble is not None
        assert "no longer shows anything" in it.driver.trouble
        it.board.faults.mute = False
        it.show(frame(CHANCE))
        assert it.driver.trouble is None


def test_a_port_that_another_program_uses_is_told_and_tried_again() -> None:
    with rig(named=True, started=False) as it:
        it.board.hold()
        it.driver.start()
        until(lambda: it.driver.trouble)
        assert "Another program is using" in str(it.driver.trouble)
        assert it.driver.state is State.WAITING
        it.board.let_go()
        it.show(frame(CHANCE))


def test_a_silent_port_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_transport, "SPEEDS", (115_200,))  # the others only take their time
    with rig(hyperserial(38_400)) as it:
        until(lambda: it.driver.trouble and "tried:" in it.driver.trouble)
        asked = it.board.boots
        time.sleep(0.7)
        assert it.board.boots == asked


def test_stopping_does_not_wait_for_a_board_that_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identify, "_ANSWER_WAIT", 3600)
    with rig(faults=Faults(mute=True)) as it:
        until(lambda: it.board.boots)
        began = time.monotonic()
        it.driver.stop(600)
        assert it.driver.state is State.OFF
        assert time.monotonic() - began < 500


def test_a_speed_that_the_port_cannot_have_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    inner: Any = Serial  # its types do not tell of what is behind its door
    real = inner._reconfigure_port

    def refusing(port: Serial, *arguments: object, **named: object) -> None:
        if port.baudrate == 2_000_000:
            raise ValueError("Failed to set custom baud rate")
        real(port, *arguments, **named)

    monkeypatch.setattr(Serial, "_reconfigure_port", refusing)
    with rig(hyperserial(1_000_000)) as it:
        it.live()
        assert it.driver.board is not None
        assert it.driver.board.speed == 1_000_000


def test_a_board_whose_last_answer_was_late_is_left_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    board = SimulatedBoard(OwnFirmware(leds=12), leds=12)
    board.start()
    transport, bell = SerialTransport(board.device, lister=board.lister), Bell()
    transport.open(bell)
    board.faults.mute = True
    transport.send(LedFrame((Colour(255, 0, 0),) * 12))
    until(lambda: DARK not in board.shown())
    until(lambda: transport.busy() == 0.0)
    assert transport.refused(), "the board has not said that it shows the frame"
    drop = SerialWire.drop_unsent

    def drop_when_heard(wire: SerialWire) -> None:
        until(board.heard_all)
        drop(wire)

    monkeypatch.setattr(SerialWire, "drop_unsent", drop_when_heard)
    transport.close()
    until(lambda: set(board.shown()) == {DARK})
    bell.close()
    board.stop()
