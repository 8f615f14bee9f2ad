"""Drawn boards: what the labels say is what the picture shows, where it shows it."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.board_readings import Men
from companion.vision.boards.layout import layout
from companion.vision.dice.geometry import mapped, mapping
from workshop.board_scenes.filming import BoardFilm
from workshop.board_scenes.hard import hard_tables_scene
from workshop.board_scenes.men import LEAST_GAP
from workshop.board_scenes.render import RenderedBoard, render_board
from workshop.board_scenes.scene import random_board_scene
from workshop.board_scenes.store import Boards, write_boards
from workshop.scenes.fonts import find_fonts
from workshop.scenes.materials import brightness

FONTS = find_fonts(bundled=True)
UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
SIZE = (480, 360)


@cache
def drawn(kind: str, seed: int) -> RenderedBoard:
    """Return a drawn board, which no test changes."""
    rng = np.random.default_rng(seed)
    return render_board(random_board_scene(rng, kind, FONTS, size=SIZE, markers=False, hand=0.3))


@pytest.mark.parametrize("kind", ["tables", "rithmomachia"])
@pytest.mark.parametrize("seed", range(4))
def test_every_man_stands_where_his_label_says(kind: str, seed: int) -> None:
    board = drawn(kind, seed)
    to_field = mapping(board.corners, UNIT)
    bar = board.scene.board.bar / board.scene.board.width
    for man in board.men:
        if not man.standing.upper and man.standing.site != "bar":  # those stand above the field
            u, v = np.clip(mapped(to_field, np.array([man.foot]))[0], 0, 1)
            assert layout(kind).site_at(float(u), float(v), bar) == man.standing.site
    counts = {site: men.count for site, men in board.scene.truth.items()}
    assert sum(counts.values()) == len(board.men)


@pytest.mark.parametrize("kind", ["tables", "rithmomachia", "grid"])
def test_the_whole_field_is_in_the_picture(kind: str) -> None:
    for seed in range(4):
        board = drawn(kind, seed)
        assert (board.corners > 0).all()
        assert (board.corners < np.array(SIZE)).all()
        assert board.image.shape == (SIZE[1], SIZE[0], 3)


def test_printed_markers_can_be_found_in_the_picture() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    seen = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        scene = random_board_scene(rng, "tables", FONTS, size=(960, 720), markers=True, hand=0.0)
        board = render_board(scene)
        _, ids, _ = detector.detectMarkers(board.image)
        seen += 0 if ids is None else len(set(ids.ravel()) & {0, 1, 2, 3})
    assert seen >= 6  # half of them: some lie outside the picture, some are small or in the dark


def test_a_filmed_match_keeps_the_men_that_nobody_moved() -> None:
    film = BoardFilm("tables", 5, FONTS, size=SIZE, tilt=0.0)
    before = film.men({"a": {"light": 3}, "z": {"dark": 2}})
    after = film.men({"a": {"light": 2}, "c": {"light": 1}, "z": {"dark": 2}})
    stayed = {(man.site, man.x, man.y) for man in before} & {(man.site, man.x, man.y) for man in after}
    assert len(stayed) == 4
    same = film.picture({"a": {"light": 3}}, 1)
    again = film.picture({"a": {"light": 3}}, 1)
    assert np.array_equal(same.image, again.image)


def test_a_filmed_board_of_numbers_shows_the_men_it_was_told() -> None:
    film = BoardFilm("rithmomachia", 3, FONTS, size=SIZE)
    men = {"a1": Men("white", 1, "square", 289), "h16": Men("black", 1, "pyramid", 190)}
    shown = film.picture(men, 0)
    assert shown.scene.truth == men
    assert len(shown.men[1].standing.pieces) > 1  # a pyramid is a pile


def test_what_is_kept_is_what_was_drawn(tmp_path: Path) -> None:
    made = [drawn("tables", 1), drawn("rithmomachia", 2)]
    assert write_boards(iter(made), tmp_path, "some") == 2
    kept = Boards(tmp_path, ["some"])
    assert len(kept) == 2
    for number, one in enumerate(made):
        assert np.array_equal(kept.picture(number), one.image)
        truth = kept.truths[number]
        assert truth.kind == one.scene.board.kind
        assert np.allclose(truth.corners, one.corners, atol=0.01)
        assert [man.site for man in truth.men] == [man.standing.site for man in one.men]
        assert (truth.hand is None) == (one.hand is None)


@pytest.mark.parametrize("seed", range(4))
def test_a_man_who_was_hit_lies_beside_the_man_who_hit_him(seed: int) -> None:
    film = BoardFilm("tables", seed, FONTS, size=SIZE)
    for site in "anzm":
        hitter, hit = film.men({site: {"dark": 1, "light": 1}})
        wide = max(hitter.pieces[0].ring[:, 0]) - min(hitter.pieces[0].ring[:, 0])
        assert np.hypot(hitter.x - hit.x, hitter.y - hit.y) > 0.8 * wide, "no camera sees two men in one place"


def test_hard_boards_have_piles_and_men_in_the_boards_colours() -> None:
    alike = 0
    for seed in range(12):
        scene = hard_tables_scene(np.random.default_rng(seed), FONTS, size=SIZE)
        assert scene.piled
        assert all(men.colour in ("light", "dark") for men in scene.truth.values())
        sides = {man.men.colour: np.array(man.pieces[0].colour) for man in scene.men}
        assert brightness(tuple(sides["light"])) - brightness(tuple(sides["dark"])) > LEAST_GAP
        field = [np.array(colour) for colour in scene.board.field_colours]
        alike += any(np.allclose(side, colour, rtol=0.5) for side in sides.values() for colour in field)
    assert alike >= 2
