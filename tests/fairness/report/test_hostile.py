"""Whatever somebody calls a die, its hands or its faces: no form of the report runs, computes or breaks on it."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pypdfium2
import pytest

from companion.fairness.account import DieAccount
from companion.fairness.report.as_json import report_json
from companion.fairness.report.contents import report_of
from companion.fairness.report.html import to_html
from companion.fairness.report.paper import to_pdf
from companion.fairness.report.provenance import stem_of
from companion.fairness.report.sequence import read_sequence, to_csv
from companion.language.texts import load
from tests.fairness.report.accounts import account

WORDS = load("en")
NAMES = {
    "script": '<script>alert(1)</script><img src=x onerror="alert(1)">" onmouseover="alert(1)" style="x',
    "long": "W" * 10_000,
    "unseen": "oak\x00die\x1b[31m \ud800die\udfff",
    "right to left": "\u202eeid \u05d0\u05d1\u05d2 \u0639\u0631\u0628\u064a\u2066",
    "markup": "<b>&amp;</para><font size=90>{name} {count} %s &nbsp;",
    "formula": '=HYPERLINK("http://x","../../etc/passwd\n; rm -rf ~ `id` $(id)")',
    "nothing": "",
}


class Tags(HTMLParser):
    """Collects the elements of a page and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def named(name: str) -> DieAccount:
    one = account(many=30)
    assert one.throws is not None
    throws = [throw._replace(session=name, hand=name) for throw in one.throws]
    return replace(one, name=name, throws=throws, about={"surface": name, name: "odd"}, set_name="pips")


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_hostile_name_is_harmless_in_every_form(name: str) -> None:
    report = report_of(named(name))
    page = to_html(report, WORDS)
    tags = Tags()
    tags.feed(page)
    assert {tag for tag, _ in tags.found}.isdisjoint({"script", "iframe", "object", "link", "img", "b", "font"})
    assert not [key for _, attributes in tags.found for key in attributes if key.startswith("on") or key == "style"]
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    page.encode()
    assert len(page) < 100_000
    text = "".join(part.get_textpage().get_text_bounded() for part in pypdfium2.PdfDocument(to_pdf(report, WORDS)))
    assert "How often each face came up" in text
    assert "\x00" not in text
    for row in csv.reader(io.StringIO(to_csv(report.account), newline="")):
        assert all(cell[:1] not in set("=+-@\t\r") for cell in row)
    data = json.loads(json.dumps(report_json(report)))
    assert data["identity"]["name"] == name
    assert re.fullmatch(r"throws-[a-z0-9-]{1,60}", stem_of(report.account))


def test_the_page_of_its_own_forbids_itself_everything_but_its_style_and_pictures() -> None:
    page = to_html(report_of(account(many=30)), WORDS)
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert found is not None
    assert found[1].startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in found[1]


def test_faces_that_look_like_markup_or_formulas_are_only_faces() -> None:
    one = account(many=40)
    odd = replace(one, outcomes=replace(one.outcomes, labels=("+", "=1", "<b>", "@", "'", "4")))
    report = report_of(odd)
    assert "<b>" not in to_html(report, WORDS)
    assert to_pdf(report, WORDS).startswith(b"%PDF")
    assert odd.throws is not None
    assert read_sequence(to_csv(odd), odd.outcomes) == odd.throws
