"""The dear questions: to look at what was found asks nothing, to ask does not wait for the answer."""

from collections.abc import Iterator
from threading import Semaphore

import pytest

from companion.fairness.series.dice import WantedDie, named_dice
from companion.fairness.series.events import SeriesEvent, SeriesStarted, Thrown
from companion.fairness.series.fold import Series
from companion.ledger.entries import Entry
from companion.live.laboratory.questions import Questions


def series_of(throws: int, number: int = 1) -> Series:
    started = SeriesStarted(
        "s", tuple(die.to_json() for die in named_dice([WantedDie("d6")])), None, None, {}, {}, 1, {}
    )
    entries: list[Entry[SeriesEvent]] = [Entry(number, 1, 1.0, "tests", started, "", "")]
    for turn in range(throws):
        thrown = Thrown(die="d6", outcome="16"[turn % 2], how="typed")
        entries.append(Entry(number, turn + 2, 2.0, "tests", thrown, "", ""))
    return Series(entries)


class Waiting:
    """Questions, and how often an answer came."""

    def __init__(self) -> None:
        self.came = Semaphore(0)
        self.questions = Questions(self.came.release)


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    waiting = Waiting()
    yield waiting
    waiting.questions.stop()


def test_looking_asks_nothing(waiting: Waiting) -> None:
    series = series_of(100)
    assert waiting.questions.of(series, 0) == waiting.questions.of(series, 0) == []
    assert not waiting.came.acquire(timeout=0.1)


def test_what_was_asked_is_found_and_asked_once(waiting: Waiting) -> None:
    series = series_of(100)
    waiting.questions.ask(series)
    assert waiting.came.acquire(timeout=60)
    found = waiting.questions.of(series, 0)
    assert {one.question for one in found} == {"lag", "drift", "period", "cycle"}
    waiting.questions.ask(series)
    assert waiting.questions.of(series, 0) == found
    assert not waiting.came.acquire(timeout=0.1)


def test_what_was_found_of_another_series_is_not_told(waiting: Waiting) -> None:
    waiting.questions.ask(series_of(100))
    assert waiting.came.acquire(timeout=60)
    other = series_of(0, number=2)
    waiting.questions.ask(other)
    assert waiting.questions.of(other, 0) == []


def test_a_question_that_fails_is_answered_by_nothing(waiting: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("companion.live.laboratory.questions.findings", broken)
    series = series_of(100)
    waiting.questions.ask(series)
    assert waiting.came.acquire(timeout=60)
    assert waiting.questions.of(series, 0) == []
