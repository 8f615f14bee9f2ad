"""The field's place made exact by its men: hands set them on the middles of points and squares.

The edges of a field are found to one or two parts of a hundred of its width, half a square at worst. Ten men or more
tell together, though each stands a little off, where the columns and rows run. What the edges said stays a prior.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.boards.frame import Field
from companion.vision.boards.layout import BAR, Layout
from companion.vision.boards.men import Canvas, FoundMan
from companion.vision.dice.geometry import Points, is_convex, mapped, mapping

Floats = npt.NDArray[np.float64]

EDGES: Final = 0.012
"""Found corners are off by so much at one standard deviation, in parts of the field's width (of drawn boards)."""

TOLD: Final = 0.005
"""Those that were calibrated or marked by a person are off by so much."""

BAR_OFF: Final = 0.008
"""The bar's width is, in parts of the field's width."""

LOOSEST, TIGHTEST = 0.12, 0.02
"""Men stand off the middles of their sites by a spread between these, in parts of a site."""

SURE: Final = 0.5
"""Men less likely than this tell nothing."""

ROUNDS: Final = 6

FEWEST: Final = 4
"""So many men at least are needed."""

FARTHEST: Final = 4.0
"""Corners that the men would move by more than so many standard deviations are not believed."""

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Aligned:
    """A field that men made exact, and the men with their places on the canvas as it lies now.

    ``trusted``: False where the men contradict the edges. How far the edges may be off stays as it was: men tell where
    columns run, not which column is the first.
    """

    field: Field
    men: tuple[FoundMan, ...]
    trusted: bool


def aligned(field: Field, men: Sequence[FoundMan], layout: Layout, canvas: Canvas) -> Aligned:
    """Return the field moved so that its men stand in the middle of their columns and rows.

    Fields that were told (error 0) are moved less easily than found ones; with fewer than `FEWEST` men all stay.
    """
    sure = [man for man in men if man.chance > SURE and not _beside(man, field, layout, canvas)]
    if len(sure) < FEWEST:
        return Aligned(field, tuple(men), trusted=True)
    feet = np.array([canvas.to_field(man.x, man.y) for man in sure])
    weights = np.array([man.chance for man in sure])
    prior = _prior(layout, EDGES if field.error > 0 else TOLD)
    corners, bar = _fitted(feet, weights, layout, field.bar, prior)
    moved = float(np.abs((corners - _UNIT) / prior).max())
    if not is_convex(corners) or moved > FARTHEST:
        return Aligned(field, tuple(men), trusted=False)
    pixels = mapped(mapping(_UNIT, field.corners), corners)
    warp = mapping(pixels, canvas.places) @ mapping(canvas.places, field.corners)
    places = mapped(warp, np.array([(man.x, man.y) for man in men]))
    tops = mapped(warp, np.array([man.top for man in men]))
    shifted = [
        replace(man, x=float(x), y=float(y), top=(float(a), float(b)))
        for man, (x, y), (a, b) in zip(men, places, tops, strict=True)
    ]
    return Aligned(replace(field, corners=pixels, bar=bar), tuple(shifted), trusted=True)


def _beside(man: FoundMan, field: Field, layout: Layout, canvas: Canvas) -> bool:
    """Return whether a man stands on the bar or beside the field, where columns tell nothing."""
    u, v = canvas.to_field(man.x, man.y)
    return layout.site_at(u, v, field.bar) in (None, BAR)


def _prior(layout: Layout, off: float) -> Floats:
    """Return how far corners may be off, in parts of the field's width and height (2)."""
    return np.array([off, off if layout.is_tables else off * layout.columns / layout.rows])


def _fitted(feet: Floats, weights: Floats, layout: Layout, bar: float, prior: Floats) -> tuple[Points, float]:
    """Return the corners of the true field in parts of the found one, and its bar."""
    corners, spread, wide = _UNIT.copy(), LOOSEST, (1 - bar) / layout.columns
    across, down = prior
    first = bar
    for _ in range(ROUNDS):
        places = mapped(mapping(corners, _UNIT), feet)
        shares = _shares(places)
        middles, leans = _columns(places[:, 0], layout, bar)
        off = places[:, 0] - middles
        knobs = np.hstack([shares, leans[:, None]]) if layout.is_tables else shares
        # a corner that goes right lets men go left; a wider bar lets the middles of columns move
        held = np.append(_UNIT[:, 0] - corners[:, 0], [first - bar] if layout.is_tables else [])
        reach = np.append(np.full(4, across), [BAR_OFF] if layout.is_tables else [])
        step = _step(knobs / (spread * wide), off / (spread * wide), weights, (held, reach))
        corners[:, 0] += step[:4]
        bar = float(np.clip(bar + step[4], 0.0, 0.14)) if layout.is_tables else bar
        offs = [np.abs(off) / wide]
        if not layout.is_tables:  # men on points lie in rows of any length: their columns alone are known
            high = 1 / layout.rows
            off = places[:, 1] - _rows(places[:, 1], layout)
            held, reach = _UNIT[:, 1] - corners[:, 1], np.full(4, down)
            step = _step(shares / (spread * high), off / (spread * high), weights, (held, reach))
            corners[:, 1] += step
            offs.append(np.abs(off) / high)
        spread = float(np.clip(1.4826 * np.median(np.concatenate(offs)), TIGHTEST, LOOSEST))
    return corners, bar


def _step(knobs: Floats, off: Floats, weights: Floats, held: tuple[Floats, Floats]) -> Floats:
    """Return the step of each knob that brings men to the middles.

    ``knobs``: how much each moves each man (n x knobs); ``off``: how far men are off, both in spreads; men far off
    count little. ``held``: what the edges would have each knob do, and how sure they are of it.
    """
    counts = np.sqrt(weights / (1 + (off / 2) ** 2))
    wanted, reach = held
    left = np.vstack([knobs * counts[:, None], np.diag(1 / reach)])
    return np.asarray(np.linalg.lstsq(left, np.append(off * counts, wanted / reach))[0])


def _shares(places: Floats) -> Floats:
    """Return how much each corner moves each place (n x 4)."""
    u, v = np.clip(places, 0.0, 1.0).T
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


def _columns(u: Floats, layout: Layout, bar: float) -> tuple[Floats, Floats]:
    """Return the middle of the nearest column for each place, and how much it goes left for a wider bar."""
    wide = (1 - bar) / layout.columns
    numbers = np.arange(layout.columns)
    right = layout.is_tables * (numbers >= layout.columns // 2)
    middles = (numbers + 0.5) * wide + right * bar
    nearest = np.abs(u[:, None] - middles).argmin(axis=1)
    return middles[nearest], -((nearest + 0.5) / layout.columns) + right[nearest]


def _rows(v: Floats, layout: Layout) -> Floats:
    """Return the middle of the nearest row for each place."""
    return np.asarray((np.clip(np.floor(v * layout.rows), 0, layout.rows - 1) + 0.5) / layout.rows)
