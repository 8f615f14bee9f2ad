"""What the training is given: scenes that are kept as they were drawn, faces that lie as their truth says."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.dice import PIP, dice_set
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import PLACES, area, cut_flat, cut_turned, edge_length, is_convex
from companion.vision.dice.marks import SINGLE
from workshop.scenes.fonts import find_fonts
from workshop.training.disturb import astray, recolour, worsen
from workshop.training.draw import KINDS, draw_scenes
from workshop.training.singles import SHAPES, draw_singles
from workshop.training.store import NothingDrawnError, Scenes, write_scenes

NUMBER = 14


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    folder = tmp_path_factory.mktemp("drawn")
    fonts = find_fonts("train", bundled=True)
    write_scenes(draw_scenes(fonts, NUMBER, 5), folder, "scenes-1")
    write_scenes(draw_scenes(fonts, 3, 6, kinds={"numerals": 1.0}), folder, "scenes-2")
    return Scenes.load(folder, "scenes")


def test_parts_are_read_one_after_the_other_and_every_picture_is_whole(scenes: Scenes) -> None:
    assert NUMBER <= len(scenes) <= NUMBER + 3
    for number in range(len(scenes)):
        picture = scenes.picture(number)
        assert picture.ndim == 3
        assert min(picture.shape[:2]) >= 300


def test_the_same_seed_draws_the_same_scenes(scenes: Scenes, tmp_path: Path) -> None:
    write_scenes(draw_scenes(find_fonts("train", bundled=True), 4, 5), tmp_path, "scenes-1")
    again = Scenes.load(tmp_path, "scenes")
    for number in range(len(again)):
        assert again.truths[number].to_json() == scenes.truths[number].to_json()
        assert (again.picture(number) == scenes.picture(number)).all()


def test_every_face_has_known_marks_and_corners_that_can_be_cut_flat(scenes: Scenes) -> None:
    shapes = set()
    for number, truth in enumerate(scenes.truths):
        picture = scenes.picture(number)
        for face in (*truth.faces, *(side for _, _, sides in truth.tetrahedra for side in sides)):
            shapes.add(face.shape)
            assert set(face.marks) <= {*SINGLE, PIP}
            assert len(face.corners) == len(PLACES[face.shape])
            assert is_convex(face.corners)
            assert area(face.corners) > 0
            assert cut_flat(picture, face.corners, PLACES[face.shape]).shape == (64, 64, 3)
    assert {"cube", "tetrahedron"} <= shapes


def test_single_faces_lie_upright_from_their_first_corner_on(tmp_path: Path) -> None:
    write_scenes(draw_singles(find_fonts("train", bundled=True), 160, 3), tmp_path, "singles-1")
    singles = Scenes.load(tmp_path, "singles")
    assert len(singles) == 160
    assert {face.shape for truth in singles.truths for face in truth.faces} == set(SHAPES)
    reader = FaceReader(dice_set("wibold"), 1.0)
    first, clear = 0, 0
    for number, truth in enumerate(singles.truths):
        (face,) = truth.faces
        picture = singles.picture(number)
        places = PLACES[face.shape]
        assert area(face.corners) > 0
        assert face.corners.min() > -2
        assert (face.corners.max(axis=0) < [picture.shape[1] + 2, picture.shape[0] + 2]).all()
        if face.shape == "cube" and PIP not in face.marks and edge_length(face.corners) > 60:
            clear += 1
            styles = reader.views([cut_turned(picture, face.corners, places)])
            first += int(reader.opinions(styles)[0].upright.argmax() == 0)
    assert clear > 20
    assert first > 0.7 * clear  # letters such as O and H, and worn ones, may stand any way up


def test_the_kinds_are_shares_of_one_whole() -> None:
    assert sum(KINDS.values()) == pytest.approx(1)


def test_nothing_drawn_is_told_with_the_place_looked_at(tmp_path: Path) -> None:
    with pytest.raises(NothingDrawnError, match=r"Expected drawn scenes scenes-\*\.jsonl"):
        Scenes.load(tmp_path, "scenes")


def test_disturbed_patches_stay_patches() -> None:
    rng = np.random.default_rng(1)
    patch = np.asarray(cv2.resize(rng.integers(0, 256, (8, 8, 3), dtype=np.uint8), (64, 64)), np.uint8)
    for _ in range(60):
        disturbed = recolour(worsen(patch, rng), rng)
        assert disturbed.shape == patch.shape
        assert disturbed.dtype == np.uint8


def test_corners_go_astray_by_a_small_part_of_the_edge() -> None:
    rng = np.random.default_rng(2)
    corners = np.array([[100.0, 100.0], [200.0, 100.0], [200.0, 200.0], [100.0, 200.0]])
    off = [np.linalg.norm(astray(corners, rng, 1.0) - corners, axis=1).max() / 100 for _ in range(300)]
    assert 0.03 < float(np.median(off)) < 0.12
