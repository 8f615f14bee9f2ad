"""The supply is never asked for more than it has, and colours stay what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.brightness import Brightness, current_ma, seen
from firmware_bridge.frame import Colour

PIXELS = st.integers(1, 300).flatmap(lambda leds: st.binary(min_size=3 * leds, max_size=3 * leds))


@given(PIXELS, st.floats(50, 8000), st.floats(1, 3))
def test_no_frame_draws_more_than_is_allowed_unless_dark_leds_alone_do(
    pixels: bytes, most: float, gamma: float
) -> None:
    sent = Brightness(most, gamma).applied(pixels)
    assert len(sent) == len(pixels)
    assert current_ma(sent) <= max(most, len(pixels) / 3) + 1e-6


@given(PIXELS)
def test_what_is_dark_stays_dark_and_the_order_of_brightness_stays(pixels: bytes) -> None:
    sent = Brightness().applied(pixels)
    pairs = sorted(zip(pixels, sent, strict=True))
    assert all(after <= before for before, after in pairs)
    assert [after for _, after in pairs] == sorted(after for _, after in pairs)


@given(PIXELS)
def test_what_is_lit_stays_lit_where_the_supply_has_enough(pixels: bytes) -> None:
    sent = Brightness(most_ma=1e6).applied(pixels)
    assert all((before > 0) == (after > 0) for before, after in zip(pixels, sent, strict=True))


def test_a_white_board_of_128_is_dimmed_to_400_milliamperes() -> None:
    sent = Brightness().applied(b"\xff" * 384)
    assert 380 < current_ma(sent) <= 400
    assert len(set(sent)) == 1


def test_a_few_marks_are_not_dimmed() -> None:
    marks = bytes((255, 0, 0)) * 8 + bytes(3 * 120)
    assert Brightness(gamma=1).applied(marks) == marks


@pytest.mark.parametrize(("screen", "led"), [(0, 0), (1, 1), (60, 11), (128, 56), (255, 255)])
def test_gamma_makes_of_a_screens_number_the_light_that_looks_like_it(screen: int, led: int) -> None:
    assert Brightness(most_ma=1e6).applied(bytes([screen] * 3)) == bytes([led] * 3)


@given(st.integers(30, 255), st.integers(30, 255), st.integers(30, 255))
def test_what_an_eye_sees_is_the_colour_that_was_meant(red: int, green: int, blue: int) -> None:
    sent = Colour(*Brightness(most_ma=1e6).applied(bytes((red, green, blue))))
    back = seen(sent)
    assert max(abs(back.red - red), abs(back.green - green), abs(back.blue - blue)) <= 8
