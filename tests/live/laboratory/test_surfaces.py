"""A d12 with signs of no alphabet before a camera that looks from the side: the laboratory's page counts what moves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.live.laboratory.laboratory import Laboratory
from companion.live.laboratory.rows import SortedRows
from companion.vision.dice.atlas.throws import FIRST_PICTURES
from companion.vision.dice.groups import course
from companion.vision.mat import Mat
from tests.live.laboratory.build import Drawn, Source
from tests.vision.dice.atlas.drawn import Thrown, ground, signs, throw

STILL = 5  # frames: a still interval
LEAST_EACH = 2  # throws for each face: a third of the sorting less; tests of the method sort the usual three
LEARN = 12 * LEAST_EACH
LATER = 6
PATIENCE = 400  # seconds: sorting is much work for a busy machine
NAMES = "ABCDEFGHIJKL"


class Rig(Drawn):
    """A laboratory with ``--group`` before a drawn d12 that nobody lays down: it is thrown again and again."""

    def __init__(self, path: Path) -> None:
        self.path, self.rng, self.marks, self.empty = path, np.random.default_rng(11), signs(), ground()
        self.thrown: list[Thrown] = []
        self.start()
        self.order("begin", dice=[{"set": "dodecahedron"}], title="my d12")
        self.source.show(self.empty, STILL)
        self.seen()

    def start(self) -> None:
        self.source = Source()
        self.laboratory = Laboratory(
            self.path, source=self.source, mat=Mat(), by_likeness=True, learn=LEARN, seed=lambda: 7
        )
        self.laboratory.start()

    def throw_die(self) -> None:
        one = throw(self.rng, self.marks, self.empty)
        self.thrown.append(one)
        self.show_image(one.image)

    def show_image(self, image: np.ndarray[Any, Any]) -> None:
        rolling = np.roll(image, (40, -60), (0, 1))
        self.source.show(np.asarray(cv2.addWeighted(rolling, 0.6, self.empty, 0.4, 0), np.uint8), 1)
        self.source.show(np.asarray(rolling, np.uint8), 1)
        self.source.show(image, STILL)
        self.seen()

    def kept(self) -> Series:
        with SeriesLedger(self.path, writable=False) as ledger:
            return Series(ledger.events(1))


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    monkeypatch.setattr(course, "LEAST_EACH", LEAST_EACH)
    rig = Rig(tmp_path / "throws.db")
    yield rig
    rig.stop()


def test_what_moves_is_counted_from_the_first_throw_on(rig: Rig) -> None:
    for _ in range(FIRST_PICTURES - 2):  # the empty table was the first picture
        rig.throw_die()
        assert "learns the place" in rig.state()["sentence"]["text"]
    assert rig.state()["series"]["throws"] == 0
    rig.throw_die()
    # the throws that showed the place count, too, and nobody is asked about any of them
    assert rig.state()["series"]["throws"] == FIRST_PICTURES - 1
    rig.source.show(np.asarray(np.roll(rig.thrown[-1].image, (1, -1), (0, 1)), np.uint8), STILL)  # somebody nudges it
    rig.seen()
    assert rig.state()["series"]["throws"] == FIRST_PICTURES - 1
    leaning = rig.thrown[-1].image.copy()
    cv2.rectangle(leaning, (47, 27), (61, 153), (40, 60, 200), -1)
    rig.show_image(leaning)
    assert "not a single die" in rig.state()["sentence"]["text"]
    assert rig.state()["series"]["throws"] == FIRST_PICTURES  # nothing that came to rest is lost without a word
    while rig.state()["rows"]["phase"] == "gather":
        rig.throw_die()
    state = rig.until(lambda now: now["rows"]["phase"] == "name", PATIENCE)
    faces = [one.face for one in rig.thrown]
    faces.insert(FIRST_PICTURES - 1, -1)  # the picture without a single die
    for row in state["rows"]["rows"]:
        assert all(rig.laboratory.picture(one) for one in row["pictures"])
    rows = rig.laboratory._rows
    assert isinstance(rows, SortedRows)
    for number, row in enumerate(rows._rows, 1):
        true = {faces[place - 1] for place in row.throws}
        assert len(true) == 1, "a row holds two faces"
        rig.order("name_row", row=number, face=NAMES[true.pop()])
    rig.until(lambda now: now["rows"]["phase"] == "count", PATIENCE)
    for _ in range(LATER):
        rig.throw_die()
    folded, labels = rig.kept(), rig.kept().dice[0].outcomes.labels
    faces = [one.face for one in rig.thrown]
    faces.insert(FIRST_PICTURES - 1, -1)
    read = [None if one.outcome is None else labels[one.outcome] for one in folded.throws]
    assert len(read) == len(faces)
    assert all(one in (None, NAMES[face]) for one, face in zip(read, faces, strict=True))
    assert sum(one is not None for one in read) >= len(read) * 0.7
