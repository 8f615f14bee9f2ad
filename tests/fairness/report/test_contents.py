"""Everything that a statistician asks for stands in every form of the report, and nothing beyond what was thrown."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pypdfium2
import pytest

from companion.fairness.account import DieAccount
from companion.fairness.fixed_sample import fixed_test
from companion.fairness.report.as_json import report_json
from companion.fairness.report.contents import Report, report_of
from companion.fairness.report.html import to_html
from companion.fairness.report.paper import to_pdf
from companion.language.texts import load
from tests.fairness.report.accounts import account, whole
from tests.printed_pages import texts_of

WORDS = load("en")


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of(whole())


def pdf_text(data: bytes) -> str:
    return " ".join(" ".join(texts_of(data)).split())


def html_text(page: str) -> str:
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).replace("&#x27;", "'").split())


SHOWN_COURSE = {
    "1 the die": ["The oak die", "felt", "from a cup", "weather", "1, 2, 3, 4, 5, 6", "First throw"],
    "2 the throws": ["Thrown 600", "Not read 15", "A person was asked 24", "Corrected by a person 6"],
    "3 what a fair die gives": ["What a fair die would give", "each in 16.67 of a hundred throws"],
    "4 counts": [
        "How often each face came up",
        "hold for all faces together",
        "How far off the farthest face really is",
    ],
    "5 evidence": ["p, which holds at every look", "585 throws were fixed beforehand and made"],
    "6 groups chosen beforehand": ["1+6", "2+4+6", "chosen before the first throw"],
    "7 what would have been found": ["The bias that matters was set at 4 points"],
    "8 the thrower": [
        "Do the throws change at some moment?",
        "Do the sessions differ?",
        "Do the hands that throw differ?",
    ],
    "9 the reader": ["It was shown 2995 faces", "misread 7 of them", "Corrected", "15 throws were not read"],
    "10 the verdict": ["Biased (you may look as often as you like"],
    "11 the proof": [
        "companion fairness report throws-the-oak-die.csv",
        "SHA-256 of the table",
        "Seeds",
        "lag 1, drift 2",
    ],
    "12 how many questions": ["6 questions about the thrower", "1 fair die in 20 may be called biased by chance"],
}


def test_all_twelve_contents_stand_on_the_page_and_on_paper(report: Report) -> None:
    page, paper = html_text(to_html(report, WORDS)), pdf_text(to_pdf(report, WORDS))
    for content, texts in SHOWN_COURSE.items():
        for text in texts:
            assert text in page, content
            assert text in paper, content


def test_all_twelve_contents_stand_in_the_json_with_all_digits(report: Report) -> None:
    data = json.loads(json.dumps(report_json(report)))
    assert data["identity"]["about"]["surface"] == "felt"
    assert set(data["identity"]["photographs"]) == set("123456")
    assert data["tally"]["thrown"] == 600 == len(data["sequence"])
    assert [one["faces"] for one in data["outcomes"]] == [1] * 6
    assert sum(one["count"] for one in data["outcomes"]) == 585 == data["throws"]
    assert data["effect"]["low"] <= abs(data["effect"]["off"]) <= data["effect"]["high"]
    assert 0 < data["evidence"]["p"] < 0.05
    assert data["fixed"]["test"]["p"] < 0.05
    assert {one["kind"] for one in data["contrasts"]} == {"axis", "corner"}
    assert data["planning"]["needed"] > 0
    assert [one["question"] for one in data["questions"]] == ["lag", "drift", "period", "cycle", "session", "hand"]
    assert data["reader"]["6"] == {"6": 495, "1": 7, "unread": 3}
    assert sum(data["tally"]["suspected"].values()) == 15
    assert data["said"] == "biased"
    assert data["sentences"][0]["text"].startswith("Biased")
    assert len(data["provenance"]["sources"]) == 64
    assert all(len(one["digest"]) == 64 for one in data["sequence"])
    assert data["multiplicity"] == {"level": 0.05, "questions": 6, "groups": len(data["contrasts"])}


def test_a_test_for_a_fixed_number_is_told_only_if_that_number_was_fixed_and_made() -> None:
    one = account(many=100)  # of which 98 were read
    assert [report_of(replace(one, fixed=fixed)).fixed for fixed in (None, 97, 99, 100)] == [None] * 4
    exactly = report_of(replace(one, fixed=98)).fixed
    assert exactly is not None
    assert exactly.p == fixed_test(one.counts, one.outcomes.fair).p


def test_of_counts_alone_what_needs_their_order_is_not_told() -> None:
    report = report_of(replace(account(), throws=None))
    assert {one.state for one in report.questions} == {"order unknown"}
    page = to_html(report, WORDS)
    assert "only counts are known" in page
    assert "plot-shares" not in page
    assert "plot-transitions" not in page
    assert report_json(report)["sequence"] is None


@pytest.mark.parametrize(
    "one",
    [
        account(many=0),
        account(many=1),
        account(set_name="ludix", many=120),
        account(set_name="ludix", many=120, twins_apart=True),
        account(set_name="d4", many=50),
        replace(account(many=200), reader=whole(many=60).reader, photographs={"6": b"no picture"}),
    ],
    ids=["none", "one", "ludix", "ludix apart", "d4", "no picture"],
)
def test_whatever_was_thrown_there_is_a_report_and_it_never_calls_a_die_fair(one: DieAccount) -> None:
    report = report_of(one)
    page, paper = html_text(to_html(report, WORDS)), pdf_text(to_pdf(report, WORDS, "letter"))
    for text in (page, paper, json.dumps(report_json(report))):
        assert not re.search(r"(the|this) die is fair(?!;|\.)", text)
        assert "nan" not in text.lower().split()
    assert "No number of throws shows that a die is fair" in page


def test_twin_faces_that_count_together_are_said_to() -> None:
    together = html_text(to_html(report_of(account(set_name="ludix", many=50)), WORDS))
    assert "count together" in together
    assert "X 2 33.33" in together
    distances = report_of(account(set_name="ludix", many=50, twins_apart=True))
    assert "are told apart" in html_text(to_html(distances, WORDS))
    assert "--twins-apart" in distances.provenance.command


def test_how_long_what_is_missing_takes_is_told_at_the_pace_of_the_throws() -> None:
    slow = account(many=60)
    assert slow.throws is not None
    paused = [one._replace(at=(one.at or 0) + (86_400 if one.number > 30 else 0)) for one in slow.throws]
    report = report_of(replace(slow, throws=paused))
    assert report.pace == pytest.approx(10), "a throw in 6 seconds; the night between is no throwing"
    assert "10 a minute, that takes about 3 hours." in html_text(to_html(report, WORDS))
    assert report_of(account(many=10)).pace is None


@pytest.mark.parametrize("number", [1, 2])
def test_page_and_paper_name_the_stakes_that_were_agreed(number: int) -> None:
    report = report_of(replace(account(many=60), stakes=number))
    for text in (html_text(to_html(report, WORDS)), pdf_text(to_pdf(report, WORDS, "a4"))):
        words = " ".join(text.split())
        assert f"with stakes {number} of the program" in words
        assert f"Stakes of the bet, by number {number}" in words


def test_the_running_shares_end_where_the_counts_do(report: Report) -> None:
    assert report.running is not None
    assert report.running.throws[-1] == report.tally.read
    assert report.running.shares[-1] == pytest.approx(report.account.counts / report.tally.read)
    held = (report.running.ends.low <= report.running.shares) & (report.running.shares <= report.running.ends.high)
    assert np.all(held)


def test_numbers_are_written_as_the_language_does(report: Report) -> None:
    german = load("de")
    page, paper = html_text(to_html(report, german)), pdf_text(to_pdf(report, german))
    assert "16,67" in page
    assert "16,67" in paper
    assert "16.67" not in page + paper
    assert '<html lang="de">' in to_html(report, german)


def test_the_same_report_gives_the_same_bytes(report: Report) -> None:
    again = report_of(whole())
    assert to_pdf(report, WORDS) == to_pdf(again, WORDS)
    assert to_html(report, WORDS) == to_html(again, WORDS)
    assert report_json(report) == report_json(again)


def test_the_body_of_the_page_needs_no_styles_in_attributes_and_no_scripts(report: Report) -> None:
    part = to_html(report, WORDS).partition("<body")[2]
    found: list[Any] = re.findall(r"<script|<style| style=| on\w+=|https?://(?!www\.w3\.org/2000/svg)", part)
    assert not found


def test_the_pdf_has_a_title_a_language_and_only_letters_of_its_own(report: Report) -> None:
    data = to_pdf(report, load("fr"))
    document = pypdfium2.PdfDocument(data)
    assert document.get_metadata_dict()["Title"] == "The oak die"
    assert b"/Lang(fr)" in data
    assert b"Helvetica" not in data
    assert next(mark.get_title() for mark in document.get_toc()) == "The oak die"
    assert document[0].get_size() == pytest.approx((595.3, 841.9), abs=0.1)
    letter = pypdfium2.PdfDocument(to_pdf(report, WORDS, "letter"))
    assert letter[0].get_size() == (612, 792)
