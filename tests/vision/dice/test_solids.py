"""Dice with more than six sides: the pose of the whole solid is found, and the face that lies up is named."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.dice import Shape
from companion.vision.dice.answers import NOT_UPPER
from companion.vision.dice.asking.certainty import LEAST_ODDS
from companion.vision.dice.corners import Corners
from companion.vision.dice.geometry import Points, area, edge_length, grow
from companion.vision.dice.locate import Found, UpperFace
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.solids import table as solid_table
from companion.vision.dice.solids.edges import CHANGE_SHARES, CHANGE_STRENGTHS, COARSE, FINE, RINGS, marks_table, tables
from companion.vision.dice.solids.fit import starts
from companion.vision.dice.solids.model import PinholeView, Poses, SeenSolids, facing, rotations, see, solids
from companion.vision.dice.solids.upper import SolidReader
from companion.vision.readings import Image
from workshop.scenes import RANGES, find_fonts, random_scene, render
from workshop.scenes.solids import solid as as_made
from workshop.training.solid_edges import count

SHAPES: tuple[Shape, ...] = ("octahedron", "trapezohedron", "dodecahedron", "icosahedron")
VIEW = PinholeView(960.0, np.array([319.5, 239.5]))
NEARLY = 0.15
"""Corners are right that are off by no more than this, in edges."""


def off(one: Points, other: Points) -> float:
    """Return how far two outlines lie apart, in edges, wherever they begin and whichever way they run."""
    ways = [np.roll(way, k, axis=0) for way in (other, other[::-1]) for k in range(len(other))]
    return float(min(np.linalg.norm(one - way, axis=1).max() for way in ways) / edge_length(other))


def one_pose(shape: Shape, yaw: float, lean: Sequence[float], place: Sequence[float] | Points, size: float) -> Poses:
    turns = facing(solids()[shape], np.array([yaw]), np.array([lean]))
    return Poses(turns, np.array([place]), np.log([size]))


def drawn(shape: Shape, seen: SeenSolids, rng: np.random.Generator) -> Image:
    """Return a plain picture of a solid: every face of one brightness with a spot in its middle, and noise."""
    image = np.full((480, 640), rng.uniform(20, 90), np.float32)
    for face in np.flatnonzero(seen.faces[0]):
        corners = seen.pixels[0][solids()[shape].rings[face]]
        cv2.fillConvexPoly(image, np.round(corners * 16).astype(np.int32), rng.uniform(120, 235), cv2.LINE_AA, 4)
        spot = np.round(grow(corners, 0.25) * 16).astype(np.int32)
        cv2.fillConvexPoly(image, spot, 30.0, cv2.LINE_AA, 4)
    noisy = cv2.GaussianBlur(image, (0, 0), 0.8) + rng.normal(0, 4, image.shape)
    return np.asarray(np.dstack([np.clip(noisy, 0, 255)] * 3), np.uint8)


def settled(image: Image, shape: Shape, *outlines: Points, upright: Points | None = None) -> tuple[UpperFace, ...]:
    found = Found(tuple(UpperFace(corners, 0.9, 0.05) for corners in outlines), ())
    before = None if upright is None else solid_table.expected(upright, 4.0)
    return SolidReader([shape]).settle(image, found, found, before).faces


@pytest.mark.parametrize("shape", SHAPES)
def test_the_solids_are_those_that_are_made(shape: Shape) -> None:
    mine, made = solids()[shape], as_made(shape)
    assert np.allclose(mine.vertices, made.vertices, atol=1e-5)
    assert np.allclose(mine.normals, made.normals, atol=1e-5)
    assert len(mine.vertices) - len(mine.edges) + len(mine.rings) == 2
    assert np.allclose((mine.vertices[mine.rings].mean(axis=1) * mine.normals).sum(axis=1), 0.5, atol=1e-5)


@given(st.sampled_from(SHAPES), st.floats(0, 6.28), st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.floats(30, 200))
def test_faces_that_show_run_clockwise_and_fill_the_outline(
    shape: Shape, yaw: float, across: float, down: float, size: float
) -> None:
    solid = solids()[shape]
    seen = see(solid, one_pose(shape, yaw, (across, down), (200.0, 150.0), size), VIEW)
    areas = np.array([area(seen.pixels[0][ring]) for ring in solid.rings])
    assert (areas[seen.faces[0]] > 0).all()
    assert (areas[~seen.faces[0]] < 1e-6).all()
    hull = cv2.convexHull(seen.pixels[0].astype(np.float32))[:, 0]
    assert areas[seen.faces[0]].sum() == pytest.approx(abs(area(hull.astype(np.float64))), rel=1e-4)


@given(st.sampled_from(SHAPES), st.floats(0, 6.28), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_an_exact_outline_starts_at_its_pose(shape: Shape, yaw: float, across: float, down: float) -> None:
    solid = solids()[shape]
    true = see(solid, one_pose(shape, yaw, (across, down), VIEW.middle, 60.0), VIEW)
    outline = true.pixels[0][solid.rings[0]]
    begun = see(solid, starts(solid, outline, VIEW), VIEW)
    assert min(off(one[solid.rings[0]], outline) for one in begun.pixels) < 0.08


def found_again(shape: Shape, seed: int, start: int) -> tuple[float, float]:
    """Return how far off the upper face is that was found from a wrong outline, in edges, and how sure it is."""
    rng = np.random.default_rng(seed)
    solid = solids()[shape]
    pose = one_pose(
        shape, rng.uniform(0, 6.28), rng.uniform(-0.1, 0.1, 2).tolist(), rng.uniform(200, 280, 2).tolist(), 80.0
    )
    seen = see(solid, pose, VIEW)
    upper = seen.pixels[0][solid.rings[0]]
    middle = upper.mean(axis=0)
    beside = next(pair for pair in solid.beside.tolist() if 0 in pair)
    begun = (
        upper,
        2 * middle - upper,
        middle - 1.618 * (upper - middle),
        seen.pixels[0][solid.rings[max(beside)]],
    )[start]
    (face,) = settled(drawn(shape, seen, rng), shape, begun + rng.normal(0, 2, upper.shape))
    return off(face.corners, upper), face.upper


@settings(max_examples=20)
@given(st.sampled_from(SHAPES), st.integers(0, 10**6), st.integers(0, 3))
def test_no_wrong_face_is_sure_to_be_the_upper_one(shape: Shape, seed: int, start: int) -> None:
    wrong, odds = found_again(shape, seed, start)
    assert wrong < 2 * NEARLY or odds < LEAST_ODDS


@pytest.mark.parametrize("shape", SHAPES)
def test_the_pose_is_found_again_from_a_wrong_outline(shape: Shape) -> None:
    tried = [found_again(shape, seed, seed % 4) for seed in range(8)]
    assert sum(wrong < NEARLY for wrong, _ in tried) >= 7
    assert sum(odds > LEAST_ODDS for _, odds in tried) >= 5


def test_where_nothing_shows_the_faces_it_is_not_sure() -> None:
    blank = np.full((480, 640, 3), 128, np.uint8)
    cv2.circle(blank, (300, 240), 60, (250, 250, 250), -1, cv2.LINE_AA)
    turn = np.arange(3) * 2 * np.pi / 3
    (face,) = settled(blank, "icosahedron", np.column_stack([300 + 35 * np.cos(turn), 240 + 35 * np.sin(turn)]))
    assert face.upper < 2


@pytest.mark.parametrize("seed", range(6))
def test_several_dice_tell_how_an_oblique_camera_looks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    solid = solids()["icosahedron"]
    tilt = rotations(np.array([[np.radians(32.0), 0.0, 0.0]]))[0]
    upright = tilt @ [0.0, 0.0, -1.0]
    found = []
    for _ in range(6):
        turn = tilt @ facing(solid, rng.uniform(0, 6.28, 1), np.zeros((1, 2)))[0]
        normals = solid.normals @ turn.T
        shown = normals[normals[:, 2] < -0.1]
        found.append(solid_table.seen(shown, np.ones(len(shown))))
    alone = solid_table.expected()
    together = solid_table.without(found, -1, alone)

    def angle(logs: Points) -> float:
        return float(np.degrees(np.arccos(solid_table.directions()[int(logs.argmax())] @ upright)))

    assert angle(alone) > 25
    assert angle(together) < 8


def test_a_known_table_names_another_face_than_the_most_frontal() -> None:
    rng = np.random.default_rng(4)
    solid = solids()["icosahedron"]
    tilt = rotations(np.array([[np.radians(36.0), 0.0, 0.0]]))[0]
    turn = tilt @ facing(solid, np.array([0.4]), np.zeros((1, 2)))[0]
    seen = see(solid, Poses(turn[None], np.array([[300.0, 240.0]]), np.log([90.0])), VIEW)
    image = drawn("icosahedron", seen, rng)
    upper = seen.pixels[0][solid.rings[0]]
    upright = tilt @ [0.0, 0.0, -1.0]
    frontal = seen.pixels[0][solid.rings[int((solid.normals @ turn.T)[:, 2].argmin())]]
    (known,) = settled(image, "icosahedron", frontal, upright=upright)
    (guessed,) = settled(image, "icosahedron", frontal)
    assert off(known.corners, upper) < NEARLY
    assert off(guessed.corners, upper) > 0.5


@cache
def pictures() -> tuple[tuple[Image, str, Points], ...]:
    """Return drawn pictures of a d20 that can be read: the picture, what lies up, its corners."""
    fonts, out = find_fonts("train"), []
    for number in range(4):
        scene = random_scene(np.random.default_rng([57, number]), fonts, ranges=RANGES["usual"], set_name="d20")
        shown = render(replace(scene, things=(), hand=None))
        if shown.labels[0].legible:
            out.append((shown.image, shown.labels[0].face, np.array(shown.labels[0].corners)))
    return tuple(out)


def test_drawn_d20s_are_found_and_not_read_wrongly() -> None:
    reader, right = DiceReader("d20"), 0
    for image, face, corners in pictures():
        dice = reader.read(image).dice
        assert all(die.face == face for die in dice if die.status == "read")
        outlines = [np.array(die.polygon) for die in dice if len(die.polygon) == len(corners)]
        right += any(off(outline, corners) < NEARLY for outline in outlines)
    assert right >= len(pictures()) - 1


def test_a_die_whose_upper_face_is_not_sure_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    image, _, _ = pictures()[0]
    reader = DiceReader("d20")
    settle = SolidReader.settle

    def unsure(self: SolidReader, *given: object) -> Found:
        found = settle(self, *given)  # type: ignore[arg-type]
        return Found(tuple(replace(face, upper=0.5) for face in found.faces), found.tetrahedra)

    monkeypatch.setattr(SolidReader, "settle", unsure)
    reading = reader.read(image)
    assert reading.status == "ask"
    assert NOT_UPPER in {die.reason for die in reading.dice}


def test_cubes_and_a_throw_of_cubes_and_kites_are_left_as_they_were_found() -> None:
    image, _, _ = pictures()[0]
    found = Corners().correct(image, Found((UpperFace(np.array([[9.0, 9], [60, 9], [60, 60], [9, 60]]), 0.9),), ()))
    throws: tuple[tuple[Shape, ...], ...] = (("cube",), ("cube", "trapezohedron"), ("tile", "icosahedron"))
    for shapes in throws:
        assert SolidReader(shapes).settle(image, found, found) is found


def test_the_table_of_edges_is_learnt_from_drawings() -> None:
    found = tomllib.loads(count(2).text())
    for level in ("coarse", "fine"):
        assert len(found[level]["outline"]) == len(found[level]["crease"]) == CHANGE_STRENGTHS * CHANGE_SHARES
    assert np.shape(found["marks"]["rings"]) == (len(RINGS) * CHANGE_STRENGTHS,)
    # a strong change across an outline speaks for it, none at all against it
    strong, none = found["fine"]["outline"][-1], found["fine"]["outline"][0]
    assert strong > 0 > none


def test_the_tables_hold_a_number_for_every_cell() -> None:
    for level in (COARSE, FINE):
        assert np.isfinite(tables()[level.name]).all()
    assert np.isfinite(marks_table()).all()
