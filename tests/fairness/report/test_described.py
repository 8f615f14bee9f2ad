"""docs/fairness-report.md describes the JSON of a report: every name that a real one has, and none that it lacks."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.fairness.account import Chain
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.report.as_json import report_json
from companion.fairness.report.contents import report_of
from tests.fairness.report.accounts import account, photograph

PAGE = Path(__file__).resolve().parents[3] / "docs" / "fairness-report.md"
BY_NAME = {"photographs": {"sha256", "jpeg"}, "suspected": set(), "how": set(), "about": set(), "parts": set()}
"""Objects whose keys are faces or names that somebody gave; of each value these fields are described."""

WITHOUT_FIELDS = {"reader", "transitions", "seeds", "template"}
"""What holds faces, numbers or texts under names that others describe: the reader's file, sentences."""


def rows() -> dict[str, set[str]]:
    """Return by each name of the table all that its row names."""
    found: dict[str, set[str]] = {}
    section = PAGE.read_text(encoding="utf-8").split("## The JSON")[1]
    for names, text in re.findall(r"^\| (`.*?`) \| (.*) \|$", section, flags=re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            found[name] = set(re.findall(r"`([^`]+)`", text))
    return found


def fields(value: Any, name: str = "") -> Iterator[str]:
    """Yield the names of all fields below a value of the report."""
    if name in WITHOUT_FIELDS:
        return
    if isinstance(value, dict):
        for key, inside in value.items():
            if name not in BY_NAME:
                yield key
            yield from BY_NAME[name] if name in BY_NAME else fields(inside, key)
    elif isinstance(value, list):
        for one in value:
            yield from fields(one)


def real() -> dict[str, Any]:
    seen = np.column_stack([np.diag([100] * 6), np.zeros(6, int)]).astype(np.int64)
    told = replace(
        account(weights=(1, 1, 1, 1, 1, 2.4), many=1200),
        reader=ReaderErrors(seen),
        chain=Chain(3, 40, "0" * 64),
        fixed=1170,
        photographs={"6": photograph(90)},
    )
    return report_json(report_of(told))


def test_every_name_of_a_real_report_is_described_and_no_other() -> None:
    described, report = rows(), real()
    assert {*described} == {*report} - {"form", "version"}
    for name, value in report.items():
        if name in {"form", "version", "sentences", "faults", "sequence"}:
            continue  # sentences are described as such, the sequence by the columns of the table
        assert {*fields(value, name)} <= described[name] | {name}, name


def test_the_columns_of_the_sequence_are_those_of_the_table() -> None:
    table = PAGE.read_text(encoding="utf-8").split("## The table of throws")[1].split("## The JSON")[0]
    named = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?`) \|", table, flags=re.MULTILINE))))
    (first, *_) = real()["sequence"]
    assert {*first} <= named
