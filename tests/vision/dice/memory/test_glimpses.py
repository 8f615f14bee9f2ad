"""What a reading saw is taught once its text is known: only where it is clear what is meant, and nothing else."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Marks
from companion.vision.dice.memory.exemplars import NOTHING, SIDE_OUTLINE, View
from companion.vision.dice.memory.glimpses import FaceLesson, Glimpse, SidesGlimpse, UpperGlimpse, WholeGlimpse, teach
from companion.vision.dice.memory.handedness import Handedness, hand_of
from companion.vision.dice.memory.table import Shown, TableMemory
from tests.vision.dice.memory.views import CORNERS, view

TEXTS = ("BCDF", "GHKL", "MNPR", "STXZ")
SHOWN = Shown(("A", "E", "AE", "EA"))
UNKNOWN_HAND = Handedness()
KNOWN_HAND = Handedness(clockwise=30)


def square(x: float, y: float, half: float = 40) -> npt.NDArray[np.float64]:
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])


def upper(face: int, x: float = 100, y: float = 100, half: float = 40, sure: float = 1.0) -> UpperGlimpse:
    """Return an upper face of which the general reader is this sure, whatever its text."""
    return UpperGlimpse(square(x, y, half), view(face), SHOWN, np.full(len(SHOWN.bags), sure), None)


def sides(hidden: int, around: tuple[int | None, ...], sure: float, hand: Handedness = UNKNOWN_HAND) -> SidesGlimpse:
    """Return a tetrahedron that hides one text; ``around``: the others as they are seen, each this surely."""
    chances = tuple(None if text is None else np.where(np.arange(4) == text, sure, (1 - sure) / 3) for text in around)
    views = {place: view(text) for place, text in enumerate(around) if text is not None}
    assert hidden not in around
    return SidesGlimpse(square(100, 100), views, TEXTS, chances, hand)


def taught(glimpse: Glimpse, text: str | None) -> dict[str, str]:
    """Return the bags that a find teaches, by the text whose look was learnt."""
    memory = TableMemory()
    teach(memory, [glimpse], [FaceLesson((100, 100), text, named=True)], "1")
    assert all(one.outline == SIDE_OUTLINE and one.source == "1" and one.named for one in memory.exemplars)
    views = [view(face).descriptors[0] for face in range(4)]
    return {str(int(np.argmax([first @ one.descriptor for first in views]))): one.bag for one in memory.exemplars}


@given(st.permutations(range(4)), st.floats(0.26, 0.9999), st.sampled_from([(), (1,), (0, 2)]), st.booleans())
@settings(max_examples=40)
def test_sides_are_learnt_only_where_they_are_clear_and_then_rightly(
    order: list[int],
    sure: float,
    unseen: tuple[int, ...],
    known: bool,  # noqa: FBT001
) -> None:
    hidden, *rest = order
    around = tuple(None if place in unseen else text for place, text in enumerate(rest))
    hand = UNKNOWN_HAND
    if known:
        hand = Handedness(clockwise=30) if hand_of(hidden, rest) == "clockwise" else Handedness(anticlockwise=30)
    learnt = taught(sides(hidden, around, sure, hand), TEXTS[hidden])
    assert all(bag == TEXTS[int(one)] for one, bag in learnt.items())
    if sure > 0.995:
        assert len(learnt) == 3 - len(unseen)
    if sure < 0.4 and not known:
        assert learnt == {}


def test_what_lies_beneath_and_a_known_hand_make_unclear_sides_clear() -> None:
    unclear = sides(0, (1, 2, 3), 0.8)
    assert taught(unclear, None) == {}
    in_pairs = tuple(np.array([0.0, 0.5, 0.5, 0.0]) for _ in range(2))
    either = SidesGlimpse(square(100, 100), {0: view(1), 1: view(2)}, TEXTS, (*in_pairs, None), UNKNOWN_HAND)
    assert taught(either, TEXTS[0]) == {}
    handed = SidesGlimpse(square(100, 100), {0: view(1), 1: view(2)}, TEXTS, (*in_pairs, None), KNOWN_HAND)
    assert taught(handed, TEXTS[0]) == {"1": TEXTS[1], "2": TEXTS[2]}


def test_a_side_between_two_texts_is_not_learnt_while_the_other_is() -> None:
    chances = (np.array([0, 0.998, 0.001, 0.001]), np.array([0, 0, 0.5, 0.5]), None)
    glimpse = SidesGlimpse(square(100, 100), {0: view(1), 1: view(2)}, TEXTS, chances, UNKNOWN_HAND)
    assert taught(glimpse, TEXTS[0]) == {"1": TEXTS[1]}


def pictured(face: int) -> View:
    patches = np.random.default_rng(face).integers(0, 255, (CORNERS, 64, 64, 3), np.uint8)
    return View(view(face).descriptors, list(patches), square(100, 100))


@pytest.mark.parametrize(
    ("glimpse", "text"),
    [
        (UpperGlimpse(square(100, 100), pictured(0), SHOWN, np.ones(len(SHOWN.bags)), None), "A"),
        (UpperGlimpse(square(100, 100), pictured(0), SHOWN, np.ones(len(SHOWN.bags)), None), None),
        (replace(sides(0, (1, 2, 3), 0.9999), views={place: pictured(place + 1) for place in range(3)}), TEXTS[0]),
        (WholeGlimpse(square(100, 100), pictured(0), ("A",)), "A"),
    ],
)
def test_a_small_find_teaches_the_same_and_has_no_flat_pictures(glimpse: Glimpse, text: str | None) -> None:
    memories = TableMemory(), TableMemory()
    for one, memory in zip((glimpse, glimpse.small()), memories, strict=True):
        teach(memory, [one], [FaceLesson((100, 100), text, named=True)], "1")
    learnt, small = ([*memory.exemplars] for memory in memories)
    assert len(learnt) == len(small) > 0
    for one, other in zip(learnt, small, strict=True):
        assert (one.outline, one.bag, one.picture, one.place) == (other.outline, other.bag, other.picture, other.place)
        assert np.array_equal(one.descriptor, other.descriptor)
        assert one.picture
    views = getattr(glimpse.small(), "views", None) or {0: getattr(glimpse.small(), "view", None)}
    assert not any(one.patches for one in views.values())


@pytest.mark.parametrize("text", [None, "AE", ""])
def test_a_tetrahedron_that_is_none_or_shows_a_text_of_no_side_teaches_nothing(text: str | None) -> None:
    assert taught(sides(0, (1, 2, 3), 0.9999), text) == {}


def test_sides_that_cannot_be_teach_nothing() -> None:
    certain = tuple(np.eye(4)[1] for _ in range(3))
    glimpse = SidesGlimpse(square(100, 100), {0: view(1)}, TEXTS, certain, UNKNOWN_HAND)
    assert taught(glimpse, TEXTS[0]) == {}


def test_a_face_is_learnt_under_the_letters_of_its_text() -> None:
    memory = TableMemory()
    teach(memory, [upper(0)], [FaceLesson((110, 90), "EA", named=False)], "7")
    (one,) = memory.exemplars
    assert (one.outline, one.bag, one.source, one.named) == (CORNERS, bag_of("AE"), "7", False)


def test_a_find_that_is_no_die_makes_finds_like_it_less_likely() -> None:
    memory = TableMemory()
    teach(memory, [upper(0)], [FaceLesson((100, 100), None, named=True)], "1")
    (one,) = memory.exemplars
    assert one.bag == NOTHING
    general = Marks(np.array([[0.7, 0.1, 0.05, 0.05]]), np.array([0.1]))
    like_it = memory.recall(CORNERS, view(0, 5).descriptors, general, SHOWN)
    unlike = memory.recall(CORNERS, view(1, 5).descriptors, general, SHOWN)
    assert like_it is not None
    assert unlike is not None
    assert like_it.marks.unreadable[0] > 0.5 > unlike.marks.unreadable[0]


@pytest.mark.parametrize("place", [(0, 0), (141, 100), (100, 141), (-100, -100), (1e9, 1e9)])
def test_a_place_outside_all_finds_teaches_nothing(place: tuple[float, float]) -> None:
    memory = TableMemory()
    teach(memory, [upper(0), sides(0, (1, 2, 3), 0.9999)], [FaceLesson(place, "A", named=True)], "1")
    teach(memory, [], [FaceLesson((100, 100), "A", named=True)], "1")
    teach(memory, [upper(0)], [], "1")
    assert len(memory.exemplars) == 0


def test_a_text_that_no_such_face_shows_teaches_nothing() -> None:
    memory = TableMemory()
    teach(memory, [upper(0)], [FaceLesson((100, 100), "BCDF", named=True)], "1")
    assert len(memory.exemplars) == 0


def test_of_finds_over_each_other_only_the_one_that_is_meant_learns() -> None:
    whole, part = upper(0), upper(1, 115, 115, half=20)
    for finds in ([whole, part], [part, whole]):
        memory = TableMemory()
        teach(memory, finds, [FaceLesson((100, 100), "A", named=True)], "1")
        (one,) = memory.exemplars
        assert view(0).descriptors[0] @ one.descriptor > 0.99
        teach(memory, finds, [FaceLesson((114, 114), None, named=True)], "2")
        assert [kept.bag for kept in memory.exemplars] == ["A", NOTHING]


def test_of_two_texts_for_one_find_the_first_counts() -> None:
    memory = TableMemory()
    teach(memory, [upper(0)], [FaceLesson((100, 100), "A", named=True), FaceLesson((105, 100), "E", named=True)], "1")
    assert [one.bag for one in memory.exemplars] == ["A"]


@given(st.permutations(range(3)), st.permutations(range(3)))
@settings(max_examples=40)
def test_each_find_learns_its_own_text_in_any_order(finds: list[int], found: list[int]) -> None:
    texts = ("A", "E", "AE")
    memory = TableMemory()
    teach(
        memory,
        [upper(i, 100 + 200 * i) for i in finds],
        [FaceLesson((100 + 200 * i, 100), texts[i], named=True) for i in found],
        "1",
    )
    for one in memory.exemplars:
        assert view(texts.index(one.bag)).descriptors[0] @ one.descriptor > 0.99
    assert len(memory.exemplars) == 3


@pytest.mark.parametrize(
    ("sure", "named", "learnt"), [(0.99, False, 1), (0.4, False, 0), (0.6, False, 1), (0.6, True, 1), (0.0, True, 1)]
)
def test_what_the_general_reader_hardly_read_by_itself_teaches_only_if_somebody_says_it(
    sure: float,
    named: bool,  # noqa: FBT001
    learnt: int,
) -> None:
    memory = TableMemory()
    teach(memory, [upper(0, sure=sure)], [FaceLesson((100, 100), "A", named=named)], "1")
    assert len(memory.exemplars) == learnt
