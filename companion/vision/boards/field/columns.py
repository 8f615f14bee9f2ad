"""Place the field by its columns and rows: the net predicts in which part of its column each cell lies.

Points and squares cover a board from end to end. So its columns show where it lies even if a hand covers a corner or a
raised frame hides an edge. Edges that do not agree with the columns were found wrongly.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.field.find import COLUMN, ROW, Maps
from companion.vision.boards.layout import Layout
from companion.vision.dice.geometry import Points, is_convex, mapped, mapping

Floats = npt.NDArray[np.float64]

CELL_STRIDE: Final = 3
"""Every third cell is used, each way."""

INDEPENDENT_CELLS: Final = 60.0
"""All cells together count as this many independent measurements, because neighbours err alike."""

CELL_DEVIATION: Final = 0.1
"""The standard deviation of a cell's place, in columns. Cells much farther off count little."""

EDGE_CORNER_DEVIATION: Final = 0.015
"""The standard deviation of corners that only edges give, as a fraction of the field's width."""

MARKED_CORNER_DEVIATION: Final = 0.005
"""The same for corners that were calibrated or marked by a person."""

BAR_OFF: Final = 0.01
"""The same for the bar's width, as a fraction of the field's width."""

WIDEST_BAR: Final = 0.14

BAR_SEEN: Final = 0.02
"""A narrower bar, as a fraction of the field's width, does not show where the middle is."""

OUTERMOST_SHARE: Final = 0.15
"""The fraction of a tables board's height along an edge that is left out, where that edge alone may be covered."""

PIECES: Final = (4, 3)
"""The number of pieces, across and down, into which a field is cut to check whether any contradicts."""

LEAST_PIECE: Final = 0.5
"""The least agreement of each piece where all but one edge agree."""

SHOWN_SHARE: Final = 0.15
"""A piece that shows less than this, for example under a hand, neither agrees nor contradicts."""

FITTING_ROUNDS: Final = 8

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class InStep:
    """A field in step with its columns: ``corners`` as fractions of the patch (4 x 2), ``bar`` of the field's width.

    ``harmony``: how well columns and rows agree with it, from 0 (not at all) to 1, by all cells that show any.
    ``shown``: how much shows any, from 0 to 1.
    ``inner``: as ``harmony``, without the column or row along the one edge that agrees least; 0 if a piece of the rest
    contradicts.
    ``strain``: the largest move of corners and bar from where they were found, in standard deviations.
    """

    corners: Points
    bar: float
    harmony: float
    shown: float
    inner: float
    strain: float


def in_step(maps: Maps, corners: Points, bar: float, layout: Layout, off: float = EDGE_CORNER_DEVIATION) -> InStep:
    """Return the field brought in step with the columns and rows that a straightened board's maps show.

    ``maps``: chances from `FieldFinder.maps`; ``corners``: as edges or a person give them, as fractions of the patch;
    ``off``: their standard deviation, as a fraction of the field's width.
    """
    cells = _Cells.of(maps, layout)
    fitted, wide = corners.copy(), bar
    for _ in range(FITTING_ROUNDS):
        fitted, wide = cells.step(fitted, wide, (corners, bar, off))
    if not is_convex(fitted) or not np.isfinite(fitted).all():
        return InStep(corners, bar, 0.0, 0.0, 0.0, np.inf)
    aside = np.abs(mapped(mapping(corners, _UNIT), fitted) - _UNIT) / off
    if not layout.is_tables:
        aside[:, 1] *= layout.rows / layout.columns
    strain = max(float(aside.max()), abs(wide - bar) / BAR_OFF)
    return InStep(fitted, wide, *cells.harmony(fitted, wide), cells.inner(fitted, wide), strain)


def bar_width(chances: Maps, corners: Points) -> float:
    """Return the width of the bar on its map (h x w, chances), as a fraction of the field.

    ``corners``: those of the field, as fractions of the patch.
    """
    wide = _flat(chances, corners)[5:-5, 70:130].sum(axis=1) / 200
    return float(np.clip(np.median(wide), 0.0, 0.14))


def bar_middle(chances: Maps, corners: Points) -> tuple[float, float]:
    """Return how far right of the middle of a field its bar lies, and how wide it is, as fractions of the width.

    ``chances``: the bar's map (h x w); ``corners``: those of the field, as fractions of the patch. Without any bar the
    first means nothing.
    """
    flat = _flat(chances, corners)[5:-5, 60:141].mean(axis=0)
    wide = float(flat.sum())
    return float((flat * np.arange(-40, 41)).sum()) / max(wide, 1e-6) / 200, wide / 200


def _flat(chances: Maps, corners: Points) -> Maps:
    """Return a map of a straightened board within the field alone (50 x 200)."""
    height, width = chances.shape
    places = corners * [width, height] - 0.5
    flat = cv2.warpPerspective(chances, mapping(places, _UNIT * [199, 49]), (200, 50), flags=cv2.INTER_LINEAR)
    return np.asarray(flat, np.float32)


def as_it_lies(maps: Maps, corners: Points, bar: float, layout: Layout) -> InStep:
    """Return how well columns and rows agree with a field that stays where it is; otherwise like `in_step`."""
    cells = _Cells.of(maps, layout)
    return InStep(corners, bar, *cells.harmony(corners, bar), cells.inner(corners, bar), 0.0)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Cells of the patch: ``places`` as fractions of it (n x 2), and the net's output for column and row (n each).

    The outputs are complex numbers: the angle is the part of the column, the length how sure the net is.
    """

    places: Points
    across: npt.NDArray[np.complex128]
    down: npt.NDArray[np.complex128]
    layout: Layout

    @classmethod
    def of(cls, maps: Maps, layout: Layout) -> "_Cells":
        height, width = maps.shape[1:]
        ys, xs = np.mgrid[1:height:CELL_STRIDE, 1:width:CELL_STRIDE]
        places = np.stack([(xs.ravel() + 0.5) / width, (ys.ravel() + 0.5) / height], axis=1)
        signed = 2.0 * maps[:, ys.ravel(), xs.ravel()].astype(np.float64) - 1.0
        across, down = (signed[first] + 1j * signed[first + 1] for first in (COLUMN, ROW))
        return cls(places, across, down * (not layout.is_tables), layout)

    def step(self, corners: Points, bar: float, prior: tuple[Points, float, float]) -> tuple[Points, float]:
        """Return corners and bar nearer to where columns and rows put them; ``prior``: as given to `in_step`."""
        edges, edged_bar, off_by = prior
        u, v = mapped(mapping(corners, _UNIT), self.places).T
        shares = _shares(u, v)
        back = mapped(mapping(corners, _UNIT), edges) - _UNIT  # where the edges put the corners, from here
        moved = np.zeros((4, 2))
        column, inside, lean = self._columns(u, v, bar)
        wide = (1 - bar) / self.layout.columns
        off, weight = _off(self.across, column, inside)
        knobs = np.hstack([shares, lean[:, None]]) if self.layout.is_tables else shares
        held = np.append(back[:, 0], [edged_bar - bar] if self.layout.is_tables else [])
        reach = np.append(np.full(4, off_by), [BAR_OFF] if self.layout.is_tables else [])
        found = _solved(knobs / wide, -off, weight, held, reach)
        moved[:, 0] = found[:4]
        if self.layout.is_tables:
            bar = float(np.clip(bar + found[4], 0.0, WIDEST_BAR))
        else:
            off, weight = _off(self.down, v * self.layout.rows, inside)
            reach = np.full(4, off_by * self.layout.columns / self.layout.rows)
            moved[:, 1] = _solved(shares * self.layout.rows, -off, weight, back[:, 1], reach)
        return mapped(mapping(_UNIT, corners), _UNIT + moved), bar

    def harmony(self, corners: Points, bar: float) -> tuple[float, float]:
        """Return how well columns and rows agree with a field, and how much of it shows any."""
        u, v = mapped(mapping(corners, _UNIT), self.places).T
        column, inside, _ = self._columns(u, v, bar)
        if not inside.any():
            return 0.0, 0.0
        pairs = [(self.across, column)] + ([] if self.layout.is_tables else [(self.down, v * self.layout.rows)])
        shown = [float(np.abs(wave)[inside].mean()) for wave, _ in pairs]
        agreed = [float((wave * np.exp(-2j * np.pi * at)).real[inside].mean()) for wave, at in pairs]
        found = min(agree / max(most, 1e-9) for agree, most in zip(agreed, shown, strict=True))
        return float(np.clip(found, 0.0, 1.0)), min(shown)

    def inner(self, corners: Points, bar: float) -> float:
        """Return how well columns and rows agree without those along one edge; 0 where another piece contradicts."""
        u, v = mapped(mapping(corners, _UNIT), self.places).T
        column, inside, _ = self._columns(u, v, bar)
        wide = 1 / (self.layout.columns + self.layout.is_tables)
        high = OUTERMOST_SHARE if self.layout.is_tables else 1 / self.layout.rows
        pairs = [(self.across, column)] + ([] if self.layout.is_tables else [(self.down, v * self.layout.rows)])
        piece = (np.clip(u, 0, 0.999) * PIECES[0]).astype(int) * PIECES[1] + (np.clip(v, 0, 0.999) * PIECES[1]).astype(
            int
        )
        best = 0.0
        for rest in (inside & kept for kept in (u > wide, u < 1 - wide, v > high, v < 1 - high)):
            found = [_agreed(wave[rest], at[rest], piece[rest]) for wave, at in pairs]
            best = max(best, min(found))
        return best

    def _columns(self, u: Floats, v: Floats, bar: float) -> tuple[Floats, npt.NDArray[np.bool_], Floats]:
        """Return each cell's place in columns, whether it is on any, and how far it moves left for a wider bar."""
        inside = (u > 0) & (u < 1) & (v > 0) & (v < 1)
        number = self.layout.columns
        if not self.layout.is_tables:
            return u * number, inside, np.zeros_like(u)
        half, right = (1 - bar) / 2, u > 0.5  # noqa: PLR2004 (the middle)
        within = np.where(right, u - (1 + bar) / 2, u) / half
        # a wider bar narrows each half: what lies in its middle moves towards the outer edge
        lean = np.where(right, (1 - within) / 2, -within / 2)
        return within * number / 2, inside & (within > 0) & (within < 1), lean


def _off(wave: npt.NDArray[np.complex128], at: Floats, inside: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return how far cells lie beyond where the field puts them, in columns, and how much each counts."""
    off = np.angle(wave * np.exp(-2j * np.pi * at)) / (2 * np.pi)
    weight = np.abs(wave) ** 2 * inside / (1 + (off / CELL_DEVIATION) ** 2)
    return off, weight * INDEPENDENT_CELLS / max(float(weight.sum()), INDEPENDENT_CELLS / 10)


def _agreed(wave: npt.NDArray[np.complex128], at: Floats, piece: npt.NDArray[np.intp]) -> float:
    """Return how well cells agree with a field, from 0 to 1; 0 where one of its pieces does not."""
    number = PIECES[0] * PIECES[1]
    cells = np.maximum(np.bincount(piece, minlength=number), 1)
    agreed = np.bincount(piece, (wave * np.exp(-2j * np.pi * at)).real, number)
    shown = np.bincount(piece, np.abs(wave), number)
    speaks = shown / cells > SHOWN_SHARE
    if not speaks.any() or (agreed[speaks] < LEAST_PIECE * shown[speaks]).any():
        return 0.0
    return float(np.clip(agreed.sum() / shown.sum(), 0.0, 1.0))


def _shares(u: Floats, v: Floats) -> Floats:
    """Return how much each corner moves each place (n x 4)."""
    u, v = np.clip(u, 0.0, 1.0), np.clip(v, 0.0, 1.0)
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


def _solved(knobs: Floats, off: Floats, weight: Floats, held: Floats, reach: Floats) -> Floats:
    """Return the step of each parameter; ``knobs``: its effect on each cell, in columns (n x knobs)."""
    counts = np.sqrt(weight) / CELL_DEVIATION
    left = np.vstack([knobs * counts[:, None], np.diag(1 / reach)])
    return np.asarray(np.linalg.lstsq(left, np.append(off * counts, held / reach))[0])
