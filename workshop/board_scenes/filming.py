"""Film a match on one board, picture by picture: the men stay where they are until somebody moves them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from companion.vision.board_readings import Men
from companion.vision.boards.layout import TABLES
from workshop.board_scenes.arrange import Standing, numbered_men, tables_men
from workshop.board_scenes.men import number_fonts, random_number_styles, random_tables_styles
from workshop.board_scenes.render import Picture, RenderedBoard, draw_stage, render_board
from workshop.board_scenes.scene import BoardScene, random_board_scene
from workshop.scenes.fonts import Font
from workshop.scenes.things import Hand

Truth = Mapping[str, Any]
"""The men on each site, under the picture's names: at tables ``{"a": {"light": 2}}``, else ``{"a1": Men(...)}``."""


class BoardFilm:
    """One board under one camera with one set of men; makes a picture of any arrangement of the men."""

    def __init__(
        self,
        kind: str,
        seed: int,
        fonts: Sequence[Font],
        *,
        size: tuple[int, int] = (960, 720),
        markers: bool = False,
        tilt: float | None = None,
    ) -> None:
        """Set up a board of this kind; ``tilt``: degrees of the camera off overhead, random if None."""
        rng = np.random.default_rng([seed, 41])
        scene = random_board_scene(rng, kind, fonts, size=size, markers=markers, hand=0.0)
        if tilt is not None:
            scene = replace(scene, camera=replace(scene.camera, tilt=tilt))
        self.scene: BoardScene = replace(scene, men=(), dice=())
        self.kind, self.seed = kind, seed
        self._tables = random_tables_styles(rng)
        self._numbered = random_number_styles(rng, number_fonts(fonts))

    @cached_property
    def _stage(self) -> Picture:
        return draw_stage(self.scene)

    def men(self, truth: Truth) -> tuple[Standing, ...]:
        """Return the men where they stand."""
        if self.kind == TABLES:
            return tables_men(self.scene.board, self._tables, truth, self.seed)
        every: Mapping[str, Men] = truth
        return numbered_men(self.scene.board, self._numbered, every, self.seed)

    def picture(
        self,
        truth: Truth,
        number: int,
        *,
        hand: Hand | None = None,
        light: float = 1.0,
        shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> RenderedBoard:
        """Return the picture with this number, which seeds its grain; ``light`` scales the exposure.

        ``shift``: how far the camera is from its first position, across and along in pitches, and its turn in degrees.
        """
        scene = replace(self.scene, men=self.men(truth), hand=hand, grain_seed=self.seed * 100_003 + number)
        lens = replace(scene.lens, exposure=scene.lens.exposure * light)
        scene = replace(scene, lens=lens)
        if shift == (0.0, 0.0, 0.0):
            return render_board(scene, self._stage)
        camera = scene.camera
        target = (camera.target[0] + shift[0], camera.target[1] + shift[1])
        return render_board(replace(scene, camera=replace(camera, target=target, roll=camera.roll + shift[2])))
