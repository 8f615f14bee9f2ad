"""A board that lies askew, its middle bare: it is found as one board, with its long side across."""

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.registry import game
from companion.vision.boards.layout import RITHMOMACHIA, layout
from companion.vision.boards.reader import BoardReader
from tests.referee.board.simulated import seating_of, seen
from workshop.board_scenes.filming import BoardFilm
from workshop.board_scenes.scene import fitted
from workshop.scenes.fonts import find_fonts


@pytest.mark.parametrize(("seed", "roll"), [(9111, 32.0), (9212, 41.0)])
def test_a_turned_board_is_found_for_certain(seed: int, roll: float) -> None:
    start = game("rithmomachia/durnil-guardia").start(2)
    men = {site: one for site, (one, _) in seen(start, seating_of(start.game)).items() if one is not None}
    film = BoardFilm(RITHMOMACHIA, seed, find_fonts(bundled=True), size=(900, 675))
    camera = replace(film.scene.camera, roll=roll)
    film.scene = replace(film.scene, camera=fitted(np.random.default_rng(seed), camera, film.scene.board))
    shown = film.picture(men, 0)
    reading = BoardReader(layout(RITHMOMACHIA)).read(shown.image)
    assert reading.status == "read"
    off = [np.abs(np.roll(shown.corners, way, axis=0) - reading.corners).max() for way in (0, 2)]
    assert min(off) < 10
