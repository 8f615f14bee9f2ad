"""The words of ``--leds`` choose a board."""

import pytest

from firmware_bridge.brightness import Brightness, current_ma
from firmware_bridge.chosen import UnknownLedBoardError, chosen
from firmware_bridge.frame import DARK, Colour, LedFrame


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("none", "no LED board"),
        ("auto", "LED board at any port"),
        ("simulated", "simulated LED board"),
        ("/dev/ttyUSB0", "LED board at /dev/ttyUSB0"),
        ("ddp://wled.local", "LED board at wled.local"),
        ("ddp://[fe80::1]:4048", "LED board at fe80::1"),
        ("wled://wled.local", "LED board at wled.local"),
        ("http://192.168.1.7/", "LED board at 192.168.1.7"),  # as the browser shows it
    ],
)
def test_the_words_choose_a_board(words: str, name: str) -> None:
    assert chosen(words).name == name


@pytest.mark.parametrize("words", ["", "ttyUSB0", "COM3", "3", "yes"])
def test_words_that_choose_none_are_refused_with_what_was_expected(words: str) -> None:
    with pytest.raises(UnknownLedBoardError, match=r"Expected auto, .*ddp://HOST\[:PORT\]"):
        chosen(words)


@pytest.mark.parametrize(
    "words",
    [
        "ddp:",
        "ddp://",
        "ddp://host:port",
        "ddp://host:99999",
        "ddp://host:0",
        "ddp://host/path",
        "ddp://[::1",
        "ddp://a..b",
        "ddp://a b",
        f"ddp://{'a' * 70}",
        "wled://",
        "https://wled.local",
        "mqtt://wled.local",
    ],
)
def test_an_address_of_no_board_is_refused_in_one_sentence(words: str) -> None:
    with pytest.raises(UnknownLedBoardError, match=r"Expected wled://HOST, or ddp://HOST\[:PORT\]"):
        chosen(words)


def test_a_simulated_board_shows_what_it_is_sent_as_bright_as_its_supply_allows_and_goes_dark() -> None:
    board = chosen("simulated", Brightness(most_ma=400))
    assert board.board is not None
    assert board.board.leds is not None
    red, white = Colour(255, 0, 0), Colour(255, 255, 255)
    board.send(LedFrame((red, DARK, Colour(0, 120, 0))))
    assert board.shown() == (red, DARK, Colour(0, 120, 0), *[DARK] * (board.board.leds - 3))
    board.send(LedFrame((white,) * 300))
    shown = board.shown()
    assert shown is not None
    assert len(shown) == 300
    assert 0 < current_ma(LedFrame(shown).pixels()) < current_ma(LedFrame((white,) * 300).pixels())
    board.close()
    assert set(board.shown() or ()) == {DARK}
