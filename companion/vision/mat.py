"""Where the tray or mat lies in the picture: the program stores, hashes and shows only what is inside it."""

import dataclasses
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Frame, Image

Mask = npt.NDArray[np.bool_]
Polygon = tuple[tuple[float, float], ...]

SEARCH_WIDTH = 240  # pixels; a tray is large, and fine grain only misleads
LEAST_SHARE, MOST_SHARE = 0.15, 0.9  # share of the picture that a tray may fill
LEAST_SOLIDITY = 0.93  # of a tray's outline: area over area of its hull; a round or eight-sided tray has 0.98
LEAST_STEP = 14.0  # difference in Lab between inside and outside that counts as an edge
LEAST_EDGED = 0.85  # share of the outline that must be such an edge
MOST_CORNERS = 12
SAME_SHAPE = 0.02  # two ratios of width to height that differ by no more belong to one camera at two sizes


@dataclass(frozen=True)
class Mat:
    """The part of the picture that counts.

    ``polygon``: corners in pixels of a frame of ``size`` (width, height); None is the whole picture.
    """

    polygon: Polygon | None = None
    size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.polygon is None:
            return
        if self.size is None or len(self.polygon) < 3:  # noqa: PLR2004
            raise ValueError(
                f"Expected at least three corners and the size of the picture, got {self.polygon} and {self.size}: "
                "mark the mat again."
            )
        if not np.isfinite(np.array(self.polygon)).all() or not _inside(self.polygon, *self.size).any():
            raise ValueError(
                f"Expected a mat inside the picture of {self.size}, got {self.polygon}: mark the mat again."
            )

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom (exclusive) of the crop in a frame of this size."""
        if self.polygon is None:
            return 0, 0, width, height
        return _window(self._scaled(width, height), width, height)[0]

    def mask(self, width: int, height: int) -> Mask:
        """Return for each pixel of the crop in a frame of this size whether it lies on the mat."""
        if self.polygon is None:
            return np.ones((height, width), np.bool_)
        return _window(self._scaled(width, height), width, height)[1]

    def crop(self, frame: Frame) -> Frame:
        """Return a copy of the frame, cropped to the mat's bounding box and black outside the polygon.

        The copy shares no memory with the frame. Without a polygon, return the frame itself. Raises `BadFrameError` if
        the frame's ratio of width to height differs from that of ``size``.
        """
        if self.polygon is None:
            return frame
        height, width = frame.image.shape[:2]
        (left, top, right, bottom), mask = _window(self._scaled(width, height), width, height)
        image = frame.image[top:bottom, left:right].copy()
        if not mask.all():
            image[~mask] = 0
        return dataclasses.replace(frame, image=image)

    def _scaled(self, width: int, height: int) -> Polygon:
        assert self.polygon is not None
        assert self.size is not None
        marked_width, marked_height = self.size
        if (width, height) == self.size:
            return self.polygon
        across, down = width / marked_width, height / marked_height
        if abs(across / down - 1) > SAME_SHAPE:
            raise BadFrameError(
                Sentence(
                    "Expected a picture shaped {expected}, but it is {came}: mark the mat again.",
                    expected=f"{marked_width}x{marked_height}",
                    came=f"{width}x{height}",
                )
            )
        return tuple((x * across, y * down) for x, y in self.polygon)


def find_mat(image: Image) -> Mat:
    """Find a tray or mat around the middle of the picture; the whole picture if in doubt.

    It must have one colour, fill 15 to 90 % of the picture, be convex, lie completely inside the picture, and have an
    edge nearly all around. An empty tray is easiest to find, but dice on it do no harm. To miss a tray costs nothing;
    to find a wrong one hides dice.
    """
    height, width = image.shape[:2]
    scale = min(1.0, SEARCH_WIDTH / width)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2Lab).astype(np.float32)
    outline = _region_around_middle(lab)
    if outline is None or not _edged(lab, outline):
        return Mat()
    corners = cv2.approxPolyDP(outline, 0.01 * cv2.arcLength(outline, closed=True), closed=True)
    if not 4 <= len(corners) <= MOST_CORNERS:  # noqa: PLR2004
        return Mat()
    # Pixel centres: the middle of small pixel i lies at (i + 0.5) / scale - 0.5 of the large picture.
    polygon = tuple((float((x + 0.5) / scale - 0.5), float((y + 0.5) / scale - 0.5)) for [[x, y]] in corners)
    return Mat(polygon, (width, height))


def _region_around_middle(lab: npt.NDArray[np.float32]) -> npt.NDArray[np.int32] | None:
    """Return the convex outline of the evenly coloured region around the middle, or None if it cannot be a tray."""
    height, width = lab.shape[:2]
    middle = lab[height * 3 // 8 : height * 5 // 8, width * 3 // 8 : width * 5 // 8].reshape(-1, 3)
    colour = np.median(middle, axis=0)
    away = np.abs(middle - colour)
    spread = float(np.percentile(away.max(axis=1), 60))
    close = (np.abs(lab - colour).max(axis=2) < max(9.0, 2.5 * spread)).astype(np.uint8)
    close = cv2.morphologyEx(close, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)).astype(np.uint8)
    contours, _ = cv2.findContours(close, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    around = [
        contour
        for contour in contours
        if cv2.pointPolygonTest(contour, (width / 2, height / 2), measureDist=False) >= 0
    ]
    if not around:
        return None
    contour = max(around, key=cv2.contourArea)
    hull = cv2.convexHull(contour)
    area, hull_area = cv2.contourArea(contour), cv2.contourArea(hull)
    left, top, across, down = cv2.boundingRect(hull)
    whole = left > 1 and top > 1 and left + across < width - 1 and top + down < height - 1
    share = hull_area / (width * height)
    if not (whole and LEAST_SHARE <= share <= MOST_SHARE and area >= LEAST_SOLIDITY * hull_area):
        return None
    return np.asarray(hull, np.int32)


def _edged(lab: npt.NDArray[np.float32], outline: npt.NDArray[np.int32]) -> bool:
    """Return whether the colour changes across nearly all of the outline."""
    filled = np.zeros(lab.shape[:2], np.uint8)
    cv2.fillPoly(filled, [outline], 1)
    points = np.concatenate(cv2.findContours(filled, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0])[:, 0]
    centre = points.mean(axis=0)
    outward = (points - centre) / np.maximum(np.linalg.norm(points - centre, axis=1, keepdims=True), 1)
    limit = np.array([lab.shape[1] - 1, lab.shape[0] - 1])
    within = np.clip(np.round(points - 5 * outward), 0, limit).astype(int)
    beyond = np.clip(np.round(points + 5 * outward), 0, limit).astype(int)
    step = np.abs(lab[within[:, 1], within[:, 0]] - lab[beyond[:, 1], beyond[:, 0]]).max(axis=1)
    return float((step > LEAST_STEP).mean()) >= LEAST_EDGED


def _inside(polygon: Polygon, width: int, height: int) -> Mask:
    """Return for each pixel whether its centre lies inside the polygon; count the crossings to its right."""
    x, y = np.arange(width)[None, :], np.arange(height)[:, None]
    inside = np.zeros((height, width), np.bool_)
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if y1 != y2:
            spans = (y1 > y) != (y2 > y)
            inside ^= spans & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside


@lru_cache(maxsize=4)
def _window(polygon: Polygon, width: int, height: int) -> tuple[tuple[int, int, int, int], Mask]:
    """Return the bounding box of the pixels inside, and the mask within it."""
    inside = _inside(polygon, width, height)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if rows.size == 0:
        raise BadFrameError(Sentence("No pixel of the picture is on the mat: mark the mat again."))
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    mask = inside[top:bottom, left:right].copy()
    mask.setflags(write=False)
    return (left, top, right, bottom), mask
