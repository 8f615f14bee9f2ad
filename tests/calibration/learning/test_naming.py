"""What the groups are called, and by whom."""

import numpy as np
import pytest

from calibration.learning.naming import Name, NamesError, name_groups, name_of, open_groups, parse_names
from companion.vision.dice.faces import Marks

TEXTS: tuple[tuple[str | None, str], ...] = (("1", "L"), ("1", "X"), ("1", "X"), ("1", "V"), ("1", "I"), ("1", "I"))
GROUPS = np.repeat([0, 1, 2, 3], [20, 20, 10, 10])


def opinion(surely: dict[int, int]) -> Marks:
    """Return what a general reader says: of each group the place among the texts that it surely reads."""
    texts = np.zeros((len(GROUPS), len(TEXTS)))
    for number, place in surely.items():
        texts[number == GROUPS, place] = 0.96
    return Marks(texts, 1 - texts.sum(axis=1))


def test_the_general_reader_names_what_it_surely_reads_and_the_counts_the_last() -> None:
    named = name_groups(GROUPS, opinion({0: 1, 2: 0, 3: 3}), TEXTS, {}, 60)
    assert {number: (name.text, name.source) for number, name in named.names.items()} == {
        0: ("X", "reader"),
        2: ("L", "reader"),
        3: ("V", "reader"),
        1: ("I", "counts"),
    }
    assert named.notes == ()


def test_a_group_of_the_wrong_size_is_not_named_by_the_counts() -> None:
    groups = np.repeat([0, 1, 2, 3], [40, 15, 4, 1])
    texts = np.zeros((len(groups), len(TEXTS)))
    for number, place in {0: 1, 1: 3, 2: 0}.items():
        texts[number == groups, place] = 0.96
    named = name_groups(groups, Marks(texts, 1 - texts.sum(axis=1)), TEXTS, {}, 60)
    assert open_groups(groups, named.names) == [3]


def test_a_reader_that_reads_nothing_names_nothing() -> None:
    named = name_groups(GROUPS, opinion({}), TEXTS, {}, 60)
    assert open_groups(GROUPS, named.names) == [0, 1, 2, 3]


def test_a_group_read_as_two_faces_is_asked_about() -> None:
    mixed = opinion({0: 1})
    mixed.texts[:8] = 0
    mixed.texts[:8, 3] = 0.96
    assert 0 in open_groups(GROUPS, name_groups(GROUPS, mixed, TEXTS, {}, 60).names)


def test_the_owner_is_believed_but_told_of_a_contradiction() -> None:
    named = name_groups(GROUPS, opinion({0: 1}), TEXTS, {0: Name("I", "owner")}, 60)
    assert named.names[0] == Name("I", "owner")
    assert len(named.notes) == 1
    assert "Group 1 is called I" in named.notes[0]
    assert "as X" in named.notes[0]


def test_faces_that_never_lay_on_top_are_told() -> None:
    given = {n: Name(text, "owner") for n, text in enumerate(("X", "I", "L", "L"))}
    assert named_notes(given) == ("No group shows V: throw more often, so that each face comes up.",)


def named_notes(given: dict[int, Name]) -> tuple[str, ...]:
    return name_groups(GROUPS, opinion({}), TEXTS, given, 60).notes


def test_typed_names_are_understood() -> None:
    assert parse_names("1=x, 3=-,4=V", 4, TEXTS) == {
        0: Name("X", "owner"),
        2: Name(None, "owner"),
        3: Name("V", "owner"),
    }
    assert name_of("none", TEXTS) == Name(None, "owner")


@pytest.mark.parametrize(
    ("typed", "says"),
    [("1:X", "names like"), ("9=X", "groups are 1 to 4"), ("1=Q", "faces are L, X, V, I"), ("1=2:X", "called '2:X'")],
)
def test_typed_nonsense_is_told_in_a_sentence(typed: str, says: str) -> None:
    with pytest.raises(NamesError, match=says):
        parse_names(typed, 4, TEXTS)
