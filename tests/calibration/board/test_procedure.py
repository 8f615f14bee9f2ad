"""The steps lead from a picture to a profile; what is wrong on the way is said and nothing goes on."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

import numpy as np
import pytest

from calibration.board.colours import ColoursError
from calibration.board.procedure import STEPS, BoardCalibration
from companion.vision.boards.board_profile import BoardProfileError
from companion.vision.boards.kit import KitBoard
from companion.vision.boards.pose import Points
from companion.vision.readings import Image
from tests.vision.boards.drawn import FIELD, RIM, Camera, draw_table, field_corners, photograph, project

CAMERA = Camera(640, size=(960, 720), focal=780, turn=(3.0, -2.0, 4.0))
KIT = KitBoard(
    "tables",
    "tables",
    FIELD,
    24.0,
    ((-RIM, -RIM), (FIELD[0] + RIM, -RIM), (FIELD[0] + RIM, FIELD[1] + RIM), (-RIM, FIELD[1] + RIM)),
)
LIGHT = [(14.0 + 27.7 * n, 20.0) for n in range(3)]
DARK = [(14.0 + 27.7 * n, 280.0) for n in range(3)]
NOW = datetime(2026, 11, 22, tzinfo=UTC)


@cache
def picture(*, markers: bool = True) -> Image:
    men = [(*place, "light") for place in LIGHT] + [(*place, "dark") for place in DARK]
    return photograph(draw_table(markers=24.0 if markers else 0.0, men=men), CAMERA)


def truth() -> Points:
    return project(CAMERA.homography(), field_corners())


def parts(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x / FIELD[0], y / FIELD[1]) for x, y in places]


def test_a_kit_board_is_calibrated_in_two_taps() -> None:
    run = BoardCalibration("tables", (13, 2), kit=KIT)
    assert run.progress.step == "picture"
    assert run.see(picture()).step == "confirm"
    run.confirm()
    run.skip_colours()
    assert run.call("kit board").done
    assert run.taps == 2
    made = run.profile(NOW)
    assert np.abs(made.corners - truth()).max() < 1.0
    assert made.how == "markers"
    assert made.field_mm == FIELD


def test_any_board_is_calibrated_by_its_corners_and_its_markers_are_learnt() -> None:
    run = BoardCalibration("tables", (13, 2))
    assert run.see(picture()).step == "corners"
    run.corners(truth())
    assert run.progress.step == "confirm"
    assert "4 markers" in str(run.progress.sentence)
    run.confirm()
    progress = run.start_position(picture(), {"light": parts(LIGHT), "dark": parts(DARK), "empty": [(0.5, 0.1)]})
    assert progress.step == "name"
    made = run.call("mine").done and run.profile(NOW)
    assert made
    assert sorted(made.places) == [0, 1, 2, 3]
    assert made.colours["light"]["lab"][0] > made.colours["dark"]["lab"][0] + 30
    assert any(one["name"] == "contrast" for one in made.quality["figures"])


def test_a_finder_proposes_and_a_person_may_correct_it() -> None:
    run = BoardCalibration("tables", (13, 2), finder=lambda _image: truth() + 20)
    assert run.see(picture(markers=False)).step == "confirm"
    assert "follows the board by its pattern" in str(run.progress.sentence)
    run.corners(truth())
    assert run.pose is not None
    assert np.abs(run.pose.corners - truth()).max() < 0.1


def test_a_board_whose_edges_show_nothing_is_not_agreed_to_without_markers() -> None:
    plain = np.full((720, 960, 3), 150, np.uint8)
    plain[300:400, 400:500] = np.random.default_rng(1).integers(0, 255, (100, 100, 3), np.uint8)
    corners = np.array([[200.0, 150.0], [760.0, 150.0], [760.0, 560.0], [200.0, 560.0]])
    run = BoardCalibration("tables", (13, 2))
    run.see(plain)
    progress = run.corners(corners)
    assert "too little to see along this outline" in str(progress.missing[0])
    assert run.confirm().step == "corners"


def test_wrong_corners_do_not_go_on() -> None:
    run = BoardCalibration("tables", (13, 2))
    run.see(picture(markers=False))
    progress = run.corners(truth()[::-1])
    assert progress.step == "corners"
    assert "as in a mirror" in str(progress.missing[0])


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (np.zeros_like, ""),
        (lambda image: np.broadcast_to(image[:, :1], image.shape), "The camera sees no marker"),
        (lambda image: image[:, ::-1], "mirrors its pictures"),
        (lambda image: np.concatenate([image, image], axis=1), "only one board"),
    ],
    ids=["black", "something else", "mirrored", "two boards"],
)
def test_a_picture_that_will_not_do_is_named(spoilt: Callable[[Image], Image], words: str) -> None:
    run = BoardCalibration("tables", (13, 2), kit=KIT)
    progress = run.see(np.ascontiguousarray(spoilt(picture())))
    assert progress.step in ("picture", "corners")
    assert run.pose is None
    assert progress.missing
    assert words in str(progress.missing[0])


def test_a_picture_of_forty_megapixels_is_refused() -> None:
    run = BoardCalibration("tables", (13, 2))
    huge = np.tile(picture(), (8, 8, 1))
    progress = run.see(huge)
    assert progress.step == "picture"
    assert "at most 10 megapixels" in str(progress.missing[0])


def test_men_that_are_not_set_up_teach_no_colours() -> None:
    run = BoardCalibration("tables", (13, 2), kit=KIT)
    run.see(picture())
    run.confirm()
    with pytest.raises(ColoursError, match="two sides"):
        run.start_position(picture(), {"light": parts(LIGHT)})
    with pytest.raises(ColoursError, match="look alike"):
        run.start_position(picture(), {"light": parts(LIGHT[:1]), "dark": parts(LIGHT[1:])})
    assert run.progress.step == "colours"


def test_nothing_can_be_skipped_over() -> None:
    run = BoardCalibration("tables", (13, 2))
    for act in (run.confirm, run.skip_colours, lambda: run.call("x"), lambda: run.corners(truth())):
        assert act().step == "picture"
    with pytest.raises(ValueError, match="done"):
        run.profile(NOW)
    run.see(picture())
    run.corners(truth())
    run.confirm()
    run.skip_colours()
    with pytest.raises(BoardProfileError):
        run.call("../x")
    assert run.progress.to_json()["of"] == len(STEPS) - 1
