"""Faces are sorted by their looks alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.learning.grouping import group, typical
from calibration.learning.learn import NotLearntError, name_faces, sort_faces
from calibration.learning.naming import Name
from companion.rules.dice import dice_set
from tests.calibration.learning.own_dice import SHOWN, thrown


def test_the_faces_of_drawn_throws_fall_into_their_groups() -> None:
    truth = {id(face): text for face, text in thrown()}
    (one,) = sort_faces([face for face, _ in thrown()], dice_set("wibold"))
    for own in one.members():
        assert len({truth[id(one.faces[i])] for i in own}) == 1
    assert len({truth[id(one.faces[i])] for i in one.typical}) == len(SHOWN)
    assert (one.groups >= 0).mean() >= 0.8


@given(st.lists(st.integers(2, 6), min_size=2, max_size=6), st.integers(0, 2**31))
def test_groups_that_are_clearly_apart_are_found_however_they_are_mixed(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    alike = truth[:, None] == truth[None, :]
    pairs = np.where(alike, 0.85, 0.35) + rng.uniform(-0.05, 0.05, alike.shape)
    pairs = (pairs + pairs.T) / 2
    fine = group(pairs, 12)
    for number in range(int(fine.max()) + 1):
        assert len(set(truth[fine == number])) == 1  # perhaps in two groups, but never two in one
    assert (fine >= 0).mean() >= 0.8
    chosen = typical(fine, pairs)
    assert list(fine[chosen]) == list(range(int(fine.max()) + 1))


def test_a_face_like_no_other_is_in_no_group() -> None:
    pairs = np.full((7, 7), 0.2)
    pairs[:3, :3] = pairs[3:6, 3:6] = 0.9
    assert list(group(pairs, 2)) == [0, 0, 0, 1, 1, 1, -1]


def test_too_few_throws_are_told() -> None:
    few = [face for face, _ in thrown() if face.throw < 4]
    with pytest.raises(NotLearntError, match="found 4"):
        sort_faces(few, dice_set("wibold"))
    with pytest.raises(NotLearntError, match="found 0"):
        sort_faces([], dice_set("wibold"))


def test_faces_that_are_known_to_be_two_are_never_in_one_group() -> None:
    pairs = np.full((6, 6), 0.9)
    throw = np.array([0, 0, 1, 1, 2, 2])
    found = group(pairs, 12, throw[:, None] == throw[None, :])
    assert all(found[i] != found[i + 1] for i in (0, 2, 4))


def test_a_group_of_two_faces_has_no_name_even_if_the_owner_gives_one() -> None:
    (one,) = sort_faces([face for face, _ in thrown()], dice_set("wibold"))
    assert one.mixed == ()
    # somebody's fourth group went into the first one
    first = [number for number in range(len(one.typical)) if number != 3]
    groups = np.where(one.groups == 3, 0, one.groups)
    groups = np.where(groups > 3, groups - 1, groups)
    mixed = replace(one, groups=groups, typical=tuple(one.typical[number] for number in first))
    assert mixed.mixed == (0,)
    named = name_faces(mixed, None, {0: Name("A", "owner"), 1: Name("E", "owner")})
    assert set(named.names) == {1}
    assert "Group 1 shows two faces and is left out: no name fits all of it." in named.notes


def test_dice_of_many_faces_are_refused() -> None:
    with pytest.raises(NotLearntError, match="fairness watch --group counts it"):
        sort_faces([face for face, _ in thrown()], dice_set("d20"))
