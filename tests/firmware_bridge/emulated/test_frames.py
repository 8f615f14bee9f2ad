"""Frames to the emulated board: what its LEDs show is what was sent, in time, and nothing else is ever shown."""

from collections.abc import Callable
from random import Random

import pytest

from firmware_bridge.protocols import adalight, awa
from firmware_bridge.protocols.uplink import Hello, Refused, Shown
from tests.firmware_bridge.emulated.board import frames, messages
from tests.firmware_bridge.emulated.conftest import Boards

Encode = Callable[[bytes], bytes]
PROTOCOLS = pytest.mark.parametrize("encode", [adalight.encode, awa.encode], ids=["adalight", "awa"])


def picture(leds: int, seed: int) -> bytes:
    return Random(seed).randbytes(3 * leds)


def longest_ms(sent: bytes, baud: int, leds: int) -> float:
    """Return how long a frame may take until its answer has arrived: wire, LEDs, answer, and a millisecond."""
    return (len(sent) + 12) * 10_000 / baud + 0.033 * leds + 1


@PROTOCOLS
@pytest.mark.parametrize(("baud", "leds"), [(115200, 128), (250000, 200), (500000, 128), (1000000, 200)])
def test_what_the_leds_show_is_what_was_sent(boards: Boards, encode: Encode, baud: int, leds: int) -> None:
    board = boards(baud=baud, leds=leds)
    for number, pixels in enumerate([picture(leds, 1), bytes(3 * leds), b"\xff" * 3 * leds, picture(leds, 2)], 1):
        sent = board.now
        board.send(encode(pixels))
        seen = board.until("$OK", 1000)
        assert board.now - sent < longest_ms(encode(pixels), baud, leds)
        (shown,) = frames(seen + board.run(0.5))  # the LEDs take it over 0.28 ms later
        assert shown.pixels == pixels
        assert (shown.data["out_of_spec"], shown.data["left_over_bits"]) == (0, 0)
        assert messages(seen) == [Shown(number)]


@PROTOCOLS
@pytest.mark.parametrize(("baud", "leds"), [(115200, 200), (250000, 200), (500000, 128)])
def test_frames_may_follow_each_other_without_a_pause(boards: Boards, encode: Encode, baud: int, leds: int) -> None:
    board = boards(baud=baud, leds=leds)
    pictures = [picture(leds, seed) for seed in range(5)]
    board.send(b"".join(encode(pixels) for pixels in pictures))
    seen = board.run(500)
    assert [frame.pixels for frame in frames(seen)] == pictures
    assert sum(frame.data["out_of_spec"] for frame in frames(seen)) == 0


@PROTOCOLS
def test_too_fast_a_host_is_told_and_sees_no_wrong_light(boards: Boards, encode: Encode) -> None:
    board = boards(baud=1000000, leds=200)
    pictures = [picture(200, seed) for seed in range(6)]
    board.send(b"".join(encode(pixels) for pixels in pictures))
    seen = board.run(200)
    assert {frame.pixels for frame in frames(seen)} < set(pictures)
    assert Refused("O") in messages(seen)
    assert board.show(encode(pictures[0])).pixels == pictures[0]


@PROTOCOLS
def test_at_the_highest_speed_a_frame_is_heard_while_another_is_being_written(boards: Boards, encode: Encode) -> None:
    board = boards(baud=1000000, leds=70)  # as many bytes as there is room for
    board.send(encode(picture(70, 1)) + encode(picture(70, 2)))
    assert [frame.pixels for frame in frames(board.run(100))] == [picture(70, 1), picture(70, 2)]


@PROTOCOLS
def test_frames_that_come_too_soon_are_shown_whole_or_not_at_all(boards: Boards, encode: Encode) -> None:
    board = boards(baud=1000000, leds=200)
    chance = Random(1)
    pictures = [picture(200, seed) for seed in range(60)]
    for pixels in pictures:
        board.send(encode(pixels))
        board.run(chance.uniform(6, 14))  # 6 ms on the wire, 6 ms to the LEDs
    shown = [frame.pixels for frame in frames(board.events + board.run(100))[1:]]
    assert set(shown) <= set(pictures)
    assert 20 < len(shown) < 60


def test_leds_that_a_frame_does_not_speak_of_are_dark(boards: Boards) -> None:
    board = boards(leds=128)
    board.show(adalight.encode(picture(128, 1)))
    few = picture(40, 2)
    assert board.show(adalight.encode(few)).pixels == few + bytes(3 * 88)


@PROTOCOLS
def test_a_frame_for_more_leds_is_refused_and_passed_over(boards: Boards, encode: Encode) -> None:
    board = boards(leds=128)
    inside = adalight.encode(picture(30, 1))  # a whole frame among the colours of one that is refused
    board.send(encode(inside + picture(129, 2)[: 3 * 129 - len(inside)]) + encode(picture(128, 3)))
    seen = board.run(200)
    assert messages(seen) == [Refused("L"), Shown(1)]
    assert [frame.pixels for frame in frames(seen)] == [picture(128, 3)]


def test_it_is_dark_and_says_what_it_is_when_switched_on(boards: Boards) -> None:
    board = boards(leds=200, buttons=2, squares=64)
    assert [frame.pixels for frame in frames(board.events)] == [bytes(600)]
    assert messages(board.events)[0] == Hello("alea", 1, 200, 2, 64)


def test_it_answers_a_hello(boards: Boards) -> None:
    board = boards(leds=200, buttons=2)
    board.send(awa.HELLO)
    assert messages(board.run(30)) == [Hello("alea", 1, 200, 2, 0)]


def test_it_says_ada_in_each_idle_second_and_only_then(boards: Boards) -> None:
    board = boards()
    lines = [event.data["text"] for event in board.run(5000) if event.kind == "line"]
    assert 4 <= lines.count("Ada") <= 5
    for _ in range(8):
        seen = board.run(400)
        assert "Ada" not in [event.data["text"] for event in seen if event.kind == "line"]
        board.show(adalight.encode(picture(128, 1)))


def test_it_is_dark_after_a_minute_without_a_frame(boards: Boards) -> None:
    board = boards(leds=8)
    board.show(awa.encode(picture(8, 1)))
    lit = board.now
    assert not frames(board.run(59_900))
    (dark,) = frames(board.run(1_500))
    assert dark.pixels == bytes(24)
    assert 60_000 < dark.t_ms - lit < 61_100
    assert not frames(board.run(61_500))
    assert board.show(awa.encode(picture(8, 2))).pixels == picture(8, 2)


def test_a_frame_each_second_keeps_the_light(boards: Boards) -> None:
    board = boards(leds=8)
    for _ in range(70):
        board.send(awa.encode(picture(8, 1)))
        assert [frame.pixels for frame in frames(board.run(1000))] == [picture(8, 1)]


def test_frames_that_are_refused_do_not_keep_the_light(boards: Boards) -> None:
    board = boards(leds=8)
    board.show(awa.encode(picture(8, 1)))
    damaged = awa.encode(picture(8, 1))[:-1] + b"A"  # an A is never the last check
    for _ in range(61):
        board.send(damaged)
        board.run(1000)
    assert frames(board.events)[-1].pixels == bytes(24)


def test_two_hundred_leds_leave_room_for_the_stack(boards: Boards) -> None:
    board = boards(leds=200, buttons=4, squares=64)
    for seed in range(3):
        board.send(adalight.encode(picture(200, seed)))
        board.command("button 0 1")
        board.command(f"squares {seed + 1:x}")
        board.run(120)
        board.command("button 0 0")
    (stack,) = [event for event in board.command("stack") if event.kind == "stack"]
    assert stack.data["free"] > 400
