"""A table whose owner's dice the program does not know: it asks, is answered, and later reads them by itself."""

import json
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from bench.reader.sittings import sitting
from companion.commands.contribute import command as contribute
from companion.commands.teach import command as teach
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.features import TableFeatures
from companion.live.keeping import Keeping
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.events import Observed
from companion.referee.journal import Journal
from companion.vision.mat import Mat
from companion.vision.readings import Image
from companion.vision.sources import open_source
from tests.live.drawn import DrawnSource
from workshop.scenes.fonts import find_fonts
from workshop.training.contributed import CONTRIBUTED, packed
from workshop.training.store import Scenes

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "dice_by": "camera"}
SHOWN = {"1": "EIOU", "2": "UAE", "3": "AEI", "consonants": "GHKL"}
Made = Callable[..., "Worn"]


@cache
def drawn_throw() -> Any:
    """Draw worn dice, of which the program cannot read all."""
    return sitting("worn", 3, find_fonts("train", bundled=True)).throw(0)


@cache
def thrown() -> Image:
    """Return the picture of the worn dice."""
    drawn = drawn_throw()
    assert {die.die: die.face for die in drawn.labels} == SHOWN
    return np.asarray(drawn.image)


@cache
def turned() -> Image:
    """Return the same dice turned by half and a little smaller, so that no push of the table can have moved them so."""
    height, width = thrown().shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), 180, 0.9)
    return np.asarray(cv2.warpAffine(thrown(), way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


class Worn:
    """A table under a camera that sees worn dice."""

    def __init__(self, folder: Path, *, on: bool = True, keeping: Keeping | None = None) -> None:
        self.path = folder / "match.db"
        self.source = DrawnSource()
        self.learning = Learning(MemoryFolder(folder / "match.memory"), on=on)
        self.live = LiveTable(
            self.path, Seeing(self.source, mat=Mat()), TableFeatures(learning=self.learning), keeping=keeping
        )
        self.live.start()
        self.source.show(np.full_like(thrown(), 90))
        self.do("new_match", **MATCH)

    def do(self, name: str, **data: Any) -> dict[str, Any]:
        reply = self.live.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)
        return dict(reply.data)

    def until(self, wanted: Callable[[Any], Any]) -> Any:
        end = time.monotonic() + 60
        shot = self.live.snapshot()
        while not wanted(shot.data):
            assert time.monotonic() < end, shot.data["state_sentence"]["text"]
            shot = self.live.wait(shot.version, 1) or self.live.snapshot()
        return shot.data

    def asked(self, image: Image) -> dict[str, Any]:
        """Throw, and return the question."""
        self.source.show(np.full_like(image, 90))
        self.source.show(image)
        ask: dict[str, Any] = self.until(lambda data: data["ask"])["ask"]
        return ask

    def answer(self, faces: dict[str, str]) -> int:
        """Answer the open question, and return the event once the table has learnt from it."""
        event = self.do("answer", ask=self.live.snapshot().data["ask"]["id"], faces=faces)["event"]
        self.learnt()
        return int(event)

    def learnt(self) -> None:
        """Wait until the watching thread has done all that it was told."""
        assert self.live.vitals().writer
        self.learning.forget("nothing").result(10)

    def known(self) -> dict[str, int]:
        """Return how many exemplars each known face has."""
        return {face.text: face.number for dice in self.learning.remembered.dice for face in dice.faces}

    def dice_observed(self) -> dict[str, dict[str, Any]]:
        """Return the dice of the last look, as the journal has them."""
        with Journal(self.path, writable=False) as journal:
            match = max(line.id for line in journal.matches())
            settings = [entry.event for entry in journal.events(match) if isinstance(entry.event, Observed)]
        return {die["die"]: dict(die) for die in settings[-1].dice if die.get("die")}


@pytest.fixture
def worn(tmp_path: Path) -> Iterator[Made]:
    made: list[Worn] = []

    def open_(**parts: Any) -> Worn:
        for earlier in made:
            earlier.live.stop()
        made.append(Worn(tmp_path, **parts))
        return made[-1]

    yield open_
    for one in made:
        one.live.stop()


def test_what_was_asked_once_is_read_later_also_after_a_restart(worn: Made) -> None:
    table = worn()
    first = table.asked(thrown())
    unknown = {die["die"] for die in first["dice"] if die["status"] == "ask"} - {"consonants"}
    assert unknown, "no question, nothing to learn"
    texts = {SHOWN[name] for name in unknown}
    table.answer(SHOWN)
    assert texts <= set(table.known())
    for run in (table, None):
        again = run or worn()
        again.learnt()  # the watching thread has opened what the table remembers
        assert texts <= set(again.known())
        again.asked(turned())
        dice = again.dice_observed()
        for name in unknown:
            assert (dice[name]["face"], dice[name]["status"]) == (SHOWN[name], "read")
            assert dice[name]["remembered"] is True
        before = again.known()
        again.answer(SHOWN)
        assert {again.known()[face] - before[face] for face in texts} == {0}, "what is remembered teaches nothing"


def test_a_correction_forgets_and_teaches_anew(worn: Made) -> None:
    table = worn()
    table.asked(thrown())
    event = table.answer({**SHOWN, "2": "E"})
    assert "E" in table.known()
    asked = {"event": event, "faces": SHOWN, "reason": "a slip"}
    token = table.do("preview_correction", **asked)["token"]
    table.do("correct", **asked, token=token)
    table.learnt()
    assert "UAE" in table.known()
    assert "E" not in table.known()
    void = {"event": event, "choice": None, "reason": "no throw"}
    token = table.do("preview_correction", **void)["token"]
    table.do("correct", **void, token=token)
    table.learnt()
    assert table.known() == {}


def test_a_table_that_does_not_learn_keeps_nothing(worn: Made, tmp_path: Path) -> None:
    table = worn(on=False)
    table.asked(thrown())
    table.answer(SHOWN)
    assert table.known() == {}
    table.live.upkeep.learn(on=True)
    table.asked(turned())
    table.answer(SHOWN)
    assert table.known(), "it learns from the next throw on"
    table.live.upkeep.learn(on=False)
    table.asked(thrown())
    assert not any(die.get("remembered") for die in table.dice_observed().values()), "what it knows is not used"
    table.live.upkeep.learn(on=True)
    assert table.known(), "it is not lost"
    assert table.live.upkeep.forget_dice()
    assert table.known() == {}
    table.live.stop()
    assert list((tmp_path / "match.memory").iterdir()) == []


def test_what_a_match_taught_is_learnt_again_from_the_journal_and_its_pictures(worn: Made, tmp_path: Path) -> None:
    table = worn(keeping=Keeping("all"))
    table.asked(thrown())
    event = table.answer({**SHOWN, "2": "E"})
    asked = {"event": event, "faces": SHOWN, "reason": "a slip"}
    table.do("correct", **asked, token=table.do("preview_correction", **asked)["token"])
    table.learnt()
    kept = table.learning.memory("wibold")
    assert kept is not None
    table.live.stop()
    pictures = tmp_path / "match.pictures"
    named = ["wibold", "--camera", str(pictures), "--journal", str(table.path), "--again"]
    output = CliRunner().invoke(teach, named, catch_exceptions=False)
    assert "Throws learnt again: 2; without a kept picture: 0." in output.output
    again, _ = MemoryFolder(tmp_path / "match.memory").load("wibold", open_source(str(pictures)).name)
    assert [(one.source, one.outline, one.bag, one.named) for one in again.exemplars] == [
        (one.source, one.outline, one.bag, one.named) for one in kept.exemplars
    ]
    alike = [
        float(one.descriptor.astype(np.float32) @ other.descriptor.astype(np.float32))
        for one, other in zip(again.exemplars, kept.exemplars, strict=True)
    ]
    assert min(alike) > 0.95, "the picture is kept as JPEG"
    given = tmp_path / "given"
    output = CliRunner().invoke(contribute, [str(given), "--journal", str(table.path)], catch_exceptions=False)
    labels = [json.loads(line) for line in (given / "labels.jsonl").read_text("utf-8").splitlines()]
    assert f"Pictures of single dice: {len(labels)}, in" in output.output
    assert len(labels) == 4, "each die of the corrected throw once, as it was corrected"
    assert {one["face"] for one in labels} == set(SHOWN.values())
    for one in labels:
        picture = cv2.imread(str(given / one["file"]))
        assert picture is not None
        height, width = picture.shape[:2]
        assert max(height, width) < min(thrown().shape[:2]) / 3, "one die, and nothing else of the table"
        assert all(0 <= x <= width and 0 <= y <= height for x, y in one["corners"])
        assert set(one) == {"file", "set", "face", "read", "corners"}
    everything = b"".join(path.read_bytes() for path in given.iterdir())
    assert b"Anna" not in everything
    refused = CliRunner().invoke(contribute, [str(given), "--journal", str(table.path)])
    assert "new or empty folder" in refused.output
    cubes = [one for one in labels if one["face"] != SHOWN["consonants"]]
    (given / cubes[0]["file"]).unlink()  # its owner does not give this one away
    assert packed([given], tmp_path / "packed") == 2
    scenes = Scenes.load(tmp_path / "packed", CONTRIBUTED)
    corners = {die.face: np.array(die.corners) for die in drawn_throw().labels}
    for truth, one in zip(scenes.truths, cubes[1:], strict=True):
        (face,) = truth.faces
        assert face.marks == tuple(one["face"])
        there, drawn = (
            face.corners - face.corners.mean(axis=0),
            corners[one["face"]] - corners[one["face"]].mean(axis=0),
        )
        assert there[0] @ drawn[0] > 0.9 * np.linalg.norm(there[0]) * np.linalg.norm(drawn[0]), "the same way up"
    for one in pictures.glob("*.jpg"):
        one.unlink()
    none = CliRunner().invoke(contribute, [str(tmp_path / "none"), "--journal", str(table.path)])
    assert "No kept picture shows a die" in none.output
    gone = CliRunner().invoke(teach, [*named[:2], "0", *named[3:]], catch_exceptions=False)
    assert "Throws learnt again: 0; without a kept picture: 2." in gone.output
