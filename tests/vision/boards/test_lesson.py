"""What a position that was agreed on teaches the reader: drawn boards, the same men, moved and lit anew."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.workshop.board_scenes.filming import BoardFilm
from calibration.workshop.scenes.fonts import find_fonts
from calibration.workshop.scenes.things import random_hand
from companion.vision.board_readings import EMPTY, Men, SiteReading
from companion.vision.boards.layout import BAR, layout
from companion.vision.boards.lessons.lesson import Lesson, SideLooks
from companion.vision.boards.lessons.witness import with_lesson
from companion.vision.boards.men import canvas_of
from companion.vision.boards.places import Learns
from companion.vision.boards.reader import BoardReader
from companion.vision.boards.tokens.reader import TokenReader
from companion.vision.dice.geometry import mapped, mapping

TABLES = layout("tables")
BEGUN = {"a": {"light": 3}, "f": {"dark": 4}, "m": {"dark": 2}, "s": {"dark": 2}, "x": {"light": 2}, "z": {"light": 5}}
MOVED = {**BEGUN, "a": {"light": 2}, "d": {"light": 1}}


def men(truth: Mapping[str, Mapping[str, int]]) -> dict[str, Men]:
    return {site: Men(colour, count) for site, sides in truth.items() for colour, count in sides.items()}


@pytest.fixture(scope="module")
def film() -> BoardFilm:
    return BoardFilm("tables", 3, find_fonts(bundled=True), size=(960, 720), tilt=15.0)


@pytest.fixture
def reader(film: BoardFilm) -> BoardReader:
    """A reader that has learnt from how the game begins."""
    made = BoardReader(TABLES)
    shown = film.picture(BEGUN, 0)
    made.read(shown.image, made.known(shown.image, shown.corners))
    made.learn(men(BEGUN))
    return made


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_the_board_is_known_by_its_looks_and_a_moved_man_is_seen_in_any_light(
    film: BoardFilm, reader: BoardReader, light: float
) -> None:
    shown = film.picture(MOVED, 1, light=light)
    field = reader.find(shown.image)
    assert field is not None
    assert field.as_it_lay
    reading = reader.read(shown.image, field)
    assert reading.status == "read"
    told = {name: site.standing for name, site in reading.sites.items() if site.standing}
    assert told == men(MOVED)


def test_a_knocked_board_and_one_under_a_hand_are_not_known_by_their_looks(
    film: BoardFilm, reader: BoardReader
) -> None:
    knocked = film.picture(BEGUN, 2, shift=(0.6, 0.4, 3.0))
    under = film.picture(BEGUN, 3, hand=random_hand(np.random.default_rng(5), reach=(0.5, 0.6)))
    for shown in (knocked, under):
        field = reader.find(shown.image)
        assert field is None or not field.as_it_lay


@pytest.mark.parametrize("columns", [-2, -1, -0.5, 0.5, 1, 2])
def test_a_place_that_slipped_along_the_board_is_not_taken_for_the_agreed_one(
    film: BoardFilm, reader: BoardReader, columns: float
) -> None:
    shown = film.picture(BEGUN, 4)
    canvas = canvas_of(TABLES)
    slipped = canvas.places + np.array([columns * canvas.field_width / 13, 0.0])
    corners = mapped(mapping(canvas.places, shown.corners), slipped)
    assert reader.known(shown.image, shown.corners).as_it_lay
    assert not reader.known(shown.image, corners).as_it_lay


def test_a_site_that_was_read_as_something_else_teaches_nothing(film: BoardFilm) -> None:
    reader = BoardReader(TABLES)
    reader.learn(men(BEGUN))  # nothing was read yet
    shown = film.picture(BEGUN, 5)
    reader.read(shown.image, reader.known(shown.image, shown.corners))
    reader.learn({**men(BEGUN), "f": Men("light", 4)})
    lesson = reader._lesson
    assert lesson is not None
    assert "f" not in lesson.men
    assert lesson.men["a"] == Men("light", 3)
    assert BAR not in lesson.men


def test_only_readers_of_men_learn() -> None:
    assert isinstance(BoardReader(TABLES), Learns)
    assert not isinstance(TokenReader(), Learns)


def lesson_of(board: str, stood: Mapping[str, Any]) -> Lesson:
    plan = layout(board)
    blank = np.zeros((8, 8, 3), np.float32)
    every = {site: stood.get(site) for site in plan.sites if site != BAR}
    return Lesson(plan, canvas_of(plan), every, blank, np.zeros((4, 2)), 0.075, None)


def test_a_site_that_looks_as_it_did_keeps_its_men_though_the_nets_take_them_for_the_other_side() -> None:
    site = SiteReading("f", ((Men("light", 4), 0.9), (Men("dark", 4), 0.1)), "ask")
    told = with_lesson({"f": site}, lesson_of("tables", {"f": Men("dark", 4)}), {"f": 1.0}, 0.8)["f"]
    assert told.standing == Men("dark", 4)
    assert (told.status, told.confidence >= 0.8) == ("read", True)


def test_a_site_that_looks_changed_is_not_filled_with_what_the_nets_hardly_see() -> None:
    site = SiteReading("f", ((EMPTY, 0.99), (Men("dark", 1), 0.01)), "read")
    told = with_lesson({"f": site}, lesson_of("tables", {}), {"f": 80.0}, 0.99)["f"]
    assert told.chance(Men("dark", 1)) < 0.2
    assert told.status == "ask"


def test_a_man_who_appears_is_the_one_who_has_left_another_square() -> None:
    left, like = Men("white", 1, "circle", 64), Men("white", 1, "circle", 49)
    gone = SiteReading("a1", ((EMPTY, 0.999),), "read")
    come = SiteReading("c3", ((like, 0.6), (left, 0.39), (EMPTY, 0.01)), "ask")
    stays = SiteReading("h1", ((like, 0.99),), "read")
    sites = {"a1": gone, "c3": come, "h1": stays}
    lesson = lesson_of("rithmomachia", {"a1": left, "h1": like})
    told = with_lesson(sites, lesson, {"a1": 60.0, "c3": 60.0, "h1": 1.0}, 0.9)
    assert told["c3"].standing == left
    assert told["c3"].chance(left) > 0.9
    assert told["h1"].standing == like
    assert told["a1"].standing is EMPTY


@given(
    chances=st.lists(st.floats(0.001, 1), min_size=1, max_size=5),
    was=st.integers(0, 5),
    unusual=st.floats(0.02, 1e3),
)
def test_what_is_weighed_stays_a_posterior_and_keeps_the_order_of_what_else_may_stand_there(
    chances: list[float], was: int, unusual: float
) -> None:
    whole = sum(chances)
    ordered = sorted((chance / whole for chance in chances), reverse=True)
    site = SiteReading("f", tuple((Men("dark", count + 1), chance) for count, chance in enumerate(ordered)), "ask")
    stood = Men("dark", was) if was else EMPTY
    told = with_lesson({"f": site}, lesson_of("tables", {"f": stood}), {"f": unusual}, 0.9)["f"]
    assert sum(chance for _, chance in told.candidates) <= 1 + 1e-9
    rest = [men for men, _ in told.candidates if men != stood]
    assert rest == [men for men, _ in site.candidates if men != stood]


def test_men_are_of_the_side_they_look_like_whatever_the_net_says() -> None:
    looks = SideLooks(np.array([[80.0, 0, 0, 0, 0], [70.0, 0, 0, 0, 0]]), np.full(5, 3.5))
    assert looks.darker_by(np.array([[80.0, 0, 0, 0, 0]])) < -1
    assert looks.darker_by(np.array([[70.0, 0, 0, 0, 0]])) > 1
