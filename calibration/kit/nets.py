"""Nets of dice: flat panels joined by hinges, the tabs that glue them, and how they fold. This module draws nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import acos, pi, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.rules.die import Die

Points = npt.NDArray[np.float64]
Edge = tuple[int, int]
"""An edge of a net: the panel's number, and which of its edges (from that corner to the next)."""

_SAME_POINT_SHARE: Final = 1e-6
"""Points nearer to each other than this share of the edge are the same."""

TAB_SLOPE: Final = 0.8
"""A tab is narrower than its edge at both ends by this times its depth, so that it does not catch in the corners."""


class NoNetError(ValueError):
    """The kit has no net for this die."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One face in the net. ``corners``: n x 2 millimetres, y down, clockwise as printed, seen from the printed side.

    ``face`` is its place in the die's faces. The marks' top points to the first corner of a triangle, and to the first
    edge of a square. ``hinge``: the panel to which it is joined and which of that panel's edges they share; None for
    the first panel.
    """

    face: int
    corners: Points
    hinge: tuple[int, int] | None = None

    @property
    def middle(self) -> Points:
        """The middle of the face in the net."""
        return np.asarray(self.corners.mean(axis=0))


@dataclass(frozen=True, eq=False)
class PaperNet:
    """A die's net. ``bend``: the angle (radians) of each hinge's fold away from the print; ``tab``: the tabs' depth."""

    die: Die
    panels: tuple[Panel, ...]
    bend: float
    tab: float

    @cached_property
    def folded(self) -> tuple[Points, ...]:
        """Each panel's corners in space (n x 3 millimetres, right-handed), the printed side outside."""
        turns: list[tuple[Points, Points]] = []
        for panel in self.panels:
            if panel.hinge is None:
                turns.append((np.eye(3), np.zeros(3)))
                continue
            parent, edge = panel.hinge
            corners = _level(panel.corners)
            start, end = corners[edge], corners[(edge + 1) % len(corners)]
            bent = _rotation((end - start) / np.linalg.norm(end - start), self.bend)
            turn, shift = turns[parent]
            turns.append((turn @ bent, turn @ (start - bent @ start) + shift))
        return tuple(
            _level(panel.corners) @ turn.T + shift for panel, (turn, shift) in zip(self.panels, turns, strict=True)
        )

    @cached_property
    def seams(self) -> tuple[tuple[Edge, Edge], ...]:
        """Pairs of edges that are apart in the net and meet in the folded die."""
        free = [edge for edge in self._edges() if edge not in self._hinged()]
        near = _SAME_POINT_SHARE * self._length()
        met = []
        for one, other in combinations(free, 2):
            (a, b), (c, d) = self._in_space(one), self._in_space(other)
            if np.linalg.norm(a - d) < near and np.linalg.norm(b - c) < near:
                met.append((one, other))
        return tuple(met)

    @cached_property
    def tabs(self) -> tuple[tuple[Edge, Points], ...]:
        """A tab for each seam: its edge, and its corners in the net (4 x 2), which overlap nothing else."""
        taken = [panel.corners for panel in self.panels]
        found: list[tuple[Edge, Points]] = []
        for seam in self.seams:
            choices = [(edge, self._tab(edge)) for edge in seam]
            fit = [(edge, tab) for edge, tab in choices if all(_apart(tab, other) for other in taken)]
            assert fit, f"no room for a tab at {seam} in the net of die {self.die.name}"
            taken.append(fit[0][1])
            found.append(fit[0])
        return tuple(found)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of panels and tabs, in millimetres."""
        points = np.vstack([*(panel.corners for panel in self.panels), *(tab for _, tab in self.tabs)])
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    @cached_property
    def outline(self) -> tuple[tuple[Points, Points], ...]:
        """The free edges without a tab, which are the lines to cut: pairs of points."""
        tabbed = {edge for edge, _ in self.tabs}
        return tuple(self._ends(edge) for edge in self._edges() if edge not in tabbed and edge not in self._hinged())

    @cached_property
    def folds(self) -> tuple[tuple[Points, Points], ...]:
        """The edges to fold: hinges, each once, and those with a tab."""
        hinges = [(number, panel.hinge[1]) for number, panel in enumerate(self.panels) if panel.hinge is not None]
        return tuple(self._ends(edge) for edge in [*hinges, *(edge for edge, _ in self.tabs)])

    def _edges(self) -> list[Edge]:
        return [(number, edge) for number, panel in enumerate(self.panels) for edge in range(len(panel.corners))]

    def _hinged(self) -> set[Edge]:
        """Return both sides of every hinge."""
        near = _SAME_POINT_SHARE * self._length()
        found: set[Edge] = set()
        for number, panel in enumerate(self.panels):
            if panel.hinge is None:
                continue
            parent, edge = panel.hinge
            start, end = self._ends((number, edge))
            for theirs in range(len(self.panels[parent].corners)):
                first, second = self._ends((parent, theirs))
                if np.linalg.norm(start - second) < near and np.linalg.norm(end - first) < near:
                    found |= {(number, edge), (parent, theirs)}
        return found

    def _length(self) -> float:
        start, end = self._ends((0, 0))
        return float(np.linalg.norm(end - start))

    def _ends(self, edge: Edge) -> tuple[Points, Points]:
        corners = self.panels[edge[0]].corners
        return corners[edge[1]], corners[(edge[1] + 1) % len(corners)]

    def _in_space(self, edge: Edge) -> tuple[Points, Points]:
        corners = self.folded[edge[0]]
        return corners[edge[1]], corners[(edge[1] + 1) % len(corners)]

    def _tab(self, edge: Edge) -> Points:
        start, end = self._ends(edge)
        along = (end - start) / np.linalg.norm(end - start)
        out = np.array([along[1], -along[0]])  # corners run clockwise with y down, so this points outwards
        inset = along * self.tab * TAB_SLOPE
        return np.stack([start, start + out * self.tab + inset, end + out * self.tab - inset, end])


def net_of(die: Die, edge: float, tab: float) -> PaperNet:
    """Return the net of a cube or tetrahedron with this edge and depth of tabs, in millimetres.

    The dice are right-handed: the first faces of a cube's three pairs lie anticlockwise around their corner, seen from
    outside. When a tetrahedron lies on its first face, its second, third and fourth face lie anticlockwise around the
    apex, seen from above.

    Raises:
        NoNetError: the die has another shape.
    """
    if die.shape == "cube":
        return _cube(die, edge, tab)
    if die.shape == "tetrahedron":
        return _tetrahedron(die, edge, tab)
    raise NoNetError(f"Expected a cube or a tetrahedron to fold, but die {die.name} is a {die.shape}.")


def opposite_pairs(die: Die) -> tuple[tuple[int, int], ...]:
    """Return a cube's opposite faces as places in its faces: as the set says, otherwise values that add up to seven.

    On Wibold's cubes the numbers of letters on opposite faces add up to seven, as the pips of ordinary dice do
    (Pulskamp & Otero, on the dice).
    """
    if die.opposite:
        return die.opposite
    place = {face.value: number for number, face in enumerate(die.faces)}
    if sorted(place) != [1, 2, 3, 4, 5, 6]:
        raise NoNetError(f"Expected to know which faces of die {die.name} lie opposite, but its set does not say.")
    return tuple((place[value], place[7 - value]) for value in (1, 2, 3))


def _cube(die: Die, edge: float, tab: float) -> PaperNet:
    """Return a cross: a column of four with one panel on either side of the second."""
    (front, back), (right, left), (top, bottom) = opposite_pairs(die)
    places = [(front, 1, 1, None), (top, 1, 0, (0, 2)), (right, 2, 1, (0, 3)), (left, 0, 1, (0, 1))]
    places += [(bottom, 1, 2, (0, 0)), (back, 1, 3, (4, 0))]
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    panels = tuple(Panel(face, (square + np.array([column, row])) * edge, hinge) for face, column, row, hinge in places)
    return PaperNet(die, panels, pi / 2, tab)


def _tetrahedron(die: Die, edge: float, tab: float) -> PaperNet:
    """Return a large triangle: the first face in its middle, the others around it, clockwise in print."""
    tall = edge * sqrt(3) / 2
    a, b, c = (np.array(point) for point in ((edge / 2, tall), (3 * edge / 2, tall), (edge, 2 * tall)))
    top, right, left = np.array([edge, 0.0]), np.array([2 * edge, 2 * tall]), np.array([0.0, 2 * tall])
    # the marks' top points to each panel's first corner: outwards, and for the first face down
    panels = (
        Panel(0, np.stack([c, a, b])),
        Panel(1, np.stack([top, b, a]), (0, 1)),
        Panel(2, np.stack([right, c, b]), (0, 1)),
        Panel(3, np.stack([left, a, c]), (0, 1)),
    )
    return PaperNet(die, panels, pi - acos(1 / 3), tab)


def _level(corners: Points) -> Points:
    """Return points of the net in space: x right, y up, the printed side towards positive z."""
    return np.column_stack([corners[:, 0], -corners[:, 1], np.zeros(len(corners))])


def _rotation(axis: Points, angle: float) -> Points:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _apart(one: Points, other: Points) -> bool:
    """Tell whether two convex polygons share no area (they may touch)."""
    for shape in (one, other):
        edges = np.roll(shape, -1, axis=0) - shape
        for across in np.column_stack([edges[:, 1], -edges[:, 0]]) / np.linalg.norm(edges, axis=1)[:, None]:
            a, b = one @ across, other @ across
            if min(a.max() - b.min(), b.max() - a.min()) < _SAME_POINT_SHARE:
                return True
    return False


def bounds_of(nets: Sequence[PaperNet]) -> tuple[float, float]:
    """Return the width and height of the largest of these nets."""
    sizes = [(right - left, bottom - top) for left, top, right, bottom in (net.bounds for net in nets)]
    return max(width for width, _ in sizes), max(height for _, height in sizes)
