"""What people changed, withdrew or looked at again stands in every form of the report, and so do pooled dice."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.fairness.account import Chain, CountedThrow, DieAccount
from companion.fairness.report.as_json import report_json
from companion.fairness.report.contents import report_of
from companion.fairness.report.html import to_html
from companion.fairness.report.paper import to_pdf
from companion.fairness.report.sequence import read_sequence, to_csv
from companion.fairness.series import events
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.language.texts import load
from tests.fairness.report.accounts import account, counted
from tests.fairness.report.test_contents import html_text, pdf_text
from tests.fairness.test_series import entries, started

WORDS = load("en")
HEAD = "ab" * 32


def forms(one: DieAccount) -> dict[str, str]:
    report = report_of(one)
    return {
        "page": html_text(to_html(report, WORDS)),
        "paper": pdf_text(to_pdf(report, WORDS)),
        "json": json.dumps(report_json(report)),
        "csv": to_csv(one),
    }


@pytest.fixture(scope="module")
def series() -> Series:
    """Return a series of 60 throws: its sixes were withdrawn, one throw corrected, one unread, one looked at twice."""
    rng = np.random.default_rng(3)
    faces = rng.integers(1, 7, 60).tolist()
    sentence: list[events.SeriesEvent] = [events.Thrown("d6", str(face), "camera") for face in faces]
    sentence[9] = events.Thrown("d6", None, "camera", suspected="2")
    drawn = Series(entries([started(), *sentence]))
    due = next(throw.number for throw in drawn.throws if throw.due and throw.read == 0)
    sentence += [
        events.Corrected(number, None, "rolled off the table", withdrawn=True)
        for number, face in enumerate(faces, 1)
        if face == 6 and number != 10
    ]
    sentence.append(
        events.Corrected(next(n for n, face in enumerate(faces, 1) if face == 3 and n != 10), "5", "misread")
    )
    sentence.append(events.Audited(due, "2"))
    return Series(entries([started(), *sentence]))


def test_throws_keep_the_numbers_of_the_series_and_the_withdrawn_ones_stand_there(series: Series) -> None:
    one = series.account(0)
    rows = list(csv.DictReader(io.StringIO(to_csv(one))))
    assert [int(row["number"]) for row in rows] == [*range(1, 61)]
    gone = [row for row in rows if row["withdrawn"] == "1"]
    assert gone
    assert {(row["face"], row["first"], row["reason"]) for row in gone} == {("", "6", "rolled off the table")}
    tally = report_of(one).tally
    assert tally.withdrawn == len(gone)
    assert tally.thrown == 60 - len(gone)
    assert tally.read == one.counts.sum() == tally.thrown - 1
    assert (tally.corrected, tally.audited) == (2, 1)


@pytest.mark.parametrize("form", ["page", "paper", "json", "csv"])
def test_every_form_tells_what_was_changed_by_whom_and_why(series: Series, form: str) -> None:
    one = replace(series.account(0), chain=Chain(7, 99, HEAD))
    entry = forms(one)[form]
    for text in ("rolled off the table", "misread", entries([started()])[0].actor):
        assert text in entry
    if form != "csv":
        assert HEAD in entry.replace(" ", "")
    if form in {"page", "paper"}:
        assert f"Withdrawn as not a throw {report_of(one).tally.withdrawn}" in entry
        assert "Not read 1" in entry
        assert "second look" in entry


def test_what_the_table_tells_is_what_the_report_is_computed_from_again(series: Series) -> None:
    one = series.account(0)
    again = read_sequence(to_csv(one), one.outcomes)
    assert again == tuple(one.throws or ())
    read = replace(one, throws=again, counts=counted(again, one.outcomes))
    assert report_json(report_of(read))["tally"] == report_json(report_of(one))["tally"]


@pytest.mark.parametrize("form", ["page", "paper", "json", "csv"])
def test_dice_that_nobody_can_tell_apart_are_said_to_be_pooled(form: str) -> None:
    one = account(many=60)
    pooled = replace(one, throws=[throw._replace(together=2) for throw in one.throws or ()])
    stated = "2 dice that nobody can tell apart were thrown together and are judged as one"
    assert stated not in forms(one)[form]
    if form == "csv":
        assert all(row["together"] == "2" for row in csv.DictReader(io.StringIO(to_csv(pooled))))
    else:
        assert stated in forms(pooled)[form]


def test_the_head_of_the_chain_is_the_hash_of_the_newest_event(tmp_path: Path) -> None:
    with SeriesLedger(tmp_path / "throws.db") as ledger:
        number = ledger.open_chain(started(), 1.0, "page")
        ledger.append(number, [events.Thrown("d6", "1", "typed"), events.Corrected(1, "2", "slip")], 2.0, "owner")
        written = ledger.events(number)
        account = Series(written).account(0)
    assert account.chain == Chain(number, 3, written[-1].hash)
    assert [one.by for one in account.throws or ()] == ["owner"]


def test_a_correction_of_a_correction_tells_both_reasons() -> None:
    found: list[events.SeriesEvent] = [
        events.Thrown("d6", "1", "typed"),
        events.Corrected(1, "2", "slip"),
        events.Corrected(1, "1", "no, it was right"),
    ]
    (throw,) = Series(entries([started(), *found])).account(0).throws or ()
    assert (throw.outcome, throw.first, throw.reason) == (0, 0, "slip; no, it was right")


def test_of_counts_it_is_said_that_changes_cannot_be_told() -> None:
    assert (
        "there is no telling whether throws were left out or changed" in forms(replace(account(), throws=None))["page"]
    )
    file = replace(account(many=20), throws=[CountedThrow(n, 0, "file") for n in range(1, 21)])
    assert "there is no telling what was changed in it before this report" in forms(file)["page"]
