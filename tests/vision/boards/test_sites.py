"""From men to sites: doubts about men, sides and places become doubts about sites, and nothing else does."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.board_readings import EMPTY, Men, SiteReading, Standing
from companion.vision.boards.layout import BAR, layout
from companion.vision.boards.men import (
    CELL_PIXELS,
    DARKER,
    HIDDEN,
    LIGHTER,
    SHAPE_NAMES,
    TABLES_CANVAS,
    TABLES_MAPS,
    FoundMan,
    canvas_of,
    peaks,
)
from companion.vision.boards.numbers import kinds
from companion.vision.boards.sides import Sides
from companion.vision.boards.sites import (
    MIXED_FACTOR,
    ask_about_excess,
    counted,
    extent,
    hidden_sites,
    numbered,
    placed,
)

COLOURS = ("light", "dark")


def man(chance: float, darker: float, x: float = 0.0, y: float = 0.0, shape: str = "") -> FoundMan:
    shapes = tuple(float(name == shape) for name in SHAPE_NAMES) if shape else ()
    return FoundMan(x, y, (x, y), chance, darker, shapes)


chances = st.floats(0.01, 0.999)


@given(st.lists(st.tuples(chances, chances), max_size=8))
def test_chances_of_what_stands_on_a_point_are_chances(men: list[tuple[float, float]]) -> None:
    found = counted([man(*one) for one in men], COLOURS)
    total = sum(chance for _, chance in found)
    assert 0 <= total <= 1 + 1e-9
    assert [chance for _, chance in found] == sorted((chance for _, chance in found), reverse=True)
    assert len({what for what, _ in found}) == len(found)


@given(st.integers(1, 6), st.booleans())
def test_sure_men_are_counted(number: int, dark: bool) -> None:  # noqa: FBT001 (Hypothesis gives by position)
    found = counted([man(0.9999, 0.9999 if dark else 0.0001)] * number, COLOURS)
    assert found[0][0] == Men(COLOURS[dark], number)
    assert found[0][1] > 0.99


def test_a_man_who_may_be_there_or_not_leaves_both() -> None:
    (first, one), (second, other) = counted([man(0.999, 0.001), man(0.6, 0.001)], COLOURS)[:2]
    assert (first, second) == (Men("light", 2), Men("light", 1))
    assert one == pytest.approx(0.6, abs=0.01)
    assert other == pytest.approx(0.4, abs=0.01)


def test_men_of_both_sides_on_the_bar_are_both_named() -> None:
    found = counted([man(0.9999, 0.0001), man(0.9999, 0.9999), man(0.9999, 0.9999)], COLOURS)
    assert found[0][0] == Men("light", 1, also=Men("dark", 2))
    assert found[0][1] > 0.99


@given(u=st.floats(0.001, 0.999), v=st.floats(0.001, 0.999), bar=st.floats(0.03, 0.1))
def test_a_man_stands_on_the_site_of_his_foot(u: float, v: float, bar: float) -> None:
    board, canvas = layout("tables"), TABLES_CANVAS
    x, y = canvas.left - 0.5 + u * canvas.field_width, canvas.top - 0.5 + v * canvas.field_height
    found, between, _ = placed([man(1.0, 0.0, x, y)], board, canvas, bar)
    assert list(found) == [board.site_at(*canvas.to_field(x, y), bar)]
    assert not between or len(between) > 1


def test_a_man_on_the_line_between_two_points_is_a_doubt_about_both() -> None:
    board, canvas, bar = layout("tables"), TABLES_CANVAS, 0.08
    u = (1 - bar) / 12 * 2
    x, y = canvas.left - 0.5 + u * canvas.field_width, canvas.top + 10.0
    _, between, across = placed([man(1.0, 0.0, x, y)], board, canvas, bar)
    assert between == {"o", "p"}
    assert across == {"o": "p", "p": "o"}


@pytest.mark.parametrize("name", ["tables", "rithmomachia"])
def test_a_hand_hides_the_sites_below_it_and_no_others(name: str) -> None:
    board = layout(name)
    canvas = canvas_of(board)
    maps = np.full((TABLES_MAPS, canvas.height // CELL_PIXELS, canvas.width // CELL_PIXELS), -8.0, np.float32)
    seen = np.ones((canvas.height, canvas.width), bool)
    assert not hidden_sites(maps, board, canvas, 0.08, seen)
    maps[HIDDEN, :, : (canvas.left + canvas.field_width // 4) // CELL_PIXELS] = 8.0
    hidden = hidden_sites(maps, board, canvas, 0.08, seen)
    assert hidden
    assert all(board.place(site, 0.08)[0] < 0.3 for site in hidden)
    assert BAR not in hidden
    maps[HIDDEN] = -8.0
    seen[:, canvas.left + canvas.field_width // 2 :] = False
    beyond = hidden_sites(maps, board, canvas, 0.08, seen)
    assert beyond
    assert all(board.place(site, 0.08)[0] >= 0.45 for site in beyond)


def test_a_fingertip_over_the_outer_end_of_a_point_hides_its_lone_man() -> None:
    board = layout("tables")
    canvas = canvas_of(board)
    maps = np.full((TABLES_MAPS, canvas.height // CELL_PIXELS, canvas.width // CELL_PIXELS), -8.0, np.float32)
    seen = np.ones((canvas.height, canvas.width), bool)
    near = round((canvas.top + 0.07 * canvas.field_height) / CELL_PIXELS)
    maps[HIDDEN, :near] = 8.0
    assert hidden_sites(maps, board, canvas, 0.08, seen) == {site for site in board.sites if site in "nopqrstuvwxyz"}
    maps[HIDDEN] = -8.0
    left, _, right, _ = extent(board, "o", 0.08)
    first, last = (round((canvas.left + u * canvas.field_width) / CELL_PIXELS) for u in (left, right))
    maps[HIDDEN, :near, (first + last) // 2 : last] = 8.0  # half of a point's end, and of the man on it
    assert hidden_sites(maps, board, canvas, 0.08, seen) == {"o"}
    maps[HIDDEN] = -8.0
    middle = round((canvas.top + 0.3 * canvas.field_height) / CELL_PIXELS)
    maps[HIDDEN, middle : middle + 2] = 8.0
    assert not hidden_sites(maps, board, canvas, 0.08, seen)  # only the tips of the points


def test_the_net_of_a_sure_man_and_a_shadow_gives_one_man() -> None:
    maps = np.full((TABLES_MAPS, 104, 112), -8.0, np.float32)
    maps[[LIGHTER, DARKER]] = -8.0
    maps[LIGHTER, 20, 30] = 6.0
    maps[LIGHTER, 20, 31] = 4.0
    maps[DARKER, 21, 31] = 1.0
    found = peaks(maps, 1.0, least=0.01, distance=3.0)
    assert len(found) == 1
    assert found[0].chance > 0.99
    assert found[0].darker < 0.01
    assert 30 < (found[0].x + 0.5) / CELL_PIXELS < 31.5


def read(men: list[FoundMan], chances: Any) -> list[tuple[tuple[Standing, float], ...]]:
    """Return what men are whose sides are told by the net's word for each alone."""
    sides = Sides(np.array([1.0]), np.array([[one.darker for one in men]]))
    return numbered(men, chances, sides, ("white", "black"))


def test_a_number_and_a_shape_speak_together() -> None:
    every = np.full(len(kinds()), 1e-6)
    every[kinds().index(("circle", 49))] = 0.6
    every[kinds().index(("square", 49))] = 0.4
    (found,) = read([man(0.999, 0.001, shape="square")], every[None])
    assert found[0][0] == Men("white", 1, "square", 49)
    assert found[0][1] > 0.95


def test_a_doubtful_man_leaves_the_square_perhaps_empty() -> None:
    every = np.full(len(kinds()), 1e-9)
    every[0] = 1.0
    (found,) = read([man(0.7, 0.001, shape="circle")], every[None])
    assert dict(found)[EMPTY] == pytest.approx(0.3)


def test_a_man_who_looks_like_one_that_stands_elsewhere_is_the_other() -> None:
    every = np.full((2, len(kinds())), 1e-6)
    both = [kinds().index(("square", number)) for number in (225, 361)]
    every[0, both] = 0.9999, 0.0001
    every[1, both] = 0.6, 0.4
    found = read([man(0.999, 0.999, shape="square")] * 2, every)
    assert found[0][0][0] == Men("black", 1, "square", 225)
    assert found[1][0][0] == Men("black", 1, "square", 361)
    assert found[1][0][1] > 0.95


def test_a_number_tells_the_side_where_colours_do_not() -> None:
    every = np.full((1, len(kinds())), 1e-9)
    every[0, kinds().index(("square", 289))] = 1.0  # White's
    (found,) = read([man(0.999, 0.5, shape="square")], every)
    assert found[0][0] == Men("white", 1, "square", 289)
    assert 0.65 < found[0][1] < 0.95


def test_a_set_with_whites_numbers_on_dark_men_is_read_by_its_looks() -> None:
    numbers = [("circle", 2), ("circle", 4), ("square", 289), ("triangle", 20)] * 2  # White's in the sources
    every = np.full((8, len(kinds())), 1e-9)
    for row, kind in enumerate(numbers):
        every[row, kinds().index(kind)] = 1.0
    found = read([man(0.999, 0.98, shape=shape) for shape, _ in numbers], every)
    assert all(candidates[0][0] is not None and candidates[0][0].colour == "black" for candidates in found)


def test_men_of_a_point_are_doubted_together() -> None:
    three = [man(0.9999, 0.02)] * 3
    found = counted(three, COLOURS, MIXED_FACTOR)
    assert found[0][0] == Men("light", 3)
    assert found[0][1] > 0.99
    assert counted(three, COLOURS)[0][1] < 0.95


def test_more_men_of_a_kind_than_there_are_is_asked_about() -> None:
    def read(site: str, men: Men) -> SiteReading:
        return SiteReading(site, ((men, 0.999),), "read")

    unique, twice = Men("white", 1, "square", 289), Men("white", 1, "circle", 4)
    sites = {"a1": read("a1", unique), "c3": read("c3", unique), "b1": read("b1", twice), "b2": read("b2", twice)}
    reply = ask_about_excess(sites)
    assert {name: site.status for name, site in reply.items()} == {"a1": "ask", "c3": "ask", "b1": "read", "b2": "read"}


def test_more_men_of_a_side_than_play_makes_the_weakest_a_question() -> None:
    sure = {"a": (9, 0.999), "b": (6, 0.99), "c": (1, 0.952), "d": (1, 0.9985)}
    sites = {name: SiteReading(name, ((Men("dark", count), chance),), "read") for name, (count, chance) in sure.items()}
    sites["e"] = SiteReading("e", ((Men("light", 15), 0.9),), "read")
    reply = ask_about_excess(sites)
    assert {name for name, site in reply.items() if site.status == "ask"} == {"b", "c"}
    assert ask_about_excess({name: sites[name] for name in ("a", "b", "e")}) == {n: sites[n] for n in ("a", "b", "e")}
