"""Hands made at random from strokes: letters that no font has, so that no list of fonts is the world.

A hand has a kind of letter forms (roman, uncial, minuscule, gothic), a broad or a pointed pen, a slant, proportions,
serifs and the habits of one person: how the points of each skeleton in ``strokes.toml`` are off. The same number is
always the same hand. Its place is a path that no file has, ``<number>.strokes``, so that a hand stands wherever a font
may stand.
"""

import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

SUFFIX: Final = ".strokes"
KINDS: Final = "rumg"
OWN_KIND: Final = 0.8
"""Share of letters that have a form of their hand's own kind; the others have any form."""

MIRRORED: Final = 0.04
"""Share of the letters of `MAY_MIRROR` that a hand has the wrong way round, as carvers err."""

MAY_MIRROR: Final = frozenset("NSZ")
HEIGHT: Final = 96
GAP: Final = 5
FINER: Final = 2
"""Letters are drawn this many times larger than `HEIGHT` and then reduced."""

Points = npt.NDArray[np.float64]
Stroke = tuple[str, Points]


@dataclass(frozen=True)
class Pen:
    """How a hand draws. Lengths are in heights of a capital, angles in radians.

    ``wide``, ``thin``: the nib's two sides; ``angle``: of its long side; ``broken``: whether curves are drawn as
    straight pieces; ``serif``: its kind, ``none``, ``cross``, ``flick`` or ``wedge``; ``astray``: error of the
    skeleton's points.
    """

    kind: str
    wide: float
    thin: float
    angle: float
    slant: float
    aspect: float
    broken: bool
    serif: str
    reach: float
    astray: float


def letters() -> frozenset[str]:
    """Return the letters that every hand has."""
    return frozenset(_forms())


def place(number: int) -> Path:
    """Return the path under which a hand's glyphs are asked for."""
    return Path(f"{number:06d}{SUFFIX}")


@lru_cache(maxsize=8192)
def stroke_glyph(path: Path, text: str) -> npt.NDArray[np.uint8]:
    """Return the coverage of a letter, or of some beside each other (height x width, uint8), cropped to the ink.

    Capitals are about `HEIGHT` pixels high.
    """
    if len(text) == 1:
        return _letter(int(path.stem), text)
    shapes = [_letter(int(path.stem), letter) for letter in text]
    tallest = max(len(shape) for shape in shapes)
    return np.hstack([np.pad(shape, ((tallest - len(shape), 0), (GAP, GAP))) for shape in shapes])


def _letter(number: int, letter: str) -> npt.NDArray[np.uint8]:
    pen = _pen(number)
    rng = np.random.default_rng([number, ord(letter)])
    forms = _forms()[letter]
    own = [form for kind, form in forms if kind == pen.kind]
    chosen = own if own and rng.random() < OWN_KIND else [form for _, form in forms]
    mirrored = letter in MAY_MIRROR and rng.random() < MIRRORED
    lines = [_line(pen, stroke, rng) for stroke in chosen[int(rng.integers(len(chosen)))]]
    lines += [end for line in lines for end in _ends(pen, line)]
    shape = _inked(pen, lines)
    return np.ascontiguousarray(shape[:, ::-1] if mirrored else shape)


@cache
def _forms() -> dict[str, list[tuple[str, tuple[Stroke, ...]]]]:
    data = tomllib.loads(Path(__file__).with_name("strokes.toml").read_text(encoding="utf-8"))["forms"]
    return {letter: [_form(text) for text in forms] for letter, forms in data.items()}


def _form(text: str) -> tuple[str, tuple[Stroke, ...]]:
    kind, _, strokes = text.partition(":")
    parted = [stroke.split() for stroke in strokes.split(";")]
    return kind, tuple((first, np.array(rest, np.float64).reshape(-1, 2)) for first, *rest in parted)


@lru_cache(maxsize=4096)
def _pen(number: int) -> Pen:
    rng = np.random.default_rng([number])
    kind = KINDS[int(rng.integers(len(KINDS)))]
    wide = float(rng.uniform(0.05, 0.24))
    even = rng.random() < 0.3
    return Pen(
        kind,
        wide,
        wide * float(rng.uniform(0.75, 1.0) if even else rng.uniform(0.1, 0.6)),
        float(rng.uniform(-0.3, 1.1)),
        float(rng.normal(0, 0.1)),
        float(np.exp(rng.normal(0 if kind != "g" else -0.2, 0.2))),
        bool(rng.random() < (0.6 if kind == "g" else 0.12)),
        ("none", "cross", "flick", "wedge")[int(rng.integers(4))],
        float(rng.uniform(0.05, 0.16)),
        float(rng.uniform(0.005, 0.05)),
    )


def _line(pen: Pen, stroke: Stroke, rng: np.random.Generator) -> Points:
    """Return a stroke as a line of points near each other, as this hand draws it."""
    how, points = stroke
    points = points + rng.normal(0, pen.astray, points.shape)
    dense = _through(points) if how == "c" and not pen.broken and len(points) > 2 else points
    x = dense[:, 0] * pen.aspect + pen.slant * (1 - dense[:, 1])
    return np.column_stack([x, dense[:, 1]])


def _through(points: Points) -> Points:
    """Return a smooth curve (Catmull-Rom) through the points."""
    before = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    t = np.linspace(0, 1, 9)[:-1, None]
    pieces = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(before, before[1:], before[2:], before[3:], strict=False)
    ]
    return np.vstack([*pieces, points[-1:]])


def _ends(pen: Pen, line: Points) -> list[Points]:
    """Return the serifs at both ends of a line, as short lines."""
    found = []
    for end, next_ in ((line[0], line[1]), (line[-1], line[-2])):
        along = (next_ - end) / max(1e-6, float(np.linalg.norm(next_ - end)))
        across = np.array([along[1], -along[0]])
        match pen.serif:
            case "cross":
                found.append(np.array([end - pen.reach * across, end + pen.reach * across]))
            case "flick":
                found.append(np.array([end, end + pen.reach * np.array([np.cos(pen.angle), -np.sin(pen.angle)])]))
            case "wedge":
                found.append(np.array([end + pen.reach * across, end + 1.5 * pen.reach * along]))
            case _:
                pass
    return found


def _inked(pen: Pen, lines: list[Points]) -> npt.NDArray[np.uint8]:
    scale = HEIGHT * FINER
    long = np.array([np.cos(pen.angle), -np.sin(pen.angle)]) * pen.wide / 2
    short = np.array([np.sin(pen.angle), np.cos(pen.angle)]) * pen.thin / 2
    nib = np.array([long + short, long - short, -long - short, -long + short])
    every = np.vstack(lines)
    low, high = every.min(axis=0) - pen.wide, every.max(axis=0) + pen.wide
    canvas = np.zeros(np.ceil((high - low)[::-1] * scale).astype(int) + 2, np.uint8)
    for line in lines:
        for one, other in pairwise(line):
            swept = cv2.convexHull(((np.vstack([nib + one, nib + other]) - low) * scale).astype(np.float32))
            cv2.fillConvexPoly(canvas, np.round(swept * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    rows, columns = np.flatnonzero(canvas.any(axis=1)), np.flatnonzero(canvas.any(axis=0))
    cut = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    size = (max(2, cut.shape[1] // FINER), max(2, cut.shape[0] // FINER))
    return np.pad(np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8), 2)
