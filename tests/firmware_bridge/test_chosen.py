"""The words of ``--leds`` choose a board."""

import pytest

from firmware_bridge.chosen import UnknownLedBoardError, chosen


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
