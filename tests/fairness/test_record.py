"""Throws are read as people write them, and what cannot be understood is named with its line."""

import json

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from companion.fairness.outcomes import outcomes_of
from companion.fairness.reader_errors import ReaderError
from companion.fairness.reader_file import read_reader
from companion.fairness.record import read_record
from companion.fairness.tables.lines import RecordError
from companion.rules.dice import dice_set

DIE = dice_set("pips").dice[0]
CUBE = outcomes_of(DIE)
VOWELS = dice_set("wibold").dice[2]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=60))
def test_a_list_of_faces_says_the_same_as_csv_and_as_json(faces: list[int]) -> None:
    csv = "face\n" + "\n".join(map(str, faces))
    every = [
        read_record(text, CUBE, DIE) for text in (csv, json.dumps(faces), json.dumps([{"face": f} for f in faces]))
    ]
    for record in every:
        assert record.places is not None
        assert [place + 1 for place in record.places if place is not None] == faces
        assert record.counts.sum() == len(faces)
    counted = read_record(json.dumps({str(f): faces.count(f) for f in range(1, 7)}), CUBE, DIE)
    assert counted.places is None
    assert counted.counts.tolist() == every[0].counts.tolist()


def test_sessions_and_hands_stand_beside_the_faces() -> None:
    record = read_record("Face; Session ;hand\n6;monday;left\n1;monday;\n2;tuesday;right\n", CUBE, DIE)
    assert dict(record.groups) == {"session": ["monday", "monday", "tuesday"], "hand": ["left", "", "right"]}


def test_letters_may_come_in_any_order_and_case() -> None:
    outcomes = outcomes_of(VOWELS)
    whole = max((face.text for face in VOWELS.faces), key=len)
    record = read_record(f"face\n{whole[::-1].lower()}\n", outcomes, VOWELS)
    assert record.places is not None
    assert record.places[0] is not None
    assert outcomes.labels[record.places[0]] == whole


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("", "holds none"),
        ("face\n", "holds none"),
        ("upper,lower\n6,1\n", "a column named face, but the columns are 'upper', 'lower'"),
        ("face\n6\n7\n", "in line 3, but got '7'"),
        ("face,count\n6,many\n", "a whole number from 0 to 1000000 in line 2, but got 'many'"),
        ("face,count\n6,99999999999999999999\n", "a whole number from 0"),
        ("[6, true]", "as entry 2, but got True"),
        ("[" * 100_000, "cannot be read"),
        ('{"6": -1}', "but got '-1'"),
        ('{"6": 1, "6": 2}', "twice"),
        ('{"6": NaN}', "no such numbers"),
        ('["\\ud800"]', "half of a character"),
    ],
)
def test_what_cannot_be_understood_is_named(text: str, stated: str) -> None:
    with pytest.raises(RecordError, match=stated):
        read_record(text, CUBE, DIE)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    shown, record = "", None
    try:
        record = read_record(text, CUBE, DIE)
    except RecordError as why:
        shown = str(why)
    assert shown.endswith(".") if record is None else record.counts.sum() >= 0


PLACES = ["{}\n", "face,count\n{}\n", "face\tn\n{}\n", "side;share\n{}\n"]


@given(
    counts=st.lists(st.integers(0, 400), min_size=6, max_size=6).filter(any),
    of=st.sampled_from([1, 100]),
    digits=st.integers(1, 6),
    point=st.sampled_from([".", ","]),
    form=st.sampled_from(["pairs", "across", "json", "columns", *PLACES]),
)
@example(counts=[170, 165, 160, 172, 168, 165], of=1, digits=3, point=".", form="{}\n")
@example(counts=[170, 165, 160, 172, 168, 165], of=1, digits=3, point=",", form="pairs")
@example(counts=[16667, 16501, 16250, 17001, 16900, 16681], of=100, digits=3, point=".", form="face,count\n{}\n")
@example(counts=[1, 0, 0, 0, 0, 0], of=1, digits=3, point=".", form="across")
def test_shares_and_percentages_are_never_taken_for_counts(
    counts: list[int], of: int, digits: int, point: str, form: str
) -> None:
    shares = [f"{of * count / sum(counts):.{digits}f}" for count in counts]
    assume(digits == 3 or any(float(share) % 1 for share in shares))
    shares = [share.replace(".", point) for share in shares]
    rows = list(zip("123456", shares, strict=True))
    separator = next((of for of in ";\t" if of in form), "," if point == "." else ";")
    text = {
        "pairs": "\n".join(": ".join(row) for row in rows),
        "across": f"{separator.join('123456')}\n{separator.join(shares)}",
        "json": json.dumps(dict(rows)),
        "columns": json.dumps([{"face": face, "count": share} for face, share in rows]),
    }.get(form) or form.replace(",", separator).format("\n".join(separator.join(row) for row in rows))
    with pytest.raises(RecordError):
        read_record(text, CUBE, DIE)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("face;count\n1;1'200\n2;1.200\n3;1.100\n4;1.000\n5;1.000\n6;1.000", "'1.200' may be 1200 or"),
        ('{"1": "1.200", "2": "1.200", "3": "1,200", "4": 5, "5": 5, "6": 5}', "'1.200' may be 1200 or"),
        ("face,count\n1,0.170\n2,0.165\n3,0.160\n4,0.172\n5,0.168\n6,0.165\n", "write how often the face came up"),
    ],
)
def test_a_number_that_may_be_a_decimal_is_quoted(text: str, stated: str) -> None:
    with pytest.raises(RecordError, match=stated) as why:
        read_record(text, CUBE, DIE)
    assert "in every line" not in str(why.value)


def test_a_measured_reader_is_read() -> None:
    text = json.dumps({face: {face: 98, "unread": 1} | ({"1": 1} if face == "6" else {}) for face in CUBE.labels})
    reader = read_reader(text, CUBE)
    assert reader.seen[5].tolist() == [1, 0, 0, 0, 0, 98, 1]
    assert np.diagonal(reader.seen).tolist() == [98] * 6


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("{", "cannot be read"),
        ("[1]", "for each of the faces"),
        ('{"7": {}}', "but got '7'"),
        ('{"6": {"6": -1}}', "but got '6': -1"),
        ('{"6": {"6": 5}}', "never shown outcome 1, 2, 3, 4, 5"),
    ],
)
def test_a_measurement_that_is_none_is_refused(text: str, stated: str) -> None:
    with pytest.raises(ReaderError, match=stated):
        read_reader(text, CUBE)
