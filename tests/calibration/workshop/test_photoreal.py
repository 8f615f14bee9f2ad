"""What Blender is told of a scene: the camera and the dice where the labels say, every side with its own texture."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.workshop.photoreal.describe import NotPathTracedError, as_plain, describe
from calibration.workshop.scenes.fonts import find_fonts
from calibration.workshop.scenes.render import render
from calibration.workshop.scenes.scene import Ranges, Scene, random_scene

BARE = Ranges(size=(640, 480), edge=(50, 90), things=0, tray=0, hand=0, moving=0)


def drawn(dice: str, seed: int = 4) -> Scene:
    return random_scene(np.random.default_rng(seed), find_fonts(bundled=True), ranges=BARE, set_name=dice)


@pytest.mark.parametrize("dice", ["wibold", "ludix", "pips"])
def test_the_described_camera_sees_the_corners_where_the_labels_have_them(dice: str, tmp_path: Path) -> None:
    scene = drawn(dice)
    told = json.loads(json.dumps(describe(scene, tmp_path, np.random.default_rng(1))))
    camera = told["camera"]
    axes = np.array([camera["right"], camera["up"], camera["back"]])
    assert axes @ axes.T == pytest.approx(np.eye(3))
    assert np.linalg.det(axes) == pytest.approx(1)  # Blender's cameras are right-handed
    middle = (np.array([camera["width"], camera["height"]]) - 1) / 2
    for label, die in zip(render(scene).labels, told["dice"], strict=True):
        corners = np.array([corner for side in die["sides"] for corner in side["corners"]])
        seen = (corners - camera["position"]) @ axes.T
        pixels = seen[:, :2] / -seen[:, 2:] * [1, -1] * camera["focal"] + middle
        for corner in label.corners:
            assert np.linalg.norm(pixels - corner, axis=1).min() < 1e-6


def test_each_side_has_a_texture_on_which_its_marks_are_sunk(tmp_path: Path) -> None:
    told = describe(drawn("wibold"), tmp_path, np.random.default_rng(1))
    for die in told["dice"]:
        assert len(die["sides"]) == (4 if len(die["sides"][0]["corners"]) == 3 else 6)
        for side in die["sides"]:
            colour = cv2.imread(str(tmp_path / f"{side['texture']}.png"))
            depth = cv2.imread(str(tmp_path / f"{side['texture']}_depth.png"), cv2.IMREAD_GRAYSCALE)
            assert colour is not None
            assert depth is not None
            assert colour.shape[:2] == depth.shape
            assert 0.005 < float((depth < 128).mean()) < 0.6


def test_things_and_walls_keep_away_from_the_dice(tmp_path: Path) -> None:
    for seed in range(12):
        scene = drawn("wibold", seed)
        told = describe(scene, tmp_path, np.random.default_rng(seed))
        for thing in told["things"]:
            apart = [float(np.hypot(thing["place"][0] - die.x, thing["place"][1] - die.y)) for die in scene.dice]
            assert min(apart) > 1.5
        if told["tray"]:
            assert all(np.hypot(die.x, die.y) + die.body.reach < told["tray"]["half"] for die in scene.dice)


def test_other_dice_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotPathTracedError, match="is a icosahedron"):
        describe(drawn("d20"), tmp_path, np.random.default_rng(1))


def test_a_job_names_everything_that_blender_needs(tmp_path: Path) -> None:
    told = describe(drawn("pips"), tmp_path, np.random.default_rng(1))
    job = json.loads(json.dumps(as_plain(told, tmp_path / "a.png", tmp_path, 8)))
    assert (job["samples"], job["picture"], job["textures"]) == (8, str(tmp_path / "a.png"), str(tmp_path))
    assert job["scene"] == told
