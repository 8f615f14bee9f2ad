"""What lies where it lay in throw after throw, and looks the same there, is a print or a cable and no die."""

from functools import cache

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.fairness.frames import Table
from companion.rules.dice import dice_set
from companion.vision.dice.geometry import Points
from companion.vision.dice.groups.crops import Crop, Cropper, straight
from companion.vision.dice.groups.still import still_rows, unmoved
from companion.vision.readings import Image


@cache
def seen() -> tuple[Image, Points]:
    """Return a picture of a drawn die, and the outline of its upper face."""
    table, cropper = Table("d6", 3), Cropper(dice_set("d6"))
    image = table.throw("4")
    return image, cropper.crop(image).outline


def found(image: Image, outline: Points, seed: int = 0) -> Crop:
    """Return what a net finds there: its corners and the camera's noise differ a little from picture to picture."""
    rng = np.random.default_rng(seed)
    noisy = np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)
    corners = np.roll(outline + rng.uniform(-1, 1, outline.shape), int(rng.integers(4)), axis=0)
    return Crop(straight(noisy, corners), np.zeros((4, 8), np.float32), (), corners)


def thrown(angle: float, right: float = 0.0) -> Crop:
    """Return the die of the picture after another throw: turned by so many degrees, and so far to the right."""
    image, outline = seen()
    x, y = outline.mean(axis=0)
    turn = cv2.getRotationMatrix2D((float(x), float(y)), angle, 1.0)
    turn[0, 2] += right
    moved = cv2.warpAffine(image, turn, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    return found(np.asarray(moved, np.uint8), outline @ turn[:, :2].T + turn[:, 2])


@settings(max_examples=20)
@given(st.integers(1, 2**31))
def test_a_thing_that_never_moves_is_known_whatever_the_noise_and_the_first_corner(seed: int) -> None:
    assert unmoved(found(*seen()), found(*seen(), seed=seed))


@settings(max_examples=20)
@given(st.floats(25, 65), st.sampled_from([0, 90, 180, 270]))
def test_a_die_that_comes_to_rest_where_it_lay_was_thrown(angle: float, quarter: int) -> None:
    assert not unmoved(found(*seen()), thrown(angle + quarter))


def test_a_row_of_the_table_is_told_from_a_row_of_a_die_in_a_bowl_and_from_one_of_a_die_on_the_table() -> None:
    prints = [found(*seen(), seed=number) for number in range(4)]
    bowl = [thrown(angle) for angle in (0, 30, 60)]
    table = [thrown(0, 45.0 * number) for number in range(4)]
    unknown = [Crop(one.picture, one.descriptors, one.guess) for one in prints]
    rows = [range(4), range(4, 7), range(7, 11), range(11, 15), [*range(2), *range(5, 7)], [0, *range(8, 11)]]
    assert still_rows([*prints, *bowl, *table, *unknown], rows) == [True, False, False, False, True, False]
