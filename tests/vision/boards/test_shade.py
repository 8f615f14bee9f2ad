"""Men in the light and men in the shade of one board may be of one side."""

import cv2
import numpy as np
import pytest

from companion.vision.boards.men import FoundMan
from companion.vision.boards.shade import beside_ground
from companion.vision.boards.sides import appearance_of, two_sides
from companion.vision.readings import Image

RADIUS, COLUMN = 7.0, 28.0
SHADOW = 0.3
"""How much light is left in the shade."""

Men = list[tuple[float, float, int]]
"""Where each man's middle lies, and how light he is where the light falls."""

ROW: Men = [(60.0 + 60 * k, 60.0 + 90 * (k % 3), 200) for k in range(9)]


def canvas(men: Men, shade: int) -> tuple[Image, list[FoundMan]]:
    """Return striped ground with men on it; right of ``shade`` only `SHADOW` of the light falls."""
    flat = np.full((320, 640, 3), 130, np.uint8)
    flat[:, (np.arange(640) // 28) % 2 == 0] = (90, 110, 125)
    for x, y, light in men:
        cv2.circle(flat, (round(x), round(y)), 18, (light - 20, light - 5, light), -1)
    flat[:, shade:] = (flat[:, shade:] * SHADOW).astype(np.uint8)
    return flat, [FoundMan(x, y, (x, y), 0.99, 0.1 if x < shade else 0.8, ()) for x, y, _ in men]


def chances(men: Men, shade: int) -> list[float]:
    flat, found = canvas(men, shade)
    beside = beside_ground(flat, found, RADIUS, COLUMN)
    return [float(one) for one in two_sides(found, appearance_of(flat, found, RADIUS), beside).mixed()]


def test_a_shadow_over_men_and_ground_changes_little() -> None:
    flat, found = canvas(ROW, 330)
    beside = beside_ground(flat, found, RADIUS, COLUMN)
    assert np.ptp(beside) < 8
    lightness = appearance_of(flat, found, RADIUS)[:, 0]
    assert np.ptp(lightness) > 30


def test_men_of_one_side_half_in_the_shade_are_doubted() -> None:
    doubted = [chance for chance in chances(ROW, 330) if 0.05 < chance < 0.95]
    assert len(doubted) == len(ROW)
    flat, found = canvas(ROW, 330)
    without = two_sides(found, appearance_of(flat, found, RADIUS)).mixed()
    assert ((without < 0.02) | (without > 0.98)).any()  # by their appearance_of alone they would be two sides


@pytest.mark.parametrize("shade", [640, 330])
def test_two_sides_are_told_apart_with_and_without_a_shadow_over_half_of_each(shade: int) -> None:
    men = [(x, y, 215 if k % 2 else 60) for k, (x, y, _) in enumerate(ROW)]
    flat, found = canvas(men, 640)
    found = [FoundMan(man.x, man.y, man.top, 0.99, 0.1 if men[k][2] > 100 else 0.9, ()) for k, man in enumerate(found)]
    flat = canvas(men, shade)[0]
    sides = two_sides(found, appearance_of(flat, found, RADIUS), beside_ground(flat, found, RADIUS, COLUMN)).mixed()
    assert [bool(chance > 0.5) for chance in sides] == [light < 100 for _, _, light in men]


def test_no_men_and_men_at_the_very_edge_need_no_ground() -> None:
    flat, found = canvas([(2.0, 2.0, 200), (638.0, 318.0, 200)], 640)
    assert beside_ground(flat, [], RADIUS, COLUMN).shape == (0,)
    assert np.isfinite(beside_ground(flat, found, RADIUS, COLUMN)).all()
