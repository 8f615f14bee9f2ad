"""From what the net says about marks to the faces of any set: honest, whatever the net says."""

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.dice import PIP, dice_set
from companion.vision.dice.faces import Texts
from companion.vision.dice.marks import (
    MOST_COUNTED,
    MOST_PIPS,
    OUTPUTS,
    READABLE_OUTPUT,
    UPRIGHT_OUTPUT,
    Bags,
    Opinion,
    counts,
    known,
)

bags_of_letters = st.text("ABCEILMNOU", min_size=1, max_size=6)


def sure(marks: tuple[str, ...], *, upright: float = 8.0, readable: float = 8.0) -> npt.NDArray[np.float64]:
    """Return what a net would put out that has no doubt about a face."""
    logits = np.full(OUTPUTS, -8.0)
    logits[UPRIGHT_OUTPUT], logits[READABLE_OUTPUT] = upright, readable
    pips, *singles = counts(marks)
    logits[2 + pips] = 8.0
    for number, count in enumerate(singles):
        logits[2 + MOST_PIPS + 1 + number * (MOST_COUNTED + 1) + count] = 8.0
    return logits


@settings(max_examples=30)
@given(st.lists(st.floats(-30, 30), min_size=2 * OUTPUTS, max_size=2 * OUTPUTS), st.floats(0.3, 4))
def test_whatever_the_net_says_chances_are_chances(values: list[float], temperature: float) -> None:
    texts = Texts.of(dice_set("wibold"))
    logits = np.array(values).reshape(2, OUTPUTS)
    chances, unreadable = Opinion.of(logits, temperature).chances(texts.upper_bags)
    assert (chances >= 0).all()
    assert 0 <= unreadable <= 1 + 1e-9
    assert chances.sum() + unreadable == pytest.approx(1)


@pytest.mark.parametrize("name", ["wibold", "ludix", "pips", "d6", "d8", "d10", "d12", "d20", "poker", "tens", "tiles"])
def test_a_net_without_doubt_reads_every_face_of_every_set_in_every_turn(name: str) -> None:
    texts = Texts.of(dice_set(name))
    blank = sure((), upright=-8.0)
    known = {face.text: face.marks for die in dice_set(name).dice for face in die.faces}
    for number, (_, text) in enumerate(texts.upper):
        for turn in range(texts.corners[number]):
            logits = np.stack([sure(known[text]) if k == turn else blank for k in range(texts.corners[number])])
            chances, unreadable = Opinion.of(logits, 1.0).chances(texts.upper_bags)
            same = [sorted(other) == sorted(text) for _, other in texts.upper]
            assert chances[same].sum() > 0.9
            assert unreadable < 0.1


@given(bags_of_letters, st.randoms())
def test_the_order_of_letters_does_not_count(text: str, chance: random.Random) -> None:
    letters = list(text)
    chance.shuffle(letters)
    assert (counts(tuple(text)) == counts(tuple(letters))).all()


@given(bags_of_letters)
def test_what_is_none_of_the_sets_faces_is_not_taken_for_the_nearest(text: str) -> None:
    texts = Texts.of(dice_set("ludix"))
    if {text} <= {"I", "L"}:
        return
    chances, unreadable = Opinion.of(np.stack([sure(tuple(text))] * 4), 1.0).chances(texts.upper_bags)
    assert unreadable > 0.9
    assert chances.max() < 0.1


def test_two_turns_that_are_as_likely_leave_a_doubt() -> None:
    """A lone N is a Z on its side; nothing else on the face says which way is up."""
    letters = Bags.of([("N",), ("Z",)])
    both = np.stack([sure(("N",)), sure(("Z",)), sure(("N",)), sure(("Z",))])
    chances, _ = Opinion.of(both, 1.0).chances(letters)
    assert chances == pytest.approx([0.5, 0.5], abs=5e-3)


def test_the_nets_know_letters_numbers_and_few_pips_and_no_other_marks() -> None:
    assert all(map(known, [(), ("A", "+"), ("a",), ("10", "_"), ("1", "0", "_"), (PIP,) * 6]))
    assert not any(map(known, [("A", "Ж"), ("sun",), ("-",), ("٣",), (PIP,) * 7]))
    assert (counts(("10", "ä")) == counts(("1", "0", "Ä"))).all()


@settings(max_examples=30)
@given(st.lists(st.floats(-30, 30), min_size=2 * OUTPUTS, max_size=2 * OUTPUTS))
def test_a_face_that_no_net_knows_is_never_left_out(values: list[float]) -> None:
    """Whatever a net says of it, it may be any of those that it was not taught, and it favours none of them."""
    bags = Bags.of([("O",), ("sun",), ("+",), ("moon",), ("moon",)])
    opinion = Opinion.of(np.array(values).reshape(2, OUTPUTS), 1.0)
    chances, unreadable = opinion.chances(bags)
    assert chances.sum() + unreadable == pytest.approx(1)
    assert chances[1] == pytest.approx(chances[3]) == pytest.approx(chances[4])
    assert chances[1] >= 0.01
    assert bags.likeliest(chances, unlearnt=True) >= chances[[1, 3, 4]].sum()
    assert bags.likeliest(chances, unlearnt=False) == pytest.approx(max(*chances[:3], chances[3:].sum()))
    assert opinion.witness(bags, 1).odds < 0
    assert opinion.witness(bags, 0).odds == opinion.witness(bags.among([0, 2]), 0).odds


@pytest.mark.parametrize(("shown", "other"), [(("A", "I"), ("A", "1")), (("0",), ("O",)), (("1", "0"), ("I", "O"))])
def test_faces_that_only_lookalikes_tell_apart_are_never_told_apart(
    shown: tuple[str, ...], other: tuple[str, ...]
) -> None:
    views = np.stack([sure(shown), sure(shown, upright=-8), sure(shown, upright=-8), sure(shown, upright=-8)])
    opinion = Opinion.of(views, 1.0)
    both, _ = opinion.chances(Bags.of([shown, other, ("B",)]))
    assert both[0] == pytest.approx(both[1])
    assert both[0] > 0.4
    alone, _ = opinion.chances(Bags.of([shown, ("B",), ("V", "X")]))
    assert alone[0] > 0.9


@pytest.mark.parametrize("shown", range(6))
def test_only_the_likeliest_text_has_odds_for_it(shown: int) -> None:
    texts = Texts.of(dice_set("wibold"))
    there = texts.marks[shown]
    opinion = Opinion.of(np.stack([sure(there), *[sure((), upright=-8.0)] * 3]), 1.0)
    witness = opinion.witness(texts.upper_bags, shown)
    assert witness == opinion.witness(texts.upper_bags)
    assert witness.odds > 0
    for other, marks in enumerate(texts.marks):
        if sorted(marks) != sorted(there):
            wrong = opinion.witness(texts.upper_bags, other)
            assert wrong.odds < 0
            assert wrong.beside > witness.beside
