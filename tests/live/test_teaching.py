"""Teaching a running table its dice: what is named is remembered, and no match ever sees the throws."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.dice_memory.teaching import LEASE_SECONDS, Teaching, TeachingError, TeachingNow
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.events import Committed, Proposed
from companion.referee.journal import Journal
from companion.vision.mat import Mat
from tests.live.drawn import DrawnSource, draw, joined, placed
from tests.live.taught import TaughtReader
from tests.live.test_watching import until

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "dice_by": "camera"}
FIRST, SECOND = "A IO AEI MNPR", "EI UAE OU BCDF"


class Taught:
    """A table under a drawn camera that somebody may teach."""

    def __init__(self, folder: Path, *, on: bool = True) -> None:
        self.path = folder / "match.db"
        self.source = DrawnSource()
        self.learning = Learning(MemoryFolder(folder / "match.memory"), on=on)
        reader = TaughtReader()
        self.live = LiveTable(
            self.path,
            Seeing(self.source, mat=Mat(), reader=lambda _: reader),
            TableFeatures(learning=self.learning),
            combine=joined,
        )
        self.live.start()
        self.source.empty()
        assert self.live.upkeep.teaching is not None
        self.teaching: Teaching = self.live.upkeep.teaching

    def until(self, wanted: Callable[[TeachingNow], Any]) -> TeachingNow:
        end = time.monotonic() + 60
        while True:
            now = self.teaching.now()
            assert now is not None
            if wanted(now):
                return now
            assert time.monotonic() < end, now
            time.sleep(0.01)

    def threw(self, text: str, shift: float = 0.0) -> TeachingNow:
        """Throw, and return what is asked once the throw was read."""
        before = self.until(lambda _: True).throws
        self.source.throw(placed(text, shift))
        return self.until(lambda now: now.throws > before)

    def name(self, now: TeachingNow, text: str | None) -> None:
        """Say what the die in question is."""
        assert now.asked is not None
        face = None if text is None else next(n for n, one in enumerate(now.faces) if text in one.text.split(" / "))
        self.teaching.answer(now.asked.throw, now.asked.find, face)

    def known(self, now: TeachingNow) -> set[str]:
        return {face.text for face in now.faces if face.known is not None}


@pytest.fixture
def taught(tmp_path: Path) -> Iterator[Callable[..., Taught]]:
    made: list[Taught] = []

    def open_(**parts: Any) -> Taught:
        for earlier in made:
            earlier.live.stop()
        made.append(Taught(tmp_path, **parts))
        return made[-1]

    yield open_
    for one in made:
        one.live.stop()


def test_each_new_face_is_named_once_and_outlives_a_restart(taught: Callable[..., Taught]) -> None:
    table = taught()
    table.teaching.begin("wibold")
    now = table.threw(FIRST)
    assert now.more == 3, "three cubes and the tetrahedron are new"
    for text in FIRST.split():
        table.name(table.until(lambda one: one.asked), text)
    now = table.until(lambda one: one.asked is None)
    cubes = {"A", "IO", "AEI"}
    assert table.until(lambda one: table.known(one) >= cubes)
    again = table.threw(FIRST, 40)
    assert again.asked is None or again.asked.lies_on, "a cube that was named is not asked about again"
    later = taught()
    later.teaching.begin("wibold")
    assert later.until(lambda one: table.known(one) >= cubes)
    kept = later.learning.memory("wibold")
    assert kept is not None
    assert {(one.source.partition("/")[0], one.named) for one in kept.exemplars} == {("teaching", True)}
    assert (later.teaching.picture(0) or b"").startswith(b"\xff\xd8"), "its picture is shown at once"
    assert later.teaching.picture(1) is None


def test_no_match_sees_what_is_thrown_to_teach(taught: Callable[..., Taught]) -> None:
    table = taught()
    assert table.live.command("new_match", MATCH, "tests").ok
    table.teaching.begin("wibold")
    table.threw(FIRST)
    until(table.live, lambda data: "teaching the table" in data["state_sentence"]["text"])
    table.threw(SECOND, 30)
    table.teaching.leave()
    for _ in range(3):  # something passes beside the dice that lie there: they are still no throw
        table.source.show(draw({**placed(SECOND, 30), "1": ("A", 560, 400)}), 1)
        table.source.show(draw(placed(SECOND, 30)))
    table.source.throw(placed("OUA E I STXZ", -20))
    until(table.live, lambda data: data["match"]["throws"] >= 1)
    with Journal(table.path, writable=False) as journal:
        thrown = [entry.event for entry in journal.events(1) if isinstance(entry.event, Committed | Proposed)]
    assert [one.move["faces"]["1"] for one in thrown if isinstance(one, Committed)] == ["OUA"]
    assert len(thrown) == 1, "nor is anything asked about them"


def test_a_course_without_a_page_gives_the_camera_back(tmp_path: Path) -> None:
    now = [100.0]
    teaching = Teaching(Learning(MemoryFolder(tmp_path)), clock=lambda: now[0])
    read = [teaching.dice]
    teaching.begin("wibold")
    for later in (LEASE_SECONDS, 1):
        now[0] += later
        read.append(teaching.dice)
    assert teaching.now() is not None, "a page that comes back goes on"
    assert [*read, teaching.dice] == [None, ("wibold", None), None, ("wibold", None)]


def test_a_wrong_answer_is_taken_back_and_forgotten(taught: Callable[..., Taught]) -> None:
    table = taught()
    table.teaching.begin("wibold")
    now = table.threw(FIRST)
    table.name(now, "OU")
    assert table.until(lambda one: "OU" in table.known(one)).taught
    table.teaching.take_back()
    now = table.until(lambda one: not table.known(one))
    assert now.asked is not None
    assert now.faces[now.choices[0]].text == "A", "the same die is asked about again"
    table.name(now, "A")
    assert table.until(lambda one: table.known(one) == {"A"})


def test_what_cannot_be_taught_is_said(taught: Callable[..., Taught]) -> None:
    off = taught(on=False)
    for name, sentence in (("wibold", "does not learn"), ("wheel", "No camera"), ("bones", "no such dice")):
        with pytest.raises(TeachingError, match=sentence):
            off.teaching.begin(name)
    for act in (off.teaching.take_back, off.teaching.ask_all, lambda: off.teaching.answer(1, 0, 0)):
        with pytest.raises(TeachingError, match="Nobody is teaching"):
            act()
    assert off.teaching.now() is None
    table = taught()
    table.teaching.begin("wibold")
    with pytest.raises(TeachingError, match="no answer"):
        table.teaching.take_back()
    now = table.threw(FIRST)
    assert now.asked is not None
    for throw, find, face in ((now.asked.throw + 99, 0, 0), (now.asked.throw, 9, 0), (now.asked.throw, 0, 99)):
        with pytest.raises(TeachingError, match="no longer open"):
            table.teaching.answer(throw, find, face)
