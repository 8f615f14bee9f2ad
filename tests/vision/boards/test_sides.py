"""Men of one side look alike: together they tell which side each is of."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.boards.men import FoundMan
from companion.vision.boards.sides import two_sides


def _men(darker: list[float]) -> list[FoundMan]:
    return [FoundMan(20.0 * k, 50.0, (20.0 * k, 49.0), 0.99, chance, ()) for k, chance in enumerate(darker)]


@given(seed=st.integers(0, 2**32 - 1), light=st.integers(3, 15), dark=st.integers(3, 15), gap=st.floats(25, 60))
def test_men_who_look_like_others_are_of_their_side_whatever_the_net_said(
    seed: int, light: int, dark: int, gap: float
) -> None:
    rng = np.random.default_rng(seed)
    true = np.array([0] * light + [1] * dark)
    hue = rng.normal(0, 12, 2)
    means = np.array([[35 + gap, 2.0, 8.0], [35.0, 2.0 + hue[0], 8.0 + hue[1]]])
    seen = means[true] + np.clip(rng.normal(0, 1, (len(true), 3)), -2, 2) * [4.0, 2.0, 2.0]
    said = np.clip(0.5 + 0.2 * (2 * true - 1) + rng.normal(0, 0.2, len(true)), 0.02, 0.98)
    told = two_sides(_men(list(said)), seen).mixed()
    assert ((told > 0.5) == (true == 1)).all()


@given(seed=st.integers(0, 2**32 - 1), many=st.integers(2, 15), word=st.sampled_from([0.03, 0.97]))
def test_where_one_side_alone_stands_nothing_is_certain(seed: int, many: int, word: float) -> None:
    rng = np.random.default_rng(seed)
    seen = np.array([50.0, 5.0, 10.0]) + rng.normal(0, 1.5, (many, 3))
    told = two_sides(_men([word] * many), seen).mixed()
    assert all((chance > 0.5) == (word > 0.5) for chance in told)
    assert all(0.02 < chance < 0.98 for chance in told)


def test_nobody_and_one_man_are_told_by_the_net() -> None:
    assert two_sides([], np.zeros((0, 3))).mixed().shape == (0,)
    (alone,) = two_sides(_men([0.999]), np.array([[50.0, 0.0, 0.0]])).mixed()
    assert 0.8 < alone < 0.95


def test_a_shadow_over_one_man_is_no_third_side() -> None:
    seen = np.array([[80.0, 0, 10]] * 6 + [[20.0, 5, 5]] * 6 + [[62.0, 1, 8]])
    told = two_sides(_men([0.1] * 6 + [0.9] * 6 + [0.1]), seen).mixed()
    assert told[-1] < 0.05


def test_what_men_are_tells_which_group_is_which_side() -> None:
    seen = np.array([[60.0, 0, 10]] * 6 + [[52.0, 20, 5]] * 6)  # hardly lighter, and the net says the wrong thing
    found = two_sides(_men([0.7] * 6 + [0.3] * 6), seen)
    known = np.array([0.1] * 6 + [0.9] * 6)
    after = found.weighed(known, np.ones(12)).mixed()
    assert (after[:6] < 0.05).all()
    assert (after[6:] > 0.95).all()
    assert np.allclose(found.weighed(known, np.zeros(12)).mixed(), found.mixed(), atol=1e-3)
