"""What a match teaches follows from its journal alone: told again from there, it is what the running table told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.live.audits.auditing import Auditing
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.kept_throws import answers_in
from companion.live.dice_memory.known import source_of
from companion.live.dice_memory.learning import DiceLesson, Learning
from companion.live.dice_memory.match_lessons import lessons_after_audit, taught_by
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.mat import Mat
from tests.live.drawn import DrawnSource, draw, joined, placed
from tests.live.taught import TaughtReader
from tests.live.test_watching import done, until

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "dice_by": "camera"}
Lessons = dict[str, tuple[FaceLesson, ...]]


class Overheard(Learning):
    """Keeps what it was last told of each throw."""

    def __init__(self, folder: Path) -> None:
        super().__init__(MemoryFolder(folder / "match.memory"))
        self.lessons: Lessons = {}

    def _teach(self, lesson: DiceLesson) -> None:
        super()._teach(lesson)
        self.lessons[lesson.source] = lesson.lessons

    def _forget(self, source: str) -> None:
        super()._forget(source)
        self.lessons.pop(source, None)


def threw(number: int) -> Callable[[Any], bool]:
    """Return whether the throw after ``number`` others counts."""
    return lambda data: data["match"]["throws"] > number


def asks(data: Any) -> bool:
    return data["ask"] is not None


def play(tmp_path: Path) -> tuple[Path, Lessons]:
    """Play a match with throws that are read, asked about, corrected and voided, and one that the owner checks."""
    source, reader, learning = DrawnSource(), TaughtReader(), Overheard(tmp_path)
    path = tmp_path / "match.db"
    auditing = Auditing(path, lambda: 5.0, lambda: 11, learning=learning)
    live = LiveTable(
        path,
        Seeing(source, mat=Mat(), reader=lambda _: reader),
        TableFeatures(learning=learning, auditing=auditing),
        combine=joined,
    )
    live.start()
    source.empty()
    done(live, "new_match", **MATCH)
    throws = (("A IO AEI MNPR", ()), ("EI UAE OU BCDF", ("1", "3")), ("OUA E I STXZ", ()), ("A UAE AEI GHKL", ("2",)))
    events = []
    for number, (text, unsure) in enumerate(throws):
        source.empty()
        source.show(draw(placed(text, 45 * (number % 3)), unsure))
        if unsure:
            faces = dict(zip(("1", "2", "3", "consonants"), text.split(), strict=True))
            done(live, "answer", ask=until(live, asks)["ask"]["id"], faces=faces)
        log = until(live, threw(number))["log"]
        events.append(next(line["event"] for line in reversed(log) if line["kind"] == "throw"))
    instead: dict[int, dict[str, str] | None] = {
        events[1]: {"1": "EI", "2": "E", "3": "OU", "consonants": "BCDF"},
        events[2]: None,
    }
    for event, right in instead.items():
        asked = {"event": event, "faces": right, "reason": "a slip"}
        done(live, "correct", **asked, token=done(live, "preview_correction", **asked)["token"], keep="all")
    live.upkeep.settle_audit("none", 1)
    (audits,) = auditing.now
    first = next(one for one in audits.asked if auditing._audits["wibold"].drawn[one.number].event == events[0])
    assert live.upkeep.audit("wibold", first.number, "OUA").ok
    learning.forget("nothing").result(10)
    live.stop()
    return path, learning.lessons


def test_the_journal_tells_again_what_was_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("companion.fairness.audits.draw.TABLE_AT_FIRST", 1.0)
    path, lessons = play(tmp_path)
    with Journal(path, writable=False) as journal:
        match = Match.of(journal.events(1))
    stated = answers_in(path.with_suffix(".audits.db"))
    again: Lessons = {}
    for entry in match.entries:
        taught = taught_by(match.entries, entry.number)
        if taught is None:
            continue
        each = taught.lessons
        if taught.event == entry.number:
            for at, text in stated[match.entries[0].hash, taught.event]:
                each = lessons_after_audit(each, at, text)
        again[source_of(1, taught.event)] = each
    assert {source: each for source, each in again.items() if each} == lessons
    assert len(lessons) == 3, "one throw was voided"
    assert sum(one.named for each in lessons.values() for one in each) == 1 + 4 + 1
