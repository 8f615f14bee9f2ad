"""The chances of men under limits are those that counting every possibility gives."""

from itertools import product

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.boards.sites import assigned


def _exactly(chances: npt.NDArray[np.float64], limits: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """Return each man's chances by counting all ways in which men may be of kinds, or nothing (the last column)."""
    men, kinds = chances.shape
    every = np.hstack([chances, 1 - chances.sum(axis=1, keepdims=True)])
    out = np.zeros_like(every)
    for way in product(range(kinds + 1), repeat=men):
        if all(way.count(kind) <= limits[kind] for kind in range(kinds)):
            out[range(men), way] += np.prod(every[range(men), way])
    return np.asarray(out / out.sum(axis=1, keepdims=True))


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), men=st.integers(2, 5), kinds=st.integers(2, 4), sharp=st.floats(0.3, 4.0))
def test_limits_change_chances_as_counting_would(seed: int, men: int, kinds: int, sharp: float) -> None:
    rng = np.random.default_rng(seed)
    odds = np.exp(rng.normal(0, sharp, (men, kinds + 1)))
    chances = (odds / odds.sum(axis=1, keepdims=True))[:, :kinds]
    limits = rng.integers(1, 3, kinds)
    got = chances * assigned(chances, limits)
    nothing = 1 - chances.sum(axis=1, keepdims=True)
    got = np.hstack([got, nothing])
    got /= got.sum(axis=1, keepdims=True)
    true = _exactly(chances, limits)
    # messages go round in circles: what they say is near the truth, and nearer than what was thought before
    before = np.hstack([chances, nothing])
    assert np.abs(got - true).max() < 0.2
    assert np.abs(got - true).mean() <= np.abs(before - true).mean() + 0.01


def test_the_one_who_may_be_another_gives_way() -> None:
    chances = np.array([[0.98, 0.01], [0.6, 0.39]])
    got = chances * assigned(chances, np.array([1, 1]))
    assert got[0, 0] > 20 * got[0, 1]
    assert got[1, 1] > 10 * got[1, 0]


def test_two_who_can_only_be_the_same_are_left_in_doubt() -> None:
    chances = np.array([[0.999, 0.0], [0.999, 0.0]])
    factors = assigned(chances, np.array([1, 1]))
    left = chances * factors
    sure = left[:, 0] / (left.sum(axis=1) + 1 - chances.sum(axis=1))
    assert (sure < 0.9).all()


def test_one_man_shares_with_nobody() -> None:
    assert (assigned(np.array([[0.2, 0.7]]), np.array([1, 1])) == 1).all()
    assert assigned(np.zeros((0, 3)), np.array([1, 1, 1])).shape == (0, 3)
