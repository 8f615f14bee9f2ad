"""Men and boards: every man of the games, two sides back to back, colours far apart, marks not to be misread."""

from collections import Counter
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.kit.marks import UPSIDE_DOWN, turns_into_another
from calibration.kit.paper import PAPERS, WHITE_MARGIN_MM
from calibration.kit.pieces import men_places, paper_men, rithmomachia_men_pages
from calibration.kit.plans import sizes
from companion.rules.registry import games
from companion.rules.rithmomachia.men import BLACK, WHITE, army, whole_pyramid
from companion.vision.boards.kit import kit_boards
from tests.calibration.kit.printing import MILLIMETRE, print_part

FIELDS = ("frame", "men_frame", "ground", "bar", "light_field", "dark_field", "other_field")


def lightness(colour: str) -> float:
    """Return the CIE lightness of a colour, 0 to 100."""
    values = np.array([[[int(colour[i : i + 2], 16) / 255 for i in (5, 3, 1)]]], np.float32)
    return float(cv2.cvtColor(values, cv2.COLOR_BGR2LAB)[0, 0, 0])


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_every_man_and_every_part_of_a_pyramid_is_printed_once(side: int) -> None:
    assert Counter(man.part for man in paper_men(side)) == army(side)


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_the_parts_of_a_pyramid_become_smaller_from_base_to_top(side: int) -> None:
    parts = paper_men(side)[-len(whole_pyramid(side)) :]
    areas = [AREA[man.part.shape] * man.size**2 for man in parts]
    assert [man.part for man in parts] == list(whole_pyramid(side))
    assert all(upper < lower for lower, upper in pairwise(areas))


AREA = {"circle": np.pi / 4, "square": 1.0, "triangle": np.sqrt(3) / 4}


def test_a_sheet_of_men_folded_in_its_middle_brings_both_faces_of_each_man_together() -> None:
    pages = print_part("rithmomachia-men")
    assert len(pages) == len(rithmomachia_men_pages(PAPERS["a4"]))
    for page in pages:
        ink = page.image[: round((page.size[1] - 23) * MILLIMETRE)] < 200
        grey = page.image[: ink.shape[0]]
        width = ink.shape[1]
        outlines = []
        for half in (grey[:, : width // 2 - 8], grey[:, width - width // 2 + 8 :][:, ::-1]):
            drawn = np.asarray(half < 200, np.uint8)
            whole, _ = cv2.findContours(drawn, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            filled = cv2.drawContours(np.zeros_like(drawn), whole, -1, 1, cv2.FILLED)
            outlines.append(np.asarray(filled, np.uint8))
        distances = cv2.erode(outlines[0] ^ outlines[1], np.ones((3, 3), np.uint8))
        assert outlines[0].sum() > 10_000
        assert distances.sum() == 0  # not even a rim of 0.3 mm


def test_whites_men_are_lighter_and_blacks_darker_than_every_field() -> None:
    colours = sizes()["colours"]
    fields = [lightness(colours[name]) for name in FIELDS]
    assert lightness(colours["paper"]) - max(fields) > 15
    assert min(fields) - lightness(colours["ink"]) > 35


def test_five_men_lie_on_a_point_and_leave_the_middle_free() -> None:
    plan, man = kit_boards()["tables"], sizes()["tables"]["man"]
    assert plan.field[0] / 13 > man
    assert plan.field[1] - 2 * 5 * man >= man


def test_every_board_of_the_kit_is_a_board_of_a_game() -> None:
    known = {board.name for game in games().values() for board in game.boards}
    assert {plan.board for plan in kit_boards().values()} <= known
    assert known - {plan.board for plan in kit_boards().values()} == {"ludix", "xii-scripta"}


@given(st.integers(1, 2000))
def test_a_number_is_underlined_exactly_if_upside_down_it_is_another(number: int) -> None:
    text = str(number)
    turned = "".join(UPSIDE_DOWN.get(digit, "?") for digit in reversed(text))
    assert turns_into_another(number) == ("?" not in turned and turned != text)


def test_the_numbers_that_players_confuse_are_underlined() -> None:
    confused = {6, 9, 16, 66, 81, 90, 91, 100, 169, 190}
    assert {n for n in confused if turns_into_another(n)} == confused
    assert not any(turns_into_another(n) for n in (1, 8, 11, 88, 69, 96, 2, 36, 49, 289, 361))


def test_men_on_a_sheet_lie_apart() -> None:
    pitch = sizes()["rithmomachia"]["pitch"]
    for paper in PAPERS.values():
        places = men_places(paper, 24)
        points = [(x, y) for white, black, y in places for x in (white, black)]
        near = min(np.hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(points) for b in points[:i])
        assert near >= pitch - 1e-6
        assert max(y for _, y in points) + pitch / 2 + WHITE_MARGIN_MM < paper.width
