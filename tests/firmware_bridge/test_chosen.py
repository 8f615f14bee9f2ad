"""The words of ``--leds`` choose a board."""

import pytest

from firmware_bridge.chosen import UnknownBoardError, chosen


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("none", "no LED board"),
        ("auto", "LED board at any port"),
        ("simulated", "simulated LED board"),
        ("/dev/ttyUSB0", "LED board at /dev/ttyUSB0"),
        ("ddp://wled.local", "LED board at wled.local"),
        ("ddp://[fe80::1]:4048", "LED board at fe80::1"),
    ],
)
def test_the_words_choose_a_board(words: str, name: str) -> None:
    assert chosen(words).name == name


@pytest.mark.parametrize("words", ["", "ttyUSB0", "yes", "ddp:", "ddp://", "ddp://host:port", "ddp://host/path"])
def test_words_that_choose_none_are_refused_with_what_was_expected(words: str) -> None:
    with pytest.raises(UnknownBoardError, match=r"Expected .*ddp://HOST\[:PORT\]"):
        chosen(words)
