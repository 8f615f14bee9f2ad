"""The programs on simulated boards behave as real ones are documented to."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols import adalight, awa, uplink
from firmware_bridge.protocols.uplink import Button, Hello, LineReader, Message, Refused, Shown, Squares
from tests.firmware_bridge.simulated.firmware import DARK_AFTER, FRAME_GAP_SECONDS, OwnFirmware, Sketch, hyperserial

PIXELS = b"\x01\x02\x03" * 8


def own(leds: int = 8, squares: int = 0) -> OwnFirmware:
    """Return a board that has just started."""
    board = OwnFirmware(leds, squares=squares)
    board.boot(0)
    return board


def messages_in(data: bytes) -> list[Message]:
    return LineReader().feed(data)


@given(st.sampled_from([adalight.encode, awa.encode]), st.lists(st.integers(1, 30), max_size=8))
def test_frames_are_shown_and_answered_however_they_come_in(encode: type, cuts: list[int]) -> None:
    board, data, heard = own(), encode(PIXELS), b""
    for cut in cuts:
        heard += board.feed(data[:cut], 0)
        data = data[cut:]
    heard += board.feed(data, 0)
    assert messages_in(heard) == [Shown(0)]
    assert board.lit() == PIXELS


def test_a_damaged_awa_frame_is_refused_and_shows_nothing() -> None:
    board, damaged = own(), bytearray(awa.encode(PIXELS))
    damaged[9] ^= 4
    assert messages_in(board.feed(bytes(damaged), 0)) == [Refused("C")]
    assert board.lit() == b""


def test_a_frame_that_is_too_long_is_refused_and_the_next_is_shown() -> None:
    board = own()
    heard = board.feed(awa.encode(PIXELS + b"AdaAwa") + awa.encode(PIXELS), 0)
    assert messages_in(heard) == [Refused("L"), Shown(0)]
    assert board.lit() == PIXELS


def test_a_frame_that_stops_half_way_is_refused_after_a_while() -> None:
    board = own()
    assert board.feed(awa.encode(PIXELS)[:20], 0) == b""
    assert messages_in(board.tick(FRAME_GAP_SECONDS * 2)) == [Refused("T")]
    assert messages_in(board.feed(awa.encode(PIXELS), 1)) == [Shown(0)]


def test_a_hello_is_answered() -> None:
    assert messages_in(own(squares=4).feed(b"\0" * 30 + awa.HELLO, 0)) == [Hello("alea", 1, 8, 1, 4)]
    assert awa.BANNER in hyperserial().feed(awa.HELLO, 0)
    assert Sketch().feed(awa.HELLO, 0) == b""


def test_a_press_is_told_three_times_unless_it_is_answered() -> None:
    board = own()
    board.press(2)
    assert (
        messages_in(board.tick(0) + board.tick(0.21) + board.tick(0.41) + board.tick(0.8))
        == [Button(1, 2, pressed=True)] * 3
    )
    board.press(2, pressed=False)
    heard = messages_in(board.tick(1))
    board.feed(uplink.answer(Button(2, 2, pressed=False)), 1)
    assert heard + messages_in(board.tick(1.3)) == [Button(2, 2, pressed=False)]


def test_an_answer_inside_a_frame_is_pixels() -> None:
    board = own()
    board.press()
    board.tick(0)
    answer = uplink.answer(Button(1, 0, pressed=True))
    board.feed(adalight.encode(answer.ljust(24, b"\0")), 0)
    assert messages_in(board.tick(0.3)) == [Button(1, 0, pressed=True)]


def test_squares_are_told_when_they_change_and_each_second() -> None:
    board = own(squares=64)
    first = messages_in(board.tick(0))
    board.occupied = 9
    assert [*first, *messages_in(board.tick(0.1) + board.tick(0.5) + board.tick(1.2))] == [
        Squares(1, 0),
        Squares(2, 9),
        Squares(3, 9),
    ]


def test_a_board_that_nobody_speaks_to_goes_dark_and_says_what_it_is() -> None:
    board = Sketch()
    board.boot(0)
    board.feed(adalight.encode(PIXELS), 0)
    assert board.tick(0.5) == b""
    assert board.tick(2) == b"Ada\n"
    assert board.lit() == PIXELS
    board.tick(DARK_AFTER + 1)
    assert board.lit() == b""


def test_rubbish_lights_nothing_and_a_frame_after_it_is_shown() -> None:
    chance = Random(11)
    board = own()
    for number in range(300):
        board.feed(chance.randbytes(200), number)
        assert board.lit() == b""
    assert messages_in(board.feed(awa.encode(PIXELS), 301))[-1] == Shown(0)
