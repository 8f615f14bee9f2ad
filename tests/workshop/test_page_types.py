"""The types by which the page's scripts are checked say what the page receives."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

import pytest

from workshop import page_types


def test_the_written_types_are_those_of_the_shapes() -> None:
    assert page_types.WRITTEN.read_text(encoding="utf-8") == page_types.declared(), "run `make shapes`"


class Seat(TypedDict, total=False):
    number: int


class Table(TypedDict):
    seats: list[Seat] | None
    state: Literal["open", "over"]
    corners: list[tuple[float, float]]
    facts: Mapping[str, Any]


def test_a_shape_is_written_as_a_script_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_types, "TableState", Table)
    monkeypatch.setattr(page_types, "SeriesState", Table)
    assert (
        page_types.declared().partition("\n")[2]
        == """
interface Seat {
  number?: number;
}

interface Table {
  seats: Array<Seat> | null;
  state: "open" | "over";
  corners: Array<[number, number]>;
  facts: Record<string, any>;
}
"""
    )


def test_what_json_cannot_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(TypedDict):
        lots: set[str]

    monkeypatch.setattr(page_types, "TableState", Odd)
    with pytest.raises(TypeError, match="JSON has no"):
        page_types.declared()
