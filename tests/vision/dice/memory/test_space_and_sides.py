"""What a table learns of its upright and of its dice's sizes, and how far it trusts a tetrahedron's sides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.memory.scores import Scores
from companion.vision.dice.memory.table import SIDE_TRUSTS, SideTrust
from companion.vision.dice.solids import size as solid_size
from companion.vision.dice.solids import table as solid_table
from companion.vision.dice.solids.size import Sizes
from companion.vision.dice.solids.table import MOST_AGAINST, Upright

DIRECTIONS = solid_table.directions()


def dice(rng: np.random.Generator, upright: int, number: int) -> list[np.ndarray]:
    """Return what dice say of the upright: each has three visible faces, one of which lies that way."""
    stated = []
    for _ in range(number):
        others = rng.choice(len(DIRECTIONS), 2, replace=False)
        normals = np.vstack([DIRECTIONS[upright][None], DIRECTIONS[others]])
        stated.append(solid_table.seen(normals, np.ones(3)))
    return stated


@given(st.integers(0, 2**32 - 1), st.integers(0, len(DIRECTIONS) - 1))
def test_the_only_direction_that_fits_all_dice_becomes_the_upright(seed: int, upright: int) -> None:
    table = Upright()
    for sentence in dice(np.random.default_rng(seed), upright, 40):
        table.learn(sentence)
    found = DIRECTIONS[int(table.chances().argmax())]
    assert found @ DIRECTIONS[upright] > np.cos(np.radians(6))


def test_a_camera_that_moves_is_followed() -> None:
    rng, table = np.random.default_rng(5), Upright()
    first, then = 0, len(DIRECTIONS) // 2
    for upright in (first, then):
        for sentence in dice(rng, upright, 60):
            table.learn(sentence)
        found = DIRECTIONS[int(table.chances().argmax())]
        assert found @ DIRECTIONS[upright] > np.cos(np.radians(6))
    assert table.evidence.max() == 0
    assert table.evidence.min() >= -MOST_AGAINST


@pytest.mark.parametrize("stated", [np.zeros(3), np.full(len(DIRECTIONS), np.nan)])
def test_what_is_no_upright_is_refused(stated: np.ndarray) -> None:
    with pytest.raises(ValueError, match="Expected"):
        Upright(stated)


def test_sides_that_mislead_are_trusted_less_and_those_that_help_more() -> None:
    trust = SideTrust()
    trusts = np.array(SIDE_TRUSTS)
    misled = np.column_stack([0.7 - 0.6 * trusts, 0.3 + 0.6 * trusts])
    before = trust.best
    for _ in range(12):
        trust.learn(misled, 0, "1")
    assert trust.best < before
    assert trust.best == 0
    helped = SideTrust()
    for _ in range(12):
        helped.learn(misled, 1, "1")
    assert helped.best == len(SIDE_TRUSTS) - 1


@pytest.mark.parametrize("scores", [np.zeros(2), np.full(len(SIDE_TRUSTS), np.inf)])
def test_scores_of_other_trusts_are_refused(scores: np.ndarray) -> None:
    with pytest.raises(ValueError, match="Expected"):
        SideTrust(Scores(scores))


@given(st.floats(20, 250), st.integers(0, 2**32 - 1))
def test_poses_of_a_known_size_are_believed_and_others_are_not(pixels: float, seed: int) -> None:
    rng, table = np.random.default_rng(seed), Sizes()
    assert table.density() == {}
    for _ in range(15):
        right = np.log(pixels) + rng.normal(0, 0.03)
        poses = np.array([right, right + np.log(rng.choice([0.618, 1.27, 1.618]))])
        table.learn("icosahedron", solid_size.seen(poses, np.array([1.0, 0.3]), 0.9))
    density = table.density()["icosahedron"]
    right, off = solid_size.fitting(np.log([pixels, 2.2 * pixels if pixels < 150 else pixels / 2.2]), density)
    assert right > 1.2
    assert off < -1.2
    assert table.copy().density().keys() == {"icosahedron"}


def test_two_dice_of_one_shape_may_have_two_sizes() -> None:
    table = Sizes()
    for throw in range(40):
        table.learn("icosahedron", solid_size.seen(np.log([40.0 if throw % 2 else 70.0]), np.ones(1), 0.9))
    small, between, large = solid_size.fitting(np.log([40.0, 53.0, 70.0]), table.density()["icosahedron"])
    assert min(small, large) > 1
    assert between < -1


@pytest.mark.parametrize("wrong", [[1.0], [np.nan] * len(solid_size.SIZES), [-1.0] * len(solid_size.SIZES)])
def test_what_are_no_sizes_is_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="Expected"):
        Sizes({"icosahedron": np.array(wrong)})
