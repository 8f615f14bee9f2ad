"""The plane of the upper faces: learnt from many throws, left when the camera moves, and what it is good for."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.corners import Corners
from companion.vision.dice.geometry import Points, edge_length, grow
from companion.vision.dice.locate import Found, UpperFace
from companion.vision.dice.memory.plane import LEAST_FACES, MOST_FACES, Plane, agrees, trusted
from companion.vision.dice.missing import clear_faces, with_missing
from companion.vision.dice.scene import Scene
from companion.vision.images import decode_image
from tests.vision.dice.test_scene import PICTURE, camera, face

SQUARE = 4
SAMPLES = Path(__file__).parents[4] / "sample_images" / "ludus-regularis"
TILT = st.floats(0, np.radians(35))
TURN = st.floats(0, 2 * np.pi)
SEED = st.integers(0, 2**32 - 1)


def faces(true: Scene, seed: int, number: int) -> list[Points]:
    """Return faces anywhere on a plane, as a perfect eye would find them."""
    rng = np.random.default_rng(seed)
    return [
        face(true, (rng.uniform(200, 1080), rng.uniform(200, 760)), rng.uniform(0, 6), large=rng.normal(1, 0.01))
        for _ in range(number)
    ]


def found(true: Scene, seed: int, number: int) -> list[Points]:
    """Return faces as they are found: their corners are a few pixels off."""
    rng = np.random.default_rng(seed)
    return [one + rng.normal(0, 2.5, (4, 2)) for one in faces(true, seed, number)]


def learnt(outlines: list[Points], plane: Plane | None = None) -> Plane:
    table = Plane() if plane is None else plane
    for corners in outlines:
        table.learn(corners, PICTURE)
    return table


@given(TILT, TURN, st.sampled_from([1.0, 1.6, 2.5]), SEED)
@settings(max_examples=15)
def test_what_many_throws_showed_makes_the_corners_of_the_next_more_exact(
    tilt: float, turn: float, focal: float, seed: int
) -> None:
    true = camera(tilt, turn, focal)
    scene = learnt(found(true, seed, MOST_FACES + 4)).scene(PICTURE)
    assert scene is not None
    exact, rough = faces(true, seed + 1, 40), found(true, seed + 1, 40)
    before = np.mean([np.linalg.norm(one - other) for one, other in zip(rough, exact, strict=True)])
    after = np.mean([np.linalg.norm(scene.square(one) - other) for one, other in zip(rough, exact, strict=True)])
    assert after < 0.85 * before


@given(TILT, TURN, SEED)
def test_a_square_of_the_plane_stays_as_it_is(tilt: float, turn: float, seed: int) -> None:
    true = camera(tilt, turn, 1.6)
    (corners,) = faces(true, seed, 1)
    assert np.allclose(true.square(corners), corners, atol=1e-6)
    places = np.random.default_rng(seed).uniform(-0.2, 0.2, (5, 2))
    assert np.allclose(true.on_plane(true.seen(places)), places)
    assert agrees(true, corners)
    assert not agrees(true, grow(corners, 0.6))


def test_a_few_faces_show_no_plane_and_a_picture_of_another_size_forgets_it() -> None:
    true = camera(0.3, 1.0, 1.6)
    table = learnt(found(true, 1, LEAST_FACES - 1))
    assert table.scene(PICTURE) is None
    learnt(found(true, 2, 8), table)
    assert table.scene(PICTURE) is not None
    assert table.scene((480, 640)) is None
    table.learn(found(true, 3, 1)[0], (480, 640))
    assert len(table.faces) == 1
    assert table.scene(PICTURE) is None


def test_a_camera_that_moves_is_noticed_in_its_first_throw_and_followed() -> None:
    before, after = camera(0.1, 1.0, 1.6), camera(0.55, 4.0, 1.6)
    table = learnt(found(before, 1, 40))
    scene = table.scene(PICTURE)
    assert scene is not None
    assert trusted(scene, found(before, 2, 3))
    assert not trusted(scene, found(after, 2, 3))
    assert not trusted(scene, [])
    learnt(found(after, 3, 24), table)
    scene = table.scene(PICTURE)
    assert scene is not None
    assert scene.normal @ after.normal > np.cos(np.radians(5))


def test_a_face_found_wrongly_now_and_then_moves_nothing() -> None:
    true = camera(0.3, 1.0, 1.6)
    table = Plane()
    for number, corners in enumerate(found(true, 1, 40)):
        table.learn(grow(corners, 0.5) * [1.0, 0.8] if number % 5 == 4 else corners, PICTURE)
    scene = table.scene(PICTURE)
    assert scene is not None
    assert scene.normal @ true.normal > np.cos(np.radians(5))
    assert len(table.faces) == 40


@pytest.mark.parametrize(
    ("outlines", "picture"),
    [
        (np.zeros((3, 3, 2)), PICTURE),
        (np.zeros((MOST_FACES + 1, 4, 2)), PICTURE),
        (np.full((2, 4, 2), np.nan), PICTURE),
        (np.ones((2, 4, 2)), (0, 0)),
    ],
)
def test_what_is_no_plane_is_refused(outlines: np.ndarray, picture: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="Expected"):
        Plane(outlines, picture)


@pytest.mark.parametrize("known", [True, False])
def test_a_die_that_is_seen_as_a_part_of_itself_is_found_whole(known: bool) -> None:  # noqa: FBT001
    """In the sample's frames each cube in turn is only found as a letter of its face.

    ``known``: whether it is known how many dice lie there.
    """
    labels = [json.loads(line) for line in (SAMPLES / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    still = [one for one in labels if one["phase"] == "still"]
    cubes = [
        [np.array(die["polygon"]) for die in one["objects"] if die["die"] != "4" and len(die["polygon"]) == SQUARE]
        for one in still
    ]
    table = Plane()
    for outlines in cubes:
        for corners in outlines:
            table.learn(corners, PICTURE)
    scene = table.scene(PICTURE)
    assert scene is not None
    corners_net = Corners()
    image = decode_image((SAMPLES / still[0]["image"]).read_bytes())
    for lost in range(len(cubes[0])):
        seen = [
            UpperFace(grow(corners, 0.35) if number == lost else corners, 1.0)
            for number, corners in enumerate(cubes[0])
        ]
        again = with_missing(image, Found(tuple(seen), ()), scene, len(seen) if known else None, corners_net)
        clear = clear_faces(scene, again.faces)
        assert len(clear) == len(again.faces) == len(seen)
        off = min(_off(one.corners, cubes[0][lost]) for one in clear)
        assert off < 0.1 * edge_length(cubes[0][lost])
    whole = Found(tuple(UpperFace(corners, 1.0) for corners in cubes[0]), ())
    assert with_missing(image, whole, scene, len(cubes[0]) if known else None, corners_net) is whole


def _off(one: Points, other: Points) -> float:
    return float(min(np.linalg.norm(np.roll(one, turn, axis=0) - other, axis=1).max() for turn in range(SQUARE)))
