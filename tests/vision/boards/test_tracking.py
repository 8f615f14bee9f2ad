"""A knocked camera is noticed and mended; hands, men, light and noise are no knock; what is unsure is asked."""

from functools import cache

import cv2
import numpy as np
import pytest

from companion.vision.boards.likeness import BoardPicture
from companion.vision.boards.markers import MarkerFinder
from companion.vision.boards.pose import PoseError, learn_places, pose_from_corners
from companion.vision.boards.tracking import BoardTracker
from companion.vision.readings import Image
from tests.vision.boards.drawn import Camera, draw_table, field_corners, photograph, project

SIZE = (720, 540)
BEFORE = Camera(640, size=SIZE, focal=585, turn=(4.0, -3.0, 5.0))
AFTER = Camera(650, (14.0, -12.0), (-1.0, 1.5, 8.0), SIZE, 585)
MEN = [(14.0 + 55.4 * (n % 3), 20.0 + 27 * n, "light" if n % 2 else "dark") for n in range(6)]
REPORTED = {"knocked", "recovered", "lost"}


@cache
def table(*, markers: bool, moved: bool = False) -> Image:
    men = [*MEN[1:], (300.0, 150.0, "dark")] if moved else MEN
    return draw_table(markers=24.0 if markers else 0.0, men=men)


def seen(camera: Camera, seed: int, *, markers: bool, moved: bool = False, light: float = 1.0) -> Image:
    return photograph(table(markers=markers, moved=moved), camera, seed=seed, light=light)


def with_hand(image: Image, reach: float) -> Image:
    tip = (int(SIZE[0] * (1 - reach)), SIZE[1] // 2)
    cv2.line(image, (SIZE[0] + 40, SIZE[1] // 2 + 45), tip, (80, 70, 120), 68)
    cv2.circle(image, tip, 53, (130, 160, 205), -1)
    return image


def follower(*, markers: bool) -> BoardTracker:
    image = seen(BEFORE, 0, markers=markers)
    pose = pose_from_corners(project(BEFORE.homography(), field_corners()), SIZE)
    return BoardTracker(pose, image, learn_places(MarkerFinder().find(image).markers, pose) if markers else None)


@pytest.mark.parametrize("markers", [True, False], ids=["markers", "picture"])
def test_a_knock_is_told_and_the_board_found_again(*, markers: bool) -> None:
    tracker = follower(markers=markers)
    assert tracker.feed(seen(BEFORE, 1, markers=markers), 0.2).state == "steady"
    first = tracker.feed(seen(AFTER, 2, markers=markers), 0.4)
    assert first.state == "knocked"
    assert first.pose is None
    assert "knocked" in str(first.sentence)
    then = tracker.feed(seen(AFTER, 3, markers=markers), 0.6)
    assert then.state == "recovered"
    assert then.pose is not None
    assert np.linalg.norm(then.pose.corners - project(AFTER.homography(), field_corners()), axis=1).max() < 1.0
    assert tracker.feed(seen(AFTER, 4, markers=markers), 0.8).state == "steady"


@pytest.mark.parametrize("markers", [True, False], ids=["markers", "picture"])
def test_hands_men_light_and_noise_are_no_knock(*, markers: bool) -> None:
    tracker = follower(markers=markers)
    for number, (reach, moved, light) in enumerate(
        [(0, False, 0.9), (0.3, False, 1.0), (0.55, False, 1.1), (0.3, True, 1.1), (0, True, 0.75), (0, True, 1.2)]
    ):
        image = seen(BEFORE, number, markers=markers, moved=moved, light=light)
        state = tracker.feed(with_hand(image, reach) if reach else image, 0.2 * (number + 1))
        assert state.state == "steady", (reach, moved, light)
        assert state.pose is not None
        assert state.pose.shift(pose_from_corners(project(BEFORE.homography(), field_corners()), SIZE)) < 1.0


def test_a_board_that_was_carried_off_is_asked_about_and_never_guessed() -> None:
    tracker = follower(markers=False)
    cloth = photograph(table(markers=False)[:300, :300].repeat(8, 0).repeat(8, 1), BEFORE)
    state = [tracker.feed(cloth, 0.4 * n) for n in (*range(1, 6), 8, 11)]
    assert all(one.pose is None for one in state)
    spoken = next(n for n, one in enumerate(state, 1) if one.sentence is not None)
    assert spoken * 0.4 <= 2.0
    assert state[-1].state == "lost"
    assert tracker.feed(seen(BEFORE, 3, markers=False), 6.0).state == "steady"


def test_a_board_that_slid_along_its_edge_is_not_taken_to_lie_still() -> None:
    tracker = follower(markers=False)
    slid = np.roll(seen(BEFORE, 1, markers=False), 83, axis=1)  # four points of the board and a bit
    state = [tracker.feed(slid, 0.4 * n) for n in range(1, 6)]
    truth = project(BEFORE.homography(), field_corners()) + np.array([83, 0])
    assert any(one.sentence is not None for one in state)
    for one in state:
        assert one.pose is None or np.linalg.norm(one.pose.corners - truth, axis=1).max() < 2.0


def test_a_camera_that_is_put_back_goes_on() -> None:
    tracker = follower(markers=True)
    tracker.feed(seen(AFTER, 1, markers=True), 0.2)
    state = tracker.feed(seen(BEFORE, 2, markers=True), 0.4)
    assert state.state == "recovered"
    assert state.pose is not None


def test_three_markers_are_enough_and_a_moved_one_is_named() -> None:
    tracker = follower(markers=True)
    image = seen(AFTER, 1, markers=True)
    x, y = MarkerFinder().find(image).markers[1].centre.astype(int)
    image[y - 19 : y + 19, x - 19 : x + 19] = 90
    tracker.feed(image, 0.2)
    state = tracker.feed(image, 0.4)
    assert state.state == "recovered"
    assert state.pose is not None
    assert np.linalg.norm(state.pose.corners - project(AFTER.homography(), field_corners()), axis=1).max() < 1.0
    moved = photograph(draw_table(markers=24.0, men=MEN, moved={0: (9.0, 6.0)}), AFTER)
    again = tracker.feed(moved, 0.6)
    assert again.state == "steady"
    assert "Marker 0 was moved" in str(again.sentence)


def test_a_person_may_show_where_the_board_lies() -> None:
    tracker = follower(markers=False)
    image = seen(AFTER, 1, markers=False)
    shown = pose_from_corners(project(AFTER.homography(), field_corners()), SIZE)
    tracker.accept(shown, image)
    state = tracker.feed(seen(AFTER, 2, markers=False), 0.2)
    assert state.state == "steady"
    assert state.pose is not None
    assert state.pose.shift(shown) < 1.0


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(PoseError, match="720x540"):
        follower(markers=False).feed(np.zeros((480, 640, 3), np.uint8), 0.2)


def test_a_bare_picture_can_be_compared_with_nothing() -> None:
    blank = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    pose = pose_from_corners(project(BEFORE.homography(), field_corners()), SIZE)
    picture = BoardPicture(blank, pose)
    later = picture.small(seen(BEFORE, 1, markers=False))
    assert picture.follow(later, np.eye(3)) is None
    assert picture.find(later) is None
    assert picture.as_it_was(later, np.eye(3)) == (0.0, 0)
