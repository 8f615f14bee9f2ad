"""A reader's errors are not taken for the die's bias, and a die's bias is still found through them."""

import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.mixture import mixture_of, shifted
from companion.fairness.outcomes import Floats, outcomes_of
from companion.fairness.reader_errors import Bounds, ReaderError, ReaderErrors, corrected, corrected_bet, log_best
from companion.fairness.reader_file import seen_of
from companion.rules.dice import dice_set
from companion.vision.dice.groups.named import pooled

CUBE = outcomes_of(dice_set("pips").dice[0])
MIXTURE = mixture_of(CUBE)
LEVEL = 0.05


def rates(*, six_as_one: float = 0.0, six_unread: float = 0.0) -> Floats:
    """Return the chances of each face to be read as each, the last column unread."""
    out = np.hstack([np.eye(6), np.zeros((6, 1))])
    out[5, [5, 0, 6]] = 1 - six_as_one - six_unread, six_as_one, six_unread
    return out


def measured(true: Floats, shown: int, rng: np.random.Generator) -> ReaderErrors:
    return ReaderErrors(np.array([rng.multinomial(shown, row) for row in true]))


def readings(
    chances: Floats, true: Floats, throws: int, rng: np.random.Generator
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the counts after each reading."""
    shares = chances @ true
    read = rng.choice(7, p=shares / shares.sum(), size=throws)
    return np.asarray((read[read < 6, None] == np.arange(6)).cumsum(axis=0))


def test_a_perfect_reader_of_many_faces_leaves_little_between_the_bounds() -> None:
    bounds = ReaderErrors(np.hstack([np.eye(6), np.zeros((6, 1))]).astype(int) * 100_000).bounds(CUBE.fair, 0.01)
    assert (bounds.low < CUBE.fair).all()
    assert (bounds.high >= CUBE.fair).all()
    assert (bounds.high - bounds.low).max() < 0.001
    assert 0.9999 < bounds.least < bounds.most == 1


@given(st.integers(0, 1000), st.floats(0, 0.1), st.floats(0, 0.1))
@settings(max_examples=40)
def test_the_bounds_hold_what_a_fair_die_shows_through_the_reader(seed: int, as_one: float, unread: float) -> None:
    true = rates(six_as_one=as_one, six_unread=unread)
    bounds = measured(true, 500, np.random.default_rng(seed)).bounds(CUBE.fair, 1e-6)
    shares = (CUBE.fair @ true)[:6]
    assert (bounds.low <= shares + 1e-12).all()
    assert (shares <= bounds.high + 1e-12).all()
    assert bounds.least - 1e-12 <= shares.sum() <= bounds.most + 1e-12


def solved(counts: Floats, bounds: Bounds) -> tuple[float, float]:
    """Return between what the greatest mean logarithm of a reading's share lies, as linear programs find it.

    Divided by their sum, shares within bounds are a polytope: ``y`` with sum 1, ``low * t <= y <= high * t`` and ``t``
    between the inverses of the sum's bounds. Each logarithm is held below its tangents, so the program's optimum is an
    upper end, and what its (feasible) shares are worth is a lower one. No search that could end outside the bounds.
    """
    kinds, weights = len(counts), counts / counts.sum()
    at = np.linspace(bounds.low / bounds.most, bounds.high / bounds.least, 300)  # tangents by outcome
    rows = [(number, outcome) for outcome in np.flatnonzero(counts) for number in range(len(at))]
    tangents, most = np.zeros((len(rows), 2 * kinds + 1)), np.zeros(len(rows))
    for row, (number, outcome) in enumerate(rows):
        tangents[row, [outcome, kinds + 1 + outcome]] = -1 / at[number, outcome], 1
        most[row] = math.log(at[number, outcome]) - 1
    one, none = np.eye(kinds), np.zeros((kinds, kinds))
    box = [np.hstack([-one, bounds.low[:, None], none]), np.hstack([one, -bounds.high[:, None], none])]
    found = scipy.optimize.linprog(
        -np.concatenate([np.zeros(kinds + 1), weights]),
        A_ub=np.vstack([tangents, *box]),
        b_ub=np.concatenate([most, np.zeros(2 * kinds)]),
        A_eq=np.concatenate([np.ones(kinds), np.zeros(kinds + 1)])[None],
        b_eq=[1],
        bounds=[(0, 1)] * kinds + [(1 / bounds.most, 1 / bounds.least)] + [(None, 0)] * kinds,
        options={"primal_feasibility_tolerance": 1e-10},
    )
    assert found.success, found.message
    shares = found.x[:kinds] / found.x[kinds]
    assert (bounds.low - 1e-9 <= shares).all()
    assert (shares <= bounds.high + 1e-9).all()
    assert bounds.least - 1e-9 <= shares.sum() <= bounds.most + 1e-9
    return float(weights @ np.log(shares / shares.sum())), -float(found.fun)


@given(
    st.lists(st.integers(0, 400), min_size=6, max_size=6).filter(any),
    st.integers(0, 1000),
    st.floats(0, 1),
)
@settings(max_examples=40)
def test_the_best_shares_within_bounds_are_those_that_scipy_finds(counts: list[int], seed: int, inside: float) -> None:
    rng = np.random.default_rng(seed)
    low = CUBE.fair * (1 - rng.uniform(0.01, 0.1, 6))
    high = CUBE.fair * (1 + rng.uniform(0.01, 0.1, 6))
    together = low.sum() + (high.sum() - low.sum()) * np.array([inside * 0.9, inside * 0.9 + 0.1])
    least, most = together if seed % 2 else (low.sum(), high.sum())
    bounds = Bounds(low, high, float(least), float(most))
    at_least, at_most = solved(np.array(counts, float), bounds)
    assert at_most - at_least < 1e-6, "the programs leave nothing open"
    ours = float(log_best(np.array(counts), bounds)) / sum(counts)
    assert at_least - 1e-9 <= ours <= at_most + 1e-9


def test_a_reader_that_takes_sixes_for_ones_does_not_make_a_fair_die_biased() -> None:
    rng = np.random.default_rng(4)
    true = rates(six_as_one=0.05)
    raw = wrongly = 0
    for _ in range(40):
        counts = readings(CUBE.fair, true, 6000, rng)[::20]
        bet = corrected_bet(MIXTURE, measured(true, 500, rng), LEVEL)
        raw += bool((MIXTURE.log_value(counts) >= math.log(1 / LEVEL)).any())
        wrongly += bool((bet.log_value(counts) >= bet.needed).any())
    assert wrongly <= 2 + 3 * math.sqrt(40 * LEVEL * (1 - LEVEL))
    assert raw > wrongly, "without the correction the die is blamed"


def test_a_loaded_die_is_found_through_a_reader_that_errs() -> None:
    rng = np.random.default_rng(5)
    true = rates(six_as_one=0.02)
    chances = shifted(CUBE.fair, (2,), 0.16)  # 6 points more of one face
    found = 0
    for _ in range(20):
        bet = corrected_bet(MIXTURE, measured(true, 1000, rng), LEVEL)
        found += bool((bet.log_value(readings(chances, true, 2500, rng)[::10]) >= bet.needed).any())
    assert found >= 18


def test_the_corrected_estimate_undoes_the_reader() -> None:
    true = rates(six_as_one=0.2, six_unread=0.3)
    reader = ReaderErrors(np.round(true * 10_000).astype(int))
    chances = np.array([0.1, 0.15, 0.15, 0.2, 0.2, 0.2])
    shares = (chances @ true)[:6]
    counts = np.round(shares / shares.sum() * 1_000_000).astype(int)
    assert corrected(counts, reader) == pytest.approx(chances, abs=1e-4)


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (np.ones((6, 6), int), "but got an array of 6 x 6"),
        (np.vstack([np.ones((5, 7), int), np.zeros((1, 7), int)]), "never shown outcome 6"),
        (-np.ones((6, 7), int), "Expected for each of 6 outcomes"),
    ],
)
def test_a_measurement_that_lacks_something_is_refused(
    seen: np.ndarray[tuple[int, int], np.dtype[np.int64]], text: str
) -> None:
    with pytest.raises(ReaderError, match=text):
        ReaderErrors(seen)


def test_what_is_bet_on_does_not_follow_audits_and_the_bounds_do() -> None:
    before, audits = np.full((6, 7), 2) + 40 * np.eye(6, 7, dtype=np.int64), np.zeros((6, 7), np.int64)
    audits[:, :6] = 30 * np.eye(6, dtype=np.int64)
    first = corrected_bet(MIXTURE, ReaderErrors(before), LEVEL)
    later = corrected_bet(MIXTURE, ReaderErrors(before + audits, beforehand=before), LEVEL)
    assert np.array_equal(first.seen.shifts, later.seen.shifts)
    assert (later.bounds.high < first.bounds.high).all()
    unknown = corrected_bet(MIXTURE, ReaderErrors(audits, beforehand=np.zeros_like(audits)), LEVEL)
    assert np.array_equal(unknown.seen.shifts, MIXTURE.shifts)


def test_what_was_known_beforehand_has_the_same_form() -> None:
    with pytest.raises(ReaderError, match="6 x 6"):
        ReaderErrors(np.ones((6, 7), np.int64), beforehand=np.ones((6, 6), np.int64))


def test_throws_that_count_for_every_face_are_told_once() -> None:
    labels = CUBE.labels
    found = {one: {one: 8, labels[place - 1]: 1, "unread": 1} for place, one in enumerate(labels)}
    distances = seen_of(found, CUBE)
    assert ReaderErrors(distances).named == (60, 6, 6)
    together = seen_of(pooled(found, labels), CUBE)
    assert ReaderErrors(together, beforehand=together, together=6).named == (60, 6, 6)
