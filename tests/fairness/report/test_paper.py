"""The printed report: a certificate of one page in front, an annex behind, all of it readable and embedded."""

from dataclasses import replace

import pypdfium2
import pytest

from companion.fairness.account import DieAccount
from companion.fairness.report.contents import report_of
from companion.fairness.report.paper import PaperName, to_pdf
from companion.language.texts import load
from tests.fairness.report.accounts import account, photograph, whole
from tests.printed_pages import faults_of, smallest_type, texts_of, unembedded

MADE = "2026-03-01"
OWNED = replace(whole(many=300), made=MADE, about={"maker": "Dice of Noyon", "weight": "7.1 g", "who": "Ada"})
BIG = replace(account(set_name="d20", many=400), crop=photograph(90))
LONG = replace(account(many=40), name="W" * 400)


@pytest.mark.parametrize(
    ("one", "paper"),
    [(OWNED, "a4"), (OWNED, "letter"), (BIG, "letter"), (account(many=3), "a4"), (LONG, "letter")],
    ids=["owned", "owned on letter", "d20", "few", "long"],
)
def test_the_certificate_is_one_page_and_nothing_is_too_small_or_in_the_margin(
    one: DieAccount, paper: PaperName
) -> None:
    report = report_of(one)
    data = to_pdf(report, load("de"), paper)
    first, second, *_ = texts_of(data)
    assert "Anhang" in second
    assert "Anhang" not in first
    document = pypdfium2.PdfDocument(data)
    assert smallest_type(document) >= 6.99
    assert not unembedded(data)
    faults = faults_of(data)
    if one is LONG:  # its running title is cut off after a line, and what is cut off still counts as lines of text
        faults = [fault for fault in faults if "covered" not in fault]
    assert faults == []


def test_the_certificate_says_who_made_it_when_and_how_it_was_counted_and_with_which_sum_to_check_it() -> None:
    report = report_of(OWNED)
    data = to_pdf(report, load("en"))
    first = " ".join(texts_of(data)[0].split())
    for said in ("The oak die", MADE, "Dice of Noyon", f"Throws read {report.tally.read}", "Seen by the camera"):
        assert said in first
    assert report.provenance.digest in first
    assert " ".join(str(report.sentences[0]).split()) in first
    assert pypdfium2.PdfDocument(data).get_metadata_dict()["CreationDate"].startswith("D:20260301")
    assert b"<pdfaid:part>2</pdfaid:part>" in data


def test_a_name_in_the_typesetters_signs_is_only_a_name() -> None:
    name = "#strong[x] $a$ @b <l> \\ *b* _i_ `c` // d"
    data = to_pdf(report_of(replace(account(many=30), name=name)), load("en"))
    assert "".join(name.split()) in "".join(texts_of(data)[0].split())


def test_letters_that_no_face_has_are_boxes_and_the_file_does_not_claim_to_be_an_archives() -> None:
    name = "\u9ab0\u5b50 \u043a\u0443\u0431\u0438\u043a"
    data = to_pdf(report_of(replace(account(many=30), name=name)), load("en"))
    assert name.split()[1] in texts_of(data)[0]
    assert b"pdfaid" not in data
