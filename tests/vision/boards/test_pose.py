"""Where the board lies: from corners, from markers at known or learnt places, through a lens."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.vision.boards.kit import KitBoard, KitBoardError, kit_board, kit_boards
from companion.vision.boards.lens import Lens, LensError
from companion.vision.boards.markers import Marker
from companion.vision.boards.pose import (
    FIELD,
    Points,
    PoseError,
    learn_places,
    pose_from_corners,
    pose_from_markers,
)
from tests.vision.boards.drawn import FIELD as SIZE_MM
from tests.vision.boards.drawn import Camera, draw_table, field_corners, marker_corners, photograph, project

SIZE = (1280, 960)
LENS = Lens(SIZE, (1000.0, 1010.0), (650.0, 470.0), (-0.25, 0.08, 0.001, -0.0005, 0.0))
KIT = KitBoard(
    "tables", "tables", SIZE_MM, 24.0, ((-24.0, -24.0), (384.0, -24.0), (384.0, 324.0), (-24.0, 324.0)), (34.0, 34.0)
)

angles = st.floats(-8, 8)
turns = st.floats(-170, 170)
shifts = st.floats(-40, 40)


def markers_under(
    camera: Camera, edge: float = 24.0, moved: dict[int, tuple[float, float]] | None = None
) -> dict[int, Marker]:
    return {n: Marker(n, project(camera.homography(), c)) for n, c in marker_corners(edge, moved).items()}


def corners_under(camera: Camera) -> Points:
    return project(camera.homography(), field_corners())


@given(angles, angles, turns, shifts, shifts)
def test_there_and_back_again(about_x: float, about_y: float, about_z: float, right: float, down: float) -> None:
    camera = Camera(760, (right, down), (about_x, about_y, about_z))
    for lens in (None, LENS):
        pose = pose_from_corners(corners_under(camera), SIZE, lens=lens)
        places = np.random.default_rng(1).uniform(-0.1, 1.1, (20, 2))
        assert np.allclose(pose.places(pose.pixels(places)), places, atol=2e-4)
        assert np.allclose(pose.corners, corners_under(camera), atol=0.05)


@given(st.floats(-6, 6), st.floats(-6, 6), turns, st.integers(-1, 3))
def test_learnt_places_follow_the_board_wherever_the_camera_goes(
    about_x: float, about_y: float, about_z: float, hidden: int
) -> None:
    before, after = Camera(700), Camera(740, (15.0, -20.0), (about_x, about_y, about_z))
    pose = pose_from_corners(corners_under(before), SIZE)
    places = learn_places(markers_under(before), pose)
    seen = {number: marker for number, marker in markers_under(after).items() if number != hidden}
    found = pose_from_markers(seen, places, SIZE)
    assert np.abs(found.corners - corners_under(after)).max() < 0.01
    assert found.error < 0.01
    assert not found.strays


def test_one_marker_that_was_moved_is_left_out_and_named() -> None:
    camera = Camera(700, turn=(5.0, 3.0, 10.0))
    places = learn_places(markers_under(camera), pose_from_corners(corners_under(camera), SIZE))
    found = pose_from_markers(markers_under(camera, moved={2: (-25.0, 12.0)}), places, SIZE)
    assert found.strays == (2,)
    assert np.abs(found.corners - corners_under(camera)).max() < 0.01


def test_two_moved_markers_are_refused() -> None:
    camera = Camera(700)
    places = learn_places(markers_under(camera), pose_from_corners(corners_under(camera), SIZE))
    with pytest.raises(PoseError, match="are not where they were"):
        pose_from_markers(markers_under(camera, moved={2: (-25.0, 12.0), 1: (10.0, 30.0)}), places, SIZE)


def test_two_markers_are_too_few() -> None:
    camera = Camera(700)
    seen = markers_under(camera)
    places = learn_places(seen, pose_from_corners(corners_under(camera), SIZE))
    with pytest.raises(PoseError, match="needs three"):
        pose_from_markers({0: seen[0], 2: seen[2]}, places, SIZE)


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([[900, 200], [300, 200], [300, 700], [900, 700]], "as in a mirror"),
        ([[300, 200], [900, 700], [900, 200], [300, 700]], "enclose no board"),
        ([[300, 200], [900, 200], [500, 300], [300, 700]], "enclose no board"),
        ([[300, 200], [340, 200], [340, 230], [300, 230]], "fills only"),
        ([[-900, 200], [900, 200], [900, 700], [-900, 700]], "far outside"),
        ([[300, 200], [900, 200], [float("nan"), 700], [300, 700]], "four corners"),
    ],
)
def test_corners_of_no_board_are_refused(corners: list[list[float]], words: str) -> None:
    with pytest.raises(PoseError, match=words):
        pose_from_corners(np.array(corners, float), SIZE)


def test_the_flat_field_shows_each_place_where_it_belongs() -> None:
    camera = Camera(700, turn=(8.0, -5.0, 12.0))
    men = [(60.0, 50.0, "light"), (300.0, 260.0, "dark")]
    picture = photograph(draw_table(men=men), camera, noise=0)
    flat = pose_from_corners(corners_under(camera), SIZE).flat(picture, 360, 300)
    assert flat[50, 60].min() > 150
    assert flat[260, 300].max() < 70


def test_a_kit_board_needs_no_calibration() -> None:
    camera = Camera(720, turn=(6.0, -6.0, -15.0))
    found = pose_from_markers(markers_under(camera), KIT.places(), SIZE)
    assert np.abs(found.corners - corners_under(camera)).max() < 0.01
    with pytest.raises(KitBoardError, match="tables"):
        kit_board("chess")


def test_every_board_of_the_real_kit_is_whole() -> None:
    for board in kit_boards().values():
        assert sorted(board.places()) == [0, 1, 2, 3]


def test_a_lens_bends_what_it_straightens() -> None:
    points = np.random.default_rng(2).uniform([50, 50], [1230, 910], (40, 2))
    assert np.abs(LENS.bend(LENS.straighten(points)) - points).max() < 0.02
    assert np.abs(LENS.straighten(points) - points).max() > 5


def test_a_lens_holds_at_another_size_but_not_at_another_shape() -> None:
    half = LENS.at((640, 480))
    points = np.array([[100.0, 80.0], [1200.0, 900.0]])
    assert np.allclose((half.straighten((points + 0.5) / 2 - 0.5) + 0.5) * 2 - 0.5, LENS.straighten(points), atol=0.01)
    with pytest.raises(LensError, match="shaped like"):
        LENS.at((1280, 720))


@given(
    st.recursive(
        st.none() | st.floats(max_value=100.0) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@example([1.0, 1.0])
@example([1e9, 900.0])
def test_damaged_figures_of_a_lens_are_refused(data: object) -> None:
    with pytest.raises(LensError):
        Lens.from_json(data)
    with pytest.raises(LensError):
        Lens.from_json(LENS.to_json() | {"focal": data})


def test_a_field_is_a_unit_square() -> None:
    pose = pose_from_corners(corners_under(Camera(700)), SIZE)
    assert np.allclose(pose.places(pose.corners), FIELD, atol=1e-6)
