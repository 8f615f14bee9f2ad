"""Faults on the wire and in the controller: nothing wrong is shown, and a second later all is well again."""

from collections.abc import Callable
from random import Random

import pytest

from firmware_bridge.protocols import adalight, awa
from firmware_bridge.protocols.uplink import Button, Hello, Refused, Squares
from tests.firmware_bridge.emulated.board import EmulatedBoard, frames, messages
from tests.firmware_bridge.emulated.conftest import Boards
from tests.firmware_bridge.emulated.damage import cut, flipped, rubbish, shortened

LEDS = 40
GOOD = Random(0).randbytes(3 * LEDS)
Encode = Callable[[bytes], bytes]
PROTOCOLS = pytest.mark.parametrize("encode", [adalight.encode, awa.encode], ids=["adalight", "awa"])


def recovers(board: EmulatedBoard, encode: Encode) -> None:
    """Send good frames as a host does that hears no answer for 200 ms; one must be shown within a second."""
    began = board.now
    while True:
        board.send(encode(GOOD))
        seen = frames(board.run(200))
        if seen and seen[-1].pixels == GOOD:
            assert seen[-1].t_ms - began < 1000
            return
        assert board.now - began < 1000, "it did not recover"


@pytest.mark.parametrize("damage", [flipped, shortened, cut])
def test_no_damaged_awa_frame_is_shown(boards: Boards, damage: Callable[[bytes, Random], bytes]) -> None:
    board = boards(leds=LEDS, baud=500000)
    chance = Random(1)
    for _ in range(25):
        board.send(damage(awa.encode(chance.randbytes(3 * LEDS)), chance))
        assert not frames(board.run(100))
        recovers(board, awa.encode)


@pytest.mark.parametrize("damage", [flipped, shortened, cut])
def test_damaged_awa_frames_among_others_show_nothing_wrong(
    boards: Boards, damage: Callable[[bytes, Random], bytes]
) -> None:
    board = boards(leds=LEDS)
    chance = Random(2)
    sent = [chance.randbytes(3 * LEDS) for _ in range(24)]
    wire = [awa.encode(pixels) for pixels in sent]
    board.send(b"".join(damage(frame, chance) if place % 3 == 1 else frame for place, frame in enumerate(wire)))
    shown = [frame.pixels for frame in frames(board.run(500))]
    assert set(shown) <= set(sent)
    assert len(shown) >= 8  # a shortened frame takes the beginning of the next one with it
    recovers(board, awa.encode)


@PROTOCOLS
def test_a_frame_that_stops_half_way_is_given_up_after_fifty_milliseconds(boards: Boards, encode: Encode) -> None:
    board = boards(leds=LEDS)
    sent = board.now
    board.send(encode(bytes(3 * LEDS))[:60])
    seen = board.until("$NO", 1000)
    assert messages(seen) == [Refused("T")]
    assert 50 < board.now - sent - 60 / 11.52 < 53
    assert board.show(encode(GOOD)).pixels == GOOD


def test_a_damaged_header_or_check_is_told(boards: Boards) -> None:
    board = boards(leds=LEDS)
    frame = awa.encode(GOOD)
    for damaged in (frame[:5] + bytes((frame[5] ^ 1,)) + frame[6:], frame[:-2] + bytes((frame[-2] ^ 4,)) + frame[-1:]):
        board.send(damaged)
        assert messages(board.run(100)) == [Refused("C")]


@PROTOCOLS
@pytest.mark.parametrize("speed", [9600, 57600, 250000])
def test_a_host_of_another_speed_lights_nothing(boards: Boards, encode: Encode, speed: int) -> None:
    board = boards(leds=LEDS)
    board.command(f"speed {speed}")
    board.send(encode(GOOD) * 20)
    seen = board.run(3000)
    assert not frames(seen)
    assert not [message for message in messages(seen) if isinstance(message, Button | Squares)]
    board.command("speed 0")
    recovers(board, encode)


def test_rubbish_is_no_light_and_no_event(boards: Boards) -> None:
    board = boards(leds=LEDS, squares=64, buttons=4, baud=500000)
    board.send(rubbish(Random(3), 20_000))
    seen = board.run(1000)
    assert not frames(seen)
    found = [message for message in messages(seen) if isinstance(message, Button | Squares)]
    assert {message.occupied for message in found if isinstance(message, Squares)} <= {0}
    assert not [message for message in found if isinstance(message, Button)]
    recovers(board, awa.encode)


def test_a_reset_by_the_wire_darkens_and_is_over_in_two_seconds(boards: Boards) -> None:
    board = boards(leds=LEDS)
    board.show(awa.encode(GOOD))
    board.command("reset 1600")
    board.send(awa.encode(GOOD))  # into the boot loader: lost
    seen = board.run(2000)
    assert [frame.pixels for frame in frames(seen)] == [bytes(3 * LEDS)]
    assert [type(message) for message in messages(seen)] == [Hello]
    recovers(board, awa.encode)


def test_a_program_that_hangs_is_restarted_by_the_watchdog(boards: Boards) -> None:
    board = boards(leds=LEDS)
    board.show(awa.encode(GOOD))
    hung = board.now
    board.command("hang")
    seen = board.run(500)
    (reset,) = [event for event in seen if event.kind == "reset"]
    assert reset.data["why"] == "watchdog"
    assert reset.t_ms - hung < 300
    assert [frame.pixels for frame in frames(seen)] == [bytes(3 * LEDS)]
    recovers(board, awa.encode)


def test_without_the_watchdog_it_stays_as_it_is(boards: Boards) -> None:
    board = boards(leds=LEDS, watchdog=False)
    board.command("hang")
    assert not board.run(3000)
