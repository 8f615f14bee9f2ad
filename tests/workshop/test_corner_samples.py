"""What the corner net is shown: what it should answer leads from the corners that it is given to the true ones."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.corners import (
    CHANCES,
    CLOSE,
    OFFSETS,
    OUTPUTS,
    PATCH_EDGE_PIXELS,
    SOLID,
    START,
    TRIANGLE,
    UPPER,
    UPPER_KINDS,
    back,
)
from companion.vision.dice.geometry import Points, area, clockwise, edge_length
from workshop.scenes.fonts import find_fonts
from workshop.training.corners.check import auc, off
from workshop.training.corners.samples import (
    CLIP,
    GOLDEN,
    UNKNOWN,
    Shown,
    bad_start,
    batches,
    left_by,
    samples,
)
from workshop.training.draw import SLANTED, draw_scenes
from workshop.training.store import Scenes, write_scenes


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    folder = tmp_path_factory.mktemp("drawn")
    write_scenes(draw_scenes(find_fonts("train", bundled=True), 12, 5, kinds=SLANTED), folder, "slanted")
    return Scenes.load(folder, "slanted")


@pytest.fixture(scope="module")
def shown(scenes: Scenes) -> list[Shown]:
    rng = np.random.default_rng(3)
    return [one for number in range(len(scenes)) for _ in range(3) for one in samples(scenes, number, rng)]


def triangle(angle: float) -> Points:
    around = angle + np.arange(3) * 2 * np.pi / 3
    placed: Points = 60 * np.column_stack([np.cos(around), np.sin(around)]) + [200, 150]
    return placed


def test_the_wanted_offsets_lead_to_the_true_corners(shown: list[Shown]) -> None:
    reached = 0
    for one in shown:
        wanted, known = one.wanted()
        assert wanted.shape == known.shape == (OUTPUTS,)
        if one.true is None:
            assert not known[:CHANCES].any()
            continue
        offsets = wanted[OFFSETS[one.kind]].reshape(-1, 2)
        assert np.abs(offsets).max() <= CLIP
        assert known[: OFFSETS[one.kind].start].sum() == 0
        if np.abs(offsets).max() < CLIP:
            reached += 1
            assert back(START[one.kind] + offsets, one.start, one.kind) == pytest.approx(one.true, abs=0.05)
    assert reached > len(shown) / 3


def test_upper_faces_sides_and_what_is_none_are_told_apart(shown: list[Shown]) -> None:
    tops = [one for one in shown if one.upper == 1]
    sides = [one for one in shown if one.upper == 0 and one.true is not None]
    others = [one for one in shown if one.true is None]
    assert {one.kind for one in (*tops, *sides)} >= {TRIANGLE, UPPER_KINDS[0]}
    assert tops
    assert sides
    assert others
    assert all(one.chance == 1 for one in tops)
    assert all(one.chance == UNKNOWN for one in sides)  # a side is such a face: no answer is right
    assert all(one.chance == 0 for one in others)
    for one in shown:
        _, known = one.wanted()
        asked = np.flatnonzero(known[UPPER:])
        if one.kind in (SOLID, CLOSE):
            assert not len(asked)
        else:
            assert asked.tolist() == [UPPER_KINDS.index(one.kind)]


def test_no_side_is_an_upper_face(scenes: Scenes) -> None:
    seen = 0
    for truth in scenes.truths:
        for side in truth.sides:
            seen += 1
            assert area(side) > 0
            for face in truth.faces:
                assert len(face.corners) != len(side) or off(side, face.corners) > 0.1
    assert seen > 2 * len(scenes)


@given(angle=st.floats(0, 7), seed=st.integers(0, 2**32))
def test_a_bad_start_of_three_corners_is_near_and_turns_back_one_way(angle: float, seed: int) -> None:
    true = clockwise(triangle(angle))
    start = bad_start(true, np.random.default_rng(seed))
    assert area(start) > 0
    assert np.linalg.norm(start.mean(axis=0) - true.mean(axis=0)) < 0.6 * edge_length(true)
    assert 0.3 < edge_length(start) / edge_length(true) < 2.4


def test_the_triangle_through_the_neighbours_far_corners_is_among_the_starts() -> None:
    true, rng = clockwise(triangle(0.3)), np.random.default_rng(1)
    starts = [bad_start(true, rng) for _ in range(600)]
    across = true.mean(axis=0) - GOLDEN * (true - true.mean(axis=0))
    near = [one for one in starts if off(one, across) < 0.15]
    assert 0.05 < len(near) / len(starts) < 0.3
    for start in near:
        (x, y), (to_x, to_y) = (start - true.mean(axis=0)).T, (true - true.mean(axis=0)).T
        assert (x * to_y - y * to_x < 0).all()  # each corner goes back the same way round


def test_what_a_net_left_is_shown_again(shown: list[Shown]) -> None:
    """A net that knows the truth leaves faces at their true corners; where it moves too far nothing is moved."""
    rng, moved = np.random.default_rng(0), 0
    for one in (one for one in shown if one.true is not None and one.kind in UPPER_KINDS):
        answer = one.wanted()[0]

        def knows(inputs: npt.NDArray[np.float32], answer: npt.NDArray[np.float32] = answer) -> npt.NDArray[np.float32]:
            return np.repeat(answer[None], len(inputs), axis=0)

        (left,) = left_by(knows, [one], rng)
        if left is not one:
            moved += 1
            assert left.true is one.true
            assert one.true is not None
            assert np.abs(answer[OFFSETS[one.kind]]).max() == np.float32(CLIP) or off(left.start, one.true) < 0.01
    assert moved > 10


def test_batches_are_those_of_their_seed(scenes: Scenes) -> None:
    one, same, other = (next(batches(lambda: scenes, 16, np.random.default_rng(seed))) for seed in (1, 1, 2))
    assert one[0].shape == (16, 3, PATCH_EDGE_PIXELS, PATCH_EDGE_PIXELS)
    assert one[1].shape == one[2].shape == (16, OUTPUTS)
    for first, again, third in zip(one, same, other, strict=True):
        assert (first == again).all()
        assert first.shape == third.shape
    assert (one[0] != other[0]).any()


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_the_share_of_pairs_is_that_which_is_counted(high: list[int], low: list[int]) -> None:
    pairs = [1.0 if one > other else 0.5 if one == other else 0.0 for one in high for other in low]
    assert auc(np.array(high, float), np.array(low, float)) == pytest.approx(float(np.mean(pairs)))
