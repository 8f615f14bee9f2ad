"""Measure the lens from pictures of a ChArUco sheet: which pictures help, and how good the result is, in words."""

from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from calibration.kit.plans import charuco_plan
from companion.language.sentence import Sentence, SentenceError
from companion.vision.boards.lens import Lens
from companion.vision.readings import Image

Points = npt.NDArray[np.float64]

LEAST_VIEWS: Final = 5
LEAST_CORNERS: Final = 12
"""The fewest corners of the sheet in one picture."""

LEAST_SHEET_MOVE: Final = 0.04
"""The part of the picture's diagonal by which the sheet must have moved or tilted since each earlier picture."""

LEAST_COVER: Final = 0.35
"""The part of the picture that the sheet must cover in all pictures together: elsewhere the lens is a guess."""

LEAST_TILT: Final = 0.08
"""How much the lengths of opposite edges of the sheet must differ in at least two pictures: flat views do not show the
focal length."""

GOOD_ERROR_PIXELS, FAIR_ERROR_PIXELS, LARGEST_ERROR_PIXELS = 0.6, 1.2, 3.0
"""Reprojection errors in pixels of a picture 1280 wide; above the last one the result is not a lens."""

ALIKE: Final = Sentence(
    "This picture shows the sheet like an earlier one: turn it, tilt it another way, or hold it in another corner of "
    "the picture."
)


class LensCalibrationError(SentenceError, ValueError):
    """These pictures do not suffice to measure the lens; ``sentence`` says why and what to do."""


@dataclass(frozen=True, eq=False)
class SheetView:
    """One picture of the sheet: which of its corners are visible (n) and where (n, 2), in pixels."""

    numbers: npt.NDArray[np.int32]
    corners: Points

    @property
    def outline(self) -> Points:
        """The hull (n, 2) of the corners, in pixels."""
        return np.asarray(cv2.convexHull(self.corners.astype(np.float32)), np.float64).reshape(-1, 2)

    def moved(self, other: "SheetView") -> float:
        """Return the median distance in pixels of the corners that both views share; infinity if they share few."""
        common, here, there = np.intersect1d(self.numbers, other.numbers, return_indices=True)
        if len(common) < LEAST_CORNERS // 2:
            return float("inf")
        return float(np.median(np.linalg.norm(self.corners[here] - other.corners[there], axis=1)))


@dataclass(frozen=True)
class MeasuredLens:
    """The result with its grade and a sentence about it."""

    lens: Lens
    grade: Literal["good", "fair", "poor"]
    sentence: Sentence

    def to_json(self) -> dict[str, Any]:
        """Return it for ``--json``."""
        return {"lens": self.lens.to_json(), "grade": self.grade, "sentence": self.sentence.to_json()}


class LensCalibration:
    """Collects views of the sheet until the lens can be measured."""

    def __init__(self) -> None:
        self._sheet = charuco_plan()
        self._board = self._sheet.board()
        self._detector = cv2.aruco.CharucoDetector(self._board)
        self._views: list[SheetView] = []
        self._size: tuple[int, int] | None = None

    @property
    def views(self) -> int:
        """How many pictures count so far."""
        return len(self._views)

    @property
    def outlines(self) -> tuple[Points, ...]:
        """The part of the sheet that each counted picture shows: the hull (n, 2) of its corners in pixels."""
        return tuple(view.outline for view in self._views)

    def add(self, image: Image) -> Sentence:
        """Take one picture (BGR); return a sentence about its use.

        Raises:
            LensCalibrationError: it does not help: too little of the sheet, too like an earlier one, another size.
        """
        return self.keep(self.view(image), (image.shape[1], image.shape[0]))

    def view(self, image: Image) -> SheetView:
        """Return the view of the sheet in a picture (BGR), without storing it.

        Raises:
            LensCalibrationError: it shows too little of the sheet.
        """
        return self._seen(image)

    def keep(self, view: SheetView, size: tuple[int, int]) -> Sentence:
        """Count a view from a picture of this size (width, height); return a sentence about its use.

        Raises:
            LensCalibrationError: it is too like an earlier one, or from another camera.
        """
        if self._size is not None and size != self._size:
            raise LensCalibrationError(
                Sentence(
                    "Expected a picture of {expected} like the others, but it is {came}: take all of them with one "
                    "camera.",
                    expected=f"{self._size[0]}x{self._size[1]}",
                    came=f"{size[0]}x{size[1]}",
                )
            )
        if any(self._alike(view, known, float(np.hypot(*size))) for known in self._views):
            raise LensCalibrationError(ALIKE)
        self._size = size
        self._views.append(view)
        return self.missing() or Sentence(
            "{count} pictures of the sheet: enough to measure the lens.", count=self.views
        )

    def missing(self) -> Sentence | None:
        """Return a sentence about what is still needed to measure the lens, or None."""
        if len(self._views) < LEAST_VIEWS:
            return Sentence(
                "{count} of {least} pictures of the sheet: take the next one with the sheet tilted another way.",
                count=self.views,
                least=LEAST_VIEWS,
            )
        if self.cover() < LEAST_COVER:
            return Sentence(
                "The sheet has covered only {share} % of the picture so far: hold it in the corners too.",
                share=round(100 * self.cover()),
            )
        if sum(self._tilt(view) >= LEAST_TILT for view in self._views) < 2:
            return Sentence("The sheet was nearly flat in all pictures: tilt it by about 30 degrees in some of them.")
        return None

    def measure(self) -> MeasuredLens:
        """Return the lens.

        Raises:
            LensCalibrationError: there are too few views, or they do not agree on any lens.
        """
        missing = self.missing()
        if missing is not None:
            raise LensCalibrationError(missing)
        assert self._size is not None
        whole = np.asarray(self._board.getChessboardCorners(), np.float32)
        places = [whole[view.numbers].reshape(-1, 1, 3) for view in self._views]
        seen = [view.corners.astype(np.float32).reshape(-1, 1, 2) for view in self._views]
        guess = np.array([[1.0, 0, self._size[0] / 2], [0, 1.0, self._size[1] / 2], [0, 0, 1]])
        error, matrix, distortion, *_ = cv2.calibrateCamera(
            places, seen, self._size, guess, np.zeros(5), flags=cv2.CALIB_FIX_K3
        )
        scaled = float(error) * 1280 / self._size[0]
        if not np.isfinite(scaled) or scaled > LARGEST_ERROR_PIXELS:
            raise LensCalibrationError(
                Sentence(
                    "The pictures agree on no lens (off by {error} pixels): lay the sheet on something flat and stiff, "
                    "and take sharp pictures with one camera that does not zoom.",
                    error=round(scaled, 1),
                )
            )
        (fx, _, cx), (_, fy, cy), _ = np.asarray(matrix, np.float64).tolist()
        k1, k2, p1, p2, k3 = np.asarray(distortion, np.float64).ravel()[:5].tolist()
        lens = Lens(self._size, (fx, fy), (cx, cy), (k1, k2, p1, p2, k3), float(error), self.views)
        if scaled <= GOOD_ERROR_PIXELS:
            return MeasuredLens(lens, "good", _judged(Sentence("The lens is measured well"), scaled, self.views))
        if scaled <= FAIR_ERROR_PIXELS:
            return MeasuredLens(lens, "fair", _judged(Sentence("The lens is measured fairly well"), scaled, self.views))
        return MeasuredLens(
            lens,
            "poor",
            Sentence(
                "The lens is measured poorly (off by {error} pixels): take sharper pictures, with the sheet "
                "completely flat; until then it is better to do without.",
                error=round(scaled, 2),
            ),
        )

    def _seen(self, image: Image) -> SheetView:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners, numbers, _, _ = self._detector.detectBoard(grey)
        count = 0 if numbers is None else len(numbers)
        if numbers is None or count < LEAST_CORNERS:
            raise LensCalibrationError(
                Sentence(
                    "Only {count} corners of the sheet are seen and {least} are needed: bring the whole sheet of "
                    "{columns} x {rows} squares into the picture, sharp and evenly lit.",
                    count=count,
                    least=LEAST_CORNERS,
                    columns=self._sheet.columns,
                    rows=self._sheet.rows,
                )
            )
        return SheetView(np.asarray(numbers, np.int32).ravel(), np.asarray(corners, np.float64).reshape(-1, 2))

    @staticmethod
    def _alike(one: SheetView, other: SheetView, diagonal: float) -> bool:
        return one.moved(other) < LEAST_SHEET_MOVE * diagonal

    def cover(self) -> float:
        """Return the part of the picture that the sheet has covered so far, from 0 to 1."""
        if self._size is None:
            return 0.0
        mask = np.zeros((60, 80), np.uint8)
        for view in self._views:
            small = view.corners * (80 / self._size[0], 60 / self._size[1])
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(small).astype(np.int32)), 1)
        return float(mask.mean())

    def _tilt(self, view: SheetView) -> float:
        """Return how much the sheet's far edge is shortened relative to the near one, across or down."""
        whole = np.asarray(self._board.getChessboardCorners(), np.float64)[view.numbers, :2]
        matrix, _ = cv2.findHomography(whole, view.corners, 0)
        low, high = whole.min(axis=0), whole.max(axis=0)
        box = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        seen = cv2.perspectiveTransform(box.reshape(-1, 1, 2), np.asarray(matrix, np.float64)).reshape(4, 2)
        edges = np.linalg.norm(np.roll(seen, -1, axis=0) - seen, axis=1)
        return float(max(abs(np.log(edges[0] / edges[2])), abs(np.log(edges[1] / edges[3]))))


def _judged(what: Sentence, error: float, views: int) -> Sentence:
    return Sentence("{what}: off by {error} pixels in {views} pictures.", what=what, error=round(error, 2), views=views)
