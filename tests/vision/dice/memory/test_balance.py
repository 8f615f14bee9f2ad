"""The balance: whoever was right has more to say, and nobody too much."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.faces import Marks
from companion.vision.dice.memory.balance import FOR, MOST_AGAINST, MOST_SURPRISE, Balance, FaceEvidence, evidence
from companion.vision.dice.memory.exemplars import NOTHING, Likeness
from companion.vision.dice.memory.scores import MOST_ADDED, Scores
from companion.vision.dice.memory.table import Shown, TableMemory
from tests.vision.dice.memory.views import CORNERS, view

BAGS = ("A", "E", "I", "O")
TRUTH, WRONG = 0, 1

likenesses = st.dictionaries(
    st.sampled_from([*BAGS, NOTHING, "Q"]),
    st.builds(Likeness, st.floats(-1, 1), st.integers(1, 400), st.none() | st.floats(-1, 1)),
    max_size=6,
)
seeds = st.integers(0, 2**32)


def chances(seed: int, unreadable: float) -> np.ndarray:
    """Return the general reader's chances, from nearly even to nearly certain."""
    rng = np.random.default_rng(seed)
    return np.asarray((1 - unreadable) * rng.dirichlet(np.full(len(BAGS), 10.0 ** rng.uniform(-2, 1))))


def seen(truth: float, wrong: float, known: Mapping[str, Likeness], unreadable: float = 0.0) -> FaceEvidence:
    rest = (1 - truth - wrong - unreadable) / (len(BAGS) - 2)
    return evidence(np.array([truth, wrong, rest, rest]), unreadable, known, BAGS)


EXEMPLARS_RIGHT = {"A": Likeness(0.93, 3), "E": Likeness(0.3, 3), "I": Likeness(0.2, 3)}
EXEMPLARS_WRONG = {"A": Likeness(0.3, 3), "E": Likeness(0.93, 3), "I": Likeness(0.2, 3)}


def after(shown: FaceEvidence, times: int) -> Balance:
    balance = Balance()
    for _ in range(times):
        balance.learn(shown, TRUTH, "1")
    return balance


@given(seeds, st.floats(0, 1), likenesses, st.integers(0, 3), st.integers(0, 12))
@settings(max_examples=40)
def test_posteriors_sum_to_one_and_no_exemplar_says_too_much(
    seed: int, unreadable: float, known: dict[str, Likeness], truth: int, times: int
) -> None:
    shown = evidence(chances(seed, unreadable), unreadable, known, BAGS)
    balance = Balance()
    for _ in range(times):
        balance.learn(shown, truth, "1")
    posterior, weights = balance.weigh(shown)
    assert posterior.sum() == pytest.approx(1)
    assert ((posterior >= 0) & (posterior <= 1)).all()
    assert np.isfinite(balance.scores.whole).all()
    for bag, value in zip((*BAGS, NOTHING), weights, strict=True):
        number = known.get(bag, Likeness()).number
        assert MOST_AGAINST <= value <= FOR[min(number, len(FOR) - 1)]
        assert number or value == 0


@given(seeds, st.integers(0, 10))
@settings(max_examples=40)
def test_one_exemplar_alone_however_alike_says_no_more_than_one_may(seed: int, times: int) -> None:
    shown = evidence(chances(seed, 0.1), 0.1, {"A": Likeness(1.0, 1)}, BAGS)
    _, weights = after(shown, times).weigh(shown)
    assert weights[TRUTH] == FOR[1]


@given(seeds, st.floats(0, 0.99))
@settings(max_examples=40)
def test_without_exemplars_the_order_is_the_general_readers(seed: int, unreadable: float) -> None:
    general = chances(seed, unreadable)
    posterior, weights = Balance().weigh(evidence(general, unreadable, {}, BAGS))
    assert not weights.any()
    by_general = np.argsort(general)
    assert (np.diff(posterior[:-1][by_general]) >= 0).all()
    # what makes one text twice as likely as another shows in the posterior too
    first, last = by_general[-1], by_general[0]
    if general[first] > 2 * general[last] + 0.01:
        assert posterior[first] > posterior[last]


def test_where_the_general_reader_is_wrong_the_exemplars_get_the_word() -> None:
    misread = seen(0.02, 0.95, {"A": Likeness(0.8, 3), "E": Likeness(0.6, 3), "I": Likeness(0.2, 3)})
    before, now = Balance().weigh(misread)[0], after(misread, 12).weigh(misread)[0]
    assert before.argmax() == WRONG
    assert now.argmax() == TRUTH
    unknown = seen(
        0.1, 0.85, {"I": Likeness(0.3, 3)}
    )  # even where no exemplar says anything, the general reader counts less
    assert after(misread, 12).weigh(unknown)[0][WRONG] < Balance().weigh(unknown)[0][WRONG]


def test_where_the_exemplars_are_wrong_the_general_reader_gets_the_word() -> None:
    unlike = seen(0.8, 0.15, EXEMPLARS_WRONG)
    before, now = Balance().weigh(unlike), after(unlike, 12).weigh(unlike)
    assert now[0][TRUTH] > before[0][TRUTH]
    assert now[1][WRONG] < before[1][WRONG]


@given(seeds, likenesses, st.integers(0, 3))
@settings(max_examples=40)
def test_one_face_named_wrongly_moves_the_balance_by_no_more_than_a_surprise(
    seed: int, known: dict[str, Likeness], truth: int
) -> None:
    balance = Balance()
    balance.learn(evidence(chances(seed, 0.0), 0.0, known, BAGS), truth, "1")
    assert ((balance.scores.whole >= MOST_SURPRISE) & (balance.scores.whole <= 0)).all()
    if not known:
        assert not balance.scores.whole.any()


def test_scores_make_the_same_balance_again() -> None:
    balance = after(seen(0.02, 0.95, EXEMPLARS_RIGHT), 5)
    again = Balance(balance.scores.copy())
    for shown in (seen(0.5, 0.3, EXEMPLARS_WRONG), seen(0.1, 0.1, EXEMPLARS_RIGHT, 0.5)):
        assert np.array_equal(again.weigh(shown)[0], balance.weigh(shown)[0])
    again.learn(seen(0.5, 0.3, EXEMPLARS_WRONG), TRUTH, "1")
    assert not np.array_equal(again.scores.whole, balance.scores.whole)


@pytest.mark.parametrize(
    "change", [lambda scores: scores[1:], lambda scores: scores[None], lambda scores: scores * np.nan]
)
def test_scores_of_another_balance_are_refused(change: object) -> None:
    assert callable(change)
    with pytest.raises(ValueError, match=r"Expected .* scores"):
        Balance(Scores(change(Balance().scores.whole)))


def general(*texts: float) -> Marks:
    return Marks(np.array([texts]), np.array([1 - sum(texts)]))


def test_a_table_without_faces_of_this_outline_recalls_nothing() -> None:
    memory = TableMemory()
    shown = Shown(BAGS)
    assert memory.recall(CORNERS, view(0).descriptors, general(0.5, 0.2, 0.1, 0.1), shown) is None
    memory.learn(3, "A", view(0), "1", named=True, recalled=None)
    assert memory.recall(CORNERS, view(0).descriptors, general(0.5, 0.2, 0.1, 0.1), shown) is None


@given(st.lists(st.floats(0.01, 1), min_size=5, max_size=5), st.integers(0, 3))
@settings(max_examples=40)
def test_recalled_marks_are_chances_and_anagrams_share_theirs(weights: list[float], face: int) -> None:
    memory = TableMemory()
    memory.learn(CORNERS, "AE", view(0), "1", named=True, recalled=None)
    memory.learn(CORNERS, NOTHING, view(1), "2", named=True, recalled=None)
    # the texts of columns 1, 3 and 4 of six; the others belong to faces with other outlines
    shown = Shown(("AE", "I", "EA"), (1, 3, 4), 6)
    share = np.array(weights) / sum(weights)
    marks = Marks(np.array([[0, share[0], 0, share[1], share[2], 0]]), share[3:4] + share[4:5])
    recalled = memory.recall(CORNERS, view(face, 7).descriptors, marks, shown)
    assert recalled is not None
    row = recalled.marks.texts[0]
    assert row.sum() + recalled.marks.unreadable[0] == pytest.approx(1)
    assert row[1] == row[4]
    assert not row[[0, 2, 5]].any()
    assert recalled.log_odds[1] == recalled.log_odds[4]


def test_a_face_counts_for_its_own_text_and_a_thing_for_none() -> None:
    memory = TableMemory()
    for throw in range(3):
        memory.learn(CORNERS, "A", view(0, throw), str(throw), named=True, recalled=None)
        memory.learn(CORNERS, NOTHING, view(1, throw), str(throw), named=True, recalled=None)
    unsure = general(0.3, 0.3, 0.1, 0.1)
    face, thing, unknown = (
        memory.recall(CORNERS, view(number, 9).descriptors, unsure, Shown(BAGS)) for number in (0, 1, 2)
    )
    assert face is not None
    assert thing is not None
    assert unknown is not None
    assert face.marks.texts[0, TRUTH] > 0.99
    assert thing.marks.unreadable[0] > 0.99
    assert unknown.marks.unreadable[0] < 0.5


def test_only_what_a_person_says_moves_the_balance() -> None:
    memory = TableMemory()
    for throw in range(3):
        memory.learn(CORNERS, "A", view(0, throw), str(throw), named=True, recalled=None)
    recalled = memory.recall(CORNERS, view(0, 9).descriptors, general(0.1, 0.7, 0.1, 0.1), Shown(BAGS))
    memory.learn(CORNERS, "A", view(0, 9), "9", named=False, recalled=recalled)
    memory.learn(CORNERS, NOTHING, view(0, 8), "8", named=True, recalled=recalled)
    assert not memory.balance.scores.whole.any()
    memory.learn(CORNERS, "A", view(0, 7), "7", named=True, recalled=recalled)
    assert memory.balance.scores.whole.any()


@given(st.lists(st.tuples(seeds, likenesses, st.integers(0, 3), st.integers(0, 3)), max_size=12), st.integers(0, 3))
@settings(max_examples=40)
def test_what_a_throw_taught_wrongly_is_taken_back_as_if_it_had_never_been(
    sentence: list[tuple[int, dict[str, Likeness], int, int]], wrong: int
) -> None:
    mended, never = Balance(), Balance()
    for seed, known, truth, throw in sentence:
        shown = evidence(chances(seed, 0.0), 0.0, known, BAGS)
        mended.learn(shown, truth, str(throw))
        if throw != wrong:
            never.learn(shown, truth, str(throw))
    there = any({*BAGS, NOTHING} & known.keys() and throw == wrong for _, known, _, throw in sentence)
    assert mended.scores.take_back(str(wrong)) == there
    assert np.allclose(mended.scores.whole, never.scores.whole)
    assert not mended.scores.take_back(str(wrong)), "once"


def test_forgetting_a_throw_takes_back_what_it_said_of_whom_to_trust() -> None:
    memory = TableMemory()
    for throw in range(3):
        memory.learn(CORNERS, "A", view(0, throw), str(throw), named=True, recalled=None)
    recalled = memory.recall(CORNERS, view(0, 9).descriptors, general(0.1, 0.7, 0.1, 0.1), Shown(BAGS))
    before = memory.balance.weigh(seen(0.5, 0.3, EXEMPLARS_WRONG))[0]
    memory.learn(CORNERS, BAGS[WRONG], view(0, 8), "a slip", named=True, recalled=recalled)
    memory.sides.learn(np.full((5, 4), 0.25), 0, "a slip")
    assert memory.balance.scores.whole.any()
    kept = memory.copy()
    assert memory.forget("a slip")
    assert np.allclose(memory.balance.scores.whole, 0)
    assert np.allclose(memory.sides.scores.whole, 0)
    assert np.allclose(memory.balance.weigh(seen(0.5, 0.3, EXEMPLARS_WRONG))[0], before)
    assert {one.source for one in memory.exemplars} == {"0", "1", "2"}
    assert not memory.forget("a slip")
    assert kept.balance.scores.whole.any(), "a copy does not change with it"
    assert kept.forget("a slip")


def test_what_can_be_taken_back_is_bounded() -> None:
    scores = Scores(np.zeros(3))
    for throw in range(MOST_ADDED + 5):
        scores.add(np.ones(3), str(throw))
    assert len(scores.added) == MOST_ADDED
    assert not scores.take_back("4"), "too long ago: it stays in the sum"
    assert scores.take_back("5")
    assert scores.whole.tolist() == [MOST_ADDED + 4] * 3
