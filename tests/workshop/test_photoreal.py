"""What Blender is told of a scene: the camera and the dice where the labels say, every side with its own texture."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from workshop.board_scenes.scene import random_board_scene
from workshop.photoreal.boards import describe_board
from workshop.photoreal.describe import NotPathTracedError, as_plain, describe
from workshop.scenes.fonts import find_fonts
from workshop.scenes.render import render
from workshop.scenes.scene import Ranges, Scene, random_scene

BARE = Ranges(size=(640, 480), edge=(50, 90), things=0, tray=0, hand=0, moving=0)


def drawn(dice: str, seed: int = 4) -> Scene:
    return random_scene(np.random.default_rng(seed), find_fonts(bundled=True), ranges=BARE, set_name=dice)


@pytest.mark.parametrize("dice", ["wibold", "ludix", "pips", "d8", "d10", "d12", "d20"])
def test_the_described_camera_sees_the_corners_where_the_labels_have_them(dice: str, tmp_path: Path) -> None:
    scene = drawn(dice)
    data = json.loads(json.dumps(describe(scene, tmp_path, np.random.default_rng(1))))
    camera = data["camera"]
    axes = np.array([camera["right"], camera["up"], camera["back"]])
    assert axes @ axes.T == pytest.approx(np.eye(3))
    assert np.linalg.det(axes) == pytest.approx(1)  # Blender's cameras are right-handed
    middle = (np.array([camera["width"], camera["height"]]) - 1) / 2
    for label, die in zip(render(scene).labels, data["dice"], strict=True):
        corners = np.array([corner for side in die["sides"] for corner in side["corners"]])
        seen = (corners - camera["position"]) @ axes.T
        pixels = seen[:, :2] / -seen[:, 2:] * [1, -1] * camera["focal"] + middle
        for corner in label.corners:
            assert np.linalg.norm(pixels - corner, axis=1).min() < 1e-6


@pytest.mark.parametrize(("dice", "faces"), [("wibold", {4, 6}), ("d10", {10}), ("d12", {12}), ("d20", {20})])
def test_each_side_has_a_texture_on_which_its_marks_are_sunk(dice: str, faces: set[int], tmp_path: Path) -> None:
    found = describe(drawn(dice), tmp_path, np.random.default_rng(1))
    assert {len(die["sides"]) for die in found["dice"]} == faces
    for die in found["dice"]:
        for side in die["sides"]:
            colour = cv2.imread(str(tmp_path / f"{side['texture']}.png"))
            depth = cv2.imread(str(tmp_path / f"{side['texture']}_depth.png"), cv2.IMREAD_GRAYSCALE)
            assert colour is not None
            assert depth is not None
            assert colour.shape[:2] == depth.shape
            assert 0.005 < float((depth < 128).mean()) < 0.6


def test_things_and_walls_keep_away_from_the_dice(tmp_path: Path) -> None:
    for seed in range(4):
        scene = drawn("wibold", seed)
        found = describe(scene, tmp_path, np.random.default_rng(seed))
        for thing in found["things"]:
            distances = [float(np.hypot(thing["place"][0] - die.x, thing["place"][1] - die.y)) for die in scene.dice]
            assert min(distances) > 1.5
        if found["tray"]:
            assert all(np.hypot(die.x, die.y) + die.body.reach < found["tray"]["half"] for die in scene.dice)


def test_other_dice_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotPathTracedError, match="is a tile"):
        describe(drawn("tiles"), tmp_path, np.random.default_rng(1))


def test_a_job_names_everything_that_blender_needs(tmp_path: Path) -> None:
    found = describe(drawn("pips"), tmp_path, np.random.default_rng(1))
    job = json.loads(json.dumps(as_plain(found, tmp_path / "a.png", tmp_path, 8)))
    assert (job["samples"], job["picture"], job["textures"]) == (8, str(tmp_path / "a.png"), str(tmp_path))
    assert job["scene"] == found


@pytest.mark.parametrize("kind", ["tables", "rithmomachia"])
def test_a_described_board_has_its_men_where_the_drawn_one_has_them(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scene = random_board_scene(rng, kind, find_fonts(bundled=True), size=(640, 480), markers=True, hand=0.0)
    data = json.loads(json.dumps(describe_board(scene, tmp_path, np.random.default_rng(1))))
    board = data["board"]
    pieces = [piece for man in scene.men for piece in man.pieces]
    assert len(board["pieces"]) == len(pieces) + len(scene.dice)
    for piece, tells in zip(pieces, board["pieces"], strict=False):
        assert np.mean(tells["ring"], axis=0) == pytest.approx(piece.ring.mean(axis=0))
        assert tells["low"] < tells["high"]
        places = np.array(tells["places"])
        assert ((places > -1e-9) & (places < 1 + 1e-9)).all()
    assert data["ground"]["level"] == -scene.board.thickness
    shown = [board["texture"], *(one["texture"] for one in [*board["pieces"], *board["sheets"]])]
    assert all((tmp_path / f"{name}.png").is_file() for name in shown)
    assert len(board["sheets"]) == 4


def test_a_sheets_texture_lies_the_right_way_up(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scene = random_board_scene(rng, "tables", find_fonts(bundled=True), size=(640, 480), markers=True, hand=0.0)
    for sheet in describe_board(scene, tmp_path, np.random.default_rng(1))["board"]["sheets"]:
        ring, places = np.array(sheet["ring"]), np.array(sheet["places"])
        assert places == pytest.approx(np.array([[0, 1], [1, 1], [1, 0], [0, 0]]))  # from its left and top
        assert ring[2, 1] > ring[1, 1]
