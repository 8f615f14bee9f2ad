"""What the corner net says of its errors is brought to scale, in the file that OpenCV reads, and nothing else is."""

import shutil
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice import nets
from companion.vision.dice.corners import ERRORS, PATCH_EDGE_PIXELS, PENTAGON, SQUARE, TRIANGLE, UPPER
from companion.vision.dice.nets import CARD, CORNERS, Net, use_weights
from workshop.training.card import renew_hashes
from workshop.training.corners.check import Try
from workshop.training.corners.scale import FEW, SLOPES, curve, error_lines, line, take_in, upper_lines

WEIGHTS = Path(str(files("companion.vision.dice") / "weights"))


@given(slope=st.sampled_from([float(one) for one in SLOPES]), height=st.floats(-2, 2), seed=st.integers(0, 99))
def test_a_straight_line_is_found(slope: float, height: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.normal(-3, 0.7, 80)
    true = slope * weights + height
    true[:12] += rng.normal(0, 3, 12)  # some are far off it
    assert line(weights, true) == pytest.approx((slope, height), abs=1e-6)


@given(st.integers(0, 10**6))
def test_half_of_the_faces_are_off_by_more_than_is_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.normal(-3, 0.7, 81)
    true = rng.normal(0, 1, 81) - weights * rng.uniform(-2, 0)
    slope, height = line(weights, true)
    assert slope >= SLOPES[0]
    assert abs(int((true > slope * weights + height).sum()) - 40) <= 1


def test_a_kind_of_few_faces_takes_the_line_of_all() -> None:
    rng = np.random.default_rng(5)
    squares = [Try("cube", 2 * sentence, sentence, 1, 1) for sentence in rng.uniform(0.02, 0.3, 4 * FEW)]
    others = [
        Try("icosahedron", 5 * sentence, sentence, 1, 1, TRIANGLE) for sentence in rng.uniform(0.02, 0.3, FEW // 2)
    ]
    found = error_lines([*squares, *others])
    assert found[ERRORS + TRIANGLE] == found[ERRORS + PENTAGON]
    assert found[ERRORS + SQUARE] == pytest.approx((1, np.log(2)), abs=1e-6)
    many = error_lines([*squares, *others, *others, *others])
    assert many[ERRORS + TRIANGLE] == pytest.approx((1, np.log(5)), abs=1e-6)


@given(slope=st.floats(0.3, 3), height=st.floats(-3, 3), seed=st.integers(0, 99))
def test_chances_become_those_that_are_true(slope: float, height: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, 6000)
    upper = rng.random(6000) < 1 / (1 + np.exp(-logits))
    stated = (logits - height) / slope
    found = curve(stated[upper], stated[~upper])
    assert found == pytest.approx((slope, height), rel=0.2, abs=0.25)


def test_upper_faces_that_are_parted_wholly_stay_finite() -> None:
    tops = [Try("cube", 0.01, 0.02, 1, 0.8) for _ in range(30)]
    sides = [Try("", 0.01, 0.02, 1, 0.7) for _ in range(20)]
    found = upper_lines(tops, sides)
    assert set(found) == {UPPER, UPPER + 1, UPPER + 2}
    for slope, height in found.values():
        high, low = (slope * np.log(one / (1 - one)) + height for one in (0.8, 0.7))
        assert np.isfinite([high, low]).all()
        assert high > 0 > low


def test_the_file_says_its_errors_along_the_line_and_all_else_as_before(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(WEIGHTS, folder)
    patches = np.random.default_rng(1).normal(0, 1, (20, 3, PATCH_EDGE_PIXELS, PATCH_EDGE_PIXELS)).astype(np.float32)
    before = Net((folder / CORNERS).read_bytes()).run(patches)
    take_in(folder / CORNERS, {ERRORS + SQUARE: (2.0, 0.5), ERRORS + TRIANGLE: (0.5, -1.0)})
    after = Net((folder / CORNERS).read_bytes()).run(patches)
    changed = [ERRORS + SQUARE, ERRORS + TRIANGLE]
    assert after[:, changed[0]] == pytest.approx(2.0 * before[:, changed[0]] + 0.5, abs=0.01)
    assert after[:, changed[1]] == pytest.approx(0.5 * before[:, changed[1]] - 1.0, abs=0.01)
    rest = [one for one in range(before.shape[1]) if one not in changed]
    assert (after[:, rest] == before[:, rest]).all()
    assert UPPER in rest


def test_the_card_knows_the_changed_file(tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(WEIGHTS, folder)
    take_in(folder / CORNERS, {ERRORS + SQUARE: (1.5, 0.0)})
    before = (folder / CARD).read_text("utf-8")
    try:
        use_weights(folder)
        with pytest.raises(nets.WeightsError):
            nets.weights(CORNERS)
        renew_hashes(folder)
        assert nets.weights(CORNERS) == (folder / CORNERS).read_bytes()
        assert nets.weights(nets.FACES)
    finally:
        use_weights(files("companion.vision.dice") / "weights")
    lines_of = [text.splitlines() for text in (before, (folder / CARD).read_text("utf-8"))]
    changed = [one for one, other in zip(*lines_of, strict=True) if one != other]
    assert 1 <= len(changed) <= 2
