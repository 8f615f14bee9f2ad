"""Measure the light on a printed board by its paper and grounds: without that light, colours are those of the print.

A kit's board is known: white paper around its markers, black in them, one ground where its places lie, another one
around. Whatever colour the light has and however it falls off, it affects all of them, and the tokens, in the same way.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence, SentenceError
from companion.vision.boards.kit import KitBoard
from companion.vision.boards.tokens.layout import PLACE_REACH_MM, SPOT_RADIUS, TokenLayout
from companion.vision.readings import Image

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

FRAME: Final = (0xD2, 0xC7, 0xAC)
"""The ground around the places and in their empty circles, red, green and blue (`calibration/kit/sizes.toml`)."""

GROUND: Final = (0xC6, 0xB7, 0x92)
"""The ground that the places lie on."""

PAPER, PLACES, OUTER = 0, 1, 2
"""The kinds of samples: white paper around the markers, the ground that places lie on, the frame around it."""

SAMPLE_STEP: Final = 8.0
"""Millimetres between two samples of the grounds."""

SAME_GROUND_MM: Final = 1.5
"""Millimetres around a sample that are of the same ground."""

SAMPLE_WIDTH: Final = 3.0
"""Millimetres across one sample; most of it is ground even where a word is printed."""

GROUND_PERCENTILE: Final = 75
"""The percentile of a sample's pixels that is taken for its ground: letters are darker."""

INK_REFLECTANCE: Final = 0.03
"""How much light printed black reflects, as a fraction of what paper reflects."""

LEAST_WHITE: Final = 0.004
"""White paper that is as dark as this (of 1, linear) is lost in noise."""

PLAN_WEIGHT: Final = 30.0
"""The weight of the plan's printed colours, in samples: printers differ."""

FITTING_ROUNDS: Final = 12
_QUIET_ZONE: Final = 4.0  # millimetres of white around a marker
_MARKER_CELLS: Final = 6
_MOST_STRAY: Final = 0.12  # in logarithms: what strays further from the light is covered or shaded
_SATURATED_CHANNEL: Final = 250


class TooDarkError(SentenceError, ValueError):
    """The board has too little light to see colours by."""


@dataclass(frozen=True, eq=False)
class PrintLight:
    """The light over a board, fitted in logarithms: for each channel a surface of second degree, and a veil.

    ``surface``: (6, 3), coefficients of `_basis` of places in millimetres over ``scale``; ``veil``: (3,), stray light
    that is the same everywhere, as from a lens; ``frame`` and ``ground``: (3,), the reflectance of those grounds, white
    paper having 1. ``white``: (3,), the light on paper in the middle of the board, linear. All are red, green and blue.
    """

    surface: Points
    veil: Points
    frame: Points
    ground: Points
    white: Points
    scale: Points

    def at(self, places: Points) -> Points:
        """Return the light (n, 3) on places (n, 2) in millimetres."""
        return np.asarray(np.exp(_basis(places / self.scale) @ self.surface), np.float64)


def linear(pixels: Image) -> Floats:
    """Return BGR bytes as linear light, red, green and blue from 0 to 1, for the same places."""
    return np.asarray(_LINEAR[pixels[..., ::-1]], np.float32)


def coded(value: tuple[int, int, int]) -> Points:
    """Return a colour of a plan (red, green, blue; bytes) as linear light."""
    return np.asarray(_LINEAR[np.array(value)], np.float64)


_CODES: Final = np.arange(256) / 255.0
_LINEAR: Final = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004 (sRGB)


def _basis(places: Points) -> Points:
    x, y = places[:, 0] - 0.5, places[:, 1] - 0.5
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


@dataclass(frozen=True, eq=False)
class StraightBoard:
    """A printed board seen from straight above.

    ``image``: BGR; ``seen``: which of its pixels the picture shows; ``origin``: (2,) where the field's corner lies in
    it, in pixels; ``pitch``: pixels per millimetre.
    """

    image: Image
    seen: npt.NDArray[np.bool_]
    origin: Points
    pitch: float


def fitted_light(board: StraightBoard, layout: TokenLayout) -> PrintLight:
    """Return the light on a straightened board.

    Raises:
        TooDarkError: the paper is nearly as dark as the noise.
    """
    kit = layout.kit
    sampler = _PatchSampler(board)
    white = sampler.bright(_around_markers(kit, kit.marker / 2 + _QUIET_ZONE / 2), 1.4)
    black = sampler.dark(_around_markers(kit, kit.marker * (0.5 - 0.5 / _MARKER_CELLS)), 1.0)
    if not len(white.values):
        raise TooDarkError(
            Sentence("Expected the white paper around the markers, but none of it is visible: uncover it.")
        )
    paper = np.median(white.values, axis=0)
    veil = np.zeros(3)
    if len(black.values):
        veil = np.clip(
            (np.median(black.values, axis=0) - INK_REFLECTANCE * paper) / (1 - INK_REFLECTANCE), 0.0, 0.6 * paper
        )
    if float((paper - veil).max()) < LEAST_WHITE:
        raise TooDarkError(Sentence("It is too dark to tell the colours of the tokens: give the board more light."))
    grounds, kinds = ground_places(layout)
    ground = sampler.bright(grounds, SAMPLE_WIDTH, kinds)
    places = np.concatenate([white.places, ground.places])
    kind = np.concatenate([np.full(len(white.places), PAPER), ground.kinds])
    values = np.concatenate([white.values, ground.values])
    scale = np.array(kit.field)
    surface, albedo = _fit(_basis(places / scale), kind, np.log(np.maximum(values - veil, 1e-4)))
    middle = np.exp(_basis(np.array([[0.5, 0.5]])) @ surface)[0]
    return PrintLight(surface, veil, np.exp(albedo[1]), np.exp(albedo[0]), middle, scale)


@dataclass(frozen=True, eq=False)
class _BoardSamples:
    """Samples of a board: their ``places`` (n, 2) in millimetres, ``values`` (n, 3; linear) and ``kinds``."""

    places: Points
    values: Points
    kinds: npt.NDArray[np.intp]


class _PatchSampler:
    """Samples small patches of a straightened board."""

    def __init__(self, board: StraightBoard) -> None:
        self._flat, self._seen, self._origin, self._pitch = board.image, board.seen, board.origin, board.pitch

    def bright(self, places: Points, across: float, kinds: npt.NDArray[np.intp] | None = None) -> _BoardSamples:
        """Return the ground at places: the brighter part of each patch. Patches with clipped light are left out."""
        return self._sampled(places, across, GROUND_PERCENTILE, kinds)

    def dark(self, places: Points, across: float) -> _BoardSamples:
        """Return the ink at places."""
        return self._sampled(places, across, 50, None)

    def _sampled(
        self, places: Points, across: float, per_cent: float, kinds: npt.NDArray[np.intp] | None
    ) -> _BoardSamples:
        half = max(1, round(across * self._pitch / 2))
        of = np.zeros(len(places), int) if kinds is None else kinds
        height, width = self._seen.shape
        pixels = np.round(places * self._pitch + self._origin).astype(int)
        inside = ((pixels >= half) & (pixels < [width - half, height - half])).all(axis=1)
        pixels, places, of = pixels[inside], places[inside], of[inside]
        reach = np.arange(-half, half + 1)
        rows = pixels[:, 1, None, None] + reach[:, None]
        columns = pixels[:, 0, None, None] + reach
        patches = self._flat[rows, columns].reshape(len(pixels), -1, 3)
        clipped = (patches.max(axis=2) >= _SATURATED_CHANNEL).mean(axis=1) > 0.5  # noqa: PLR2004 (most)
        good = self._seen[rows, columns].all(axis=(1, 2)) & ~clipped
        rank = round(per_cent / 100 * (patches.shape[1] - 1))
        ground = np.partition(patches[good], rank, axis=1)[:, rank]  # bytes and linear light have the same order
        return _BoardSamples(places[good], np.asarray(linear(ground), np.float64), of[good])


def _around_markers(kit: KitBoard, away: float) -> Points:
    """Return places along squares around the markers' middles, ``away`` millimetres from them."""
    along = np.linspace(-0.8, 0.8, 5) * away
    square = [(s, -away) for s in along] + [(s, away) for s in along] + [(-away, s) for s in along]
    ring = np.array(square + [(away, s) for s in along])
    return np.concatenate([ring + centre for centre in np.array(kit.centres)])


@cache
def ground_places(layout: TokenLayout) -> tuple[Points, npt.NDArray[np.intp]]:
    """Return places (n, 2; millimetres) of bare print, and which ground each is of, `PLACES` or `OUTER`."""
    kit = layout.kit
    centres = np.array(kit.centres)
    outer = kit.marker / 2 + _QUIET_ZONE + SAME_GROUND_MM + SAMPLE_WIDTH / 2
    low = np.minimum(centres.min(axis=0) - outer, 0) + SAMPLE_WIDTH
    high = np.maximum(centres.max(axis=0) + outer, kit.field) - SAMPLE_WIDTH
    grid = np.stack(
        np.meshgrid(*(np.arange(a, b, SAMPLE_STEP) for a, b in zip(low, high, strict=True))), axis=-1
    ).reshape(-1, 2)
    off_markers = np.abs(grid[:, None] - centres).max(axis=2).min(axis=1) > outer
    off_tokens = np.linalg.norm(grid[:, None] - layout.places, axis=2).min(axis=1) > SPOT_RADIUS + SAME_GROUND_MM
    kinds = np.array([_kind(layout, x, y) for x, y in grid])
    chosen = off_markers & off_tokens & (kinds != PAPER)
    return grid[chosen], kinds[chosen]


def _kind(layout: TokenLayout, x: float, y: float) -> int:
    """Return which ground is printed at a place, `PLACES` or `OUTER`; `PAPER` where neither is, near a line."""
    width, height = layout.kit.field
    if layout.board == "wheel":
        away = float(np.hypot(x - width / 2, y - height / 2))
        outside, inside = (
            0.45 * width + RING_HALF_WIDTH + SAME_GROUND_MM,
            0.45 * width - RING_HALF_WIDTH - SAME_GROUND_MM,
        )
        return OUTER if away > outside else PLACES if inside - SECTOR_LENGTH < away < inside else PAPER
    inner = min(x, y, width - x, height - y)
    if layout.board == "rim":
        return (
            PLACES
            if SAME_GROUND_MM < inner < 2 * PLACE_REACH_MM - SAME_GROUND_MM
            else OUTER
            if inner > 2 * PLACE_REACH_MM + 1 + SAME_GROUND_MM
            else PAPER
        )
    return PLACES if inner > SAME_GROUND_MM else OUTER if inner < -SAME_GROUND_MM else PAPER


RING_HALF_WIDTH: Final = 8.5
"""Half the width of the ring of the wheel, in millimetres."""

SECTOR_LENGTH: Final = 38.0
"""Millimetres of the wheel's sectors, from the ring inwards, that its pointer does not reach."""


def _fit(basis: Points, kind: npt.NDArray[np.intp], values: Points) -> tuple[Points, Points]:
    """Return the light's surface (6, 3) and the logarithms of the reflectances of ground and frame (2, 3)."""
    nominal = np.log(np.array([coded(GROUND), coded(FRAME)]))
    # start from the white paper and the plan's colours, then leave out what strays from the fit
    shown = np.concatenate([np.zeros((1, 3)), nominal])
    start, *_ = np.linalg.lstsq(basis[kind == PAPER][:, :3], values[kind == PAPER], rcond=None)
    surface = np.concatenate([start, np.zeros((3, 3))])
    albedo = nominal.copy()
    marks = np.stack([kind == PLACES, kind == OUTER], axis=1).astype(float)
    design = np.concatenate([basis, marks], axis=1)
    holds = np.zeros((5, 8))
    holds[:2, 6:] = np.eye(2) * np.sqrt(PLAN_WEIGHT)
    holds[2:, 3:6] = np.eye(3) * np.sqrt(0.3)
    target = np.concatenate([nominal * np.sqrt(PLAN_WEIGHT), np.zeros((3, 3))])
    for step in range(FITTING_ROUNDS):
        shown[1:] = albedo
        missed = np.abs(values - basis @ surface - shown[kind]).max(axis=1)
        wide = _MOST_STRAY * max(1.0, 6.0 - step)
        weights = 1.0 / (1.0 + (missed / wide) ** 4)
        weights[kind == PAPER] = np.maximum(weights[kind == PAPER], 0.02)
        weighed = design * weights[:, None]
        found = np.linalg.solve(weighed.T @ design + holds.T @ holds, weighed.T @ values + holds.T @ target)
        surface, albedo = found[:6], found[6:]
    return surface, albedo


def lab_of(albedo: Floats) -> Floats:
    """Return linear colours relative to white paper (..., 3; red, green, blue) in CIELAB, white being paper."""
    values = np.clip(albedo, 0.0, 1.6).astype(np.float32)
    code = np.where(values <= 0.0031308, values * 12.92, 1.055 * np.power(np.maximum(values, 1e-8), 1 / 2.4) - 0.055)  # noqa: PLR2004 (sRGB)
    flat = np.ascontiguousarray(code.reshape(1, -1, 3), np.float32)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_RGB2LAB).reshape(values.shape), np.float32)
