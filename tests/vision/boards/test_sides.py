"""Men of one side look alike: together they tell which side each is of."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.boards.men import FoundMan
from companion.vision.boards.sides import two_sides


def _seen(lab: Any) -> Any:
    """Return looks whose tints say nothing."""
    return np.hstack([np.asarray(lab, np.float64), np.zeros((len(lab), 2))])


def _men(darker: list[float]) -> list[FoundMan]:
    return [FoundMan(20.0 * k, 50.0, (20.0 * k, 49.0), 0.99, chance, ()) for k, chance in enumerate(darker)]


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), light=st.integers(3, 15), dark=st.integers(3, 15), gap=st.floats(25, 60))
def test_men_who_look_like_others_are_of_their_side_whatever_the_net_said(
    seed: int, light: int, dark: int, gap: float
) -> None:
    rng = np.random.default_rng(seed)
    true = np.array([0] * light + [1] * dark)
    hue = rng.normal(0, 12, 2)
    means = np.array([[35 + gap, 2.0, 8.0], [35.0, 2.0 + hue[0], 8.0 + hue[1]]])
    seen = means[true] + np.clip(rng.normal(0, 1, (len(true), 3)), -2, 2) * [4.0, 2.0, 2.0]
    weights = np.clip(0.5 + 0.2 * (2 * true - 1) + rng.normal(0, 0.2, len(true)), 0.02, 0.98)
    sides = two_sides(_men(list(weights)), _seen(seen)).mixed()
    assert ((sides > 0.5) == (true == 1)).all()


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), many=st.integers(2, 15), word=st.sampled_from([0.03, 0.97]))
def test_where_one_side_alone_stands_nothing_is_certain(seed: int, many: int, word: float) -> None:
    rng = np.random.default_rng(seed)
    seen = np.array([50.0, 5.0, 10.0]) + rng.normal(0, 1.5, (many, 3))
    sides = two_sides(_men([word] * many), _seen(seen)).mixed()
    assert all((chance > 0.5) == (word > 0.5) for chance in sides)
    assert all(0.02 < chance < 0.98 for chance in sides)


def test_nobody_and_one_man_are_told_by_the_net() -> None:
    assert two_sides([], np.zeros((0, 5))).mixed().shape == (0,)
    (alone,) = two_sides(_men([0.999]), _seen([[50.0, 0.0, 0.0]])).mixed()
    assert 0.8 < alone < 0.95


def test_a_shadow_over_one_man_is_no_third_side() -> None:
    seen = np.array([[80.0, 0, 10]] * 6 + [[20.0, 5, 5]] * 6 + [[62.0, 1, 8]])
    sides = two_sides(_men([0.1] * 6 + [0.9] * 6 + [0.1]), _seen(seen)).mixed()
    assert sides[-1] < 0.05


def test_what_men_are_tells_which_group_is_which_side() -> None:
    seen = np.array([[60.0, 0, 10]] * 6 + [[52.0, 20, 5]] * 6)  # hardly lighter, and the net says the wrong thing
    found = two_sides(_men([0.7] * 6 + [0.3] * 6), _seen(seen))
    known = np.array([0.1] * 6 + [0.9] * 6)
    after = found.weighed(known, np.ones(12))[0].mixed()
    assert (after[:6] < 0.05).all()
    assert (after[6:] > 0.95).all()
    assert np.allclose(found.weighed(known, np.zeros(12))[0].mixed(), found.mixed(), atol=1e-3)


def test_men_in_a_deep_shadow_are_doubted_and_told_by_what_they_are() -> None:
    bright, dim = [84.0, -8.0, 51.0, 5.0, -45.0], [36.0, -4.0, 25.0, 5.0, -45.0]  # of one side, and dark brown ones
    seen = np.array([bright] * 4 + [dim] * 4 + [[20.0, 7.0, 9.0, 20.0, -15.0]] * 8)
    found = two_sides(_men([0.01] * 4 + [0.5] * 4 + [0.98] * 8), seen)
    reported = found.mixed()
    assert (reported[:4] < 0.1).all()
    assert (reported[4:8] < 0.9).all()  # by lightness they are the others', by tint they are not
    assert (reported[8:] > 0.9).all()
    known = found.weighed(np.array([0.1] * 8 + [0.9] * 8), np.ones(16))[0].mixed()
    assert (known[:8] < 0.1).all()


def test_a_shadow_taken_for_a_man_is_no_side_of_its_own() -> None:
    seen = np.array([[93.0, -1, 27, 5, -20]] * 8 + [[58.0, 4, 49, 15, -75]] * 8 + [[7.0, 5, -12, -5, 40]])
    men = _men([0.02] * 8 + [0.7] * 8 + [1.0])
    men[-1] = replace(men[-1], chance=0.7)
    sides = two_sides(men, seen).mixed()
    assert (sides[:8] < 0.1).all()
    assert (sides[8:16] > 0.9).all()


STRANGE = {"red": [38.0, 55, 40, 85, -10], "blue": [25.0, 25, -50, 15, 70], "white": [95.0, 0, 3, 0, -5]}
"""How dice that lie on a board look."""


@given(
    seed=st.integers(0, 2**32 - 1),
    colour=st.sampled_from(sorted(STRANGE)),
    many=st.integers(1, 4),
    word=st.sampled_from([0.01, 0.5, 0.99]),
)
@settings(max_examples=40, deadline=None)
def test_stray_dice_on_a_board_turn_nobody_to_the_other_side(seed: int, colour: str, many: int, word: float) -> None:
    rng = np.random.default_rng(seed)
    brown = np.array([[70.0, 12, 40, 20, -38]] * 15 + [[38.0, 12, 30, 20, -38]] * 15)  # apart by lightness alone
    seen = np.vstack([brown + rng.normal(0, 2.5, brown.shape), np.array([STRANGE[colour]] * many)])
    weights = [*rng.uniform(0.0, 0.3, 15), *rng.uniform(0.97, 1.0, 15), *[word] * many]
    men = [replace(man, chance=0.9995) for man in _men(weights)]
    sides = two_sides(men, seen).mixed()
    assert (sides[:15] < 0.1).all()
    assert (sides[15:30] > 0.9).all()


@given(colour=st.sampled_from(sorted(STRANGE)), many=st.integers(1, 2), word=st.floats(0.2, 0.4))
@settings(max_examples=20, deadline=None)
def test_a_stray_thing_beside_men_of_one_side_makes_them_no_surer(colour: str, many: int, word: float) -> None:
    seen = np.array([[60.0, 12, 35, 20, -38]] * 12 + [STRANGE[colour]] * many)
    men = [*_men([word] * 12), *[replace(man, chance=0.95) for man in _men([0.99] * many)]]
    sides = two_sides(men, seen).mixed()
    assert all(0.02 < chance < 0.98 for chance in sides)
    assert (sides[:12] < 0.5).all()


def test_a_side_of_two_sure_men_is_a_side() -> None:
    seen = np.array([[75.0, 12, 35, 20, -38]] * 12 + [[30.0, 12, 25, 20, -38]] * 2)
    men = _men([0.02] * 12 + [0.98] * 2)
    sure = two_sides([replace(man, chance=0.9997) for man in men], seen).mixed()
    assert (sure[:12] < 0.03).all()
    assert (sure[12:] > 0.97).all()
    unsure = two_sides([replace(man, chance=0.93) for man in men], seen).mixed()
    assert all(0.02 < chance < 0.98 for chance in unsure)
