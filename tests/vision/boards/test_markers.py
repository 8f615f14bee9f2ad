"""Markers are found exactly, in poor light and blur too; what is wrong with them is said."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.boards.markers import Marker, MarkerFinder, exact
from companion.vision.images import load_image
from companion.vision.readings import Image
from tests.vision.boards.drawn import Camera, draw_table, marker_corners, photograph, project


@cache
def table(edge: float = 24.0) -> Image:
    return draw_table(markers=edge)


def camera(rng: np.random.Generator) -> Camera:
    tilt = rng.uniform(-9, 9, 2)
    return Camera(rng.uniform(680, 740), turn=(float(tilt[0]), float(tilt[1]), float(rng.uniform(-25, 25))))


@pytest.mark.parametrize(
    ("edge", "blur", "noise", "light", "most"),
    [
        (30.0, 0.6, 2.0, 1.0, (0.04, 0.15)),
        (16.0, 0.6, 2.0, 1.0, (0.08, 0.3)),
        (24.0, 1.5, 3.0, 1.0, (0.2, 0.8)),
        (24.0, 0.6, 4.0, 0.25, (0.1, 0.4)),
    ],
    ids=["large", "small", "blurred", "dark"],
)
def test_all_four_are_found_to_a_fraction_of_a_pixel(
    edge: float, blur: float, noise: float, light: float, most: tuple[float, float]
) -> None:
    rng = np.random.default_rng(int(edge * 10 + blur))
    finder = MarkerFinder()
    off = []
    for seed in range(2):
        place = camera(rng)
        seen = finder.find(photograph(table(edge), place, blur=blur, noise=noise, light=light, seed=seed))
        assert seen.whole
        for number, corners in marker_corners(edge).items():
            truth = project(place.homography(), corners)
            off += list(np.linalg.norm(seen.markers[number].corners - truth, axis=1))
    assert np.median(off) < most[0]
    assert max(off) < most[1]


def test_looking_near_finds_the_same_as_looking_everywhere() -> None:
    picture = photograph(table(), Camera(700))
    finder = MarkerFinder()
    everywhere = finder.find(picture).markers
    near = finder.find_near(picture, {number: marker.corners + 9 for number, marker in everywhere.items()}).markers
    assert set(near) == set(everywhere)
    for number, marker in near.items():
        assert np.linalg.norm(marker.corners - everywhere[number].corners, axis=1).max() < 0.1


def test_a_finger_on_an_edge_does_not_move_the_corners() -> None:
    picture = photograph(table(), Camera(700))
    (marker,) = (one for one in MarkerFinder().find(picture).every if one.number == 2)
    x, y = ((marker.corners[0] + 3 * marker.corners[1]) / 4).astype(int)
    cv2.circle(picture, (int(x), int(y)), 3, (150, 170, 215), -1)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    again = exact(grey, Marker(2, marker.corners + 0.7))
    assert np.linalg.norm(again.corners - marker.corners, axis=1).max() < 0.6


def test_a_mirrored_picture_is_named() -> None:
    picture = np.ascontiguousarray(photograph(table(), Camera(700))[:, ::-1])
    finder = MarkerFinder()
    seen = finder.find(picture)
    assert not seen.markers
    assert "write mirror: before" in str(finder.why_not(picture, seen))


def test_markers_of_another_kind_are_named() -> None:
    picture = photograph(draw_table(markers=24, dictionary=cv2.aruco.DICT_6X6_50), Camera(700))
    finder = MarkerFinder()
    seen = finder.find(picture)
    assert not seen.markers
    assert "another kind (DICT_6X6" in str(finder.why_not(picture, seen))


def test_two_boards_in_view_are_not_mixed() -> None:
    one = photograph(table(), Camera(900))
    both = np.concatenate([one[100:860], one[100:860]], axis=1)
    finder = MarkerFinder()
    seen = finder.find(both)
    assert not seen.markers
    assert seen.doubled == (0, 1, 2, 3)
    assert "only one board" in str(finder.why_not(both, seen))
    left = finder.find(one[100:860]).markers
    chosen = seen.nearest({number: marker.centre + 30 for number, marker in left.items()})
    assert all(np.linalg.norm(chosen[number].centre - left[number].centre) < 1 for number in left)


def test_a_covered_marker_is_named() -> None:
    picture = photograph(table(), Camera(700))
    finder = MarkerFinder()
    x, y = finder.find(picture).markers[3].centre.astype(int)
    picture[y - 20 : y + 20, x - 20 : x + 20] = 90
    seen = finder.find(picture)
    assert sorted(seen.markers) == [0, 1, 2]
    assert "except 3" in str(finder.why_not(picture, seen))


def test_a_table_without_markers_has_none() -> None:
    picture = photograph(draw_table(), Camera(700))
    finder = MarkerFinder()
    seen = finder.find(picture)
    assert not seen.every
    assert "The camera sees no marker" in str(finder.why_not(picture, seen))


@pytest.mark.shared
@pytest.mark.parametrize("kind", ["tables", "rithmomachia"])
def test_rendered_boards_show_four_markers_or_none(shared: Path, kind: str) -> None:
    finder = MarkerFinder()
    for line in (shared / "eval" / kind / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        seen = finder.find(load_image(shared / "eval" / kind / label["image"]))
        assert seen.whole if label["objects"][0]["markers"] else not seen.every, label["image"]
