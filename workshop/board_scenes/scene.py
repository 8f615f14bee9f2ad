"""Random scenes of a board with men on a table before a camera; what stands where is the labels' ground truth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.board_readings import Men
from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from workshop.board_scenes.arrange import Standing, random_numbered_men, random_tables_men
from workshop.board_scenes.board import GRID, Board, random_board
from workshop.board_scenes.men import Prism, number_fonts
from workshop.scenes.camera import Camera
from workshop.scenes.fonts import Font
from workshop.scenes.grounds import Ground, random_ground
from workshop.scenes.lighting import Lighting, random_lighting, soft_lighting
from workshop.scenes.scene import USUAL, Lens, random_lens
from workshop.scenes.things import Hand, random_hand


@dataclass(frozen=True)
class Marker:
    """An ArUco marker on the table or the frame: id, its centre, the edge of its black square, its turn and height."""

    number: int
    x: float
    y: float
    edge: float
    turn: float
    z: float


@dataclass(frozen=True, eq=False)
class BoardScene:
    """Everything that a picture of a board shows."""

    board: Board
    men: tuple[Standing, ...]
    markers: tuple[Marker, ...]
    camera: Camera
    lighting: Lighting
    ground: Ground
    hand: Hand | None
    lens: Lens
    dice: tuple[Prism, ...]
    light_seed: int
    grain_seed: int

    @property
    def truth(self) -> dict[str, Men]:
        """What stands on each occupied site."""
        counted: dict[str, Men] = {}
        for one in self.men:
            before = counted.get(one.site)
            counted[one.site] = one.men if before is None else replace(before, count=before.count + one.men.count)
        return counted

    @property
    def piled(self) -> frozenset[str]:
        """The sites where men lie on other men: nobody can count them from above."""
        return frozenset(one.site for one in self.men if one.upper)


def random_board_scene(
    rng: np.random.Generator,
    kind: str,
    fonts: Sequence[Font],
    *,
    size: tuple[int, int] = (960, 720),
    markers: bool | None = None,
    hand: float = 0.15,
) -> BoardScene:
    """Return a board of a kind (tables, rithmomachia, grid) with men as in the middle of a game."""
    camera = random_view(rng, kind, size)
    detail = float(np.clip(camera.focal / camera.distance * 1.1, 14, 90))
    board = random_board(rng, kind, detail)
    camera = fitted(rng, camera, board)
    if kind == TABLES:
        men = random_tables_men(rng, board)
    else:
        men = random_numbered_men(rng, board, number_fonts(fonts), read=kind == RITHMOMACHIA)
    shown = rng.random() < 0.5 if markers is None else markers
    hands = None
    if rng.random() < hand:
        hands = random_hand(rng, reach=(0.2, 0.9))
        hands = replace(hands, size=float(rng.uniform(0.025, 0.06)))
    return BoardScene(
        board,
        men,
        random_markers(rng, board) if shown else (),
        camera,
        random_lighting(rng) if rng.random() < 0.8 else soft_lighting(rng),
        random_ground(rng),
        hands,
        random_lens(rng, USUAL),
        _dice(rng, board),
        int(rng.integers(2**31)),
        int(rng.integers(2**31)),
    )


def random_view(rng: np.random.Generator, kind: str, size: tuple[int, int]) -> Camera:
    """Return a camera over a board, from above or at a slant; the board is roughly upright in its picture."""
    width, height = size
    focal = width / 2 / np.tan(np.radians(rng.uniform(28, 75)) / 2)
    tilt = float(rng.uniform(0, 12) if rng.random() < 0.5 else rng.uniform(12, 52))
    long_ = 13.0 if kind == TABLES else 16.0
    return Camera(
        width,
        height,
        float(focal),
        float(focal * long_ / (width * rng.uniform(0.45, 0.88))),
        tilt,
        float(-90 + rng.normal(0, 9)),
        float(np.clip(rng.normal(0, 9), -24, 24)),
        (0.0, 0.0),
    )


def fitted(rng: np.random.Generator, camera: Camera, board: Board) -> Camera:
    """Return the camera aimed at the board and moved back until the whole field is in its picture."""
    aim = rng.normal(0, 0.06, 2) * (board.width, board.height)
    camera = replace(camera, target=(float(aim[0]), float(aim[1])), distance=max(camera.distance, board.width * 0.62))
    for _ in range(40):
        pixels = camera.project(board.corners)
        rim = 0.012 * camera.width
        far = np.array([camera.width, camera.height]) - rim
        if (pixels > rim).all() and (pixels < far).all() and (camera.depth(board.corners) > 1).all():
            break
        camera = replace(
            camera, distance=camera.distance * 1.05, target=(camera.target[0] * 0.9, camera.target[1] * 0.9)
        )
    return camera


def random_markers(rng: np.random.Generator, board: Board) -> tuple[Marker, ...]:
    """Return four markers at the corners: on the frame, or on the table beside the board."""
    edge = float(rng.uniform(0.55, 1.5)) * (1.0 if board.kind == TABLES else 1.1)
    on_frame = bool(board.rails) and board.border > 0.7 and rng.random() < 0.6
    sign = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    if on_frame:
        edge = min(edge, board.border * 1.0)
        out = board.border / 2
        z = board.rails[0].height
    else:
        out = board.border + edge * float(rng.uniform(0.5, 1.0))
        z = -board.thickness
    markers = []
    for number in range(4):
        slack = rng.normal(0, 0.02 if on_frame else 0.12, 2)
        x, y = sign[number] * (board.width / 2 + out, board.height / 2 + out) + slack
        markers.append(Marker(number, float(x), float(y), edge, float(rng.normal(0, 0.03)), z))
    return tuple(markers)


def _dice(rng: np.random.Generator, board: Board) -> tuple[Prism, ...]:
    """Return a few dice beside the board, as objects that are not men."""
    out = []
    for _ in range(int(rng.integers(0, 4))):
        side = int(rng.choice([-1, 1]))
        x = side * (board.width / 2 + board.border + float(rng.uniform(0.8, 3)))
        y = float(rng.uniform(-0.5, 0.5)) * board.height
        edge, turn = float(rng.uniform(0.3, 0.6)), float(rng.uniform(0, np.pi))
        cos, sin = np.cos(turn), np.sin(turn)
        ring = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * edge / 2 @ np.array([[cos, sin], [-sin, cos]]) + [x, y]
        tone = rng.uniform(0.02, 0.9, 3)
        colour = (float(tone[0]), float(tone[1]), float(tone[2]))
        top = np.full((16, 16, 3), colour, np.float32)
        normals = np.zeros((16, 16, 3), np.float32)
        normals[:, :, 2] = 1
        out.append(Prism(ring, -board.thickness, edge - board.thickness, colour, 0.3, (x, y), edge, turn, top, normals))
    return tuple(out)


__all__ = ["GRID", "BoardScene", "Marker", "Standing", "random_board_scene"]
