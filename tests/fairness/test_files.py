"""Files of throws in forms that people have: each is understood as it was meant, or refused in one sentence."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.commands.fairness.files import text_of
from companion.commands.fairness.options import chosen_die
from companion.fairness.record import read_record
from companion.fairness.tables.lines import RecordError

FILES = Path(__file__).parent / "files"
TRUTH: dict[str, Any] = tomllib.loads((FILES / "truth.toml").read_text(encoding="utf-8"))


def test_every_file_has_its_truth() -> None:
    assert {path.name for path in FILES.iterdir()} == {*TRUTH, "truth.toml"}
    assert len(TRUTH) >= 40


@pytest.mark.parametrize("name", [name for name, true in TRUTH.items() if "refused" not in true])
def test_what_people_write_is_understood_as_they_meant_it(name: str) -> None:
    true = TRUTH[name]
    _, die, outcomes = chosen_die(true["die"], twins_apart=False)
    record = read_record(text_of(FILES / name), outcomes, die)
    counted = dict(zip(outcomes.labels, record.counts.tolist(), strict=True))
    if "counts" in true:
        assert record.places is None
        assert {face: count for face, count in counted.items() if count} == true["counts"]
    else:
        assert record.places is not None
        found = ["-" if place is None else outcomes.labels[place] for place in record.places]
        assert found == true["throws"].split()
        assert sum(counted.values()) == len(found) - record.unread
    if "session" in true:
        assert set(record.groups["session"]) == {true["session"]}
    text = " ".join(map(str, record.understood))
    assert true.get("says", "") in text
    assert f"throws of a d{len(die.faces)}" in text


@pytest.mark.parametrize("name", [name for name, true in TRUTH.items() if "refused" in true])
def test_what_may_mean_two_things_is_refused_in_a_sentence(name: str) -> None:
    _, die, outcomes = chosen_die(TRUTH[name]["die"], twins_apart=False)
    with pytest.raises(RecordError) as why:
        read_record(text_of(FILES / name), outcomes, die)
    assert TRUTH[name]["refused"] in str(why.value)
    assert str(why.value).startswith("Expected ")
    assert str(why.value).endswith(".")
    assert "\n" not in str(why.value)


@given(
    throws=st.lists(st.integers(1, 20), min_size=1, max_size=40),
    wide=st.integers(1, 8),
    separator=st.sampled_from([",", ", ", ";", "\t", " ", "  "]),
    head=st.sampled_from(["", "face", "Roll", "Ergebnis"]),
    ends=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_no_form_of_a_table_is_misread(
    *, throws: list[int], wide: int, separator: str, head: str, ends: str, mark: bool
) -> None:
    _, die, outcomes = chosen_die("d20", twins_apart=False)
    lines = [separator.join(map(str, throws[at : at + wide])) for at in range(0, len(throws), wide)]
    text = ends.join([head, *lines] if head else lines)
    try:
        record = read_record(("\ufeff" if mark else "") + text, outcomes, die)
    except RecordError:
        return
    assert record.places is not None, "no counts were written"
    assert [place + 1 for place in record.places if place is not None] == throws


@given(
    counts=st.lists(st.integers(0, 60), min_size=20, max_size=20),
    head=st.sampled_from(["", "face;count", "Augen;Anzahl", "side;n", "Face;Number", "value;what I saw"]),
)
def test_no_table_of_counts_is_misread(counts: list[int], head: str) -> None:
    _, die, outcomes = chosen_die("d20", twins_apart=False)
    lines = [f"{face};{count}" for face, count in enumerate(counts, 1)]
    try:
        record = read_record("\n".join([head, *lines] if head else lines), outcomes, die)
    except RecordError:
        return
    assert record.places is None, "no throws were written"
    assert record.counts.tolist() == counts
