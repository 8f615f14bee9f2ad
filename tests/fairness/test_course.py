"""A die judged throw by throw is judged as it would be by all its throws at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.course import MOMENTS_PER_DOUBLING, is_kept
from companion.fairness.outcomes import outcomes_of
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.verdict import Against, Judgement, judge
from companion.rules.dice import dice_set


def same(one: Judgement, other: Judgement) -> None:
    assert (one.said, one.reader_explains, one.smallest) == (other.said, other.reader_explains, other.smallest)
    assert (one.unread, one.unread_explain) == (other.unread, other.unread_explain)
    assert one.counts.tolist() == other.counts.tolist()
    for ours, theirs in ((one.raw, other.raw), (one.evidence, other.evidence)):
        assert (ours.called, ours.reached) == (theirs.called, theirs.reached)
        assert ours.throws.tolist() == theirs.throws.tolist()
        assert ours.log_value == pytest.approx(theirs.log_value, abs=1e-9)
        assert (ours.most, ours.needed) == pytest.approx((theirs.most, theirs.needed), abs=1e-9)
    assert one.intervals.low == pytest.approx(other.intervals.low, abs=1e-9)
    assert one.intervals.high == pytest.approx(other.intervals.high, abs=1e-9)
    assert one.estimate == pytest.approx(other.estimate, abs=1e-9)
    assert [held for _, held in one.contrasts] == [pytest.approx(held, abs=1e-9) for _, held in other.contrasts]


@given(
    name=st.sampled_from(["d4", "pips", "ludix", "d20"]),
    seed=st.integers(0, 10_000),
    shown=st.tuples(st.integers(0, 150), st.floats(0.3, 20)),
    smallest=st.none() | st.floats(0.01, 0.3),
    measured=st.none() | st.integers(20, 400),
    unread=st.sampled_from([0.0, 0.02, 0.3]),
    together=st.integers(1, 3),
    stakes=st.sampled_from([1, 2]),
)
@settings(max_examples=25, deadline=None)
def test_throw_by_throw_it_is_what_all_throws_at_once_say(
    name: str,
    seed: int,
    shown: tuple[int, float],
    smallest: float | None,
    measured: int | None,
    *,
    unread: float,
    together: int,
    stakes: int,
) -> None:
    outcomes = outcomes_of(dice_set(name).dice[0])
    rng = np.random.default_rng(seed)
    kinds = len(outcomes.labels)
    reader = None
    if measured is not None:
        true = np.hstack([np.eye(kinds) * 0.95, np.zeros((kinds, 1))]) + 0.05 / (kinds + 1)
        reader = ReaderErrors(np.array([rng.multinomial(measured, row / row.sum()) for row in true]))
    throws, evenness = shown
    places = rng.choice(kinds, p=rng.dirichlet(outcomes.fair * kinds * evenness), size=throws)
    places[rng.random(throws) < unread] = UNREAD_PLACE
    against = Against(outcomes, smallest, reader, stakes)
    running = against.courses(together)
    for place in places:
        running.take(place[None])
    all_at_once = judge(places, outcomes, smallest=smallest, reader=reader, stakes=stakes, together=together)
    same(against.concluded(running), all_at_once)
    begun = against.courses(together)
    begun.take(places[: throws // 2])
    for place in places[throws // 2 :]:
        begun.take(place[None])
    same(against.concluded(begun), all_at_once)


@given(st.integers(1, 1_000_000))
def test_of_the_evidence_so_many_moments_are_kept_that_it_can_be_drawn(throws: int) -> None:
    kept = np.flatnonzero(is_kept(np.arange(1, throws + 1))) + 1
    assert len(kept) <= MOMENTS_PER_DOUBLING * 18
    assert (np.diff(kept) <= np.maximum(1, kept[1:] / MOMENTS_PER_DOUBLING)).all(), (
        "no gap is wide against what came before"
    )
