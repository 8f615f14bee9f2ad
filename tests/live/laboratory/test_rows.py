"""A die counted by likeness before the laboratory's camera: kept, named in rows once, then read throw by throw."""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bench.fairness.frames import STILL, Table
from companion.desk.series.rows import IN_A_ROW
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.live.laboratory.laboratory import Laboratory
from companion.live.laboratory.row_store import RowsState, RowStore
from companion.rules.dice import dice_set
from companion.vision.dice.groups.crops import CROP_PIXELS, Crop
from companion.vision.mat import Mat
from companion.vision.readings import Image
from tests.live.laboratory.build import Drawn, Source

FACES = tuple(face.text for face in dice_set("d6").dice[0].faces)
LEARNT = FACES * 3
LATER = FACES[::-1]
THROWN = LEARNT + LATER


@cache
def pictures() -> tuple[Image, ...]:
    """Return pictures of the empty table and of each throw."""
    table = Table("d6", 3)
    return table.empty, *map(table.throw, THROWN)


class Counting(Drawn):
    """A laboratory with ``--group`` before drawn pictures of one die, of which it has seen some throws."""

    def __init__(self, path: Path, thrown: int = 0) -> None:
        self.path, self.number = path, thrown
        self.start()
        if not thrown:
            self.order("begin", dice=[{"set": "d6"}], title="my cube")
        self.source.show(pictures()[thrown], STILL)
        self.seen()

    def start(self) -> None:
        self.source = Source()
        self.laboratory = Laboratory(
            self.path, source=self.source, mat=Mat(), by_likeness=True, learn=len(LEARNT), seed=lambda: 7
        )
        self.laboratory.start()

    def start_again(self) -> None:
        """End the program and start it again; the last throw still lies there."""
        self.laboratory.stop()
        self.start()
        self.source.show(pictures()[self.number], STILL)
        self.seen()

    def throw_die(self) -> None:
        before, image = pictures()[self.number : self.number + 2]
        going = cv2.addWeighted(before, 0.5, pictures()[0], 0.5, 0)
        self.number += 1
        self.source.show(np.asarray(going, np.uint8), 1)
        self.source.show(np.asarray(np.roll(image, (90, -120), (0, 1)), np.uint8), 1)
        self.source.show(image, STILL)
        self.seen()

    def rows(self) -> Any:
        return self.state()["rows"]

    def faces_in(self, row: Any) -> set[str]:
        """Return the true faces of the crops that are shown of a row."""
        return {THROWN[one.number - 1] for one in self.kept().throws if one.picture in row["pictures"]}

    def kept(self) -> Series:
        with SeriesLedger(self.path, writable=False) as ledger:
            return Series(ledger.events(1))


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a laboratory that was ended one throw before the rows are made."""
    folder = tmp_path_factory.mktemp("gathered")
    counting = Counting(folder / "throws.db")
    for _ in LEARNT[1:]:
        counting.throw_die()
    counting.stop()
    return folder


@pytest.fixture
def counting(gathered: Path, tmp_path: Path) -> Iterator[Counting]:
    """Return a laboratory that wants one more throw to make the rows."""
    shutil.copytree(gathered, tmp_path, dirs_exist_ok=True)
    counting = Counting(tmp_path / "throws.db", len(LEARNT) - 1)
    yield counting
    counting.stop()


def test_throws_are_kept_named_once_and_then_each_counts_for_its_face(counting: Counting) -> None:
    counting.throw_die()
    state = counting.until(lambda now: now["rows"]["phase"] == "name")
    series = state["series"]
    # every throw is in the file before anybody names anything, and nobody is asked about any of them
    assert (series["throws"], series["question"], state["sign"]) == (len(LEARNT), None, "throw")
    assert (series["dice"][0]["throws"], series["dice"][0]["unread"]) == (0, len(LEARNT))
    assert "already sorted" in counting.refused("sort")
    assert "no row 99" in counting.refused("name_row", row=99, face="1")
    taps, named = 0, list[str]()
    for row in state["rows"]["rows"]:
        if taps == 1:
            counting.start_again()
            again = counting.until(lambda now: now["rows"]["phase"] == "name")["rows"]["rows"]
            # the rows and the name of the first one are still there
            assert again == [{**state["rows"]["rows"][0], "done": True, "face": named[0]}, *state["rows"]["rows"][1:]]
        assert row["mixed"] is False
        assert all(counting.laboratory.picture(one) for one in row["pictures"])
        faces = counting.faces_in(row)
        assert len(faces) == 1
        named += faces
        counting.order("name_row", row=row["number"], face=named[-1])
        taps += 1
    assert taps <= 8  # at most 1.25 rows for each face
    counting.until(lambda now: now["rows"]["phase"] == "count")
    folded, labels = counting.kept(), counting.kept().dice[0].outcomes.labels
    read = [None if one.outcome is None else labels[one.outcome] for one in folded.throws]
    assert sum(one is not None for one in read) >= len(LEARNT) / 2  # three throws of a face are few
    assert all(one in (None, face) for one, face in zip(read, LEARNT, strict=True))
    assert folded.readers  # how well the rows separate is the reader's error
    assert not any(one.corrected for one in folded.throws)
    counting.start_again()
    counting.until(lambda now: now["rows"]["phase"] == "count")
    assert counting.kept().events == folded.events  # the rows teach nothing twice
    for _ in LATER:
        counting.throw_die()
    later = [one["outcome"] for one in reversed(counting.state()["series"]["last"])][-len(LATER) :]
    assert all(one in (None, face) for one, face in zip(later, LATER, strict=True))
    assert sum(one is not None for one in later) >= len(LATER) / 2
    # the doubtful throws stand in rows at the end, and the series keeps who named them
    doubtful = [one.number for one in counting.kept().throws if one.outcome is None]
    assert counting.rows()["kept"] == len(doubtful) > 0
    counting.order("sort")
    rows = counting.until(lambda now: now["rows"]["phase"] == "name")["rows"]
    assert rows["doubtful"] is True
    assert sum(row["throws"] for row in rows["rows"]) == len(doubtful)
    for row in rows["rows"]:
        (face,) = counting.faces_in(row)
        counting.order("name_row", row=row["number"], face=face)
    assert (counting.rows()["phase"], counting.rows()["kept"]) == ("count", 0)
    folded = counting.kept()
    assert [None if one.outcome is None else labels[one.outcome] for one in folded.throws] == list(THROWN)
    assert [one.number for one in folded.throws if one.corrected] == doubtful
    assert {reason for one in folded.throws for reason in one.reason} == {IN_A_ROW}
    assert "No throw is doubtful" in counting.refused("sort")
    deleted_with_its_rows(counting)


def deleted_with_its_rows(counting: Counting) -> None:
    store, throw = RowStore(counting.path.with_suffix(".rows.db")), counting.kept().throws[0]
    picture, state = counting.laboratory.picture(throw.picture), store.state(1)
    assert state is not None
    assert state.learnt == tuple(range(1, len(LEARNT) + 1))
    assert store.crop(1, throw.picture, picture) is not None
    assert store.crop(1, throw.picture, None) is None
    counting.order("end")
    counting.order("delete", series=1)
    assert store.state(1) is None
    assert store.crop(1, throw.picture, picture) is None


def test_a_series_of_dice_that_cannot_be_cut_out_is_counted_as_usual(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path / "throws.db", by_likeness=True)
    laboratory.start()
    try:
        assert laboratory.command("begin", {"dice": [{"set": "d4"}]}, "owner").ok
        assert laboratory.snapshot().data["rows"] is None
        refused = laboratory.command("sort", {}, "owner")
        assert not refused.ok
        assert "not counted in rows" in str(refused.sentence)
        # a die without a set is named by its shape, and its faces by letters
        assert laboratory.command("begin", {"dice": [{"set": "icosahedron"}]}, "owner").ok
        state = laboratory.snapshot().data
        assert state["series"]["dice"][0]["labels"] == list("ABCDEFGHIJKLMNOPQRST")
        assert (state["rows"]["phase"], state["rows"]["wanted"]) == ("gather", 160)
        refused = laboratory.command("sort", {}, "owner")
        assert "at least 60 throws" in str(refused.sentence)
    finally:
        laboratory.stop()


def test_rows_that_cannot_be_kept_or_read_stop_no_counting(tmp_path: Path) -> None:
    crop = Crop(np.zeros((CROP_PIXELS, CROP_PIXELS, 3), np.uint8), np.zeros((4, 8), np.float32), (("1", 0.5),))
    path, picture = tmp_path / "throws.rows.db", "ab"
    store = RowStore(path)
    assert store.state(1) is None
    assert not path.exists()
    store.save(1, RowsState((1, 2), ((1,), (2,)), {0: "1", 1: None}))
    store.keep(1, picture, crop)
    jpeg = cv2.imencode(".jpg", crop.picture)[1].tobytes()
    kept = store.crop(1, picture, jpeg)
    assert isinstance(kept, Crop)
    assert (kept.guess, kept.descriptors.tolist()) == (crop.guess, crop.descriptors.tolist())
    assert store.crop(1, picture, b"no picture") is None
    assert store.state(1) == RowsState((1, 2), ((1,), (2,)), {0: "1", 1: None})
    path.write_bytes(b"torn" * 200)
    assert store.state(1) is None
    assert store.crop(1, picture, jpeg) is None
    store.keep(1, picture, crop)
    store.remove(1)


def test_where_no_row_can_be_named_the_series_says_what_to_do(
    counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.vision.dice.groups.course.still_rows", lambda _crops, rows: [True] * len(rows))
    counting.throw_die()
    state = counting.until(lambda now: "None of the rows" in now["sentence"]["text"])
    assert "make sure that only the die moves in the picture, and throw 6 more times" in state["sentence"]["text"]
    assert state["rows"]["rows"] == []
    assert state["series"]["throws"] == len(LEARNT)
