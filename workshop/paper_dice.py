"""Paper dice: flat panels joined by hinges, the tabs that glue them, and how they fold.

``python -m workshop.paper_dice`` writes the nets of the kit's dice into ``calibration/kit/nets.toml``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations, product
from math import acos, pi, sqrt
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

import calibration.kit
from calibration.kit.nets import FILE, Panel
from calibration.kit.plans import sizes
from companion.rules.dice import dice_set
from companion.rules.die import Die
from companion.vision.dice.solids.model import solids

Points = npt.NDArray[np.float64]
Edge = tuple[int, int]
"""An edge of a net: the panel's number, and which of its edges (from that corner to the next)."""
Rings = Sequence[Sequence[int]]
"""Each face's corners, clockwise as seen from outside."""

_SAME_POINT_SHARE: Final = 1e-3
"""Points nearer to each other than this share of the edge are the same."""

TAB_SLOPE: Final = 0.8
"""A tab is narrower than its edge at both ends by this times its depth, so that it does not catch in the corners."""

TAB_SHARE: Final = 0.24
"""The most depth of a tab on the shortest edge of such a solid, as a share of that edge."""

POINTED_SLOPE: Final = 1.6
"""The same for solids of which neighbours leave little room: between two pentagons at a corner it is 36 degrees."""

MANY_SIDED: Final = frozenset({"octahedron", "trapezohedron", "dodecahedron", "icosahedron"})
"""The shapes that are unfolded from their places in space."""


class NoNetError(ValueError):
    """The kit has no net for this die."""


@dataclass(frozen=True, eq=False)
class HingedPanel(Panel):
    """One face in the net, joined to others.

    ``hinge``: the panel to which it is joined and which of its own edges they share; None for the first panel.
    ``bend``: the angle (radians) of that hinge's fold away from the print.
    """

    hinge: tuple[int, int] | None = None
    bend: float = pi / 2


@dataclass(frozen=True, eq=False)
class PaperNet:
    """A die's net. ``tab``: the tabs' depth in millimetres; ``slope``: how much narrower they become, as its share."""

    die: Die
    panels: tuple[HingedPanel, ...]
    tab: float
    slope: float = TAB_SLOPE

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
            bent = _rotation((end - start) / np.linalg.norm(end - start), panel.bend)
            turn, shift = turns[parent]
            turns.append((turn @ bent, turn @ (start - bent @ start) + shift))
        return tuple(
            _level(panel.corners) @ turn.T + shift for panel, (turn, shift) in zip(self.panels, turns, strict=True)
        )

    @cached_property
    def seams(self) -> tuple[tuple[Edge, Edge], ...]:
        """Pairs of edges that are separate in the net and meet in the folded die."""
        free = [edge for edge in self._edges() if edge not in self._hinged]
        near = _SAME_POINT_SHARE * self._length()
        ends = np.array([self._in_space(edge) for edge in free])
        away = np.linalg.norm(ends[:, None] - ends[None, :, ::-1], axis=3).max(axis=2)
        met = [(free[one], free[other]) for one, other in np.argwhere(np.triu(away < near)).tolist()]
        return tuple(met)

    @cached_property
    def tabs(self) -> tuple[tuple[Edge, Points], ...]:
        """A tab for each seam: its edge, and its corners in the net (4 x 2), which overlap nothing else.

        Raises:
            NoNetError: there is no room for one.
        """
        taken = [panel.corners for panel in self.panels]
        found: list[tuple[Edge, Points]] = []
        for seam in self.seams:
            choices = [(edge, self._tab(edge)) for edge in seam]
            fit = [(edge, tab) for edge, tab in choices if all(_separate(tab, other) for other in taken)]
            if not fit:
                raise NoNetError(f"There is no room for a tab at {seam} in the net of die {self.die.name}.")
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
        return tuple(self._ends(edge) for edge in self._edges() if edge not in tabbed and edge not in self._hinged)

    @cached_property
    def folds(self) -> tuple[tuple[Points, Points], ...]:
        """The edges to fold: hinges, each once, and those with a tab."""
        hinges = [(number, panel.hinge[1]) for number, panel in enumerate(self.panels) if panel.hinge is not None]
        return tuple(self._ends(edge) for edge in [*hinges, *(edge for edge, _ in self.tabs)])

    def _edges(self) -> list[Edge]:
        return [(number, edge) for number, panel in enumerate(self.panels) for edge in range(len(panel.corners))]

    @cached_property
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
        inset = along * self.tab * self.slope
        return np.stack([start, start + out * self.tab + inset, end + out * self.tab - inset, end])


def net_of(die: Die, edge: float, tab: float) -> PaperNet:
    """Return a die's net with this (mean) edge and this depth of tabs, in millimetres.

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
    if die.shape in MANY_SIDED:
        return unfolded(die, edge, tab)
    raise NoNetError(f"Expected a die to fold, but die {die.name} is a {die.shape}.")


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
    panels = tuple(
        HingedPanel(face, (square + np.array([column, row])) * edge, hinge) for face, column, row, hinge in places
    )
    return PaperNet(die, panels, tab)


def _tetrahedron(die: Die, edge: float, tab: float) -> PaperNet:
    """Return a large triangle: the first face in its middle, the others around it, clockwise in print."""
    tall = edge * sqrt(3) / 2
    a, b, c = (np.array(point) for point in ((edge / 2, tall), (3 * edge / 2, tall), (edge, 2 * tall)))
    top, right, left = np.array([edge, 0.0]), np.array([2 * edge, 2 * tall]), np.array([0.0, 2 * tall])
    # the marks' top points to each panel's first corner: outwards, and for the first face down
    bend = pi - acos(1 / 3)
    panels = (
        HingedPanel(0, np.stack([c, a, b])),
        HingedPanel(1, np.stack([top, b, a]), (0, 1), bend),
        HingedPanel(2, np.stack([right, c, b]), (0, 1), bend),
        HingedPanel(3, np.stack([left, a, c]), (0, 1), bend),
    )
    return PaperNet(die, panels, tab)


def unfolded(die: Die, edge: float, tab: float) -> PaperNet:
    """Return the net of a solid with many faces: of some ways to unfold it, the one that lies on the smallest sheet.

    Raises:
        NoNetError: faces or tabs overlap in each of these ways.
    """
    solid = solids()[die.shape]
    vertices, rings = solid.vertices, solid.rings.tolist()
    shared = {  # the corners that two faces share, by the faces
        frozenset((one, other)): [*{*rings[one]} & {*rings[other]}]
        for one, other in combinations(range(len(rings)), 2)
        if len({*rings[one]} & {*rings[other]}) > 1
    }
    middles = np.array([vertices[both].mean(axis=0) for both in shared.values()])
    lengths = [float(np.linalg.norm(np.subtract(*vertices[both]))) for both in shared.values()]
    scale = edge / float(np.mean(lengths))
    tab = min(tab, TAB_SHARE * scale * min(lengths))
    faces, found = _numbered(die, vertices, rings), []
    for axis in (vertices[rings[0]].mean(axis=0), vertices[0], middles[0]):
        for sign in (1, -1):
            weights = dict(zip(shared, (sign * np.abs(middles @ axis)).round(6).tolist(), strict=True))
            net = _turned_to_fit(PaperNet(die, _laid_out(vertices * scale, rings, faces, weights), tab, POINTED_SLOPE))
            found += [] if net is None else [net]
    if not found:
        raise NoNetError(f"Die {die.name} cannot be unfolded without an overlap.")
    return min(found, key=_sheet)


def _laid_out(
    vertices: Points, rings: Rings, faces: Sequence[int], weights: Mapping[frozenset[int], float]
) -> tuple[HingedPanel, ...]:
    """Return the panels of a solid that is cut open at the edges of the greatest weight."""
    sides = len(rings[0])
    panels = [HingedPanel(faces[0], _flat(vertices[rings[0]]))]
    order = [0]
    while len(order) < len(rings):
        _, there, new = min(
            (weight, order.index(one), other)
            for pair, weight in weights.items()
            for one, other in permutations(pair)
            if one in order and other not in order
        )
        parent, child = rings[order[there]], rings[new]
        hinge = next(at for at in range(sides) if {parent[at], parent[(at + 1) % sides]} <= {*child})
        flat = _flat(vertices[child])
        start, end = (panels[there].corners[(hinge + more) % sides] for more in (0, 1))
        near, far = (flat[child.index(parent[(hinge + more) % sides])] for more in (0, 1))
        turn = complex(*(end - start)) / complex(*(far - near))
        rotation = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
        normals = [
            np.cross(vertices[one[2]] - vertices[one[1]], vertices[one[0]] - vertices[one[1]])
            for one in (parent, child)
        ]
        bend = acos(float(np.clip(normals[0] @ normals[1] / np.prod([np.linalg.norm(one) for one in normals]), -1, 1)))
        panels.append(
            HingedPanel(
                faces[new], (flat - near) @ rotation.T + start, (there, child.index(parent[(hinge + 1) % sides])), bend
            )
        )
        order.append(new)
    return tuple(panels)


def _flat(corners: Points) -> Points:
    """Return a face's corners in its plane, seen from outside, y down; in space they run clockwise."""
    along = corners[1] - corners[0]
    inwards = np.cross(along, corners[2] - corners[1])
    down = np.cross(inwards, along)
    axes = np.stack([along / np.linalg.norm(along), down / np.linalg.norm(down)], axis=1)
    return np.asarray((corners - corners[0]) @ axes)


def _numbered(die: Die, vertices: Points, rings: Rings) -> list[int]:
    """Return which of the die's faces each face of the solid is.

    Opposite ones are as its set says. Small and great values lie about each corner as evenly as exchanging two pairs of
    opposite faces makes them.
    """
    middles = np.array([vertices[ring].mean(axis=0) for ring in rings])
    across = [int(np.argmin(middles @ middle)) for middle in middles]
    pairs = [(face, other) for face, other in enumerate(across) if face < other]
    values = np.array([face.value for face in die.faces], np.float64)
    corners = np.array([[corner in ring for ring in rings] for corner in range(len(vertices))], np.float64)

    def faces(of: Sequence[tuple[int, int]]) -> list[int]:
        placed = dict(zip(pairs, of, strict=True))
        return [placed[pair][pair.index(face)] for face in range(len(across)) for pair in pairs if face in pair]

    def uneven(of: Sequence[tuple[int, int]]) -> float:
        return float(((corners / corners.sum(axis=1, keepdims=True)) @ values[faces(of)]).var())

    best = list(die.opposite)
    while True:
        tries = []
        for one, other in combinations_with_replacement(range(len(best)), 2):
            for first, second in product((False, True), repeat=2):
                changed = [*best]
                changed[one], changed[other] = _turned_over(best[other], first), _turned_over(best[one], second)
                tries.append(changed)
        better = min(tries, key=uneven)
        if uneven(better) >= uneven(best) - 1e-9:
            return faces(best)
        best = better


def _turned_over(pair: tuple[int, int], over: bool) -> tuple[int, int]:  # noqa: FBT001 (one of two ways)
    return (pair[1], pair[0]) if over else pair


def _turned_to_fit(net: PaperNet) -> PaperNet | None:
    """Return a net turned for the smallest sheet, lying; None if its faces overlap or a tab finds no room."""
    if not all(_separate(one.corners, other.corners) for one, other in combinations(net.panels, 2)):
        return None
    try:
        points = np.vstack([*(panel.corners for panel in net.panels), *(tab for _, tab in net.tabs)])
    except NoNetError:
        return None
    edges = [(end - start) / np.linalg.norm(end - start) for start, end in net.outline + net.folds]
    turns = [np.array([[x, -y], [y, x]]) for x, y in edges]
    best = min(turns, key=lambda turn: np.prod(np.ptp(points @ turn, axis=0)))
    wide, tall = np.ptp(points @ best, axis=0)
    if tall > wide:
        best = best @ np.array([[0, 1], [-1, 0]])
    return replace(net, panels=tuple(replace(panel, corners=panel.corners @ best) for panel in net.panels))


def _sheet(net: PaperNet) -> float:
    left, top, right, bottom = net.bounds
    return (right - left) * (bottom - top)


def _level(corners: Points) -> Points:
    """Return points of the net in space: x right, y up, the printed side towards positive z."""
    return np.column_stack([corners[:, 0], -corners[:, 1], np.zeros(len(corners))])


def _rotation(axis: Points, angle: float) -> Points:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _separate(one: Points, other: Points) -> bool:
    """Tell whether two convex polygons share no area (they may touch)."""
    for shape in (one, other):
        edges = np.roll(shape, -1, axis=0) - shape
        for across in np.column_stack([edges[:, 1], -edges[:, 0]]) / np.linalg.norm(edges, axis=1)[:, None]:
            a, b = one @ across, other @ across
            if min(a.max() - b.min(), b.max() - a.min()) < _SAME_POINT_SHARE:
                return True
    return False


def net_in_kit(die: Die) -> PaperNet:
    """Return a die's net in the kit's size."""
    measures = sizes()["dice"]
    return net_of(die, float(measures[die.shape]), float(measures["tab"]))


SETS: Final = ("wibold", "ludix", "d8", "d10", "d12", "d20")
"""The dice sets of the kit."""

DECIMALS: Final = 4
"""Decimals of the millimetres in the file."""


def written() -> str:
    """Return the nets of the kit's dice as the text of ``nets.toml``: each shape once, and the faces of each die."""
    nets = {(name, die.name): net_in_kit(die) for name in SETS for die in dice_set(name).dice}
    shapes = {one.die.shape: one for one in reversed(nets.values())}
    lines = ["# Written by python -m workshop.paper_dice. Millimetres, y down; of each die the face of each panel."]
    for shape in sorted(shapes):
        one = shapes[shape]
        parts: dict[str, Sequence[Points | tuple[Points, Points]]] = {
            "panels": [panel.corners for panel in one.panels],
            "tabs": [tab for _, tab in one.tabs],
            "cuts": one.outline,
            "folds": one.folds,
        }
        lines += ["", f"[{shape}]"]
        for part, rows in parts.items():
            lines += [
                f"{part} = [",
                *(f"    {(np.round(np.asarray(row), DECIMALS) + 0.0).tolist()}," for row in rows),
                "]",
            ]
    for name in SETS:
        lines += ["", f"[faces.{name}]"]
        for die in dice_set(name).dice:
            lines.append(f'"{die.name}" = {[panel.face for panel in nets[name, die.name].panels]}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (Path(str(calibration.kit.__file__)).parent / FILE).write_text(written(), encoding="utf-8")
