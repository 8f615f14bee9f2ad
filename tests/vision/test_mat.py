"""Nothing outside the mat survives the crop; a tray is found when it is plain to see, and only then."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.mat import Mat, find_mat
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Frame, Image

from .stage import Stage

corner = st.tuples(st.floats(-20, 120, width=32), st.floats(-20, 90, width=32))


@settings(max_examples=150, deadline=None)
@given(polygon=st.lists(corner, min_size=3, max_size=8))
def test_no_pixel_outside_the_polygon_survives(polygon: list[tuple[float, float]]) -> None:
    try:
        mat = Mat(tuple(polygon), (100, 70))
    except ValueError:
        return
    image = np.full((70, 100, 3), 255, np.uint8)
    cropped = mat.crop(Frame(image, 0.0, "test")).image
    left, top, right, bottom = mat.box(100, 70)
    assert cropped.shape == (bottom - top, right - left, 3)
    contour = np.array(polygon, np.float32)
    survivors = np.argwhere(cropped.any(axis=2))
    assert len(survivors)
    for y, x in survivors[:: max(1, len(survivors) // 50)]:
        inside = cv2.pointPolygonTest(contour, (float(x + left), float(y + top)), measureDist=True)
        crosses_itself = not cv2.isContourConvex(contour)
        assert inside > -1e-3 or crosses_itself
    assert np.array_equal(cropped.any(axis=2), mat.mask(100, 70))


def test_a_crop_shares_no_memory_with_the_whole_frame() -> None:
    image = Stage().picture()
    mat = Mat(((100, 50), (500, 50), (500, 300), (100, 300)), (640, 360))
    cropped = mat.crop(Frame(image, 1.0, "test", 7))
    assert not np.shares_memory(cropped.image, image)
    assert cropped.image.base is None
    assert (cropped.taken, cropped.number) == (1.0, 7)
    assert np.array_equal(cropped.image, image[50:300, 100:500])


def test_a_mat_marked_at_one_size_serves_the_same_camera_at_another() -> None:
    mat = Mat(((100, 50), (500, 50), (500, 300), (100, 300)), (640, 360))
    assert mat.box(1280, 720) == (200, 100, 1000, 600)
    with pytest.raises(BadFrameError, match="mark the mat again"):
        mat.crop(Frame(np.zeros((640, 360, 3), np.uint8), 0.0, "test"))


@pytest.mark.parametrize(
    ("polygon", "size"),
    [
        (((0, 0), (5, 5)), (640, 360)),
        (((0, 0), (5, 0), (5, 5)), None),
        (((900, 0), (950, 0), (950, 50)), (640, 360)),
        (((0, 0), (float("nan"), 0), (5, 5)), (640, 360)),
    ],
)
def test_a_mat_that_is_none_is_refused(polygon: tuple[tuple[float, float], ...], size: tuple[int, int] | None) -> None:
    with pytest.raises(ValueError, match="mark the mat again"):
        Mat(polygon, size)


def test_without_a_mat_the_whole_picture_is_used() -> None:
    frame = Stage().frame()
    assert Mat().crop(frame) is frame
    assert Mat().box(640, 360) == (0, 0, 640, 360)


def felt_tray(corners: list[tuple[int, int]], *, dice: bool) -> Image:
    picture = Stage().picture()
    cv2.fillPoly(picture, [np.array(corners, np.int32)], (40, 90, 30), cv2.LINE_AA)
    if dice:
        for x, y in ((250, 150), (300, 220), (390, 190)):
            cv2.rectangle(picture, (x, y), (x + 36, y + 36), (220, 235, 240), -1)
    grain = np.random.default_rng(5).normal(0, 3, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


OCTAGON = [(220, 40), (420, 40), (520, 120), (520, 240), (420, 320), (220, 320), (120, 240), (120, 120)]


@pytest.mark.parametrize("dice", [False, True])
@pytest.mark.parametrize("corners", [[(110, 40), (540, 60), (560, 320), (90, 310)], OCTAGON])
def test_a_felt_tray_is_found(corners: list[tuple[int, int]], *, dice: bool) -> None:
    mat = find_mat(felt_tray(corners, dice=dice))
    assert mat.polygon is not None
    found, true = np.zeros((360, 640), np.uint8), np.zeros((360, 640), np.uint8)
    cv2.fillPoly(found, [np.round(np.array(mat.polygon)).astype(np.int32)], 1)
    cv2.fillPoly(true, [np.array(corners, np.int32)], 1)
    assert (found & true).sum() / (found | true).sum() > 0.95


def test_a_bare_table_has_no_tray() -> None:
    assert find_mat(Stage().picture()) == Mat()
    assert find_mat(np.full((360, 640, 3), 90, np.uint8)) == Mat()


def test_a_small_sheet_or_a_mat_cut_by_the_picture_is_no_tray() -> None:
    assert find_mat(felt_tray([(270, 140), (370, 140), (370, 220), (270, 220)], dice=False)) == Mat()
    assert find_mat(felt_tray([(-10, 40), (640, 40), (640, 330), (-10, 330)], dice=False)) == Mat()
