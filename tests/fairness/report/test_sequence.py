"""The table of throws says the same when it is read again, and no spreadsheet computes anything in it."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.fairness.account import CountedThrow
from companion.fairness.report.sequence import (
    COLUMNS,
    EARLIER,
    is_sequence,
    read_sequence,
    to_csv,
)
from companion.fairness.tables.lines import RecordError
from companion.fairness.tables.wholeness import checked
from companion.spreadsheet import FORMULA
from tests.fairness.report.accounts import account

NONE = account(many=0)

texts = st.text(max_size=30) | st.sampled_from(
    ["=1+1", "'=1", "@SUM(A1)", "\t=1", " -2", "a\r\nb", "\x00", '"', "''", ";"]
)
throws = st.builds(
    CountedThrow,
    number=st.integers(1, 10**9),
    outcome=st.none() | st.integers(0, 5),
    how=st.sampled_from(["camera", "typed", "file", "program"]),
    at=st.none() | st.integers(0, 4 * 10**9 * 1000).map(lambda thousandths: thousandths / 1000),
    suspected=st.none() | st.integers(0, 5),
    asked=st.booleans(),
    corrected=st.booleans(),
    digest=st.none() | st.sampled_from(["0" * 64, "ab" * 32]),
    session=texts,
    hand=texts,
    first=st.none() | st.integers(0, 5),
    withdrawn=st.booleans(),
    audited=st.booleans(),
    by=texts,
    reason=texts,
    together=st.integers(1, 24),
)


@settings(max_examples=50)
@given(st.lists(throws, min_size=1, max_size=8, unique_by=lambda one: one.number))
def test_what_is_written_is_read_again(some: list[CountedThrow]) -> None:
    some = [one._replace(digest=one.digest and f"{place:064x}") for place, one in enumerate(some)]
    text = to_csv(replace(NONE, throws=some))
    assert is_sequence(text)
    assert list(read_sequence(text, NONE.outcomes)) == some
    rows = csv.reader(io.StringIO(text, newline=""))
    saved = io.StringIO(newline="")
    csv.writer(saved, delimiter=";").writerows(rows)  # as a German spreadsheet does
    assert list(read_sequence("\ufeff" + saved.getvalue(), NONE.outcomes)) == some


def test_a_table_of_an_earlier_version_is_read_too() -> None:
    text = ",".join(EARLIER) + "\r\n7,,6,,camera,1,0,monday,left,\r\n"
    assert is_sequence(text)
    assert read_sequence(text, NONE.outcomes) == (
        CountedThrow(7, 5, "camera", asked=True, session="monday", hand="left"),
    )


def typed(*numbers: int, digest: str | None = None, **more: bool | int) -> list[CountedThrow]:
    return [CountedThrow(number, 5, "camera", digest=digest, **more) for number in numbers]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (typed(1, 2, 2, 3), "number 2"),
        (typed(1, 2, digest="ab" * 32), "picture of throw 2"),
    ],
)
def test_a_row_that_stands_twice_is_refused(rows: list[CountedThrow], text: str) -> None:
    with pytest.raises(RecordError, match=text):
        read_sequence(to_csv(replace(NONE, throws=rows)), NONE.outcomes)


def test_two_dice_that_fell_together_share_a_picture() -> None:
    pair = typed(1, 2, digest="ab" * 32, together=2)
    assert list(read_sequence(to_csv(replace(NONE, throws=pair)), NONE.outcomes)) == pair


def test_numbers_that_are_missing_are_said_and_count_as_not_read() -> None:
    assert checked(typed(3, 4, 5)).faults == ()
    table = checked(typed(1, 2, 7, 8))
    (fault,) = table.faults
    assert str(fault).startswith("4 throws between number 1 and number 8 are missing; each counts as not read.")
    assert [one.number for one in table.throws] == list(range(1, 9))
    assert checked(typed(2, 4, 6, 8)).faults == (), "another way to count"


@settings(max_examples=40)
@given(st.lists(throws, min_size=1, max_size=4))
def test_no_cell_can_be_taken_for_a_formula(some: list[CountedThrow]) -> None:
    for row in csv.reader(io.StringIO(to_csv(replace(NONE, throws=some)), newline="")):
        assert all(cell.lstrip()[:1] not in FORMULA - {"'"} for cell in row)


@given(st.text(max_size=200))
def test_any_text_below_the_head_is_read_or_refused(text: str) -> None:
    shown = ""
    try:
        read_sequence(",".join(COLUMNS) + "\n" + text, NONE.outcomes)
    except RecordError as why:
        shown = str(why)
    assert not shown or shown.endswith(".")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("1,,7,,camera,0,0,,,", "one of the faces 1, 2, 3, 4, 5, 6 as throw 1, but got '7'"),
        ("one,,6,,camera,0,0,,,", "the number of throw 1, but got 'one'"),
        ("1,,6,,guessed,0,0,,,", "camera, typed, file, program as how of throw 1, but got 'guessed'"),
        ("1,yesterday,6,,camera,0,0,,,", "a moment such as"),
        ("1,,6,,camera,maybe,0,,,", "0 or 1 under asked"),
        ("", "holds none"),
    ],
)
def test_a_line_that_cannot_be_understood_is_named(line: str, text: str) -> None:
    with pytest.raises(RecordError, match=text):
        read_sequence(",".join(COLUMNS) + "\n" + line, NONE.outcomes)


def test_halves_of_characters_and_moments_of_no_calendar_do_no_harm() -> None:
    odd = CountedThrow(1, 5, "typed", at=1e300, session="\ud800", hand="=\udfff")
    text = to_csv(replace(NONE, throws=[odd]))
    read = read_sequence(text.encode().decode(), NONE.outcomes)
    assert read == (CountedThrow(1, 5, "typed", session="?", hand="=?"),)
