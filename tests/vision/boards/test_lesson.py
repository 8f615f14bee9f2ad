"""What a position that was agreed on teaches the reader: drawn boards, the same men, moved and lit anew."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.board_readings import EMPTY, Men, SiteReading, Standing
from companion.vision.boards.layout import BAR, layout
from companion.vision.boards.lessons.lesson import Lesson, SideAppearances
from companion.vision.boards.lessons.witness import denied, may_teach, miscounted, with_lesson
from companion.vision.boards.men import FoundMan, canvas_of, straighten
from companion.vision.boards.places import Learns
from companion.vision.boards.reader import BoardReader
from companion.vision.boards.tokens.reader import TokenReader
from companion.vision.dice.geometry import mapped, mapping
from workshop.board_scenes.filming import BoardFilm
from workshop.scenes.fonts import find_fonts
from workshop.scenes.things import random_hand

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
    found = {name: site.standing for name, site in reading.sites.items() if site.standing}
    assert found == men(MOVED)


def test_a_knocked_board_and_one_under_a_hand_are_not_known_by_their_looks(
    film: BoardFilm, reader: BoardReader
) -> None:
    knocked = film.picture(BEGUN, 2, shift=(0.6, 0.4, 3.0))
    under = film.picture(BEGUN, 3, hand=random_hand(np.random.default_rng(5), reach=(0.5, 0.6)))
    for shown in (knocked, under):
        field = reader.find(shown.image)
        assert field is None or not field.as_it_lay


def test_a_place_that_slipped_along_the_board_is_not_taken_for_the_agreed_one(
    film: BoardFilm, reader: BoardReader
) -> None:
    shown = film.picture(BEGUN, 4)
    canvas = canvas_of(TABLES)
    assert reader.known(shown.image, shown.corners).as_it_lay
    for columns in (-2, -1, -0.5, 0.5, 1, 2):
        slipped = canvas.places + np.array([columns * canvas.field_width / 13, 0.0])
        corners = mapped(mapping(canvas.places, shown.corners), slipped)
        assert not reader.known(shown.image, corners).as_it_lay, columns


def test_a_changed_site_on_which_other_men_were_seen_teaches_only_once_it_stays_as_agreed(film: BoardFilm) -> None:
    reader = BoardReader(TABLES)
    reader.learn(men(BEGUN))  # nothing was read yet
    shown = film.picture(BEGUN, 5)
    reader.read(shown.image, reader.known(shown.image, shown.corners))
    stated = {**men(BEGUN), "f": Men("light", 4), "m": Men("dark", 1), "b": Men("dark")}
    reader.learn(stated)
    lesson = reader._lesson
    assert lesson is not None
    assert not {"m", "b"} & set(lesson.men)
    assert lesson.men["f"] == Men("light", 4)
    assert lesson.men["a"] == Men("light", 3)
    assert BAR not in lesson.men
    reader.learn(stated)
    again = reader._lesson
    assert again is not None
    assert (again.men["m"], again.men["b"]) == (Men("dark", 1), Men("dark"))
    assert again.denied["b"] < -3 < 0 == again.denied["a"]


def test_only_readers_of_men_learn() -> None:
    assert isinstance(BoardReader(TABLES), Learns)
    assert not isinstance(TokenReader(), Learns)


def lesson_of(board: str, stood: Mapping[str, Any]) -> Lesson:
    plan = layout(board)
    blank = np.zeros((16, 16, 3), np.uint8)
    every = {site: stood.get(site) for site in plan.sites if site != BAR}
    return Lesson(plan, canvas_of(plan), every, dict.fromkeys(every, 0.0), blank, np.zeros((4, 2)), 0.075, None)


def test_a_site_that_looks_as_it_did_keeps_its_men_though_the_nets_take_them_for_the_other_side() -> None:
    site = SiteReading("f", ((Men("light", 4), 0.9), (Men("dark", 4), 0.1)), "ask")
    weighed = with_lesson({"f": site}, lesson_of("tables", {"f": Men("dark", 4)}), {"f": 1.0}, 0.8)["f"]
    assert weighed.standing == Men("dark", 4)
    assert (weighed.status, weighed.confidence >= 0.8) == ("read", True)


def test_a_site_that_looks_changed_is_not_filled_with_what_the_nets_hardly_see() -> None:
    site = SiteReading("f", ((EMPTY, 0.99), (Men("dark", 1), 0.01)), "read")
    weighed = with_lesson({"f": site}, lesson_of("tables", {}), {"f": 80.0}, 0.99)["f"]
    assert weighed.chance(Men("dark", 1)) < 0.2
    assert weighed.status == "ask"


def test_a_man_who_appears_is_the_one_who_has_left_another_square() -> None:
    left, like = Men("white", 1, "circle", 64), Men("white", 1, "circle", 49)
    gone = SiteReading("a1", ((EMPTY, 0.999),), "read")
    come = SiteReading("c3", ((like, 0.6), (left, 0.39), (EMPTY, 0.01)), "ask")
    stays = SiteReading("h1", ((like, 0.99),), "read")
    sites = {"a1": gone, "c3": come, "h1": stays}
    lesson = lesson_of("rithmomachia", {"a1": left, "h1": like})
    weighed = with_lesson(sites, lesson, {"a1": 60.0, "c3": 60.0, "h1": 1.0}, 0.9)
    assert weighed["c3"].standing == left
    assert weighed["c3"].chance(left) > 0.9
    assert weighed["h1"].standing == like
    assert weighed["a1"].standing is EMPTY


@pytest.mark.parametrize(("elsewhere", "found"), [(1, 7), (7, 1)])
def test_a_man_is_not_exchanged_for_another_of_his_side_unless_that_one_has_left_its_square(
    elsewhere: int, found: int
) -> None:
    """A circle 7 stood on e13 and a circle 1 on c3; ``elsewhere``: which of them is read on c3 now."""
    seven, one = (Men("white", 1, "circle", number) for number in (7, 1))
    sites = {
        "e13": SiteReading("e13", ((one, 0.98), (seven, 0.02)), "read"),
        "c3": SiteReading("c3", ((Men("white", 1, "circle", elsewhere), 0.999),), "read"),
    }
    lesson = lesson_of("rithmomachia", {"e13": seven, "c3": one})
    unusual = {"e13": 9.0, "c3": 1.0 if elsewhere == 1 else 60.0}
    assert with_lesson(sites, lesson, unusual, 0.9)["e13"].standing == Men("white", 1, "circle", found)


def test_a_high_pile_of_which_few_men_are_seen_is_a_pile_still() -> None:
    few = SiteReading("z", ((Men("light", 4), 0.67), (Men("light", 3), 0.3), (EMPTY, 0.03)), "ask")
    weighed = with_lesson({"z": few}, lesson_of("tables", {"z": Men("light", 13)}), {"z": 20.0}, 0.9)["z"]
    assert (weighed.standing, weighed.piled) == (Men("light", 5), True)
    assert weighed.chance(Men("light", 5)) > 0.9
    low = with_lesson({"z": few}, lesson_of("tables", {"z": Men("light", 6)}), {"z": 20.0}, 0.9)["z"]
    assert low.standing == Men("light", 4)


@pytest.mark.parametrize(
    ("chance", "seen", "stood", "teaches"),
    [
        (0.99, Men("dark"), Men("light"), True),
        (0.99, Men("dark"), EMPTY, False),
        (0.99, EMPTY, Men("dark"), False),
        (0.9, Men("dark", 4), Men("dark", 15), True),
        (0.9, Men("dark", 3), Men("dark", 15), False),
        (0.9, Men("dark", 1, also=Men("light")), Men("dark", 1), False),
        (0.99, EMPTY, EMPTY, True),
    ],
)
def test_a_site_teaches_unless_other_men_may_still_lie_there(
    *, chance: float, seen: Standing, stood: Standing, teaches: bool
) -> None:
    assert may_teach(SiteReading("f", ((seen, chance),), "ask"), stood) == teaches


@given(
    chances=st.lists(st.floats(0.001, 1), min_size=1, max_size=5),
    was=st.integers(0, 5),
    unusual=st.floats(0.02, 1e3),
)
def test_what_is_weighed_stays_a_posterior_and_loses_nothing_that_may_stand_there(
    chances: list[float], was: int, unusual: float
) -> None:
    whole = sum(chances)
    ordered = sorted((chance / whole for chance in chances), reverse=True)
    site = SiteReading("f", tuple((Men("dark", count + 1), chance) for count, chance in enumerate(ordered)), "ask")
    stood = Men("dark", was) if was else EMPTY
    weighed = with_lesson({"f": site}, lesson_of("tables", {"f": stood}), {"f": unusual}, 0.9)["f"]
    assert sum(chance for _, chance in weighed.candidates) <= 1 + 1e-9
    rest = {men for men, _ in weighed.candidates if men != stood}
    assert rest == {men for men, _ in site.candidates if men != stood}


def test_many_men_who_seem_to_have_come_at_once_are_believed_less_than_few() -> None:
    site = SiteReading("y", ((Men("dark", 4), 0.7), (Men("dark", 1), 0.29), (EMPTY, 0.01)), "ask")
    weighed = with_lesson({"y": site}, lesson_of("tables", {}), {"y": 20.0}, 0.9)["y"]
    assert weighed.standing == Men("dark", 1)


def test_nets_that_go_on_denying_what_everybody_agreed_on_tell_of_no_change() -> None:
    site = SiteReading("y", ((Men("dark", 2), 0.96), (EMPTY, 0.04)), "ask")
    lesson = lesson_of("tables", {})
    assert with_lesson({"y": site}, lesson, {"y": 6.0}, 0.9)["y"].standing == Men("dark", 2)
    used_to_it = replace(lesson, denied={**lesson.denied, "y": denied(site, EMPTY, tables=True)})
    assert with_lesson({"y": site}, used_to_it, {"y": 6.0}, 0.9)["y"].standing is EMPTY


@pytest.mark.parametrize("off", [6.0, 46.0])
def test_a_shadow_that_was_a_man_too_many_may_be_the_man_who_seems_left(off: float) -> None:
    then = SiteReading("y", ((Men("dark", 2), 0.997), (Men("dark", 1), 0.003)), "read")
    now = SiteReading("y", ((Men("dark", 1), 0.997), (EMPTY, 0.002)), "read")
    lesson = lesson_of("tables", {"y": Men("dark", 1)})
    stood = {"y": Men("dark", 1)}
    used_to_it = replace(
        lesson,
        denied={**lesson.denied, "y": denied(then, stood["y"], tables=True)},
        miscounted=miscounted({"y": then}, stood),
    )
    assert used_to_it.miscounted == {"y": ("dark", 1)}
    weighed = with_lesson({"y": now}, used_to_it, {"y": off}, 0.97)["y"]
    assert weighed.status == "ask"
    assert {men for men, _ in weighed.candidates[:2]} == {EMPTY, Men("dark", 1)}
    assert (weighed.standing is EMPTY) == (off > 10)
    again = with_lesson({"y": then}, used_to_it, {"y": 1.0}, 0.97)["y"]
    assert again.standing == Men("dark", 1)


def test_a_man_beside_a_shadow_that_was_taken_for_one_may_be_alone() -> None:
    then = SiteReading("y", ((Men("dark", 1), 0.997), (EMPTY, 0.003)), "read")
    now = SiteReading("y", ((Men("dark", 2), 0.97), (EMPTY, 0.03)), "read")
    lesson = replace(lesson_of("tables", {}), miscounted=miscounted({"y": then}, {"y": EMPTY}))
    weighed = with_lesson({"y": now}, lesson, {"y": 38.0}, 0.97)["y"]
    assert weighed.standing == Men("dark", 1)
    assert weighed.status == "ask"
    other = with_lesson({"y": replace(now, candidates=((Men("light", 1), 1.0),))}, lesson, {"y": 38.0}, 0.9)["y"]
    assert other.standing == Men("light", 1)


def test_a_square_that_looks_as_before_stays_empty_though_the_nets_see_a_man_who_went_elsewhere() -> None:
    man = Men("black", 1, "triangle", 56)
    sites = {
        "a1": SiteReading("a1", ((EMPTY, 1.0),), "read"),
        "c3": SiteReading("c3", ((man, 0.9999), (EMPTY, 0.0001)), "read"),
        "d4": SiteReading("d4", ((man, 0.999), (EMPTY, 0.001)), "read"),
    }
    lesson = lesson_of("rithmomachia", {"a1": man})
    weighed = with_lesson(sites, lesson, {"a1": 20.0, "c3": 20.0, "d4": 1.3}, 0.97)
    assert [weighed[site].standing for site in sites] == [EMPTY, man, EMPTY]
    # without a third square he is where the nets see him, unless nothing has changed there at all
    del sites["c3"]
    weighed = with_lesson(sites, lesson, {"a1": 20.0, "d4": 20.0}, 0.97)
    assert weighed["d4"].standing == man


def test_a_pile_is_read_however_its_men_are_counted() -> None:
    pile = SiteReading("y", ((Men("dark", 6), 0.7), (Men("dark", 5), 0.3)), "read", piled=True)
    lesson = lesson_of("tables", {"y": Men("dark", 15)})
    assert with_lesson({"y": pile}, lesson, {"y": 1.0}, 0.97)["y"].status == "read"
    assert with_lesson({"y": replace(pile, status="ask")}, lesson, {"y": 1.0}, 0.97)["y"].status == "read"
    few = SiteReading("y", ((Men("dark", 3), 0.6), (Men("dark", 2), 0.4)), "read")
    countable = lesson_of("tables", {})
    assert with_lesson({"y": few}, countable, {"y": 6.0}, 0.97)["y"].status == "ask"


@pytest.mark.parametrize(
    ("places", "x", "least", "most"), [(2, 300.0, 0.9, 0.99), (14, 300.0, 0.99, 1.0), (2, 5.0, 0.99, 1.0)]
)
def test_few_places_with_men_leave_more_doubt_about_the_side_of_a_man_far_from_them(
    places: int, x: float, least: float, most: float
) -> None:
    values = SideAppearances(
        np.array([[80.0, 0, 0, 0, 0], [40.0, 0, 0, 0, 0]]), np.full(5, 3.5), places, np.zeros((1, 2))
    )
    man = FoundMan(x, 0, (x, 0), 1.0, 0.9, ())
    assert least < values.decided([man], np.array([[40.0, 0, 0, 0, 0]])).mixed()[0] < most


def test_a_site_that_looks_as_it_did_is_not_covered_whatever_the_net_says(film: BoardFilm, reader: BoardReader) -> None:
    lesson = reader._lesson
    assert lesson is not None
    shown = film.picture(MOVED, 6)
    compared = lesson.compared(straighten(shown.image, lesson.corners, canvas_of(TABLES)))
    assert lesson.shown(compared, frozenset({"n", "z", "d"})) == {"n", "z"}


def test_light_is_not_measured_where_a_hand_lay_over_the_board_in_the_lesson(
    film: BoardFilm, reader: BoardReader
) -> None:
    whole = reader._lesson
    assert whole is not None
    canvas = canvas_of(TABLES)
    under = frozenset("abcdefghiklm")
    flat = whole.flat.copy()
    flat[canvas.height // 2 :] = (90, 120, 170)  # as if a hand lay over one half of the board
    lesson = replace(whole, flat=flat, men={site: stood for site, stood in whole.men.items() if site not in under})
    shown = film.picture(BEGUN, 7)
    gain = lesson.compared(straighten(shown.image, lesson.corners, canvas)).gain
    assert np.abs(gain - 1).max() < 0.15


def test_men_are_of_the_side_they_look_like_whatever_the_net_says() -> None:
    values = SideAppearances(np.array([[80.0, 0, 0, 0, 0], [70.0, 0, 0, 0, 0]]), np.full(5, 3.5), 12, np.zeros((1, 2)))
    assert values.darker_by(np.array([[80.0, 0, 0, 0, 0]])) < -1
    assert values.darker_by(np.array([[70.0, 0, 0, 0, 0]])) > 1
