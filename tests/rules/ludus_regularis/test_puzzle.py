"""The riddle of the author's name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.ludus_regularis.puzzle import (
    ALPHABET,
    STEPS,
    PuzzleError,
    letters_of,
    numbers_of,
    solution,
    spelled,
)


def test_the_alphabet_is_that_of_the_paper() -> None:
    assert {letter: ALPHABET.index(letter) + 1 for letter in "AKVXYZ"} == {
        "A": 1, "K": 10, "V": 20, "X": 21, "Y": 22, "Z": 23,
    }  # fmt: skip
    assert len(set(ALPHABET)) == 23


def test_the_verses_give_the_authors_name() -> None:
    assert solution() == (20, 20, 9, 2, 14, 11, 4, 20, 18)
    assert letters_of(solution()) == "VVIBOLDVS" == spelled("Wiboldus")


def test_every_place_is_told_once() -> None:
    assert sorted(place for step in STEPS for place in step.places) == list(range(1, 10))


def test_younger_letters_are_written_in_the_old_ones() -> None:
    assert spelled("Jo Wu") == "IOVVV"


@given(st.text(ALPHABET, min_size=1))
def test_letters_and_numbers_go_both_ways(name: str) -> None:
    assert letters_of(numbers_of(name)) == name


@pytest.mark.parametrize(("name", "text"), [("Jülich", "got Ü: leave"), ("  ", "A to Z."), ("a-b", "got -: leave")])
def test_other_signs_are_refused(name: str, text: str) -> None:
    with pytest.raises(PuzzleError, match=re.escape(text)):
        numbers_of(name)


@pytest.mark.parametrize("number", [0, 24])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(PuzzleError, match=f"1 to 23, but got {number}."):
        letters_of([number])
