"""Buttons and squares of the emulated board: each is told once and for certain, bounce and rubbish are not."""

from firmware_bridge.protocols import adalight, awa
from firmware_bridge.protocols.uplink import Button, Message, Squares, answer
from tests.firmware_bridge.emulated.board import EmulatedBoard, Event, frames, messages
from tests.firmware_bridge.emulated.conftest import Boards

LEDS = 40
GOOD = bytes(range(3 * LEDS))


def press(board: EmulatedBoard, button: int = 0, *, down: bool = True) -> None:
    board.command(f"button {button} {down:d}")


def presses(events: list[Event]) -> list[Message]:
    return [message for message in messages(events) if isinstance(message, Button)]


def test_a_press_is_told_within_ten_milliseconds_and_an_answer_ends_it(boards: Boards) -> None:
    board = boards()
    pressed = board.now
    press(board)
    seen = board.until("$BT", 100)
    assert 5 <= board.now - pressed < 10
    assert presses(seen) == [Button(0, 0, pressed=True)]
    board.send(answer(Button(0, 0, pressed=True)))
    assert not presses(board.run(1000))
    press(board, down=False)
    assert presses(board.until("$BT", 100)) == [Button(1, 0, pressed=False)]


def test_a_press_that_nobody_answers_is_told_three_times_under_one_number(boards: Boards) -> None:
    board = boards()
    press(board)
    output = [event for event in board.run(2000) if event.kind == "line" and isinstance(event.message, Button)]
    assert [event.message for event in output] == [Button(0, 0, pressed=True)] * 3
    first, second, third = [event.t_ms for event in output]
    assert 199 < second - first < 203
    assert 199 < third - second < 203


def test_a_damaged_answer_counts_for_nothing(boards: Boards) -> None:
    board = boards()
    press(board)
    board.until("$BT", 100)
    right = answer(Button(0, 0, pressed=True))
    for place in range(len(right) - 1):
        board.send(right[:place] + bytes((right[place] ^ 1,)) + right[place + 1 :])
    board.send(answer(Button(7, 0, pressed=True)))
    assert len(presses(board.run(1000))) == 2


def test_an_answer_after_rubbish_is_heard(boards: Boards) -> None:
    board = boards()
    press(board)
    board.until("$BT", 100)
    board.send(b"$BA,\x00$B\xff*" + answer(Button(0, 0, pressed=True)))
    assert not presses(board.run(1000))


def test_an_answer_among_the_colours_of_a_frame_is_none(boards: Boards) -> None:
    board = boards(leds=LEDS)
    press(board)
    board.until("$BT", 100)
    hidden = answer(Button(0, 0, pressed=True))
    pixels = GOOD[:30] + hidden + GOOD[30 + len(hidden) :]
    assert board.show(awa.encode(pixels)).pixels == pixels
    assert len(presses(board.run(1000))) == 2


def test_a_lost_report_is_made_good_by_the_next(boards: Boards) -> None:
    board = boards()
    board.command("mute 1")
    press(board)
    board.run(150)
    board.command("mute 0")
    assert presses(board.until("$BT", 100)) == [Button(0, 0, pressed=True)]


def test_bounce_is_one_press(boards: Boards) -> None:
    board = boards()
    for down in (True, False, True, False, True, False, True):
        press(board, down=down)
        board.run(0.7)
    assert set(presses(board.run(300))) == {Button(0, 0, pressed=True)}


def test_a_disturbance_of_three_milliseconds_is_no_press(boards: Boards) -> None:
    board = boards()
    for _ in range(20):
        press(board)
        board.run(3)
        press(board, down=False)
        board.run(3)
    assert not presses(board.run(500))


def test_what_is_held_at_the_start_is_no_press(boards: Boards) -> None:
    board = boards()
    press(board)
    board.command("reset 0")
    assert not presses(board.run(1000))
    press(board, down=False)
    assert presses(board.until("$BT", 100)) == [Button(0, 0, pressed=False)]


def test_four_buttons_at_once_are_all_told(boards: Boards) -> None:
    board = boards(buttons=4)
    for button in range(4):
        press(board, button)
    output = presses(board.run(1000))
    assert len(output) == 12
    assert set(output) == {Button(button, button, pressed=True) for button in range(4)}


def test_a_quick_press_and_release_both_arrive(boards: Boards) -> None:
    board = boards()
    press(board)
    board.run(30)
    press(board, down=False)
    assert set(presses(board.run(500))) == {Button(0, 0, pressed=True), Button(1, 0, pressed=False)}


def test_numbers_go_around_after_255(boards: Boards) -> None:
    board = boards(baud=1000000)
    for number in range(258):
        press(board, down=number % 2 == 0)
        (found,) = presses(board.until("$BT", 50))
        assert isinstance(found, Button)
        assert found.seq == number % 256
        board.send(answer(found))
        board.run(1)


def test_a_press_is_told_while_frames_stream_in(boards: Boards) -> None:
    board = boards(leds=LEDS)
    board.send(adalight.encode(GOOD) * 30)
    board.run(50)
    press(board)
    pressed = board.now
    board.until("$BT", 100)
    assert board.now - pressed < 30
    board.run(300)
    assert [frame.pixels for frame in frames(board.events)[1:]] == [GOOD] * 30


def squares(events: list[Event]) -> list[Squares]:
    return [message for message in messages(events) if isinstance(message, Squares)]


def test_every_square_has_its_bit(boards: Boards) -> None:
    board = boards(squares=64)
    assert squares(board.events)[0] == Squares(1, 0)
    for square in range(64):
        board.command(f"squares {1 << square:x}")
        assert squares(board.run(70))[-1].occupied == 1 << square
    board.command("squares ffffffffffffffff")
    assert squares(board.run(70))[-1].occupied == (1 << 64) - 1


def test_sixteen_squares_are_sixteen_bits(boards: Boards) -> None:
    board = boards(squares=16)
    board.command("squares 8001")
    assert squares(board.run(70))[-1].occupied == 0x8001


def test_squares_are_told_when_they_change_and_each_second_under_the_same_number(boards: Boards) -> None:
    board = boards(squares=64)
    board.run(100)
    changed = board.now
    board.command("squares 81")
    seen = board.until("$SQ,2", 100)
    assert board.now - changed < 20
    assert squares(seen) == [Squares(2, 0x81)]
    assert squares(board.run(5000)) == [Squares(2, 0x81)] * 5


def test_a_contact_that_flutters_does_not_fill_the_wire(boards: Boards) -> None:
    board = boards(squares=64)
    board.run(100)
    before = board.now
    for step in range(100):
        board.command(f"squares {step % 2}")
        board.run(12)
    found = squares(board.events)
    assert len(found) < 30 + 2
    assert board.now - before > 1200
    assert squares(board.run(200))[-1].occupied == 1


def test_a_touch_of_three_milliseconds_is_no_change(boards: Boards) -> None:
    board = boards(squares=64)
    board.run(100)
    for _ in range(20):
        board.command("squares 1")
        board.run(3)
        board.command("squares 0")
        board.run(9)
    assert {message.occupied for message in squares(board.events)} == {0}


def test_without_chips_nothing_is_told_of_squares(boards: Boards) -> None:
    board = boards()
    board.command("squares ff")
    assert not squares(board.run(3000))
