"""The balance: whoever was right has more to say, and nobody too much."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.faces import Marks
from companion.vision.dice.memory.balance import AGAINST, FOR, SURPRISE, Balance, Evidence, evidence
from companion.vision.dice.memory.exemplars import NOTHING
from companion.vision.dice.memory.table import Shown, TableMemory
from tests.vision.dice.memory.views import CORNERS, view

BAGS = ("A", "E", "I", "O")
TRUTH, WRONG = 0, 1

likenesses = st.dictionaries(
    st.sampled_from([*BAGS, NOTHING, "Q"]), st.tuples(st.floats(-1, 1), st.integers(1, 400)), max_size=6
)
seeds = st.integers(0, 2**32)


def chances(seed: int, unreadable: float) -> np.ndarray:
    """Return the general reader's chances, from nearly even to nearly certain."""
    rng = np.random.default_rng(seed)
    return np.asarray((1 - unreadable) * rng.dirichlet(np.full(len(BAGS), 10.0 ** rng.uniform(-2, 1))))


def seen(truth: float, wrong: float, known: Mapping[str, tuple[float, int]], unreadable: float = 0.0) -> Evidence:
    rest = (1 - truth - wrong - unreadable) / (len(BAGS) - 2)
    return evidence(np.array([truth, wrong, rest, rest]), unreadable, known, BAGS)


EXEMPLARS_RIGHT = {"A": (0.93, 3), "E": (0.3, 3), "I": (0.2, 3)}
EXEMPLARS_WRONG = {"A": (0.3, 3), "E": (0.93, 3), "I": (0.2, 3)}


def after(shown: Evidence, times: int) -> Balance:
    balance = Balance()
    for _ in range(times):
        balance.learn(shown, TRUTH)
    return balance


@given(seeds, st.floats(0, 1), likenesses, st.integers(0, 3), st.integers(0, 12))
@settings(max_examples=40)
def test_posteriors_sum_to_one_and_no_exemplar_says_too_much(
    seed: int, unreadable: float, known: dict[str, tuple[float, int]], truth: int, times: int
) -> None:
    shown = evidence(chances(seed, unreadable), unreadable, known, BAGS)
    balance = Balance()
    for _ in range(times):
        balance.learn(shown, truth)
    posterior, said = balance.weigh(shown)
    assert posterior.sum() == pytest.approx(1)
    assert ((posterior >= 0) & (posterior <= 1)).all()
    assert np.isfinite(balance.scores).all()
    for bag, value in zip((*BAGS, NOTHING), said, strict=True):
        number = known.get(bag, (0.0, 0))[1]
        assert AGAINST <= value <= FOR[min(number, len(FOR) - 1)]
        assert number or value == 0


@given(seeds, st.integers(0, 10))
@settings(max_examples=40)
def test_one_exemplar_alone_however_alike_says_no_more_than_one_may(seed: int, times: int) -> None:
    shown = evidence(chances(seed, 0.1), 0.1, {"A": (1.0, 1)}, BAGS)
    _, said = after(shown, times).weigh(shown)
    assert said[TRUTH] == FOR[1]


@given(seeds, st.floats(0, 0.99))
@settings(max_examples=40)
def test_without_exemplars_the_order_is_the_general_readers(seed: int, unreadable: float) -> None:
    general = chances(seed, unreadable)
    posterior, said = Balance().weigh(evidence(general, unreadable, {}, BAGS))
    assert not said.any()
    by_general = np.argsort(general)
    assert (np.diff(posterior[:-1][by_general]) >= 0).all()
    # what makes one text twice as likely as another shows in the posterior too
    first, last = by_general[-1], by_general[0]
    if general[first] > 2 * general[last] + 0.01:
        assert posterior[first] > posterior[last]


def test_where_the_general_reader_is_wrong_the_exemplars_get_the_word() -> None:
    misread = seen(0.02, 0.95, {"A": (0.8, 3), "E": (0.6, 3), "I": (0.2, 3)})
    before, now = Balance().weigh(misread)[0], after(misread, 12).weigh(misread)[0]
    assert before.argmax() == WRONG
    assert now.argmax() == TRUTH
    unknown = seen(0.1, 0.85, {"I": (0.3, 3)})  # even where no exemplar says anything, the general reader counts less
    assert after(misread, 12).weigh(unknown)[0][WRONG] < Balance().weigh(unknown)[0][WRONG]


def test_where_the_exemplars_are_wrong_the_general_reader_gets_the_word() -> None:
    unlike = seen(0.8, 0.15, EXEMPLARS_WRONG)
    before, now = Balance().weigh(unlike), after(unlike, 12).weigh(unlike)
    assert now[0][TRUTH] > before[0][TRUTH]
    assert now[1][WRONG] < before[1][WRONG]


@given(seeds, likenesses, st.integers(0, 3))
@settings(max_examples=40)
def test_one_face_named_wrongly_moves_the_balance_by_no_more_than_a_surprise(
    seed: int, known: dict[str, tuple[float, int]], truth: int
) -> None:
    balance = Balance()
    balance.learn(evidence(chances(seed, 0.0), 0.0, known, BAGS), truth)
    assert ((balance.scores >= SURPRISE) & (balance.scores <= 0)).all()
    if not known:
        assert not balance.scores.any()


def test_scores_make_the_same_balance_again() -> None:
    balance = after(seen(0.02, 0.95, EXEMPLARS_RIGHT), 5)
    anew = Balance(balance.scores)
    for shown in (seen(0.5, 0.3, EXEMPLARS_WRONG), seen(0.1, 0.1, EXEMPLARS_RIGHT, 0.5)):
        assert np.array_equal(anew.weigh(shown)[0], balance.weigh(shown)[0])
    anew.learn(seen(0.5, 0.3, EXEMPLARS_WRONG), TRUTH)
    assert not np.array_equal(anew.scores, balance.scores)


@pytest.mark.parametrize(
    "change", [lambda scores: scores[1:], lambda scores: scores[None], lambda scores: scores * np.nan]
)
def test_scores_of_another_balance_are_refused(change: object) -> None:
    assert callable(change)
    with pytest.raises(ValueError, match=r"Expected .* finite scores"):
        Balance(change(Balance().scores))


def general(*texts: float) -> Marks:
    return Marks(np.array([texts]), np.array([1 - sum(texts)]))


def test_a_table_without_faces_of_this_outline_recalls_nothing() -> None:
    memory = TableMemory()
    shown = Shown(BAGS)
    assert memory.recall(CORNERS, view(0).descriptors, general(0.5, 0.2, 0.1, 0.1), shown) is None
    memory.learn(3, "A", view(0), "1", said=True, recalled=None)
    assert memory.recall(CORNERS, view(0).descriptors, general(0.5, 0.2, 0.1, 0.1), shown) is None


@given(st.lists(st.floats(0.01, 1), min_size=5, max_size=5), st.integers(0, 3))
@settings(max_examples=40)
def test_recalled_marks_are_chances_and_anagrams_share_theirs(weights: list[float], face: int) -> None:
    memory = TableMemory()
    memory.learn(CORNERS, "AE", view(0), "1", said=True, recalled=None)
    memory.learn(CORNERS, NOTHING, view(1), "2", said=True, recalled=None)
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
    assert recalled.said[1] == recalled.said[4]


def test_a_face_counts_for_its_own_text_and_a_thing_for_none() -> None:
    memory = TableMemory()
    for throw in range(3):
        memory.learn(CORNERS, "A", view(0, throw), str(throw), said=True, recalled=None)
        memory.learn(CORNERS, NOTHING, view(1, throw), str(throw), said=True, recalled=None)
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
        memory.learn(CORNERS, "A", view(0, throw), str(throw), said=True, recalled=None)
    recalled = memory.recall(CORNERS, view(0, 9).descriptors, general(0.1, 0.7, 0.1, 0.1), Shown(BAGS))
    memory.learn(CORNERS, "A", view(0, 9), "9", said=False, recalled=recalled)
    memory.learn(CORNERS, NOTHING, view(0, 8), "8", said=True, recalled=recalled)
    assert not memory.balance.scores.any()
    memory.learn(CORNERS, "A", view(0, 7), "7", said=True, recalled=recalled)
    assert memory.balance.scores.any()
