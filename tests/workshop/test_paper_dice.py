"""The kit's nets fold to the dice that the dice sets describe, and can be cut and glued."""

import tomllib
from importlib.resources import files
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

import calibration.kit
from calibration.kit.nets import FILE
from companion.rules.dice import dice_set
from companion.rules.die import Die
from workshop.paper_dice import SETS, NoNetError, PaperNet, net_of, written
from workshop.paper_dice import net_in_kit as net

Points = npt.NDArray[np.float64]

DICE = [die for name in SETS for die in dice_set(name).dice]
CORNERS = {"cube": 8, "tetrahedron": 4, "octahedron": 6, "trapezohedron": 12, "dodecahedron": 20, "icosahedron": 12}
CUBES = [die for die in DICE if die.shape == "cube"]
(TETRAHEDRON,) = (die for die in DICE if die.shape == "tetrahedron")


def looks(folded: PaperNet) -> dict[int, Points]:
    """Return for each face of the die the unit vector that its printed side looks along."""
    found = {}
    for panel, corners in zip(folded.panels, folded.folded, strict=True):
        across = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        found[panel.face] = -across / np.linalg.norm(across)  # clockwise as seen from the printed side
    return found


@pytest.mark.parametrize("die", DICE, ids=lambda die: f"{die.shape}-{die.name}")
def test_a_net_closes_to_a_solid_with_the_print_outside(die: Die) -> None:
    folded = net(die)
    assert sorted(panel.face for panel in folded.panels) == list(range(len(die.faces)))
    middle = np.vstack(folded.folded).mean(axis=0)
    distances = []
    for panel, corners in zip(folded.panels, folded.folded, strict=True):
        out = looks(folded)[panel.face]
        distances.append(float(out @ (corners.mean(axis=0) - middle)))
    assert min(distances) > 0
    assert np.allclose(distances, distances[0], rtol=1e-3)
    corners = np.vstack(folded.folded)
    near = np.linalg.norm(corners[:, None] - corners, axis=2) < 0.01
    assert len({tuple(row) for row in near.tolist()}) == CORNERS[die.shape]


@pytest.mark.parametrize("die", CUBES, ids=lambda die: die.name)
def test_opposite_faces_of_a_folded_cube_are_as_the_set_says(die: Die) -> None:
    out = looks(net(die))
    opposite = {frozenset((a, b)) for a, b in combinations(out, 2) if out[a] @ out[b] < -0.999}
    assert len(opposite) == 3
    if die.opposite:
        assert opposite == {frozenset(pair) for pair in die.opposite}
    else:
        assert all(sum(die.faces[place].value for place in pair) == 7 for pair in opposite)


@pytest.mark.parametrize("die", [die for die in CUBES if not die.opposite], ids=lambda die: die.name)
def test_letter_cubes_are_right_handed(die: Die) -> None:
    out = looks(net(die))
    one, two, three = (next(v for k, v in out.items() if die.faces[k].value == value) for value in (1, 2, 3))
    assert float(np.cross(one, two) @ three) > 0.99  # anticlockwise around their corner, seen from outside


def test_the_tetrahedron_is_right_handed() -> None:
    out = looks(net(TETRAHEDRON))
    apex = -out[0]
    around = [out[face] - (out[face] @ apex) * apex for face in (1, 2, 3)]
    for here, after in zip(around, around[1:] + around[:1], strict=True):
        assert float(np.cross(here, after) @ apex) > 0  # anticlockwise, seen from above the apex


@pytest.mark.parametrize("die", DICE, ids=lambda die: f"{die.shape}-{die.name}")
def test_every_seam_has_one_tab_that_lies_free_and_fits_inside(die: Die) -> None:
    folded = net(die)
    edges = sum(len(panel.corners) for panel in folded.panels)
    assert len(folded.tabs) == edges // 2 - (len(folded.panels) - 1)  # edges of the solid that are no hinge
    tabbed = {edge for edge, _ in folded.tabs}
    assert all(len(tabbed & set(seam)) == 1 for seam in folded.seams)
    shapes = [panel.corners for panel in folded.panels] + [tab for _, tab in folded.tabs]
    canvas = np.sum([_filled(shape, folded.bounds) for shape in shapes], axis=0)
    assert canvas.max() == 1  # nothing lies on anything else
    for seam in folded.seams:
        ((edge, tab),) = ((edge, tab) for edge, tab in folded.tabs if edge in seam)
        other = seam[0] if edge == seam[1] else seam[1]
        assert _inside(tab, folded.panels[edge[0]].corners, edge[1], folded.panels[other[0]].corners, other[1])


def test_the_kit_prints_the_nets_that_are_unfolded_here() -> None:
    kept = tomllib.loads((files(calibration.kit) / FILE).read_text(encoding="utf-8"))
    made = tomllib.loads(written())
    assert kept["faces"] == made["faces"]
    assert kept.keys() == made.keys()
    for shape in kept.keys() - {"faces"}:
        assert kept[shape].keys() == made[shape].keys()
        for part in kept[shape]:
            assert np.array(kept[shape][part]) == pytest.approx(np.array(made[shape][part]), abs=1e-3)


def test_a_die_of_another_shape_has_no_net() -> None:
    with pytest.raises(NoNetError, match="but die d24 is a solid"):
        net_of(dice_set("d24").dice[0], 20.0, 5.0)


@pytest.mark.parametrize("name", ["d8", "d10", "d12", "d20"])
def test_numbers_lie_as_evenly_about_the_corners_as_on_dice_that_are_sold(name: str) -> None:
    """On the usual d20 the mean of the five faces about a corner is 9.4 to 11.6 (fairness/icosahedron.toml)."""
    folded = net(dice_set(name).dice[0])
    out = looks(folded)
    opposite = {frozenset((a, b)) for a, b in combinations(out, 2) if out[a] @ out[b] < -0.999}
    assert opposite == {frozenset(pair) for pair in folded.die.opposite}
    corners = np.vstack(folded.folded)
    values = np.repeat([folded.die.faces[panel.face].value for panel in folded.panels], len(folded.panels[0].corners))
    means = np.array([values[np.linalg.norm(corners - corner, axis=1) < 0.01].mean() for corner in corners])
    middle = float(np.mean([face.value for face in folded.die.faces]))
    assert np.abs(means - middle).max() < 0.2 * len(folded.die.faces)


def _filled(shape: Points, bounds: tuple[float, float, float, float]) -> npt.NDArray[np.int64]:
    """Return a grid of 0.5 mm whose points well inside a convex polygon (clockwise, y down) are 1."""
    xs, ys = np.meshgrid(np.arange(bounds[0] + 0.21, bounds[2], 0.5), np.arange(bounds[1] + 0.23, bounds[3], 0.5))
    inside = np.ones(xs.shape, bool)
    for (ax, ay), (bx, by) in zip(shape, np.roll(shape, -1, axis=0), strict=True):
        long = np.hypot(bx - ax, by - ay)
        side = ((bx - ax) * (ys - ay) - (by - ay) * (xs - ax)) / long
        inside &= side > 0.05 if _clockwise(shape) else side < -0.05
    return inside.astype(np.int64)


def _clockwise(shape: Points) -> bool:
    x, y = shape.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0


def _inside(tab: Points, panel: Points, edge: int, other: Points, theirs: int) -> bool:
    """Tell whether a tab folded over lies inside the face that it is glued to, from the edge that both share."""
    start, end = panel[edge], panel[(edge + 1) % len(panel)]
    first, second = other[theirs], other[(theirs + 1) % len(other)]
    along, out = _frame(start, end)
    their_along, their_out = _frame(second, first)
    for point in tab:
        x, y = float((point - start) @ along), float((point - start) @ out)
        place = second + x * their_along + y * their_out  # their start is our end
        ring = other if _clockwise(other) else other[::-1]
        for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            if float(np.cross(np.append(b - a, 0), np.append(place - a, 0))[2]) < -1e-6:
                return False
    return True


def _frame(start: Points, end: Points) -> tuple[Points, Points]:
    along = (end - start) / np.linalg.norm(end - start)
    return along, np.array([along[1], -along[0]])
