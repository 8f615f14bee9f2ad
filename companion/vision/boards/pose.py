"""Where a board lies in a picture: the homography between its playing field and the picture, and how it was found.

Places in the field are u from its left to its right edge and v from its top to its bottom edge, both from 0 to 1, as
seen in the picture; places in the picture are pixels. A place beside the field, such as a marker's, is below 0 or above
1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence, SentenceError
from companion.vision.boards.lens import Lens
from companion.vision.boards.markers import Marker
from companion.vision.readings import Image

Points = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
How = Literal["markers", "hand", "finder", "picture"]
"""``finder``: a net or the board's own lines; ``picture``: a later picture that was compared with an earlier one."""

Places = Mapping[int, Points]
"""Where markers lie: their four corners (4, 2) in places of the field, by number."""

FIELD: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

LEAST_AREA: Final = 0.02
"""The least share of the picture that a field must fill: a smaller one has too few pixels for its men."""

MOST_OUTSIDE: Final = 0.25
"""How far a corner may lie outside the picture, as a share of its width and height: markers may be seen where a corner
is not."""

MOST_PIXELS: Final = 1e6
"""Nothing lies beyond this many pixels in any picture: such numbers are refused at once."""

OUTSIDE: Final = Sentence("The board is far outside the picture: move the camera until all of it is in view.")

LEAST_MARKERS: Final = 3
"""Three markers give the place of the whole board; two lie on one line of it, and the far side would be a guess."""

FITTING_SHARE: Final = 0.001
"""How far markers may miss their places, as a share of the board's longer side in pixels (and at least 0.6 pixels).
With four markers, only their own shapes add to what a homography needs: one moved by 20 mm misses by no more than 1.3
pixels (measured)."""

CLEARLY_BETTER: Final = 2.5
"""One marker counts as moved if the rest fit better without it than without any other, by this factor."""


class PoseError(SentenceError, ValueError):
    """The board's place cannot be computed from this; ``sentence`` says why and what to do."""


@dataclass(frozen=True, eq=False)
class BoardPose:
    """Where the playing field lies in pictures of one size.

    ``to_picture``: 3 x 3, from the unit square to pixels of the picture with its lines straight (the picture itself
    where no ``lens`` is known). ``size``: width and height of the picture. ``error``: root mean square in pixels by
    which markers miss their places, 0 where four corners were given. ``strays``: markers that no longer lie in their
    places.
    """

    to_picture: Matrix
    size: tuple[int, int]
    how: How
    error: float = 0.0
    lens: Lens | None = None
    strays: tuple[int, ...] = ()

    @property
    def corners(self) -> Points:
        """The field's corners (4, 2) in pixels, from the top left clockwise."""
        return self.pixels(FIELD)

    @property
    def proportion(self) -> float:
        """The approximate ratio of the field's height to its width, from its edges in the picture."""
        edges = np.linalg.norm(np.roll(self.corners, -1, axis=0) - self.corners, axis=1)
        return float((edges[1] + edges[3]) / (edges[0] + edges[2]))

    def pixels(self, places: Points) -> Points:
        """Return the pixels of places in the field, (n, 2)."""
        straight = through(self.to_picture, places)
        return straight if self.lens is None else self.lens.bend(straight)

    def places(self, pixels: Points) -> Points:
        """Return the places in the field of pixels, (n, 2)."""
        straight = pixels if self.lens is None else self.lens.straighten(pixels)
        return through(np.asarray(np.linalg.inv(self.to_picture), np.float64), straight)

    def flat(self, image: Image, width: int, height: int, margin: float = 0.0) -> Image:
        """Return the field seen from straight above, ``width`` x ``height`` pixels; ``margin``: as a fraction of it."""
        u = -margin + (np.arange(width) + 0.5) / width * (1 + 2 * margin)
        v = -margin + (np.arange(height) + 0.5) / height * (1 + 2 * margin)
        places = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
        grid = self.pixels(places).astype(np.float32).reshape(height, width, 2)
        return np.asarray(
            cv2.remap(image, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def after(self, moved: Matrix, how: How = "picture", error: float = 0.0) -> "BoardPose":
        """Return the pose after the (straight) picture was moved by a homography of its pixels, 3 x 3."""
        both = moved @ self.to_picture
        return replace(self, to_picture=both / both[2, 2], how=how, error=error)

    def shift(self, other: "BoardPose") -> float:
        """Return how far the corner that differs most lies from the other pose's, in pixels."""
        return float(np.linalg.norm(self.corners - other.corners, axis=1).max())


def through(homography: Matrix, points: Points) -> Points:
    """Return points (n, 2) mapped by a homography, 3 x 3."""
    points = np.asarray(points, np.float64).reshape(-1, 2)
    seen = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def pose_from_corners(corners: Points, size: tuple[int, int], how: How = "hand", lens: Lens | None = None) -> BoardPose:
    """Return the pose of a field whose corners (4, 2) are given in pixels, from the top left clockwise.

    Raises:
        PoseError: no board that could be read has such corners.
    """
    corners = np.asarray(corners, np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise PoseError(
            Sentence("Expected the four corners of the playing field, but got something else: mark all four.")
        )
    check_corners(corners, size)
    straight = corners if lens is None else lens.straighten(corners)
    matrix = cv2.getPerspectiveTransform(FIELD.astype(np.float32), straight.astype(np.float32))
    return BoardPose(np.asarray(matrix, np.float64), size, how, lens=lens)


def check_corners(corners: Points, size: tuple[int, int]) -> None:
    """Raise `PoseError` unless these (4, 2) may be the corners of a board in a picture of that size."""
    if np.abs(corners).max() > MOST_PIXELS:
        raise PoseError(OUTSIDE)
    edges = np.roll(corners, -1, axis=0) - corners
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    if (turns < 0).all():
        raise PoseError(
            Sentence(
                "The corners are in the wrong order, as in a mirror: give them clockwise from the top left, and "
                "switch off mirroring in the camera."
            )
        )
    if not (turns > 0).all():
        raise PoseError(
            Sentence("These four corners enclose no board: mark top left, top right, bottom right and bottom left.")
        )
    x, y = corners.T
    area = 0.5 * abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))
    if area < LEAST_AREA * size[0] * size[1]:
        raise PoseError(
            Sentence(
                "The board fills only {share} % of the picture: bring the camera nearer until it fills most of it.",
                share=round(100 * float(area) / (size[0] * size[1]), 1),
            )
        )
    beyond = np.array(size) * MOST_OUTSIDE
    if (corners < -beyond).any() or (corners > np.array(size) - 1 + beyond).any():
        raise PoseError(OUTSIDE)


def learn_places(markers: Mapping[int, Marker], pose: BoardPose) -> dict[int, Points]:
    """Return where markers lie beside the field, from one picture in which both are known; their size does not matter.

    They need only lie in the plane of the board, anywhere, and stay there.
    """
    return {number: pose.places(marker.corners) for number, marker in markers.items()}


def pose_from_markers(
    markers: Mapping[int, Marker], places: Places, size: tuple[int, int], lens: Lens | None = None
) -> BoardPose:
    """Return the pose from at least three markers whose places are known. With four, one that was moved is left out.

    Raises:
        PoseError: too few of them are seen, or they do not lie as they did.
    """
    known = sorted(set(markers) & set(places))
    if len(known) < LEAST_MARKERS:
        raise PoseError(
            Sentence(
                "The camera sees {seen} of the board's markers and needs three: uncover them.",
                seen=len(known),
            )
        )
    best = _fitted(markers, places, known, size, lens)
    if _fits(best):
        return best
    if len(known) > LEAST_MARKERS:
        fewer = [(_fitted(markers, places, [n for n in known if n != one], size, lens), one) for one in known]
        (pose, stray), (second, _) = sorted(fewer, key=lambda pair: pair[0].error)[:2]
        if _fits(pose) and second.error > CLEARLY_BETTER * pose.error:
            return replace(pose, strays=(stray,))
    raise PoseError(
        Sentence(
            "The markers are not where they were when the board was calibrated (off by {error} pixels): put them "
            "back, or calibrate the board again.",
            error=round(float(best.error), 1),
        )
    )


def _fitted(
    markers: Mapping[int, Marker], places: Places, numbers: list[int], size: tuple[int, int], lens: Lens | None
) -> BoardPose:
    field = np.concatenate([places[number] for number in numbers])
    seen = np.concatenate([markers[number].corners for number in numbers])
    straight = seen if lens is None else lens.straighten(seen)
    matrix, _ = cv2.findHomography(field, straight, 0)
    if matrix is None or not np.isfinite(matrix).all():
        raise PoseError(
            Sentence("The markers are in one line, which does not show where the board lies: lay them on its corners.")
        )
    missed = through(np.asarray(matrix, np.float64), field) - straight
    error = float(np.sqrt((missed**2).sum(axis=1).mean()))
    pose = BoardPose(np.asarray(matrix, np.float64), size, "markers", error, lens)
    try:
        check_corners(pose.corners, size)
    except PoseError:
        return replace(pose, error=float("inf"))
    return pose


def _fits(pose: BoardPose) -> bool:
    if not np.isfinite(pose.error):
        return False
    wide = float(np.linalg.norm(pose.corners[1::2] - pose.corners[0], axis=1).max())
    return pose.error <= max(0.6, FITTING_SHARE * wide)
