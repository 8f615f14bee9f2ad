"""The plots stay within their frames, and page and paper are drawn from the same marks."""

import math
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fairness.account import DieAccount
from companion.fairness.report.contents import Report, report_of
from companion.fairness.report.drawing import Drawing, Label, svg, ticks
from companion.fairness.report.figures import counts_plot, evidence_plot, shares_plot, transitions_plot
from companion.fairness.report.html import to_html
from companion.fairness.report.wording import plain, scientific
from companion.language.texts import load
from tests.fairness.report.accounts import account, whole

SVG = "{http://www.w3.org/2000/svg}"
LOADED = account(many=900, weights=[1, 1, 1, 1, 1, 9])


def plots(report: Report) -> list[Drawing]:
    return [draw(report, load("en")) for draw in (counts_plot, evidence_plot, shares_plot, transitions_plot)]


@pytest.mark.parametrize(
    "one",
    [account(many=1), LOADED, account(set_name="d20", many=120), account(set_name="d4", many=30), whole(many=300)],
    ids=["one throw", "loaded", "d20", "d4", "reader"],
)
def test_every_mark_lies_within_its_plot_and_every_page_is_written(one: DieAccount) -> None:
    report = report_of(one)
    for drawing in plots(report):
        for mark in drawing.marks:
            points = [(mark.x, mark.y)] if isinstance(mark, Label) else mark.points
            for x, y in points:
                assert math.isfinite(x), drawing.title
                assert -0.01 <= x <= drawing.width + 0.01, drawing.title
                assert -0.01 <= y <= drawing.height + 0.01, drawing.title
    page = to_html(report, load("en"))
    assert all(f"<bdi>{label}</bdi>" in page for label in one.outcomes.labels)


def test_a_plot_says_what_it_is_to_who_does_not_see_it_and_needs_no_styles() -> None:
    for number, drawing in enumerate(plots(report_of(LOADED))):
        tree = ET.fromstring(svg(drawing, f"plot-{number}"))
        assert tree.get("role") == "img"
        named = {one.get("id"): one.text for one in tree if one.tag in {f"{SVG}title", f"{SVG}desc"}}
        assert tree.get("aria-labelledby") == " ".join(filter(None, named))
        assert all(named.values())
        assert not any("style" in one.attrib or "class" in one.attrib for one in tree.iter() if one is not tree)


def test_names_in_a_plot_are_only_letters() -> None:
    odd = replace(LOADED, outcomes=replace(LOADED.outcomes, labels=("<g>", "&amp;", '"', "'", "]]>", "6")))
    for drawing in plots(report_of(odd)):
        words = [one.text for one in ET.fromstring(svg(drawing, "plot")).iter(f"{SVG}text")]
        assert "<g>" in words or drawing.title.startswith("The evidence")


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 8))
def test_an_axis_has_a_few_round_values_within_its_ends(low: float, span: float, about: int) -> None:
    values = ticks(low, low + span, about)
    assert len(values) <= 2 * about + 2
    slack = 1e-8 * span + 1e-6 * max(1, abs(low))  # a step is 5 spans at most, and an end may be off by its 1e-9
    assert all(low - slack <= value <= low + span + slack for value in values)
    assert sorted(values) == list(values)


@pytest.mark.parametrize(
    ("number", "written"), [(3e-11, "3·10⁻¹¹"), (1e7, "10⁷"), (9.7e12, "10¹³"), (4.4e100, "4·10¹⁰⁰"), (0.5, "5·10⁻¹")]
)
def test_small_and_large_numbers_are_powers_of_ten(number: float, written: str) -> None:
    assert scientific(math.log(number)) == written


@given(st.text())
def test_what_a_stranger_wrote_is_one_harmless_line(text: str) -> None:
    line = plain(text)
    assert len(line) <= 160
    assert line == line.strip()
    assert not any(ord(one) < 32 or 0x202A <= ord(one) <= 0x202E or 0xD800 <= ord(one) <= 0xDFFF for one in line)
    assert plain(line) == line
