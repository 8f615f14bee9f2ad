"""A drawn board on a drawn table under a camera whose place is known: the truth for whatever finds and tracks boards.

Lengths are in millimetres, the playing field's top left corner is the origin, x points right and y down, z into the
table. A camera that stands over the middle looks along z.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Image

Points = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]

FIELD = (360.0, 300.0)
RIM = 24.0
SCALE = 3.0  # pixels of the drawing a millimetre
EDGE = 260.0  # of table around the field


@dataclass(frozen=True)
class Camera:
    """Where the camera stands: above the middle of the field by ``height``, off it by ``shift``, turned by ``turn``."""

    height: float = 600.0
    shift: tuple[float, float] = (0.0, 0.0)
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)  # degrees about x, y and z
    size: tuple[int, int] = (1280, 960)
    focal: float = 1100.0

    @property
    def matrix(self) -> Matrix:
        return np.array(
            [
                [self.focal, 0, (self.size[0] - 1) / 2],
                [0, self.focal, (self.size[1] - 1) / 2],
                [0, 0, 1.0],
            ]
        )

    def homography(self) -> Matrix:
        """Return the 3 x 3 matrix from millimetres of the table to pixels."""
        turned = np.eye(3)
        for axis, degrees in zip(np.eye(3), self.turn, strict=True):
            turned = cv2.Rodrigues(axis * np.radians(degrees))[0] @ turned
        stands = np.array([FIELD[0] / 2 + self.shift[0], FIELD[1] / 2 + self.shift[1], -self.height])
        plane = turned @ np.column_stack([np.eye(3)[:, 0], np.eye(3)[:, 1], -stands])
        return np.asarray(self.matrix @ plane, np.float64)


def project(homography: Matrix, points: Points | Sequence[Sequence[float]]) -> Points:
    points = np.asarray(points, np.float64)
    seen = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def field_corners() -> Points:
    return np.array([[0, 0], [FIELD[0], 0], FIELD, [0, FIELD[1]]], np.float64)


def draw_table(
    *,
    markers: float = 0.0,
    men: Sequence[tuple[float, float, str]] = (),
    seed: int = 1,
    numbers: Sequence[int] = (0, 1, 2, 3),
    dictionary: int = cv2.aruco.DICT_4X4_50,
    moved: dict[int, tuple[float, float]] | None = None,
) -> Image:
    """Draw board and table flat. ``markers``: their edge in mm, 0 for none; ``men``: places and sides (light, dark)."""
    rng = np.random.default_rng(seed)
    across, down = (int((length + 2 * EDGE) * SCALE) for length in FIELD)
    cloth = rng.normal(0, 1, (down // 6, across // 6)).astype(np.float32)
    wood = rng.normal(0, 1, (down // 40, across // 4)).astype(np.float32)
    grain = np.asarray(cv2.resize(cloth, (across, down), interpolation=cv2.INTER_CUBIC) * 9, np.float32)
    grain += np.asarray(cv2.resize(wood, (across, down), interpolation=cv2.INTER_CUBIC) * 9, np.float32)
    image = np.asarray(cv2.merge([grain + np.float32(part) for part in (70, 105, 135)]), np.float32)
    _rectangle(image, (-RIM, -RIM), (FIELD[0] + RIM, FIELD[1] + RIM), (38, 62, 95))
    _rectangle(image, (0, 0), FIELD, (60, 120, 165))
    pitch = FIELD[0] / 13
    for column in range(13):
        if column == 6:
            _rectangle(image, (column * pitch, 0), ((column + 1) * pitch, FIELD[1]), (38, 62, 95))
            continue
        colour = (45, 50, 120) if column % 2 else (70, 90, 60)
        for outer, inner in ((0.0, 0.42 * FIELD[1]), (FIELD[1], 0.58 * FIELD[1])):
            corners = [(column * pitch, outer), ((column + 1) * pitch, outer), ((column + 0.5) * pitch, inner)]
            cv2.fillPoly(image, [_drawn(corners)], colour, cv2.LINE_AA, 4)
    image += cv2.merge([grain * np.float32(0.6)] * 3)  # the board has grain of its own
    for x, y, side in men:
        colour = (190, 215, 225) if side == "light" else (35, 35, 45)
        centre = _drawn([(x, y)])[0]
        cv2.circle(image, tuple(map(int, centre)), int(0.44 * pitch * SCALE * 16), colour, -1, cv2.LINE_AA, 4)
        cv2.circle(image, tuple(map(int, centre)), int(0.3 * pitch * SCALE * 16), [c * 0.8 for c in colour], 4, 16, 4)
    if markers:
        _draw_markers(image, markers, numbers, dictionary, moved or {})
    return np.asarray(np.clip(image, 0, 255, out=image), np.uint8)


def marker_corners(edge: float, moved: dict[int, tuple[float, float]] | None = None) -> dict[int, Points]:
    """Return the corners of the four markers in millimetres: their middles lie on the outer corners of the rim."""
    centres = [(-RIM, -RIM), (FIELD[0] + RIM, -RIM), (FIELD[0] + RIM, FIELD[1] + RIM), (-RIM, FIELD[1] + RIM)]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge / 2
    return {n: square + centre + (moved or {}).get(n, (0, 0)) for n, centre in enumerate(centres)}


def _draw_markers(
    image: npt.NDArray[np.float32],
    edge: float,
    numbers: Sequence[int],
    dictionary: int,
    moved: dict[int, tuple[float, float]],
) -> None:
    kind = cv2.aruco.getPredefinedDictionary(dictionary)
    for place, number in enumerate(numbers):
        corners = marker_corners(edge, moved)[place]
        quiet = edge / 6
        _rectangle(image, corners[0] - quiet, corners[2] + quiet, (235, 240, 240))
        modules = cv2.aruco.generateImageMarker(kind, number, kind.markerSize + 2)
        side = edge / (kind.markerSize + 2)
        for row, column in np.argwhere(modules == 0):
            low = corners[0] + (column * side, row * side)
            _rectangle(image, low, low + side, (25, 25, 25))


def _drawn(points: Sequence[tuple[float, float]]) -> npt.NDArray[np.int32]:
    """Return sixteenths of pixels of the drawing, whose first pixel's middle lies half a pixel inside."""
    return np.round(((np.array(points) + EDGE) * SCALE - 0.5) * 16).astype(np.int32)


def _rectangle(
    image: npt.NDArray[np.float32],
    low: Sequence[float] | Points,
    high: Sequence[float] | Points,
    colour: Sequence[float],
) -> None:
    """Fill whole pixels; lengths are multiples of a third of a millimetre where it matters."""
    x0, y0, x1, y1 = (round((float(value) + EDGE) * SCALE) for value in (*low, *high))
    image[y0:y1, x0:x1] = colour


def photograph(
    table: Image, camera: Camera, *, noise: float = 2.0, blur: float = 0.6, light: float = 1.0, seed: int = 1
) -> Image:
    """Return what the camera sees, twice as fine and then averaged, with blur (pixels) and noise (of 255)."""
    width, height = camera.size
    to_drawing = np.array([[SCALE, 0, EDGE * SCALE - 0.5], [0, SCALE, EDGE * SCALE - 0.5], [0, 0, 1]])
    finer = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
    warp = finer @ camera.homography() @ np.linalg.inv(to_drawing)
    large = cv2.warpPerspective(
        table, warp, (2 * width, 2 * height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    image = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.float32)
    image *= light
    grain = np.random.default_rng(seed).standard_normal(image.shape, np.float32) * noise
    return np.asarray(np.clip(image + grain, 0, 255), np.uint8)
