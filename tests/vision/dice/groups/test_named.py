"""A throw counts only for the one name that it is clearly most like; how well names separate is told."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.outcomes import outcomes_of
from companion.fairness.reader_file import seen_of
from companion.rules.dice import dice_set
from companion.vision.dice.groups.named import (
    LEAST_LIKENESS,
    LIKENESS_MARGIN,
    NAMELESS,
    by_likeness,
    pooled,
    separation,
    strangers,
    without_itself,
)
from tests.vision.dice.groups.test_sorting import alike

HIGH = LEAST_LIKENESS + 2 * LIKENESS_MARGIN


LIKES = st.lists(st.floats(-3, 5), min_size=1, max_size=5)


@given(st.dictionaries(st.sampled_from("ABCDE"), LIKES, min_size=2, max_size=5))
def test_no_throw_counts_that_may_belong_to_two_names(likes: dict[str, list[float]]) -> None:
    verdict = by_likeness(likes)
    assert verdict.name is not None
    mean = {name: float(np.sort(own)[-3:].mean()) for name, own in likes.items()}
    rivals = [value for name, value in mean.items() if name != verdict.name]
    assert mean[verdict.name] >= max(rivals)
    if verdict.sure:
        assert mean[verdict.name] - max(rivals) >= LIKENESS_MARGIN
        assert mean[verdict.name] >= LEAST_LIKENESS
        assert len(likes[verdict.name]) > 1


def test_a_clear_throw_counts_and_a_throw_between_two_names_does_not() -> None:
    assert by_likeness({"1": [HIGH] * 3, "2": [LEAST_LIKENESS] * 3}).sure
    between = by_likeness({"1": [HIGH] * 3, "2": [HIGH - LIKENESS_MARGIN / 2] * 3})
    assert (between.name, between.sure) == ("1", False)


def test_a_throw_like_no_name_is_doubtful_and_so_is_any_where_only_one_name_is_known() -> None:
    assert not by_likeness({"1": [LEAST_LIKENESS / 2] * 3, "2": [-1.0] * 3}).sure
    assert not by_likeness({"1": [HIGH] * 3}).sure
    assert by_likeness({}).name is None


def test_a_throw_is_never_its_own_witness() -> None:
    names = ["1", "1", "1", "2", "2", "2", "3"]
    verdicts = without_itself(alike([0, 0, 0, 1, 1, 1, 2]), names)
    assert [verdict.sure for verdict in verdicts] == [True] * 6 + [False]  # nothing else is known of the face 3
    assert [verdict.name for verdict in verdicts[:6]] == names[:6]


def test_a_throw_like_no_name_stands_against_those_that_resemble_it_most() -> None:
    truth = [0, 0, 0, 1, 1, 1, 0, 2, 2]  # the last two show a face that nobody named, and stand in no group
    pairs = alike(truth, same=3.0, other=0.8)
    for place in (7, 8):  # it looks like the first face
        pairs[place, :3] = pairs[:3, place] = LEAST_LIKENESS + LIKENESS_MARGIN
    names = ["1", "1", "1", "2", "2", "2", None, None, None]
    pairs[8, :3] = pairs[:3, 8] = HIGH
    assert without_itself(pairs, names)[8].sure
    pairs[7, 3:6] = pairs[3:6, 7] = LEAST_LIKENESS + LIKENESS_MARGIN  # this one is like no name
    named = strangers(pairs, names)
    assert named[:7] == names[:7]
    assert str(named[7]).startswith(NAMELESS)
    assert not without_itself(pairs, [*named[:8], None])[8].sure


def test_a_throw_named_wrongly_is_told_by_the_others() -> None:
    names = ["1", "1", "1", "1", "2", "2", "2", "1"]
    verdicts = without_itself(alike([0, 0, 0, 0, 1, 1, 1, 1]), names)
    assert verdicts[-1].name == "2"


def test_the_separation_is_a_readers_measurement() -> None:
    names = ["1", "1", "1", "2", "2", "2", "2", "1", None]
    counts = separation(names, without_itself(alike([0, 0, 0, 1, 1, 1, 1, 1, 0]), names))
    assert counts == {"1": {"1": 3, "2": 1}, "2": {"2": 4}}
    seen = seen_of(counts, outcomes_of(dice_set("d20").dice[0]))
    assert seen.sum() == 8


def test_pooled_every_face_has_the_throws_of_all_and_every_error_stays_one() -> None:
    counts = {"1": {"1": 7, "2": 1}, "2": {"2": 5, "unread": 2}, "3": {"3": 4}}
    whole = pooled(counts, ["1", "2", "3", "4"])
    assert whole["1"] == {"1": 16, "2": 1, "unread": 2}
    assert whole["2"] == {"2": 16, "1": 1, "unread": 2}
    assert whole["3"] == {"3": 16, "2": 1, "unread": 2}
    # a face whose row has no name yet is read no better than the others
    assert whole["4"] == {"4": 16, "2": 1, "unread": 2}
