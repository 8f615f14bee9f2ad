"""Find the four printed markers of a board with exact corners: ArUco DICT_4X4_50, numbers 0 to 3.

The numbers go clockwise from the board's top left, as its owner laid them. This module knows nothing else about them.
Where they lie beside the playing field is known for a printed kit, and learnt for any other board
(`pose.learn_places`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence
from companion.vision.boards.layout import NUMBERS
from companion.vision.mirrored import MIRRORED
from companion.vision.readings import Image

Points = npt.NDArray[np.float64]
Grey = npt.NDArray[np.uint8]

DICTIONARY: Final = cv2.aruco.DICT_4X4_50
MARKER_MODULES: Final = 6
"""A marker is 4 x 4 fields and a black border of one field all around."""

ENLARGED_PIXELS: Final = 3_000_000
"""The largest picture, in pixels, that the finder enlarges to twice its size: this finds markers as small as 25
pixels."""

_OTHERS: Final = {
    "DICT_4X4_1000": cv2.aruco.DICT_4X4_1000,
    "DICT_5X5_1000": cv2.aruco.DICT_5X5_1000,
    "DICT_6X6_1000": cv2.aruco.DICT_6X6_1000,
    "DICT_7X7_1000": cv2.aruco.DICT_7X7_1000,
    "DICT_ARUCO_ORIGINAL": cv2.aruco.DICT_ARUCO_ORIGINAL,
    "DICT_APRILTAG_36h11": cv2.aruco.DICT_APRILTAG_36h11,
}
_SAMPLE_STEP: Final = 0.25  # in pixels: the distance of samples along a line across an edge
_LEAST_CONTRAST: Final = 12.0  # of 255 between the black border and the white around it
_MOST_CORNER_MOVE: Final = (
    0.7  # in fields of the marker: how far a corner may move when it is made exact; more is another edge
)


@dataclass(frozen=True, eq=False)
class Marker:
    """One marker. ``corners``: (4, 2) in pixels of the picture, clockwise from the marker's own top left."""

    number: int
    corners: Points

    @property
    def centre(self) -> Points:
        """Where its diagonals cross, (2,), in pixels: its true middle from any viewpoint."""
        a, b, c, d = (np.append(corner, 1.0) for corner in self.corners)
        x, y, w = np.cross(np.cross(a, c), np.cross(b, d))
        return np.array([x / w, y / w])

    @property
    def side(self) -> float:
        """Its shortest side in pixels."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1).min())


@dataclass(frozen=True, eq=False)
class MarkersSeen:
    """The markers found in one picture.

    ``markers``: those that were seen once, by number. ``doubled``: numbers seen at several places, for example with two
    boards in view; ``every`` holds all of these markers.
    """

    markers: Mapping[int, Marker]
    doubled: tuple[int, ...] = ()
    every: tuple[Marker, ...] = field(default=())

    @property
    def whole(self) -> bool:
        """Whether each of the four was seen exactly once."""
        return len(self.markers) == len(NUMBERS) and not self.doubled

    def nearest(self, expected: Mapping[int, Points]) -> dict[int, Marker]:
        """Return the markers by number; of a number seen twice, the one whose middle is nearest to where it should be.

        ``expected``: the middle (2,) of each in pixels.
        """
        chosen = dict(self.markers)
        for number in self.doubled:
            if number in expected:
                same = [one for one in self.every if one.number == number]
                chosen[number] = min(same, key=lambda one: float(np.linalg.norm(one.centre - expected[one.number])))
        return chosen


class MarkerFinder:
    """Finds the markers of a board. Keeps OpenCV's detectors; use one for each thread."""

    def __init__(self) -> None:
        self._detector = _detector(DICTIONARY)

    def find(self, image: Image, *, hard: bool = True) -> MarkersSeen:
        """Search the whole picture (BGR, uint8); ``hard``: again in clearer pictures until all four are found."""
        grey = _grey(image)
        found = self._detect(grey, 1)
        for harder, scale in _harder(grey) if hard else ():
            if {marker.number for marker in found} >= set(NUMBERS):
                break
            found = _together(found, self._detect(harder, scale))
        return _sorted([exact(grey, marker) for marker in found])

    def find_near(self, image: Image, expected: Mapping[int, Points]) -> MarkersSeen:
        """Search only where markers should be, in a tenth of the time; ``expected``: their corners (4, 2).

        This does not find a marker that has moved by more than its own size.
        """
        grey = _grey(image)
        found: list[Marker] = []
        for number, corners in expected.items():
            window = _window(corners, grey)
            if window is None:
                continue
            left, top, cut = window
            small = float(np.linalg.norm(corners[1] - corners[0])) < 60  # noqa: PLR2004  pixels: read better enlarged
            scale = 2 if small else 1
            tried = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if small else cut
            for marker in self._detect(np.asarray(tried, np.uint8), scale):
                if marker.number == number:
                    found = _together(found, [Marker(number, marker.corners + np.array([left, top]))])
        return _sorted([exact(grey, marker) for marker in found])

    def why_not(self, image: Image, seen: MarkersSeen) -> Sentence | None:
        """Return what is wrong with the markers of a picture, or None if each of the four was seen once.

        This looks for a mirrored picture and for markers of other kinds, which takes a while: do not call it for every
        frame.
        """
        if seen.whole:
            return None
        if seen.doubled:
            return Sentence(
                "The camera sees marker {numbers} more than once: leave only one board in the picture, and cover the "
                "markers of the other.",
                numbers=_listed(seen.doubled),
            )
        if seen.markers:
            missing = [number for number in NUMBERS if number not in seen.markers]
            return Sentence(
                "The camera sees markers 0 to 3 except {missing}: uncover every marker, remove the glare, or move "
                "the camera until the whole board is in the picture.",
                missing=_listed(missing),
            )
        return self._other_kind(image)

    def _other_kind(self, image: Image) -> Sentence:
        grey = _grey(image)
        if len({one.number for one in self._detect(np.ascontiguousarray(grey[:, ::-1]), 1)} & set(NUMBERS)) > 1:
            return MIRRORED
        for name, dictionary in _OTHERS.items():
            corners, numbers, _ = _detector(dictionary).detectMarkers(grey)
            if len(corners) > 1:
                return Sentence(
                    "There are markers in the picture, but of another kind ({name}, number {numbers}): print the "
                    "markers of the kit, which are DICT_4X4_50 with the numbers 0 to 3.",
                    name=name,
                    numbers=_listed(sorted({int(number) for number in numbers.ravel()})[:6]),
                )
        return Sentence(
            "The camera sees no marker: lay the four markers on the board's corners, each flat and with its white "
            "edge, or mark the board's corners by hand."
        )

    def _detect(self, grey: Grey, scale: int) -> list[Marker]:
        corners, numbers, _ = self._detector.detectMarkers(grey)
        found: list[Marker] = []
        if not corners:
            return found
        for quad, number in zip(corners, numbers.ravel(), strict=True):
            # The middle of pixel i of the picture lies at scale * (i + 0.5) - 0.5 of the enlarged one.
            place = (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
            found = _together(found, [Marker(int(number), place)])
        return found


def exact(grey: Grey, marker: Marker) -> Marker:
    """Return the marker with its corners where the lines along its four edges cross, to a few hundredths of a pixel.

    Each edge is sampled across at some twenty places. So blur and noise average out, and a finger on a part of the edge
    does no harm. A marker whose edges cannot be followed is returned unchanged.
    """
    corners = marker.corners
    for _ in range(3):
        lines = [_edge(grey, corners[n], corners[(n + 1) % 4], marker.side / MARKER_MODULES) for n in range(4)]
        if any(line is None for line in lines):
            return marker
        crossed = [_crossing(lines[n - 1], lines[n]) for n in range(4)]
        if any(point is None for point in crossed):
            return marker
        moved = np.array(crossed)
        if np.linalg.norm(moved - marker.corners, axis=1).max() > max(
            3.5, _MOST_CORNER_MOVE * marker.side / MARKER_MODULES
        ):
            return marker
        corners = moved
    return Marker(marker.number, corners)


def _edge(grey: Grey, start: Points, end: Points, field_side: float) -> tuple[Points, Points] | None:
    """Return a point on the edge between two corners and its direction, in pixels, or None if there is no edge."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 4:  # noqa: PLR2004
        return None
    along = along / length
    outward = np.array([along[1], -along[0]])  # corners go clockwise on the screen, where y points down
    reach = float(np.clip(0.8 * field_side, 1.5, 6.0))
    steps = np.arange(-reach, reach + _SAMPLE_STEP / 2, _SAMPLE_STEP)
    shares = np.linspace(0.12, 0.88, int(np.clip(length / 2, 8, 24)))
    base = start + shares[:, None] * along * length
    places = (base[:, None, :] + steps[None, :, None] * outward).astype(np.float32)
    seen = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profile = np.asarray(seen, np.float64)
    quarter = len(steps) // 4
    dark, light = profile[:, :quarter].mean(axis=1), profile[:, -quarter:].mean(axis=1)
    good = light - dark > _LEAST_CONTRAST
    if good.sum() < 5:  # noqa: PLR2004  too few to fit a line safely
        return None
    # The place where the brightness would step if the edge were sharp. It is the same for a blurred edge, and every
    # sample counts.
    share = np.clip((profile - dark[:, None]) / np.maximum(light - dark, 1.0)[:, None], 0, 1)
    offset = steps[-1] + _SAMPLE_STEP / 2 - share.sum(axis=1) * _SAMPLE_STEP
    points = (base + offset[:, None] * outward)[good].astype(np.float32)
    x_along, y_along, x, y = np.asarray(cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01), np.float64).ravel()
    return np.array([x, y]), np.array([x_along, y_along])


def _crossing(one: tuple[Points, Points] | None, other: tuple[Points, Points] | None) -> Points | None:
    assert one is not None
    assert other is not None
    (p, along), (q, across) = one, other
    turn = along[0] * across[1] - along[1] * across[0]
    if abs(turn) < 0.1:  # noqa: PLR2004  nearly parallel: no corner of a marker
        return None
    off = q - p
    return np.asarray(p + along * (off[0] * across[1] - off[1] * across[0]) / turn, np.float64)


def _harder(grey: Grey) -> list[tuple[Grey, int]]:
    """Return pictures in which dim, small or blurred markers stand out, each with the factor of its enlargement."""
    equal = cv2.createCLAHE(clipLimit=3.0, tileGridSize=(8, 8))
    even = np.asarray(equal.apply(cv2.GaussianBlur(grey, (0, 0), 0.8)), np.uint8)
    if grey.size > ENLARGED_PIXELS:
        return [(even, 1)]
    large = cv2.resize(even, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(large, (0, 0), 5)
    sharp = cv2.addWeighted(large, 2.5, soft, -1.5, 0)
    return [(np.asarray(large, np.uint8), 2), (np.asarray(sharp, np.uint8), 2)]


def _window(corners: Points, grey: Grey) -> tuple[int, int, Grey] | None:
    """Return left, top and the part of the picture around a marker, wider by its own size on all sides."""
    reach = np.ptp(corners, axis=0).max()
    low = np.maximum(np.floor(corners.min(axis=0) - reach), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0) + reach) + 1, grey.shape[::-1]).astype(int)
    if (high - low < 16).any():  # noqa: PLR2004  outside the picture, or nearly
        return None
    return int(low[0]), int(low[1]), np.ascontiguousarray(grey[low[1] : high[1], low[0] : high[0]])


def _together(known: list[Marker], more: list[Marker]) -> list[Marker]:
    """Add the markers that are not yet known, one for each place."""
    return known + [
        marker
        for marker in more
        if not any(
            one.number == marker.number and np.linalg.norm(one.centre - marker.centre) < one.side / 2 for one in known
        )
    ]


def _sorted(found: list[Marker]) -> MarkersSeen:
    every = tuple(sorted((one for one in found if one.number in NUMBERS), key=lambda one: one.number))
    times = {number: sum(one.number == number for one in every) for number in NUMBERS}
    return MarkersSeen(
        {one.number: one for one in every if times[one.number] == 1},
        tuple(number for number in NUMBERS if times[number] > 1),
        every,
    )


def _grey(image: Image) -> Grey:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)  # noqa: PLR2004


def _listed(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


@cache
def _detector(dictionary: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    # Sampling only the middle of each field reads small, blurred markers that the defaults miss (measured).
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.25
    settings.perspectiveRemovePixelPerCell = 8
    settings.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), settings)
