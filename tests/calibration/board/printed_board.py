"""The kit's tables board as a camera sees it: its own page, rendered, laid on a table in light, with men on it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pypdfium2

from calibration.kit.catalogue import PARTS
from calibration.kit.paper import WHITE_MARGIN_MM, Paper
from companion.vision.boards.kit import kit_board
from workshop.board_scenes.board import Board
from workshop.board_scenes.filming import BoardFilm
from workshop.scenes.fonts import find_fonts
from workshop.scenes.lighting import soft_lighting
from workshop.scenes.materials import Texture, linear

PITCH = 26.0  # millimetres
BORDER = 34.0
DETAIL = 3.0  # pixels of the texture to a millimetre
LARGE = Paper(440.0, 390.0)  # a sheet that takes the whole board


@cache
def printed_texture() -> Texture:
    """Return the whole printed board, linear colours, BGR."""
    document = pypdfium2.PdfDocument(PARTS["tables"].pdf(LARGE))
    try:
        (page,) = document
        image = page.render(scale=DETAIL * 25.4 / 72).to_numpy()[:, :, :3]
        page.close()
    finally:
        document.close()
    left = round(WHITE_MARGIN_MM * DETAIL)
    width, height = (round((edge + 2 * BORDER) * DETAIL) for edge in kit_board("tables").field)
    part = image[left : left + height, left : left + width]
    return np.asarray((part.astype(np.float32) / 255) ** 2 * np.float32(0.9), np.float32)


def printed_film(seed: int = 3, *, markers: bool = True, size: tuple[int, int] = (1280, 960)) -> BoardFilm:
    """Return a film of the printed board, whose pictures show men where they are told to stand.

    ``markers``: else paper is glued over them.
    """
    film = BoardFilm("tables", seed, find_fonts(bundled=True), size=size, markers=False, tilt=6.0)
    field = kit_board("tables").field
    board = Board(
        "tables",
        12,
        2,
        field[0] / PITCH,
        field[1] / PITCH,
        BORDER / PITCH,
        1.0,
        (),
        0.02,
        printed_texture() if markers else without_markers(printed_texture()),
        "paper",
        linear(0.9, 0.88, 0.8),
        (linear(0.9, 0.88, 0.8),),
    )
    camera = replace(film.scene.camera, target=(0.0, 0.0), azimuth=-92.0, roll=1.5, focal=size[0] * 1.1, distance=22.5)
    rng = np.random.default_rng(seed)
    film.scene = replace(film.scene, board=board, camera=camera, lighting=soft_lighting(rng))
    return film


def without_markers(texture: Texture) -> Texture:
    """Return the board with its markers covered by plain paper."""
    covered = texture.copy()
    edge = round(BORDER * DETAIL)
    for rows in (slice(None, edge), slice(-edge, None)):
        for columns in (slice(None, edge), slice(-edge, None)):
            covered[rows, columns] = texture[edge // 2, texture.shape[1] // 2]
    return covered
