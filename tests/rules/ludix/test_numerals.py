"""Numerals: the booklet's rules of writing, held against a second, naive way to find them."""

from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.dice import Throw, dice_set
from companion.rules.ludix.numerals import dice, formed_by, is_sum, numerals, shown_by, symbols, total, write

FACES = "LXXVII"
WORTH = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
STEPS = [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def read(text: str) -> int:
    """Read any row of symbols: one that stands before a higher one is taken off."""
    values = [WORTH[symbol] for symbol in text]
    return sum(-here if here < after else here for here, after in zip(values, [*values[1:], 0], strict=True))


def written_back(number: int) -> str:
    """Write a number by taking off the greatest step again and again."""
    text = ""
    for worth, sign in STEPS:
        while number >= worth:
            text, number = text + sign, number - worth
    return text


@cache
def found_naively(shown: str) -> frozenset[tuple[str, int]]:
    """Return the numerals of four symbols: all their orders that are read as a number which is written just so."""
    orders = {"".join(order) for order in permutations(shown)}
    return frozenset((order, read(order)) for order in orders if written_back(read(order)) == order)


def test_all_1296_throws_make_the_numerals_that_are_found_naively() -> None:
    naive = {shown: found_naively(shown) for shown in {"".join(faces) for faces in product("LXVI", repeat=4)}}
    for faces in product(FACES, repeat=4):
        throw = Throw.of("ludix", dict(zip(dice(), faces, strict=True)))
        assert {(formed.text, formed.value) for formed in formed_by(shown_by(throw))} == naive["".join(faces)]


def test_every_die_has_the_faces_of_the_booklet_and_opposite_ones_as_ruled() -> None:
    assert len(dice()) == 4
    for die in dice_set("ludix").dice:
        assert sorted(face.text for face in die.faces) == sorted(FACES)
        assert [face.value for face in die.faces] == [WORTH[face.text] for face in die.faces]
        assert sorted(place for pair in die.opposite for place in pair) == list(range(6))
        pairs = sorted("".join(sorted(die.faces[place].text for place in pair)) for pair in die.opposite)
        assert pairs == ["II", "LV", "XX"]


def test_of_35_different_throws_14_make_a_numeral() -> None:
    shown = {"".join(sorted(faces)) for faces in product(FACES, repeat=4)}
    assert len(shown) == 35
    assert sum(bool(formed_by(symbols)) for symbols in shown) == 14
    assert len(numerals()) == 22


@given(st.integers(1, 399))
def test_a_number_is_written_as_by_taking_off_the_greatest_steps(number: int) -> None:
    assert write(number) == written_back(number)


def test_the_booklets_own_examples_of_writing() -> None:
    for number, text in {1: "I", 4: "IV", 9: "IX", 17: "XVII", 34: "XXXIV", 49: "XLIX", 85: "LXXXV"}.items():
        assert write(number) == text
    assert write(444) == "CDXLIV"
    assert write(629) == "DCXXIX"


@pytest.mark.parametrize("number", [0, -3, 1000])
def test_a_number_out_of_range_is_named(number: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 999, but got {number}"):
        write(number)


def test_symbols_come_in_the_order_of_their_worth() -> None:
    assert list(symbols().items()) == [("L", 50), ("X", 10), ("V", 5), ("I", 1)]
    assert total("IVXL") == 66


@pytest.mark.parametrize("best_only", [False, True])
def test_which_points_numerals_add_up_to(*, best_only: bool) -> None:
    values = {n.value for n in numerals().values() if not best_only or formed_by(n.text)[0] == n}
    sums = {0}
    for _ in range(40):
        sums |= {had + value for had in sums for value in values if had + value <= 200}
    assert [points for points in range(201) if is_sum(points, best_only=best_only)] == sorted(sums)
