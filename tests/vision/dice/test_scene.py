"""The plane of the upper faces: found from the faces alone, and what does not lie in it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.geometry import Points
from companion.vision.dice.scene import Scene, find_scene

PICTURE = (960, 1280)
CENTRE = np.array([640.0, 480.0])


def camera(tilt: float, turn: float, focal: float) -> Scene:
    """Return the plane as it is: a face with an edge of 90 pixels in the middle of the picture."""
    normal = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    return Scene(normal, focal * 1280, CENTRE, 90 / (focal * 1280), 0)


def face(scene: Scene, place: tuple[float, float], turn: float, *, sides: int = 4, large: float = 1.0) -> Points:
    """Return a regular face on the plane, as the camera sees it."""
    one = np.cross(scene.normal, [0.3, 1.0, 0.2])
    one /= np.linalg.norm(one)
    other = np.cross(scene.normal, one)
    ray = np.append((np.array(place) - CENTRE) / scene.focal, 1.0)
    angles = turn + np.arange(sides) * 2 * np.pi / sides
    radius = large * scene.size / (2 * np.sin(np.pi / sides))
    corners = ray / (scene.normal @ ray) + radius * (np.cos(angles)[:, None] * one + np.sin(angles)[:, None] * other)
    seen: Points = corners[:, :2] / corners[:, 2:] * scene.focal + CENTRE
    return seen


PLACES = ((400.0, 300.0), (900.0, 380.0), (620.0, 700.0), (820.0, 620.0))
TILT = st.floats(0, np.radians(45))
TURN = st.floats(0, 2 * np.pi)
FOCAL = st.sampled_from([0.8, 1.2, 3.0])


@settings(max_examples=40)
@given(TILT, TURN, FOCAL, st.sampled_from([3, 4, 5]), st.integers(0, 99))
def test_faces_of_one_plane_agree_and_tell_the_tilt(
    tilt: float, turn: float, focal: float, sides: int, seed: int
) -> None:
    true = camera(tilt, turn, focal)
    turns = np.random.default_rng(seed).uniform(0, 6, 4)
    faces = [face(true, place, one, sides=sides) for place, one in zip(PLACES, turns, strict=True)]
    found = find_scene(faces, [1.0] * 4, PICTURE)
    assert found is not None
    assert found.faces == 4
    for corners, place in zip(faces, PLACES, strict=True):
        shape, size = found.off(corners)
        assert shape < 0.1
        assert abs(size) < 0.12
        # nearly straight from above, a few degrees change hardly anything in the picture
        assert abs(np.cos(np.radians(found.tilt(place))) - np.cos(np.radians(true.tilt(place)))) < 0.07


@settings(max_examples=40)
@given(st.floats(np.radians(15), np.radians(30)), TURN, TURN, st.sampled_from([1.2, 3.0]))
def test_a_side_does_not_lie_in_the_plane_of_the_upper_faces(
    tilt: float, turn: float, way: float, focal: float
) -> None:
    # at 45 degrees, and under a wide lens before, a side may look exactly like an upper face
    true = camera(tilt, turn, focal)
    faces = [face(true, place, one) for place, one in zip(PLACES[:3], (0.3, 1.0, 2.2), strict=True)]
    # a side stands upright on the plane, and is turned towards the camera
    across = np.cross(true.normal, [0.0, 0.0, 1.0])
    level = np.cross(across / np.linalg.norm(across), true.normal)
    spin = 0.6 * np.cos(way)
    upright = np.cos(spin) * level + np.sin(spin) * np.cross(true.normal, level)
    side = face(Scene(upright * np.sign(upright[2]), true.focal, CENTRE, true.size * upright[2], 0), PLACES[3], 0.0)
    found = find_scene([*faces, side], [1.0] * 4, PICTURE)
    assert found is not None
    assert max(found.off(corners)[0] for corners in faces) < 0.1
    assert found.off(side)[0] > 0.22


@settings(max_examples=40)
@given(TILT, TURN, st.floats(0.3, 0.6))
def test_a_part_of_a_face_is_too_small_for_its_place(tilt: float, turn: float, large: float) -> None:
    true = camera(tilt, turn, 1.2)
    faces = [face(true, place, 0.5) for place in PLACES[:3]]
    part = face(true, PLACES[3], 1.0, large=large)
    found = find_scene([*faces, part], [1.0] * 4, PICTURE)
    assert found is not None
    assert found.faces == 3
    assert found.off(part)[1] == pytest.approx(np.log(large), abs=0.1)


def test_what_is_hardly_a_die_does_not_tell_the_plane() -> None:
    true = camera(0.1, 0.0, 1.2)
    faces = [face(true, place, 0.5) for place in PLACES[:2]]
    stretched = [face(true, place, 0.0) * [1.0, 0.5] for place in PLACES[2:]]
    found = find_scene([*faces, *stretched], [1.0, 1.0, 0.02, 0.02], PICTURE)
    assert found is not None
    assert max(found.off(corners)[0] for corners in faces) < 0.1


def test_where_nothing_is_seen_there_is_no_plane() -> None:
    assert find_scene([], [], PICTURE) is None
    assert find_scene([face(camera(0, 0, 1), PLACES[0], 0)], [0.0], PICTURE) is None
