"""Throws are sorted by how alike they are; a group that holds two faces is called mixed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.groups.linkage import Likes
from companion.vision.dice.groups.sorting import mixed_groups, most_rows, sort_throws


def alike(truth: list[int], seed: int = 1, *, same: float = 3.0, other: float = 0.8) -> Likes:
    """Return how alike throws with these faces are, with some chance in it."""
    rng = np.random.default_rng(seed)
    faces = np.array(truth)
    pairs = np.where(faces[:, None] == faces[None], same, other) + rng.normal(0, 0.15, (len(faces),) * 2)
    pairs = (pairs + pairs.T) / 2
    np.fill_diagonal(pairs, 0)
    return np.asarray(pairs)


@given(st.lists(st.integers(3, 8), min_size=3, max_size=8), st.integers(0, 2**31))
def test_no_group_holds_two_faces_that_are_clearly_apart(sizes: list[int], seed: int) -> None:
    truth = [face for face, size in enumerate(sizes) for _ in range(size)]
    groups = sort_throws(alike(truth, seed), len(sizes))
    assert len(groups) <= most_rows(len(sizes))
    placed = [place for group in groups for place in group.members]
    assert len(placed) == len(set(placed)) >= 0.85 * len(truth)
    for group in groups:
        assert len({truth[place] for place in group.members}) == 1
        assert not group.mixed


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 2**31))
def test_a_group_of_two_faces_is_mixed(one: int, other: int, seed: int) -> None:
    truth = [0] * one + [1] * other + [2] * 5 + [3] * 5 + [4] * 5
    places = iter(range(len(truth)))
    groups = [[next(places) for _ in range(size)] for size in (one + other, 5, 5, 5)]
    assert mixed_groups(alike(truth, seed), groups) == [True, False, False, False]


def test_a_mixed_group_is_asked_about_in_two_rows_as_far_as_there_are_taps() -> None:
    sizes = [6] * 8
    truth = [face for face, size in enumerate(sizes) for _ in range(size)]
    pairs = alike(truth, other=0.8)
    for one, other in ((0, 1), (2, 3)):  # two pairs of faces look so much alike that their rows are joined
        for here, there in ((one, other), (other, one)):
            pairs[np.ix_(np.array(truth) == here, np.array(truth) == there)] = 1.6
    # so few faces leave at most 7 groups of 8
    groups = sort_throws(pairs, 5)
    assert sum(not group.mixed for group in groups) <= most_rows(5)
    assert sum(group.mixed for group in groups) == 1
    assert {len({truth[place] for place in group.members}) for group in groups if not group.mixed} == {1}


def test_one_stray_throw_does_not_make_a_group_mixed() -> None:
    truth = [0] * 6 + [1] + [2] * 5 + [3] * 5
    assert mixed_groups(alike(truth), [range(7), range(7, 12), range(12, 17)]) == [False] * 3


def test_a_single_group_says_nothing_about_how_alike_two_faces_are() -> None:
    assert mixed_groups(alike([0, 0, 1, 1]), [range(4)]) == [False]
    assert mixed_groups(alike([0]), []) == []


def test_the_most_typical_throw_comes_first() -> None:
    pairs = alike([0] * 3 + [1] * 3)
    pairs[2, :2] = pairs[:2, 2] = 2.2  # it looks a little different
    first = next(group for group in sort_throws(pairs, 2) if 0 in group.members)
    assert first.members[-1] == 2
