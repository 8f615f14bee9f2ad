"""The comparison finds every difference, lets pass only what is named, and says when a name has become idle."""

import pytest

from tests.golden.comparing import ABSENT, Difference, Mended, changes, differences, plain, unexplained

WAS = {"a": [1, {"b": 2.0}], "said": "he goes from a to a.", "none": None}


@pytest.mark.parametrize(
    ("now", "found"),
    [
        (WAS, []),
        ({**WAS, "a": [1, {"b": 2.0 + 1e-12}]}, []),
        ({**WAS, "a": [1, {"b": 2}]}, [Difference("/a/1/b", 2.0, 2)]),
        ({**WAS, "a": [True, {"b": 2.0}]}, [Difference("/a/0", 1, now=True)]),
        ({**WAS, "a": [1]}, [Difference("/a/1", {"b": 2.0}, ABSENT)]),
        ({**WAS, "more": []}, [Difference("/more", ABSENT, [])]),
        ({name: value for name, value in WAS.items() if name != "none"}, [Difference("/none", None, ABSENT)]),
    ],
)
def test_every_difference_is_found_by_its_place(now: object, found: list[Difference]) -> None:
    assert list(differences(WAS, now)) == found


def test_only_what_is_named_passes_and_no_name_is_idle() -> None:
    found = [Difference("/x/1", "he goes from a to a.", "he lifts a."), Difference("/y", 1, 2)]
    lifts = Mended("/x/*", "It is called so.", r"lifts \1", r"goes from (\w) to \1")
    two = Mended("/y", "One more counts.", 2)
    assert not unexplained(found, [lifts, two])
    assert unexplained(found, [two]) == [str(found[0])]
    assert unexplained(found[:1], [lifts, two]) == ["/y: named as mended, but nothing differs there"]
    assert unexplained(found, [lifts, Mended("/y", "Another value.", 3)])[0] == "/y: was 1, is 2"


def test_of_many_states_only_what_changes_is_told() -> None:
    assert changes([{"a": 1, "b": [2, 3]}, {"a": 1, "b": [2]}, {"a": 4, "b": [2]}]) == [
        {"/a": 1, "/b/0": 2, "/b/1": 3},
        {"/b/1": ABSENT},
        {"/a": 4},
    ]


def test_a_sentence_is_its_text() -> None:
    stated = {"text": "1 is left.", "template": "{n} is left.", "parts": {"n": 1}}
    assert plain({"a": (stated, 2), 3: None}) == {"a": ["1 is left.", 2], "3": None}
