"""Twin faces are told apart only where that can be proved."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.learning.grouping import Groups
from calibration.learning.twins import find_twins
from companion.vision.dice.score_calibration import Scores


def throws_of(seed: int, gap: float) -> tuple[Scores, Groups, list[int]]:
    """Return pairs, the true twin and the throw of faces: four of eight twins lie in each throw."""
    rng = np.random.default_rng(seed)
    shown = [(int(twin), throw) for throw in range(20) for twin in rng.permutation(8)[: rng.integers(1, 5)]]
    twin = np.array([one for one, _ in shown])
    alike = twin[:, None] == twin[None, :]
    pairs = np.where(alike, 0.7 + gap, 0.7) + rng.normal(0, 0.02, alike.shape)
    return np.minimum(pairs, pairs.T), twin, [throw for _, throw in shown]


@given(st.integers(0, 2**31))
@settings(max_examples=15)
def test_twins_with_looks_of_their_own_are_told_apart(seed: int) -> None:
    pairs, twin, throws = throws_of(seed, 0.2)
    found = find_twins(pairs, throws, 8)
    if found is None:
        return  # a throw too few of some twin: unknown is allowed, wrong is not
    for number in range(int(found.max()) + 1):
        assert len(set(twin[found == number])) == 1


def told_apart(seed: int, gap: float) -> bool:
    pairs, _, throws = throws_of(seed, gap)
    return find_twins(pairs, throws, 8) is not None


def test_they_are_found_in_most_cases() -> None:
    assert sum(told_apart(seed, 0.2) for seed in range(10)) >= 7


def test_twins_that_look_alike_are_almost_never_told_apart() -> None:
    assert sum(told_apart(seed, 0.0) for seed in range(30)) <= 1


def test_where_no_throw_shows_two_of_them_nothing_is_claimed() -> None:
    pairs, _, _ = throws_of(1, 0.2)
    assert find_twins(pairs, list(range(len(pairs))), 8) is None
    assert find_twins(pairs[:5, :5], [0, 0, 1, 1, 2], 2) is None
