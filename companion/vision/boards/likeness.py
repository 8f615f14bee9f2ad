"""Register a later picture of a board with an earlier one by the pictures alone: for boards without markers.

Only the field and a narrow rim around it are compared: things around it on the table may move on their own. All
matrices here map pixels of the small straight pictures to each other; `BoardPicture.pose_after` scales them up.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.pose import BoardPose, Matrix, Points, through
from companion.vision.readings import Image

Grey = npt.NDArray[np.uint8]

COMPARED_WIDTH: Final = 960
"""The width in pixels of the pictures that are compared; larger ones follow no better and take longer."""

RIM_SHARE: Final = 0.1
"""How far beyond the field the comparison reaches, as a fraction of the field; a board's frame is about as wide."""

EDGE_SHARE: Final = 0.12
"""How far the border reaches into the field, as a fraction of it: men hide little there."""

TILES_ACROSS: Final = 12
"""The number of tiles along each side of field and rim; each tile is compared with how it looked."""

ALIKE_CORRELATION: Final = 0.55
"""Correlation above which a tile looks as before; noise and a changed light leave 0.8, another pattern 0 to 0.4."""

SLIDE_PIXELS: Final = 6.0
"""Pixels by which a tile is moved to test whether it would show such a slide."""

LEAST_SIDES: Final = 3
"""Sides of the board that must look as before: two opposite ones still do when the board has slid along them."""

_MOST_POINTS: Final = 320
_RETURN_PIXELS: Final = 1.5  # pixels: following a point there and back again must end within this
_AGREEING_PIXELS: Final = 1.6  # pixels from where the homography predicts a point, within which it agrees
_LEAST_POINTS: Final = 20
_BETRAYED_SHARE: Final = 0.85
_LOWE_RATIO: Final = 0.8  # of the distance to the second most similar feature: Lowe's ratio
_BORDER_SIDES: Final = 4
# Right matches after a knock, half of them with a hand in view: share 0.33 to 1, alike 0.89 to 1. The nearest wrong
# match, on a repeating pattern: share 0.16 to 0.22, alike 0.55 to 0.60.
_HALF_A_SIDE: Final = 0.5  # of the border tiles of one side
_AGREED_SHARE: Final = 0.27
_BORDER_SHARE: Final = 0.72
_EVEN_CONTRAST: Final = 4.0  # of 255: a tile with less contrast shows nothing


@dataclass(frozen=True, eq=False)
class Registration:
    """The registration of one picture with another.

    ``moved``: 3 x 3, from the earlier to the later small picture. ``share``: the share of the followed points that
    agree with it. ``alike``: the share of the border's patterned tiles that look as before; ``sides``: on how many of
    the four sides at least half of them do.
    """

    moved: Matrix
    points: int
    share: float
    alike: float
    sides: int

    @property
    def certain(self) -> bool:
        """Whether this is where the board lies, beyond doubt: many points, and its border on three sides or more."""
        return (
            self.points >= _LEAST_POINTS
            and self.share >= _AGREED_SHARE
            and self.alike >= _BORDER_SHARE
            and self.sides >= LEAST_SIDES
        )


class BoardPicture:
    """One picture in which the board's place is known, kept to compare later ones with."""

    def __init__(self, image: Image, pose: BoardPose) -> None:
        self.pose = pose
        self._scale = min(1.0, COMPARED_WIDTH / image.shape[1])
        self._grey = self.small(image)
        self._even = _evened(self._grey)
        corners = through(
            pose.to_picture,
            np.array(
                [
                    [-RIM_SHARE, -RIM_SHARE],
                    [1 + RIM_SHARE, -RIM_SHARE],
                    [1 + RIM_SHARE, 1 + RIM_SHARE],
                    [-RIM_SHARE, 1 + RIM_SHARE],
                ]
            ),
        )
        self._mask = np.zeros(self._grey.shape, np.uint8)
        cv2.fillConvexPoly(self._mask, np.round(self._shrunk(corners)).astype(np.int32), 255)
        found = cv2.goodFeaturesToTrack(self._even, _MOST_POINTS, 0.02, 7, mask=self._mask, blockSize=5)
        self._points = np.zeros((0, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 2)
        self._tiles = self._tile_grids()
        self._features: tuple[Points, npt.NDArray[np.float32]] | None = None

    def small(self, image: Image) -> Grey:
        """Return a picture in the form that is compared: small, grey and straight."""
        size = (round(image.shape[1] * self._scale), round(image.shape[0] * self._scale))
        reduced = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if self._scale < 1 else image
        if self.pose.lens is not None:
            reduced = self.pose.lens.straightened(np.asarray(reduced, np.uint8))
        return np.asarray(cv2.cvtColor(reduced, cv2.COLOR_BGR2GRAY), np.uint8)

    def pose_after(self, moved: Matrix) -> BoardPose:
        """Return the pose in a later picture, from the matrix between the small pictures."""
        # The middle of pixel i of the whole picture lies at scale * (i + 0.5) - 0.5 of the small one.
        shrink = np.array(
            [
                [self._scale, 0, (self._scale - 1) / 2],
                [0, self._scale, (self._scale - 1) / 2],
                [0, 0, 1],
            ]
        )
        return self.pose.after(np.asarray(np.linalg.inv(shrink) @ moved @ shrink, np.float64))

    def follow(self, later: Grey, guess: Matrix) -> Registration | None:
        """Follow the board's points into a later small picture, starting at a first guess; return None on failure."""
        if len(self._points) < _LEAST_POINTS:
            return None
        even = _evened(later)
        start = through(guess, self._points.astype(np.float64)).astype(np.float32)
        window, levels = (21, 21), 3
        ahead, there, _ = cv2.calcOpticalFlowPyrLK(
            self._even, even, self._points, start.copy(), winSize=window, maxLevel=levels,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )  # fmt: skip
        back, again, _ = cv2.calcOpticalFlowPyrLK(
            even, self._even, ahead, self._points.copy(), winSize=window, maxLevel=levels,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )  # fmt: skip
        kept = (there.ravel() == 1) & (again.ravel() == 1)
        kept &= np.linalg.norm(np.asarray(back).reshape(-1, 2) - self._points, axis=1) < _RETURN_PIXELS
        if kept.sum() < _LEAST_POINTS:
            return None
        return self._match(self._points[kept], np.asarray(ahead, np.float32).reshape(-1, 2)[kept], later)

    def find(self, later: Grey) -> Registration | None:
        """Find the board anywhere in a later small picture, or return None; takes a tenth of a second."""
        sift = cv2.SIFT.create(nfeatures=1500, contrastThreshold=0.02)
        if self._features is None:
            self._features = _features(sift, self._grey, self._mask)
        points, marks = self._features
        others, other_marks = _features(sift, later, None)
        if len(points) < _LEAST_POINTS or len(others) < _LEAST_POINTS:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(marks, other_marks, k=2)
        good = [pair[0] for pair in pairs if len(pair) > 1 and pair[0].distance < _LOWE_RATIO * pair[1].distance]
        if len(good) < _LEAST_POINTS // 2:
            return None
        one = np.array([points[match.queryIdx] for match in good], np.float32)
        other = np.array([others[match.trainIdx] for match in good], np.float32)
        matrix, inside = cv2.findHomography(one, other, cv2.USAC_MAGSAC, 3.0, maxIters=2000, confidence=0.999)
        if matrix is None or int(np.asarray(inside).sum()) < _LEAST_POINTS // 2 or not self._possible(matrix):
            return None
        return self.follow(later, np.asarray(matrix, np.float64))

    def as_it_was(self, later: Grey, moved: Matrix) -> tuple[float, int]:
        """Return the share of the border's tiles that look as before, and on how many sides half of them do."""
        return self._alike(later, moved)

    def _match(self, one: npt.NDArray[np.float32], other: npt.NDArray[np.float32], later: Grey) -> Registration | None:
        matrix, inside = cv2.findHomography(
            one, other, cv2.USAC_MAGSAC, _AGREEING_PIXELS, maxIters=2000, confidence=0.999
        )
        if matrix is None or not self._possible(matrix):
            return None
        chosen = np.asarray(inside).ravel() > 0
        if chosen.sum() < _LEAST_POINTS:
            return None
        # A fit to all points that agree, repeated without those that then disagree, is off by less than a tenth of a
        # pixel.
        for _ in range(2):
            better, _ = cv2.findHomography(one[chosen], other[chosen], 0)
            if better is None or not np.isfinite(better).all():
                break
            matrix = better
            off = np.linalg.norm(through(np.asarray(matrix, np.float64), one.astype(np.float64)) - other, axis=1)
            if (off < 1.0).sum() < _LEAST_POINTS:
                break
            chosen = off < 1.0
        moved = np.asarray(matrix, np.float64)
        alike, sides = self._alike(later, moved)
        return Registration(moved, int(chosen.sum()), float(chosen.mean()), alike, sides)

    def _possible(self, matrix: npt.NDArray[np.generic]) -> bool:
        """Return whether a board could look so: not folded over, of a similar size, and mostly in the picture."""
        before = self._shrunk(through(self.pose.to_picture, np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])))
        after = through(np.asarray(matrix, np.float64), before)
        if not np.isfinite(after).all() or not cv2.isContourConvex(after.astype(np.float32)):
            return False
        first = cv2.contourArea(before.astype(np.float32), oriented=True)
        then = cv2.contourArea(after.astype(np.float32), oriented=True)
        middle = after.mean(axis=0)
        height, width = self._grey.shape
        return bool(0.4 < then / first < 2.5 and 0 < middle[0] < width and 0 < middle[1] < height)  # noqa: PLR2004

    def _tile_grids(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64], npt.NDArray[np.intp]]:
        """Return for each border tile 12 x 12 places in the small picture, how they looked there, and its side."""
        edges = np.linspace(-RIM_SHARE, 1 + RIM_SHARE, TILES_ACROSS + 1)
        inside = (np.arange(12) + 0.5) / 12
        grids, sides = [], []
        for row in range(TILES_ACROSS):
            for column in range(TILES_ACROSS):
                u = edges[column] + inside * (edges[1] - edges[0])
                v = edges[row] + inside * (edges[1] - edges[0])
                near = np.array([v.min(), 1 - u.max(), 1 - v.max(), u.min()])
                if near.min() < EDGE_SHARE:
                    grids.append(np.stack(np.meshgrid(u, v), axis=-1))
                    sides.append(int(near.argmin()))
        places = np.array(grids).reshape(-1, 2)
        pixels = self._shrunk(through(self.pose.to_picture, places)).astype(np.float32).reshape(len(grids), 144, 2)
        tiles = _seen(self._grey, pixels)
        height, width = self._grey.shape
        visible = ((pixels >= 0) & (pixels < [width, height])).all(axis=(1, 2))
        # A straight edge looks the same after sliding along itself: only tiles that would show any slide count.
        ways = [(x, y) for x in (-SLIDE_PIXELS, 0, SLIDE_PIXELS) for y in (-SLIDE_PIXELS, 0, SLIDE_PIXELS) if x or y]
        slid = [_correlation(tiles, _seen(self._grey, pixels + np.array(way, np.float32))) for way in ways]
        telling = visible & (tiles.std(axis=1) > _EVEN_CONTRAST) & (np.max(slid, axis=0) < _BETRAYED_SHARE)
        return pixels[telling], tiles[telling], np.array(sides)[telling]

    def _alike(self, later: Grey, moved: Matrix) -> tuple[float, int]:
        pixels, tiles, sides = self._tiles
        if not len(pixels):
            return 0.0, 0
        there = through(moved, pixels.reshape(-1, 2).astype(np.float64)).astype(np.float32).reshape(pixels.shape)
        now = _seen(later, there)
        good = _correlation(tiles, now) > ALIKE_CORRELATION
        on_sides = sum(
            bool(good[sides == side].mean() >= _HALF_A_SIDE) for side in range(_BORDER_SIDES) if (sides == side).any()
        )
        return float(good.mean()), on_sides

    def _shrunk(self, points: Points) -> Points:
        return np.asarray((points + 0.5) * self._scale - 0.5, np.float64)


def _evened(grey: Grey) -> Grey:
    """Return the picture with even light and contrast, so that a lamp that is switched on moves no point."""
    wide = grey.astype(np.float32)
    mean = cv2.boxFilter(wide, -1, (31, 31))
    deviation = np.sqrt(np.maximum(cv2.boxFilter(wide * wide, -1, (31, 31)) - mean * mean, 0))
    return np.asarray(np.clip(128 + 45 * (wide - mean) / (deviation + 6), 0, 255), np.uint8)


def _seen(grey: Grey, pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    return np.asarray(cv2.remap(soft, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR), np.float64)


def _correlation(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return for each tile (n, 144) how alike two views of it are, from -1 to 1."""
    one, other = one - one.mean(axis=1, keepdims=True), other - other.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.asarray((one * other).sum(axis=1) / (lengths + 1e-6), np.float64)


def _features(sift: cv2.SIFT, grey: Grey, mask: Grey | None) -> tuple[Points, npt.NDArray[np.float32]]:
    everywhere = np.full(grey.shape, 255, np.uint8)
    keypoints, marks = sift.detectAndCompute(grey, everywhere if mask is None else mask)
    if not keypoints:
        return np.zeros((0, 2)), np.zeros((0, 128), np.float32)
    return np.array([point.pt for point in keypoints], np.float64), np.asarray(marks, np.float32)
