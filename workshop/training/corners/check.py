"""Measure how well corners are found in the check pictures.

``python -m workshop.training.corners.check DATA [WEIGHTS]``.

The pictures are always the same, drawn with the validation fonts. They go through locator and corner net as in the
reader.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.corners import SQUARE, Corners, kind_of
from companion.vision.dice.geometry import Points, area, clockwise, edge_length, grow, inside
from companion.vision.dice.locate import Found, Locator, UpperFace
from companion.vision.dice.nets import use_weights
from companion.vision.readings import Image
from workshop.training.corners.samples import GOLDEN, LOCATED, SEEN
from workshop.training.disturb import astray
from workshop.training.material import CHECK, SCENES, SIDES
from workshop.training.store import Flat, Scenes, Truth

OFF: Final = 0.15
"""A corner that is off by more than this share of an edge spoils the reading."""

NEARLY: Final = 0.6 * LOCATED
"""How far off the start corners of sides and upper faces are in the comparison, in the unit of `disturb.astray`."""

LEAST: Final = 14.0
"""Faces with shorter edges, in pixels, are not read; flat sides do not count either."""

BINS: Final = (0.0, 0.015, 0.03, 0.05, 0.08, 0.15, np.inf)
"""Groups of the errors that the net states, in edges."""


@dataclass(frozen=True)
class Try:
    """The result for one face. ``off``: its worst corner's error in edges; ``expected``: the error the net states."""

    shape: str
    off: float
    expected: float
    score: float
    upper: float
    kind: int = SQUARE


def off(found: Points, true: Points) -> float:
    """Return the error of the worst corner, in edges of the true face, whichever corner comes first."""
    orders = (np.roll(clockwise(true), k, axis=0) for k in range(len(true)))
    return min(float(np.linalg.norm(clockwise(found) - one, axis=1).max()) for one in orders) / edge_length(true)


def check(scenes: Scenes) -> dict[str, Any]:
    """Return the figures of all scenes: corners from the locator's starts and from bad starts, tops against sides."""
    corners = Corners()
    located = list(find_all(scenes, corners))
    tops, sides = compare_all(scenes, corners)
    across: list[Try] = []
    for number, truth in enumerate(scenes.truths):
        twenty = [face.corners for face in _to_be_read(truth) if face.shape == "icosahedron"]
        begun = [("icosahedron", one, grow(one, -GOLDEN)) for one in twenty]
        across += list(_from(scenes.picture(number), begun, corners)) if begun else []
    report: dict[str, Any] = {"pictures": len(scenes), "faces": sum(len(_to_be_read(truth)) for truth in scenes.truths)}
    report |= {"located": _figures(located), "across": _figures(across)}
    for shape in sorted({one.shape for one in located}):
        report[f"located {shape}"] = _figures([one for one in located if one.shape == shape])
    return report | {"told": _summary(tops, sides), "said": list(_scale(located))}


def find_all(scenes: Scenes, corners: Corners) -> Iterator[Try]:
    """Yield the results for the upper faces that the locator finds."""
    for number, truth in enumerate(scenes.truths):
        faces = _to_be_read(truth)
        if not faces:
            continue
        picture, numbers = scenes.picture(number), {len(face.corners) for face in faces}
        found = corners.correct(picture, Locator(tuple(numbers)).find(picture)).faces
        for face in faces:
            mine = [one for one in found if _is_there(one, face)]
            if mine:
                yield _tried(max(mine, key=lambda one: one.score), face.corners, face.shape)


def compare_all(scenes: Scenes, corners: Corners) -> tuple[list[Try], list[Try]]:
    """Return the results for upper faces, and for clearly visible sides, all with bad starts. Sides have no shape."""
    tops: list[Try] = []
    sides: list[Try] = []
    for number, truth in enumerate(scenes.truths):
        picture, rng = scenes.picture(number), np.random.default_rng([number, 31])
        starts = [(face.shape, face.corners) for face in _to_be_read(truth)]
        plain = [("", one) for one in truth.sides if _plain(one)]
        for begun, into in ((starts, tops), (plain, sides)):
            into += list(_from(picture, [(name, one, astray(one, rng, NEARLY)) for name, one in begun], corners))
    return tops, sides


def _to_be_read(truth: Truth) -> list[Flat]:
    seen = (face for face in truth.faces if face.seen > SEEN and face.legible)
    return [face for face in seen if edge_length(face.corners) > LEAST]


def _is_there(found: UpperFace, face: Flat) -> bool:
    """Tell whether a found face lies on a true one; a much smaller one is a part of it."""
    if len(found.corners) != len(face.corners):
        return False
    share = abs(area(found.corners)) / abs(area(face.corners))
    return inside(found.corners.mean(axis=0), grow(face.corners, 0.8)) and 0.4 < share < 2.5


def _from(picture: Image, begun: Sequence[tuple[str, Points, Points]], corners: Corners) -> Iterator[Try]:
    """Yield the results for faces given as (shape, true corners, start corners)."""
    if begun:
        found = corners.correct(picture, Found(tuple(UpperFace(start, 1.0) for _, _, start in begun), ())).faces
        for (shape, true, _), one in zip(begun, found, strict=True):
            yield _tried(one, true, shape)


def _tried(found: UpperFace, true: Points, shape: str) -> Try:
    return Try(shape, off(found.corners, true), found.error, found.score, found.on_top, kind_of(len(true)))


def _plain(side: Points) -> bool:
    """Tell whether a side is seen well enough to be mistaken for an upper face."""
    short = np.linalg.norm(np.roll(side, -1, axis=0) - side, axis=1)
    return len(side) in (3, 4, 5) and edge_length(side) > LEAST and abs(area(side)) > 0.25 * float(short.max()) ** 2


def _figures(tried: Sequence[Try]) -> dict[str, float]:
    if not tried:
        return {"n": 0}
    errors, expected = np.array([one.off for one in tried]), np.array([one.expected for one in tried])
    bad = errors > OFF
    return {
        "n": len(tried),
        "median": round(float(np.median(errors)), 4),
        "off_by_15": round(float(bad.mean()), 4),
        "off_n": int(bad.sum()),
        "said_auc": round(auc(expected[bad], expected[~bad]), 4),
        "scale": round(float(np.median(errors / expected)), 3),
    }


def _summary(tops: Sequence[Try], sides: Sequence[Try]) -> dict[str, float]:
    """Return how well upper faces are distinguished from sides that were found as well (corners within `OFF`)."""
    high, low = ([one for one in some if one.off < OFF] for some in (tops, sides))
    report: dict[str, float] = {"tops": len(high), "sides": len(low), "sides_all": len(sides)}
    for name in ("score", "upper"):
        above, below = (np.array([getattr(one, name) for one in some]) for some in (high, low))
        report[f"{name}_auc"] = round(auc(above, below), 4)
        report[f"{name}_tops_under_half"] = round(float((above < 0.5).mean()), 4)
        report[f"{name}_sides_above_half"] = round(float((below >= 0.5).mean()), 4)
    return report


def _scale(tried: Sequence[Try]) -> Iterator[dict[str, float]]:
    """Yield for each group of stated errors their median and that of the true errors."""
    for low, high in pairwise(BINS):
        group = [one for one in tried if low <= one.expected < high]
        if group:
            expected, true = (float(np.median([getattr(one, name) for one in group])) for name in ("expected", "off"))
            yield {"n": len(group), "said": round(expected, 4), "true": round(true, 4)}


def auc(high: npt.NDArray[np.float64], low: npt.NDArray[np.float64]) -> float:
    """Return the share of pairs in which the right one is higher; ties count half."""
    if not len(high) or not len(low):
        return float("nan")
    return float(((high[:, None] > low).mean() + (high[:, None] >= low).mean()) / 2)


if __name__ == "__main__":
    cv2.setNumThreads(1)
    if sys.argv[2:]:
        use_weights(Path(sys.argv[2]))
    drawn = Scenes.load(Path(sys.argv[1]), *(f"{CHECK}-{one}" for one in (SCENES, SIDES)))
    sys.stdout.write(json.dumps(check(drawn), indent=1) + "\n")
