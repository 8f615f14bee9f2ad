"""Streams of numbers, and men counted in bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.odds.tables.games import keys, numbers
from companion.odds.tables.men import BIT_SLICES, WIDTH, add, count, counts, held, paired, remove, sliced
from companion.odds.tables.pools import Dice, pools, weight
from tests.odds.plain_stream import Stream

SEEDS = st.integers(0, 2**64 - 1)


@given(SEEDS, st.lists(st.integers(0, 2**40), min_size=1, max_size=5), st.integers(1, 8))
def test_a_stream_is_the_same_one_by_one_and_all_at_once(seed: int, games: list[int], taken: int) -> None:
    key = keys(seed, np.array(games))
    found = [numbers(key, np.full(len(games), at)).tolist() for at in range(taken)]
    streams = [Stream(seed, game) for game in games]
    assert found == [[stream.number() for stream in streams] for _ in range(taken)]


def test_every_face_and_every_choice_is_as_likely_as_the_next() -> None:
    """Chi-square with 5 degrees of freedom stays below 20.5 in 999 cases of 1,000."""
    key = keys(1, np.arange(60_000))
    for at in range(3):
        faces = np.bincount((numbers(key, np.full(key.size, at)) * 6).astype(int), minlength=6)
        assert faces.size == 6
        assert ((faces - 10_000) ** 2 / 10_000).sum() < 20.5
    assert np.corrcoef(numbers(key, np.zeros(key.size, int)), numbers(key, np.ones(key.size, int)))[0, 1] ** 2 < 0.001


MEN = st.lists(st.lists(st.integers(0, 15), min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=4)


@given(MEN)
def test_bits_tell_how_many_men_stand_where(given_men: list[list[int]]) -> None:
    standing = np.array(given_men, np.int8)
    men = sliced(standing)
    assert men.shape == (BIT_SLICES, len(given_men))
    assert (counts(men) == standing).all()
    assert count(held(men)).tolist() == (standing > 0).sum(axis=1).tolist()
    assert count(paired(men)).tolist() == (standing > 1).sum(axis=1).tolist()


@given(MEN, st.integers(0, WIDTH - 1), st.integers(0, WIDTH - 1))
def test_a_man_moves_in_bits_as_on_the_board(given_men: list[list[int]], origin: int, goal: int) -> None:
    standing = np.array(given_men, np.int8)
    standing[:, origin] = np.maximum(standing[:, origin], 1)
    standing[:, goal] = np.minimum(standing[:, goal], 14)
    if origin == goal:
        standing[:, origin] = 7
    men = sliced(standing)
    remove(men, np.full(len(given_men), 1 << origin, np.uint32))
    add(men, np.full(len(given_men), 1 << goal, np.uint32))
    standing[:, origin] -= 1
    standing[:, goal] += 1
    assert (counts(men) == standing).all()


DICE = st.lists(st.integers(1, 6), min_size=1, max_size=6)


@given(DICE, DICE)
def test_more_dice_are_worth_more_and_then_the_higher_ones(some: list[int], others: list[int]) -> None:
    worths = [sum(map(weight, dice)) for dice in (some, others)]
    ranks = [(len(dice), sorted(dice, reverse=True)) for dice in (some, others)]
    assert (worths[0] > worths[1], worths[0] == worths[1]) == (ranks[0] > ranks[1], ranks[0] == ranks[1])


def test_a_pool_knows_what_is_left_of_it() -> None:
    made = pools(2, {(1, 1): (1, 1, 1), (1, 2): (1, 1, 2), **_plain()}, [], [(1, 1)])
    twice = made.dice.index((1, 1, 2))
    assert made.value[:, twice].tolist() == [1, 2, 0]
    assert [made.dice[left] for left in made.less[:2, twice]] == [(1, 2), (1, 1)]
    assert made.again.sum() == 1
    assert made.thrown[0] == made.dice.index((1, 1, 1))
    assert made.thrown[1] == made.thrown[6] == twice, "the order of the dice does not matter"


def _plain() -> dict[Dice, Dice]:
    plain: list[Dice] = [(low, high) for high in range(3, 7) for low in range(1, high + 1)]
    return {dice: dice for dice in [*plain, (2, 2)]}


@pytest.mark.parametrize("face", range(1, 6))
def test_a_die_is_turned_to_six(face: int) -> None:
    made = pools(1, {(6,): (6,)}, [(face,) for face in range(1, 6)], [])
    lying = made.thrown[face - 1]
    assert made.dice[lying] == (face,)
    assert made.dice[made.turned[0, lying]] == (6,)
