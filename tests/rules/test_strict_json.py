"""What comes from outside is JSON and nothing else; what goes out any browser reads."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.strict_json import (
    DEEPEST_NESTING,
    LARGEST_NUMBER,
    NoJsonError,
    StrictJsonError,
    read_json,
    shown_text,
    written_json,
)

plain = (
    st.none()
    | st.booleans()
    | st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
    | st.floats(allow_nan=False, allow_infinity=False)
)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
values = st.recursive(
    plain | words, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4), max_leaves=20
)


@given(value=values, escaped=st.booleans())
def test_what_is_written_is_read_again(value: Any, *, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    assert read_json(text) == value
    assert read_json(text.encode()) == value
    assert written_json(value, ensure_ascii=escaped) == text


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ('{"a": NaN}', "no such numbers"),
        ("[Infinity]", "no such numbers"),
        ("-Infinity", "no such numbers"),
        ("1e999", "at most 19 digits"),
        ("-1e999", "at most 19 digits"),
        ("0." + "1" * 100_000, "at most 19 digits"),
        ("1" + "0" * 19, "at most 19 digits"),
        ("9" * 100_000, "at most 19 digits"),
        ('{"a": 1, "b": {"c": 1, "c": 1}}', "one occurs twice"),
        ('"\\ud800"', "half of a character"),
        ('{"\\udfff": 1}', "half of a character"),
        ('["\\ude00\\ud83d"]', "half of a character"),
        ('"\ud800"', "half of a character"),
        (b'"\xed\xa0\x80"', "half of a character"),
        (b'"\xff"', "half of a character"),
        ("[" * (DEEPEST_NESTING + 2) + "]" * (DEEPEST_NESTING + 2), f"at most {DEEPEST_NESTING}"),
        ('{"a":' * 500 + "1" + "}" * 500, f"at most {DEEPEST_NESTING}"),
        ("[" * 100_000, f"at most {DEEPEST_NESTING}"),
        ("[" * 100_000 + "]" * 100_000, f"at most {DEEPEST_NESTING}"),
    ],
)
def test_what_python_takes_and_json_is_not_is_refused(text: str | bytes, stated: str) -> None:
    with pytest.raises(StrictJsonError, match=stated) as caught:
        read_json(text)
    assert not isinstance(caught.value, NoJsonError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", "[1,]", "01", b"\x00\x01", '"\n"', "nan"])
def test_what_is_no_json_is_told_apart(text: str | bytes) -> None:
    with pytest.raises(NoJsonError, match="cannot be read"):
        read_json(text)


def test_what_is_at_the_bounds_is_taken() -> None:
    assert read_json(f"[{LARGEST_NUMBER}, {-LARGEST_NUMBER}]") == [LARGEST_NUMBER, -LARGEST_NUMBER]
    assert read_json('"\\ud83d\\ude00"') == "\U0001f600"
    deep = "[" * DEEPEST_NESTING + "]" * DEEPEST_NESTING
    assert written_json(read_json(deep)) == deep


def test_a_number_that_json_does_not_have_goes_out_as_null() -> None:
    found = {"a": math.nan, "b": [1.5, math.inf, {"c": -math.inf}], "d": (math.nan,)}
    assert json.loads(written_json(found)) == {"a": None, "b": [1.5, None, {"c": None}], "d": [None]}


def test_the_name_of_a_file_can_always_be_shown() -> None:
    assert shown_text("dice\udcff") == "dice?"
    assert shown_text("Würfel") == "Würfel"
