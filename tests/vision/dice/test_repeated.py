"""Print repeats itself: how often the same look is found."""

import cv2
import numpy as np

from companion.vision.dice.geometry import Points
from companion.vision.dice.repeated import times_seen
from companion.vision.readings import Image


def square(x: float, y: float, side: float = 40) -> Points:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def rug() -> tuple[Image, list[Points]]:
    """Return a picture of squares in squares, each with a corner of its own colour, in all turns, and one letter."""
    picture = np.full((260, 260, 3), 120, np.uint8)
    tile = np.full((40, 40, 3), 60, np.uint8)
    cv2.rectangle(tile, (10, 10), (30, 30), (220, 220, 220), -1)
    cv2.rectangle(tile, (0, 0), (9, 9), (250, 250, 250), -1)
    places = [square(60 * column + 10, 60 * row + 10) for row in range(4) for column in range(4)]
    for k, (corners, _) in enumerate(zip(places, range(15), strict=False)):
        x, y = corners[0].astype(int)
        picture[y : y + 40, x : x + 40] = np.rot90(tile, k)
    x, y = places[15][0].astype(int)
    cv2.putText(picture, "A", (int(x) + 4, int(y) + 36), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (10, 10, 10), 5)
    return picture, places


def test_a_pattern_is_seen_often_and_a_letter_once() -> None:
    picture, places = rug()
    assert times_seen(picture, places).tolist() == [15] * 15 + [1]


def test_even_faces_and_faces_that_are_no_squares_are_seen_once() -> None:
    noise = np.random.default_rng(3).normal(120, 1, (260, 260, 3)).astype(np.uint8)
    _, places = rug()
    assert times_seen(noise, places).max() == 1
    assert times_seen(noise, [places[0][:3]]).tolist() == [1]
    assert times_seen(noise, []).tolist() == []
