"""WLED takes stray bytes for commands: whatever happens on the wire, the driver must never give it one."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.brightness import Brightness
from firmware_bridge.frame import Colour, LedFrame
from firmware_bridge.protocols import adalight, wled
from tests.firmware_bridge.rig import frame
from tests.firmware_bridge.wled_board import SPEEDS, WledBoard
from tests.firmware_bridge.wled_wire import HARMLESS, wired

LIMITED = Brightness()


def test_a_frame_cut_at_any_byte_never_becomes_a_command_and_the_next_one_is_shown() -> None:
    chance = Random(3)
    board, wire, transport = wired(128)
    transport.send(frame(chance, 128))
    for cut in (
        *range(18),
        *range(18, wire.written, 5),
        wire.written,
    ):  # each byte of the header and kind of pixel byte
        wire.cut = cut
        transport.send(frame(chance, 128))
        assert transport.refused()
        shown = frame(chance, 128)
        transport.send(shown)
        assert not transport.refused()
        assert board.lit() == wled.safe(LIMITED.applied(shown.pixels())), f"cut after {cut}"
    assert board.executed == HARMLESS
    assert board.idle


def test_the_zeros_before_a_frame_may_be_cut_too() -> None:
    chance = Random(4)
    board, wire, transport = wired(40)
    for cut in range(0, 2 * (6 + 3 * 40), 7):
        for cut_again in (3, cut):
            wire.cut = cut_again
            transport.send(frame(chance, 40))
            assert transport.refused()
        shown = frame(chance, 40)
        transport.send(shown)
        assert board.lit() == wled.safe(LIMITED.applied(shown.pixels()))
    assert board.executed == HARMLESS


@pytest.mark.parametrize("leds", [1, 66, 86, 177])
def test_random_frames_with_random_cuts_execute_nothing(leds: int) -> None:
    chance = Random(leds)
    board, wire, transport = wired(leds)
    for _ in range(20):
        if chance.random() < 0.5:
            wire.cut = chance.randrange(6 + 3 * leds)
            transport.send(frame(chance, leds))
        shown = frame(chance, leds)
        transport.send(shown)
        assert board.lit() == wled.safe(LIMITED.applied(shown.pixels()))
    assert board.executed == HARMLESS


def test_a_byte_lost_unknown_to_anybody_executes_nothing_and_is_mended_by_keeping_the_frame() -> None:
    chance = Random(5)
    board, wire, transport = wired(66)  # whose count of LEDs would be a letter
    transport.send(frame(chance, 66))
    for lost in (*range(18), *range(18, 200, 5)):
        wire.lost = lost
        shown = frame(chance, 66)
        transport.send(shown)
        for _ in range(2):
            transport.send(shown)
        if lost not in (3, 4):  # a wrong count may swallow many frames: only time mends it
            assert board.lit() == wled.safe(LIMITED.applied(shown.pixels())), f"lost {lost}"
    assert board.executed == HARMLESS


@given(st.binary(max_size=300))
def test_the_safe_palette_has_no_command_and_changes_little(data: bytes) -> None:
    safe = wled.safe(data)
    assert wled.COMMANDS.isdisjoint(safe)
    assert all(0 <= was - now <= 8 for was, now in zip(data, safe, strict=True))
    assert wled.safe(safe) == safe


def test_no_header_holds_a_command_and_no_led_is_left_out() -> None:
    for leds in range(1, 601):
        encoded = wled.encode(bytes(3 * leds))
        assert wled.COMMANDS.isdisjoint(encoded[3:6])
        assert len(encoded) >= 6 + 3 * leds


def test_a_hello_to_an_idle_wled_is_nothing_to_it() -> None:
    board = WledBoard(8)
    board.boot(0)
    assert board.feed(wled.preamble() + b"Awa\x2a\xa2\x15", 0) == b""
    assert board.executed == []
    assert board.idle


def test_what_wled_says_of_itself_is_found_in_rubbish() -> None:
    answer = b'xx{ {"a":1} {"state":{},"info":{"ver":"0.15.1","leds":{"count":30},"name":"Board"}}\r\n'
    assert wled.find_identity(answer) == wled.Identity("Board", "0.15.1", 30)
    assert wled.find_identity(b'{"a":' * 5000) is None


# The double itself does what was measured on the real reader


def test_the_double_runs_commands_where_a_careless_host_sends_colours() -> None:
    board = WledBoard(8)
    board.boot(0)
    chance = Random(1)
    for _ in range(50):
        board.feed(adalight.encode(chance.randbytes(24))[: chance.randrange(30)], 0)
    assert board.executed
    assert board.speed in SPEEDS


def test_the_double_loses_an_led_of_128_by_tpm2_as_the_real_one_does() -> None:
    board = WledBoard(128)
    board.boot(0)
    board.feed(b"\xc9\xda\x01\x80" + bytes(range(1, 129)) * 3 + b"\x36", 0)
    assert board.executed[0] == "TPM2"
    assert board.lit()[-3:] == bytes((255, 160, 0))


def test_the_double_goes_back_to_its_own_effect_after_two_and_a_half_seconds() -> None:
    board = WledBoard(1)
    board.boot(0)
    board.feed(adalight.encode(b"\x01\x02\x03"), 10)
    board.tick(12.4)
    assert board.lit() == b"\x01\x02\x03"
    board.tick(12.6)
    assert board.lit() == bytes((255, 160, 0))


def test_a_colour_of_the_game_is_still_that_colour_to_the_eye() -> None:
    shown = LedFrame((Colour(230, 120, 0),)).pixels()
    assert sum(abs(a - b) for a, b in zip(LIMITED.applied(shown), wled.safe(LIMITED.applied(shown)), strict=True)) <= 8


def test_a_name_that_a_board_gives_itself_can_always_be_written() -> None:
    answer = b'{"info":{"ver":"0.15.1\\udfff","leds":{"count":30},"name":"Board \\ud800' + b"x" * 500 + b'"}}'
    found = wled.find_identity(answer)
    assert found is not None
    assert found.name.startswith("Board ?xxx")
    assert len(found.name.encode()) == wled.LONGEST_NAME
    assert found.version == "0.15.1?"
    assert wled.find_identity(answer.replace(b"30", b"9" * 30)) is None
