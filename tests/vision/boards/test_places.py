"""A calibrated board is followed through a knock, and nothing is read while its place is not certain."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

import numpy as np
import pytest

from companion.vision.boards.board_profile import BoardProfile
from companion.vision.boards.field.frame import Field
from companion.vision.boards.markers import MarkerFinder
from companion.vision.boards.places import CalibratedPlaces, PlaceUnknownError
from companion.vision.boards.pose import learn_places, pose_from_corners
from workshop.board_scenes.filming import BoardFilm
from workshop.board_scenes.render import RenderedBoard
from workshop.scenes.fonts import find_fonts

MEN = {"a": {"light": 3}, "f": {"dark": 4}, "s": {"dark": 2}, "z": {"light": 5}}


class Knows:
    """Takes corners as they are, as the reader does, and counts how often it looks."""

    def __init__(self, harmony: float = 0.95) -> None:
        self.searches = 0
        self.harmony = harmony

    def known(self, image: Any, corners: Any) -> Field:
        """Return the corners."""
        del image
        self.searches += 1
        return Field(corners, 0.0, 0.0, 1.0, self.harmony)


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.2
        return self.now


@cache
def film() -> BoardFilm:
    for seed in range(40):
        made = BoardFilm("tables", seed, find_fonts(bundled=True), size=(960, 720), markers=True, tilt=5.0)
        if len(MarkerFinder().find(made.picture(MEN, 0).image).markers) == 4:
            return made
    raise AssertionError("Expected a drawn board whose four markers are seen.")


@cache
def picture(number: int, *, knocked: bool = False) -> RenderedBoard:
    """Return one of the film's pictures of the men."""
    return film().picture(MEN, number, shift=(0.4, -0.3, 3.0)) if knocked else film().picture(MEN, number)


def profile_of(shown: RenderedBoard, board: str = "tables") -> BoardProfile:
    size = (shown.image.shape[1], shown.image.shape[0])
    pose = pose_from_corners(shown.corners, size)
    places = learn_places(MarkerFinder().find(shown.image).markers, pose)
    made = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
    return BoardProfile("oak", board, made, shown.image, shown.corners, "hand", places)


def test_a_board_that_lies_still_is_where_it_was_calibrated() -> None:
    shown = picture(1)
    places = CalibratedPlaces(profile_of(shown), "tables", Knows(), Clock())
    for number in range(2, 5):
        found = places.field(film().picture(MEN | {"c": {"light": 1}}, number).image)
        assert np.abs(found.corners - shown.corners).max() < 1.5


def test_after_a_knock_nothing_is_read_before_the_board_is_found_again() -> None:
    places = CalibratedPlaces(profile_of(picture(1)), "tables", Knows(), Clock())
    knocked = picture(2, knocked=True)
    with pytest.raises(PlaceUnknownError, match="knocked"):
        places.field(knocked.image)
    found = None
    for number in range(3, 12):  # within two seconds
        try:
            found = places.field(picture(number, knocked=True).image)
            break
        except PlaceUnknownError:
            continue
    assert found is not None
    assert np.abs(found.corners - knocked.corners).max() < 3


def test_a_profile_of_another_board_is_refused_in_a_sentence() -> None:
    profile = profile_of(picture(1), "8x16")
    with pytest.raises(PlaceUnknownError, match="for the board 8x16, but this game is played on tables"):
        CalibratedPlaces(profile, "tables", Knows(), Clock())


def test_pictures_of_another_size_are_refused_in_a_sentence() -> None:
    places = CalibratedPlaces(profile_of(picture(1)), "tables", Knows(), Clock())
    with pytest.raises(PlaceUnknownError, match="Expected pictures of 960x720"):
        places.field(np.zeros((480, 640, 3), np.uint8))


@pytest.mark.parametrize(("harmony", "values"), [(0.95, 2), (0.3, 12)])
def test_the_columns_of_a_board_that_lies_still_are_looked_at_now_and_then(harmony: float, values: int) -> None:
    knows = Knows(harmony)
    shown = picture(1)
    places = CalibratedPlaces(profile_of(shown), "tables", knows, Clock())
    for _ in range(12):
        places.field(shown.image)
    assert knows.searches == values, "a field out of harmony is looked at each time"


def test_the_columns_of_a_knocked_board_are_looked_at_at_once() -> None:
    knows = Knows()
    places = CalibratedPlaces(profile_of(picture(1)), "tables", knows, Clock())
    places.field(picture(1).image)
    for number in range(2, 12):
        try:
            places.field(picture(number, knocked=True).image)
            break
        except PlaceUnknownError:
            continue
    assert knows.searches == 2
