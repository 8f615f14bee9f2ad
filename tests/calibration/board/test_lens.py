"""The lens is measured from drawn pictures of the sheet; too few or too like pictures are refused."""

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.board.lens import LensCalibration, LensCalibrationError
from calibration.kit.plans import charuco_plan
from companion.vision.boards.lens import Lens
from companion.vision.readings import Image

SHEET = charuco_plan()
SIZE = (960, 720)
TRUE = Lens(SIZE, (800.0, 800.0), (475.0, 362.0), (-0.22, 0.06, 0.0, 0.0, 0.0))
VIEWS = [
    ((0.0, 0.0, 0.0), (-90, -120, 330)),
    ((35.0, 0.0, 5.0), (-200, -140, 330)),
    ((0.0, 35.0, -5.0), (20, -140, 350)),
    ((-35.0, 10.0, 90.0), (130, -40, 340)),
    ((20.0, -35.0, 180.0), (0, 130, 360)),
    ((-25.0, -25.0, 10.0), (-160, 0, 330)),
    ((30.0, 30.0, -10.0), (40, -60, 330)),
    ((-30.0, 25.0, 0.0), (-190, 10, 360)),
    ((10.0, 30.0, 90.0), (190, -120, 380)),
]


@cache
def view(number: int) -> Image:
    """Draw the sheet as the true lens would see it: each pixel is followed back to the sheet's plane."""
    angles, place = VIEWS[number]
    drawing = SHEET.board().generateImage((SHEET.columns * 90, SHEET.rows * 90), marginSize=0)
    turned = np.eye(3)
    for axis, degrees in zip(np.eye(3), angles, strict=True):
        turned = cv2.Rodrigues(axis * np.radians(degrees))[0] @ turned
    to_picture = TRUE.matrix @ np.column_stack([turned[:, 0], turned[:, 1], np.array(place, float)])
    pixels = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1).reshape(-1, 2).astype(float)
    straight = TRUE.straighten(pixels)
    back = cv2.perspectiveTransform(straight.reshape(-1, 1, 2), np.linalg.inv(to_picture)).reshape(-1, 2) * 3 - 0.5
    grid = back.astype(np.float32).reshape(SIZE[1], SIZE[0], 2)
    seen = cv2.remap(drawing, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderValue=150)
    noise = np.random.default_rng(number).normal(0, 2, seen.shape)
    grey = np.clip(cv2.GaussianBlur(seen, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def test_the_true_lens_is_found() -> None:
    lens = LensCalibration()
    for number in range(len(VIEWS)):
        lens.add(view(number))
    reported = lens.measure()
    assert reported.grade == "good"
    assert "measured well" in str(reported.sentence)
    assert reported.lens.focal == pytest.approx(TRUE.focal, rel=0.02)
    points = np.stack(np.meshgrid(np.linspace(80, 880, 9), np.linspace(60, 660, 7)), axis=-1).reshape(-1, 2)
    # Only bending counts for a board: a shift and a scale of the whole picture are taken up by its homography.
    found, true = reported.lens.straighten(points), TRUE.straighten(points)
    matrix, _ = cv2.findHomography(found, true, 0)
    left = cv2.perspectiveTransform(found.reshape(-1, 1, 2), matrix).reshape(-1, 2) - true
    assert np.abs(left).max() < 1.0
    assert np.abs(points - true).max() > 15


def test_a_second_look_at_the_same_is_refused() -> None:
    lens = LensCalibration()
    assert "1 of 5" in str(lens.add(view(0)))
    with pytest.raises(LensCalibrationError, match="like an earlier one"):
        lens.add(np.roll(view(0), 4, axis=1))
    assert lens.views == 1


def test_too_few_pictures_are_refused() -> None:
    lens = LensCalibration()
    lens.add(view(0))
    with pytest.raises(LensCalibrationError, match="1 of 5 pictures"):
        lens.measure()


def test_pictures_of_something_else_or_of_another_camera_are_refused() -> None:
    lens = LensCalibration()
    with pytest.raises(LensCalibrationError, match="Only 0 corners"):
        lens.add(np.full((720, 960, 3), 120, np.uint8))
    lens.add(view(0))
    with pytest.raises(LensCalibrationError, match="960x720"):
        lens.add(np.ascontiguousarray(view(1)[:600]))
