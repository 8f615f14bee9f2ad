"""What the laboratory is told to do without a camera, and how it refuses what cannot be."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk.series.command_types import SERIES_COMMANDS
from companion.live.laboratory.laboratory import Laboratory


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[Laboratory]:
    running = Laboratory(tmp_path / "throws.db", seed=lambda: 3)
    running.start()
    yield running
    running.stop()


def order(laboratory: Laboratory, what: str, /, **data: Any) -> Any:
    reply = laboratory.command(what, data, "tests")
    assert reply.ok, str(reply.sentence)
    return reply.data


def series(laboratory: Laboratory) -> Any:
    return laboratory.snapshot().data["series"]


def test_typed_throws_are_counted_corrected_and_told(laboratory: Laboratory) -> None:
    order(laboratory, "begin", dice=[{"set": "d6", "name": "red"}], smallest=0.05, about={"who": "Anna"})
    for face in "112345":
        order(laboratory, "throw", face=face)
    order(laboratory, "correct", number=1, face="6", reason="mistyped")
    order(laboratory, "correct", number=2, face=None, reason="cocked")
    order(laboratory, "correct", number=3, withdrawn=True, reason="fell off the table")
    die = series(laboratory)["dice"][0]
    assert die["counts"] == [0, 0, 1, 1, 1, 1]
    assert (die["throws"], die["unread"], die["corrected"]) == (4, 1, 3)
    assert die["verdict"]["said"] == "not enough"
    assert series(laboratory)["last"][0]["how"] == "typed"
    assert [line["throws"] for line in laboratory.snapshot().data["series_list"]] == [6]


def test_series_are_laid_aside_and_taken_up_again(laboratory: Laboratory) -> None:
    order(laboratory, "begin", dice=[{"set": "d6"}], title="first")
    order(laboratory, "throw", face="1")
    order(laboratory, "begin", dice=[{"set": "ludix", "twins_apart": True}], title="second")
    order(laboratory, "throw", face="X/2")
    order(laboratory, "end")
    assert laboratory.snapshot().data["sign"] == "none"
    order(laboratory, "resume", series=1)
    order(laboratory, "session", name="Tuesday", hand="left")
    order(laboratory, "throw", face="2")
    assert series(laboratory)["dice"][0]["counts"] == [1, 1, 0, 0, 0, 0]
    throws = laboratory.throws(1)
    assert throws is not None
    assert [throw["hand"] for throw in throws] == ["", "left"]
    lines = laboratory.snapshot().data["series_list"]
    assert {line["title"]: line["throws"] for line in lines} == {"first": 2, "second": 1}


def test_a_series_is_deleted_for_good_and_the_others_stay(laboratory: Laboratory, tmp_path: Path) -> None:
    for title in ("first", "second of somebody"):
        order(laboratory, "begin", dice=[{"set": "d6"}], title=title)
        order(laboratory, "throw", face="1")
    order(laboratory, "end")
    assert len(laboratory.throws(2) or []) == 1
    order(laboratory, "delete", series=2)
    assert [line["title"] for line in laboratory.snapshot().data["series_list"]] == ["first"]
    assert laboratory.throws(2) is None
    assert len(laboratory.throws(1) or []) == 1
    assert order(laboratory, "begin", dice=[{"set": "d20"}])["series"] == 2
    assert laboratory.throws(2) == []
    assert not any(b"of somebody" in file.read_bytes() for file in tmp_path.glob("throws.db*"))


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("dance", {}, "The commands are"),
        ("throw", {"face": "7"}, "shows 1, 2"),
        ("throw", {}, "Expected what the die shows"),
        ("throw", {"face": 3}, "as a text"),
        ("throw", {"face": "3", "die": "blue"}, "dice of this series are"),
        ("answer", {"number": 3, "faces": {}}, "no longer open"),
        ("dismiss", {"number": 3}, "no longer open"),
        ("correct", {"number": 9, "face": "1", "reason": "x"}, "a throw from 1 to 1"),
        ("correct", {"number": 1, "face": "1"}, "needs a reason"),
        ("correct", {"number": 1, "face": "1", "reason": "x", "withdrawn": 1}, "true or false"),
        ("correct", {"number": "1"}, "a whole number"),
        ("audit", {"number": 1, "face": "1"}, "was not picked"),
        ("session", {"name": 4}, "as a text"),
        ("resume", {"series": 99}, "no series 99"),
        ("delete", {"series": 99}, "no series 99"),
        ("delete", {"series": 1}, "set it aside"),
        ("photograph", {"face": "1"}, "at rest in front of the camera"),
        ("begin", {}, "as a list"),
        ("begin", {"dice": [3]}, "as a list"),
        ("begin", {"dice": [{"set": 3}]}, "the set of each die"),
        ("begin", {"dice": [{"set": "d6"}, {"set": "d6", "name": ["red"]}]}, "the set of each die"),
        ("begin", {"dice": [{"set": "pips", "together": 0}]}, "1 or more"),
        ("begin", {"dice": [{"set": "pips", "together": True}]}, "1 or more"),
        ("begin", {"dice": [{"set": "pips", "twins_apart": 1}]}, "true or false"),
        ("begin", {"dice": [{"set": "d6"}], "smallest": 3}, "bias that matters"),
        ("begin", {"dice": [{"set": "d6"}], "smallest": float("nan")}, "bias that matters"),
        ("begin", {"dice": [{"set": "d6"}], "fixed": 0}, "number of throws"),
        ("begin", {"dice": [{"set": "d6"}], "about": {"who": 1}}, "as texts"),
        ("begin", {"dice": [{"set": "d6"}] * 30}, "at most 24"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing(
    laboratory: Laboratory, name: str, data: dict[str, Any], sentence: str
) -> None:
    order(laboratory, "begin", dice=[{"set": "d6"}])
    order(laboratory, "throw", face="1")
    before = series(laboratory)
    reply = laboratory.command(name, data, "tests")
    assert not reply.ok
    assert sentence in str(reply.sentence)
    assert series(laboratory) == before


def test_without_a_series_every_other_command_says_so(laboratory: Laboratory) -> None:
    for name in sorted(set(SERIES_COMMANDS) - {"begin", "resume", "delete"}):
        data = {"number": 1, "row": 1, "face": "1", "faces": {}, "name": "", "reason": "mistyped"}
        reply = laboratory.command(name, data, "tests")
        assert "No series is open" in str(reply.sentence)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from("16"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "number",
    "series",
    "face",
    "faces",
    "die",
    "reason",
    "name",
    "hand",
    "withdrawn",
    "smallest",
    "fixed",
    "about",
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.sampled_from(sorted(SERIES_COMMANDS)),
    st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=6),
    st.lists(st.dictionaries(st.sampled_from(["set", "die", "name", "twins_apart", "together"]), ANYTHING), max_size=2),
)
def test_whatever_is_sent_is_done_or_refused_and_never_fails_inside(
    laboratory: Laboratory, name: str, data: dict[str, Any], dice: list[Any]
) -> None:
    if laboratory.snapshot().data["series"] is None:
        order(laboratory, "begin", dice=[{"set": "d6"}])
        order(laboratory, "throw", face="1")
    more = [{"set": "d6", "name": data.get("name")}] if data.get("name") is not None else dice
    reply = laboratory.command(name, {**data, "dice": more, "title": data.get("reason")}, "tests")
    assert "failed inside" not in str(reply.sentence)
    json.dumps(laboratory.snapshot().data, ensure_ascii=False).encode()


def test_dear_questions_are_answered_beside_the_throws(laboratory: Laboratory) -> None:
    order(laboratory, "begin", dice=[{"set": "d6"}])
    for turn in range(100):
        order(laboratory, "throw", face="16"[turn % 2])
    shot = laboratory.snapshot()
    while not shot.data["series"]["dice"][0]["findings"]:
        newer = laboratory.wait(shot.version, 120)
        assert newer is not None
        shot = newer
    found = {one["question"]: one["found"] for one in shot.data["series"]["dice"][0]["findings"]}
    assert found == {"lag": True, "drift": False, "period": False, "cycle": True}
