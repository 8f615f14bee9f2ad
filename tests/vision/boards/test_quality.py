"""The quality report names what is wrong with a picture, and only that."""

from functools import cache

import cv2
import numpy as np
import pytest

from companion.vision.boards.pose import BoardPose, pose_from_corners
from companion.vision.boards.quality import Quality, judge
from companion.vision.readings import Image
from tests.vision.boards.drawn import FIELD, Camera, draw_table, field_corners, photograph, project

CAMERA = Camera(600, size=(1280, 960))
GRID = (13, 2)
LIGHT = [(14.0 + 27.7 * n, 20.0, "light") for n in range(3)]
DARK = [(14.0 + 27.7 * n, 280.0, "dark") for n in range(3)]


@cache
def clear() -> Image:
    return photograph(draw_table(men=LIGHT + DARK), CAMERA, noise=1.5)


def pose(camera: Camera = CAMERA) -> BoardPose:
    return pose_from_corners(project(camera.homography(), field_corners()), camera.size)


def grades(quality: Quality) -> dict[str, str]:
    return {one.name: one.grade for one in quality.figures}


def test_a_good_picture_is_good_all_over() -> None:
    quality = judge(clear(), pose(), GRID)
    assert quality.grade == "good", quality.to_json()
    assert quality.changes == ()


def spoilt(name: str) -> Image:
    image = clear().copy()
    if name == "sharpness":
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 3.5), np.uint8)
    elif name == "glare":
        cv2.ellipse(image, (640, 480), (160, 90), 0, 0, 360, (255, 255, 255), -1)
    elif name == "light":
        shade = np.linspace(-0.35, 1.25, image.shape[1]).clip(0.05, 1)[None, :, None]
        image = np.asarray(image * shade, np.uint8)
    elif name == "brightness":
        image = np.asarray(image * 0.22, np.uint8)
    return image


@pytest.mark.parametrize("name", ["sharpness", "glare", "light", "brightness"])
def test_each_fault_is_named_with_what_to_change(name: str) -> None:
    quality = judge(spoilt(name), pose(), GRID)
    assert grades(quality)[name] == "poor"
    assert len(str(quality.changes[0])) > 30


def test_a_far_camera_gives_too_few_pixels() -> None:
    far = Camera(1500, size=(1280, 960))
    quality = judge(photograph(draw_table(), far), pose(far), GRID)
    assert grades(quality)["pixels"] == "poor"
    (found,) = (one for one in quality.figures if one.name == "pixels")
    assert found.value == pytest.approx(FIELD[0] / 13 * 1100 / 1500, abs=0.2)


def test_sides_that_look_alike_are_named() -> None:
    places = {
        side: [(x / FIELD[0], y / FIELD[1]) for x, y, _ in men] for side, men in (("light", LIGHT), ("dark", DARK))
    }
    assert grades(judge(clear(), pose(), GRID, places))["contrast"] == "good"
    alike = photograph(draw_table(men=[(x, y, "dark") for x, y, _ in LIGHT + DARK]), CAMERA)
    quality = judge(alike, pose(), GRID, places)
    assert grades(quality)["contrast"] == "poor"
    assert "light men and the dark men" in str(quality.changes[0])
