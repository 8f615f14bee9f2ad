"""Judge whether a board can be read: sharpness, size, glare, light and contrast, with what to change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template
from companion.rules.appearance_words import colour
from companion.vision.boards.pose import BoardPose, Points
from companion.vision.readings import Image

Grade = Literal["good", "fair", "poor"]

BURNT_CHANNEL: Final = 250
"""A pixel whose channels all reach this no longer shows what lies there."""

_FLAT_PIXELS: Final = 512  # pixels across the flat field that light and glare are judged in
_BLOCKS_ACROSS: Final = 4
_SHARP_STEP: Final = 30.0  # of 255: smaller steps of brightness are no measure of sharpness
_FEW_EDGES: Final = 40  # strong edges needed to judge sharpness


@dataclass(frozen=True)
class Limits:
    """Where a figure turns from good to fair to poor; ``more``: whether more is better; a sentence for each grade."""

    good: float
    fair: float
    more: bool
    sentences: Sequence[str]

    def grade(self, value: float) -> Grade:
        """Return how good a figure is."""
        if (value >= self.good) if self.more else (value <= self.good):
            return "good"
        return "fair" if ((value >= self.fair) if self.more else (value <= self.fair)) else "poor"


@dataclass(frozen=True)
class Judged:
    """One figure with its grade. ``value``: pixels, a share from 0 to 1, or a difference of colour, as named."""

    name: str
    value: float
    grade: Grade
    sentence: Sentence

    def to_json(self) -> dict[str, Any]:
        """Return it for ``--json`` and for a profile."""
        return {
            "name": self.name,
            "value": round(self.value, 4),
            "grade": self.grade,
            "sentence": self.sentence.to_json(),
        }


@dataclass(frozen=True)
class Quality:
    """All figures judged in one picture."""

    figures: tuple[Judged, ...]

    @property
    def grade(self) -> Grade:
        """The worst of the grades."""
        grades = {one.grade for one in self.figures}
        return "poor" if "poor" in grades else "fair" if "fair" in grades else "good"

    @property
    def changes(self) -> tuple[Sentence, ...]:
        """What to change, the worst first; empty if all is good."""
        order = {"poor": 0, "fair": 1}
        return tuple(
            one.sentence for one in sorted(self.figures, key=lambda one: order.get(one.grade, 2)) if one.grade != "good"
        )

    def to_json(self) -> dict[str, Any]:
        """Return it for ``--json`` and for a profile."""
        return {"grade": self.grade, "figures": [one.to_json() for one in self.figures]}


def judge(
    image: Image, pose: BoardPose, grid: tuple[int, int], men: Mapping[str, Sequence[tuple[float, float]]] | None = None
) -> Quality:
    """Judge a picture (BGR) of a board whose place is known.

    ``grid``: sites across and down, 13 and 2 for a tables board with its bar. ``men``: for each side the places in the
    field where men of it lie; without them contrast is not judged.
    """
    width, height = _FLAT_PIXELS, max(64, round(_FLAT_PIXELS * pose.proportion))
    flat = pose.flat(image, width, height)
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.float64)
    figures = [
        _judged("pixels", site_pixels(pose, grid)),
        _judged("glare", float((flat.min(axis=2) >= BURNT_CHANNEL).mean()), percent=True),
        _judged("light", _evenness(grey), percent=True),
        _judged("brightness", float(np.median(grey))),
    ]
    spread = edge_spread(image, pose)
    if spread is not None:
        figures.insert(0, _judged("sharpness", spread))
    if men:
        pair, difference = _least_difference(flat, men, grid)
        figures.append(_judged("contrast", difference, pair=pair))
    return Quality(tuple(figures))


def site_pixels(pose: BoardPose, grid: tuple[int, int]) -> float:
    """Return how many pixels the narrowest site has across, or down where the sites are squares."""
    columns, rows = grid
    row_count = rows if rows > 2 else columns  # noqa: PLR2004  points are longer than wide
    u, v = np.meshgrid(np.arange(columns + 1) / columns, [0.0, 0.5, 1.0])
    across = pose.pixels(np.column_stack([u.ravel(), v.ravel()])).reshape(3, columns + 1, 2)
    least = float(np.linalg.norm(np.diff(across, axis=1), axis=2).min())
    if rows > 2:  # noqa: PLR2004
        u, v = np.meshgrid([0.0, 0.5, 1.0], np.arange(row_count + 1) / row_count)
        down = pose.pixels(np.column_stack([u.ravel(), v.ravel()])).reshape(row_count + 1, 3, 2)
        least = min(least, float(np.linalg.norm(np.diff(down, axis=0), axis=2).min()))
    return least


def edge_spread(image: Image, pose: BoardPose) -> float | None:
    """Return over how many pixels the sharpest quarter of the board's edges is spread; None if it has too few."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(pose.corners).astype(np.int32), 255)
    left, top, across, down = cv2.boundingRect(np.clip(pose.corners, 0, None).astype(np.float32))
    part = image[top : top + down, left : left + across]
    if min(part.shape[:2]) < 16:  # noqa: PLR2004
        return None
    grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.float32)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8))
    window = np.ones((11, 11), np.uint8)
    step = np.asarray(cv2.dilate(grey, window), np.float32) - np.asarray(cv2.erode(grey, window), np.float32)
    ridge = slope >= np.asarray(cv2.dilate(slope, np.ones((5, 5), np.uint8)))
    strong = ridge & (step > _SHARP_STEP) & (mask[top : top + down, left : left + across] > 0)
    strong &= slope > step / 11
    if int(strong.sum()) < _FEW_EDGES:
        return None
    return float(np.percentile(step[strong] / slope[strong], 25))


def _evenness(grey: npt.NDArray[np.float64]) -> float:
    """Return the brightness of the darkest part over that of the brightest.

    The brighter half of each part counts, because the board's dark pattern is not in it.
    """
    height, width = grey.shape
    parts = [
        np.percentile(
            grey[
                height * r // _BLOCKS_ACROSS : height * (r + 1) // _BLOCKS_ACROSS,
                width * c // _BLOCKS_ACROSS : width * (c + 1) // _BLOCKS_ACROSS,
            ],
            70,
        )
        for r in range(_BLOCKS_ACROSS)
        for c in range(_BLOCKS_ACROSS)
    ]
    low, high = np.percentile(parts, [12, 88])
    return float((low + 1) / (high + 1))


def colours_at(flat: Image, places: Sequence[tuple[float, float]], radius: float) -> Points:
    """Return the median colour in CIE Lab (n, 3; L from 0 to 100) of discs at places of the field.

    ``flat``: the field seen from above; ``radius`` in pixels of it.
    """
    lab = cv2.cvtColor((flat / np.float32(255)).astype(np.float32), cv2.COLOR_BGR2Lab)
    height, width = flat.shape[:2]
    rows, columns = np.mgrid[:height, :width]
    found = []
    for u, v in places:
        disc = (columns + 0.5 - u * width) ** 2 + (rows + 0.5 - v * height) ** 2 <= radius**2
        if disc.any():
            found.append(np.median(lab[disc], axis=0))
    return np.array(found, np.float64).reshape(-1, 3)


def _least_difference(
    flat: Image, men: Mapping[str, Sequence[tuple[float, float]]], grid: tuple[int, int]
) -> tuple[Sentence, float]:
    """Return which two of sides and board look most alike, and by how much they differ."""
    radius = 0.22 * flat.shape[1] / grid[0]
    colours = {side: np.median(colours_at(flat, places, radius), axis=0) for side, places in men.items() if places}
    lab = cv2.cvtColor((flat / np.float32(255)).astype(np.float32), cv2.COLOR_BGR2Lab)
    colours["board"] = np.median(lab.reshape(-1, 3), axis=0)
    names = list(colours)
    pairs = [(one, other) for n, one in enumerate(names) for other in names[n + 1 :]]
    distances = {pair: float(np.linalg.norm(colours[pair[0]] - colours[pair[1]])) for pair in pairs}
    one, other = min(pairs, key=lambda pair: distances[pair])
    first = Sentence("The {colour} men", colour=colour(one))
    second = Sentence("the board") if other == "board" else Sentence("the {colour} men", colour=colour(other))
    return Sentence("{one} and {other}", one=first, other=second), distances[one, other]


def _judged(name: str, value: float, *, percent: bool = False, pair: Sentence | None = None) -> Judged:
    limits = Limits(**data_of(__package__, "quality.toml")[name])
    grade = limits.grade(value)
    template = Template(limits.sentences[get_args(Grade).index(grade)])
    shown = round(100 * value, 1) if percent else round(value)
    parts = {key: part for key, part in (("value", shown), ("pair", pair)) if f"{{{key}}}" in template}
    return Judged(name, value, grade, Sentence.of(template, **parts))
