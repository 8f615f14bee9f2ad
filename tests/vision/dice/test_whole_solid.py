"""The whole of a die: numbers that lie to each other in a known way, poses centred on marks, things in plain sight."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.dice import dice_set
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.solids.ink import centred
from companion.vision.dice.solids.model import PinholeView, Poses, facing, see, solids
from companion.vision.dice.solids.numbering import lyings
from companion.vision.dice.solids.things import die_like
from companion.vision.images import load_image
from companion.vision.readings import DiceReading, Image

PHOTOS = Path(__file__).resolve().parents[4] / "shared" / "photos"
photographed = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographs do not lie beside the project")
VIEW = PinholeView(960.0, np.array([319.5, 239.5]))


@cache
def read(name: str, image: str) -> DiceReading:
    return DiceReader(name).read(load_image(PHOTOS / image))


def faces(reading: DiceReading) -> list[tuple[str | None, str]]:
    return [(die.face, die.status) for die in reading.dice if die.status != "ignored"]


def test_a_known_numbering_is_one_die_in_all_its_rotations() -> None:
    die = dice_set("d20").die("d20")
    ways = lyings(die)
    assert ways is not None
    solid = solids()["icosahedron"]
    assert len({tuple(way) for way in ways.tolist()}) == len(ways) == 60
    opposite = np.array([int((solid.normals @ -normal).argmax()) for normal in solid.normals])
    pairs = {frozenset(pair) for pair in die.opposite}
    beside = {frozenset((int(ways[0][one]), int(ways[0][other]))) for one, other in solid.beside}
    for way in ways:
        assert sorted(way) == list(range(20))
        assert {frozenset((int(one), int(way[opposite[face]]))) for face, one in enumerate(way)} == pairs
        assert {frozenset((int(way[one]), int(way[other]))) for one, other in solid.beside} == beside


def test_nothing_is_said_of_a_die_whose_numbering_is_unknown() -> None:
    assert lyings(dice_set("d12").die("d12")) is None


def spotted(poses: Poses) -> Image:
    """Return a picture of an icosahedron with a spot in the middle of each visible face, and no edges at all."""
    solid = solids()["icosahedron"]
    image = np.full((480, 640, 3), 60, np.uint8)
    seen = see(solid, poses, VIEW)
    cv2.fillConvexPoly(image, cv2.convexHull(np.round(seen.pixels[0]).astype(np.int32)), (150, 90, 60))
    for face in np.flatnonzero(seen.faces[0]):
        corners = seen.pixels[0][solid.rings[face]]
        small = corners.mean(axis=0) + 0.25 * (corners - corners.mean(axis=0))
        cv2.fillConvexPoly(image, np.round(small).astype(np.int32), (240, 240, 240))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


@settings(max_examples=20)
@given(
    yaw=st.floats(0, 2),
    lean=st.tuples(st.floats(-0.25, 0.25), st.floats(-0.25, 0.25)),
    off=st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1)),
)
def test_marks_alone_tell_how_a_tumbled_die_leans(
    yaw: float, lean: tuple[float, float], off: tuple[float, float]
) -> None:
    solid = solids()["icosahedron"]
    place, size = np.array([[330.0, 250.0]]), np.log([95.0])
    true = Poses(facing(solid, np.array([yaw]), np.array([lean])), place, size)
    begun = Poses(facing(solid, np.array([yaw]), np.array([lean]) + np.array([off])), place + 4, size + 0.04)
    found = centred(spotted(true), solid, begun, VIEW)
    turn = found.turns[0] @ true.turns[0].T
    assert np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))) < 5


@photographed
def test_a_neighbour_that_looks_at_the_camera_is_not_read_for_the_upper_face() -> None:
    # the camera stands aslant: 10 is seen best, 17 lies up
    reading = read("d20", "d20-tables/17_d20_off-angle_0857.jpg")
    (die,) = [one for one in reading.dice if one.status != "ignored"]
    assert die.status == "ask"
    assert {text for text, _ in die.candidates[:2]} == {"10", "17"}


@photographed
@pytest.mark.parametrize("image", ["01_d20_color297", "03_d20_wood0614", "12_d20_wood0353"])
def test_a_die_is_found_by_its_outline_where_no_facet_is(image: str) -> None:
    truth = {
        label["image"]: label["objects"][0]["face"]
        for label in map(json.loads, (PHOTOS / "d20-tables" / "labels.jsonl").read_text("utf-8").splitlines())
    }
    assert faces(read("d20", f"d20-tables/{image}.jpg")) == [(truth[f"{image}.jpg"], "read")]


@photographed
def test_numbers_of_an_unknown_numbering_leave_the_reading_as_it_was() -> None:
    assert faces(read("d20", "d20-tables/09_d20_top_000.jpg")) == [("9", "ask")]


@photographed
@pytest.mark.parametrize(("name", "image"), [("d20", "forest_wandbck__d20__12"), ("d6", "forest_wandbck__d6__4")])
def test_a_die_in_plain_sight_is_asked_about_though_no_net_knows_it(name: str, image: str) -> None:
    (stated,) = faces(read(name, f"solids-white/{image}.jpg"))
    assert stated[1] == "ask"


def on_a_mat(outline: list[tuple[int, int]], *, radius: int = 0) -> Image:
    rng = np.random.default_rng(5)
    image = np.clip(rng.normal(120, 4, (480, 640, 3)) + np.linspace(0, 40, 640)[None, :, None], 0, 255)
    if radius:
        cv2.circle(image, outline[0], radius, (40, 60, 200), -1)
    else:
        cv2.fillConvexPoly(image, np.array(outline, np.int32), (40, 60, 200))
    return np.asarray(image, np.uint8)


SQUARE = [(300, 200), (380, 210), (370, 290), (290, 280)]


def test_a_thing_has_its_outline_on_an_evenly_shaded_ground() -> None:
    (thing,) = die_like(on_a_mat(SQUARE))
    square = cv2.contourArea(np.array(SQUARE, np.float32))
    assert abs(cv2.contourArea(thing.outline.astype(np.float32)) / square - 1) < 0.35
    assert np.linalg.norm(thing.outline.mean(axis=0) - np.mean(SQUARE, axis=0)) < 10


@pytest.mark.parametrize(
    ("outline", "radius"),
    [
        ([(320, 240)], 50),  # a coin
        ([(100, 230), (500, 230), (500, 250), (100, 250)], 0),  # a pencil
        ([(0, 200), (80, 200), (80, 300), (0, 300)], 0),  # cut off by the picture
        ([(320, 240), (326, 240), (326, 246), (320, 246)], 0),  # a crumb
    ],
)
def test_what_has_no_outline_of_a_die_is_none(outline: list[tuple[int, int]], radius: int) -> None:
    assert die_like(on_a_mat(outline, radius=radius)) == []
