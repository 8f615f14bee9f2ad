"""What a table may learn from a throw, and that the memory outlives restarts, torn files, full disks and errors."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.desk.sight import Sight
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import READINGS_HELD, TRY_AGAIN, DiceLesson, Learning
from companion.live.dice_memory.match_lessons import lessons_of
from companion.live.features import TableFeatures
from companion.live.pictures import Pictures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.live.watching.dice_settings import WatchSettings
from companion.live.watching.dice_steps import expect, watching_dice
from companion.rules.dice import Throw, all_throws, dice_set
from companion.vision.dice.faces import DESCRIPTOR_LENGTH, FaceReader
from companion.vision.dice.memory import store
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.light import Light
from companion.vision.dice.memory.table import Origin, TableMemory
from companion.vision.images import decode_image
from companion.vision.readings import ReadDie, Status
from tests.live.drawn import DrawnReader, DrawnSource, draw, joined, placed
from tests.live.glimpsed import Glimpsed
from tests.referee.build import PLACES, square

CAMERA = "a camera"
NAMES = tuple(die.name for die in dice_set("wibold").dice)
FACES = {die.name: [face.text for face in die.faces] for die in dice_set("wibold").dice}
THROWS = st.sampled_from(all_throws("wibold", NAMES))


def die(
    name: str, face: str, status: Status = "read", *, remembered: bool = False, others: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a die as the journal has it; ``others``: what it may show as well."""
    chance = 1 / (1 + len(others))
    candidates = tuple((text, chance) for text in (face, *others))
    outline = square(*PLACES[name])
    made = ReadDie("wibold", name, face, status, chance, candidates, outline, remembered=remembered)
    return dict(made.to_json())


def at(name: str) -> tuple[float, float]:
    return float(PLACES[name][0]), float(PLACES[name][1])


def lessons(
    dice: list[dict[str, Any]], throw: Throw, *, named: bool = False
) -> dict[tuple[int, int], tuple[str | None, bool]]:
    return {
        (round(one.place[0]), round(one.place[1])): (one.text, one.named)
        for one in lessons_of(dice, throw, named=named)
    }


def near(name: str) -> tuple[int, int]:
    return round(at(name)[0]), round(at(name)[1])


@given(THROWS, st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_a_throw_read_without_a_question_teaches_what_was_not_remembered(
    throw: Throw, remembered: set[str], ignored: set[str]
) -> None:
    dice = [
        die(name, face, "ignored" if name in ignored else "read", remembered=name in remembered)
        for name, face in throw.shown
    ]
    kept = set(NAMES) - remembered - ignored
    assert lessons(dice, throw) == {near(name): (throw.face(name), False) for name in kept}


@given(THROWS, st.sampled_from(NAMES), st.data())
def test_one_die_that_was_asked_about_shows_what_was_said(throw: Throw, name: str, data: st.DataObject) -> None:
    guessed = data.draw(st.sampled_from(FACES[name]))
    dice = [die(other, face) for other, face in throw.shown if other != name] + [die(name, guessed, "ask")]
    assert lessons(dice, throw)[near(name)] == (throw.face(name), True)


def test_dice_that_were_taken_for_each_other_get_the_faces_that_they_look_like() -> None:
    throw = Throw.of("wibold", {"1": "EI", "2": "UAE", "3": "AEI", "consonants": "GHKL"})
    dice = [
        die("1", "UAE", "ask", others=("E",)),
        die("2", "EI", "ask", others=("I",)),
        die("3", "AEI"),
        die("consonants", "GHKL"),
    ]
    found = lessons(dice, throw)
    assert found[near("1")] == ("UAE", True)
    assert found[near("2")] == ("EI", True)
    assert found[near("3")] == ("AEI", False)


def test_two_dice_that_look_like_anything_teach_nothing_but_the_others_do() -> None:
    throw = Throw.of("wibold", {"1": "EI", "2": "UAE", "3": "AEI", "consonants": "GHKL"})
    dice = [die("1", "I", "ask"), die("2", "E", "ask"), die("3", "AEI"), die("consonants", "GHKL")]
    assert set(lessons(dice, throw)) == {near("3"), near("consonants")}


@given(THROWS)
def test_whoever_corrects_a_throw_has_said_all_of_it(throw: Throw) -> None:
    dice = [die(name, face, remembered=True) for name, face in throw.shown]
    assert lessons(dice, throw, named=True) == {near(name): (throw.face(name), True) for name in NAMES}


def test_what_was_asked_about_beside_all_dice_of_the_set_is_no_die() -> None:
    throw = Throw.of("wibold", {"1": "EI", "2": "UAE", "3": "AEI", "consonants": "GHKL"})
    seen = [die("1", "EI"), die("2", "UAE"), die("consonants", "GHKL")]
    beside = {**die("1", "IO", "ask", others=("E",)), "polygon": square(900, 700)}
    found = lessons([*seen, die("3", "AEI"), beside], throw)
    assert found[900, 700] == (None, True)
    # where one die is unclear, too, the find beside it is no die only if the other one shows the face clearly
    clear = lessons([*seen, die("3", "AEI", "ask"), beside], throw)
    assert (clear[near("3")], clear[900, 700]) == (("AEI", True), (None, True))
    unclear = {**beside, "candidates": [["AEI", 0.4], ["IO", 0.3], ["E", 0.3]]}
    assert (900, 700) not in lessons([*seen, die("3", "AEI", "ask", others=("EI",)), unclear], throw)


def test_a_second_cast_teaches_only_the_die_that_was_thrown() -> None:
    throw = Throw.of("wibold", {"2": "UAE"})
    assert set(lessons([die("1", "EI"), die("2", "UAE"), die("3", "AEI")], throw)) == {near("2")}


class Failing(Glimpsed):
    def teach(self, *_: Any, **__: Any) -> None:
        raise RuntimeError("no room in the head")


def taught(learning: Learning, event: int, *texts: str, interval: int | None = None) -> None:
    """Let a reading be held, and say what it showed."""
    glimpses = [Glimpsed(10 * event + place) for place, _ in enumerate(texts)]
    number = event if interval is None else interval
    learning.hold(number, "wibold", glimpses)
    lines = tuple(FaceLesson(one.middle, text, named=True) for one, text in zip(glimpses, texts, strict=True))
    learning.tell(DiceLesson(f"1/{event}", number, lines))
    learning.work()


def known(learning: Learning) -> dict[str, int]:
    return {face.text: face.number for dice in learning.remembered.dice for face in dice.faces}


def test_what_was_learnt_is_there_after_a_restart_and_only_under_its_camera(tmp_path: Path) -> None:
    first = Learning(MemoryFolder(tmp_path))
    first.open(CAMERA)
    taught(first, 1, "EI", "UAE")
    first.close()
    again, other = Learning(MemoryFolder(tmp_path)), Learning(MemoryFolder(tmp_path))
    again.open(CAMERA)
    other.open("another camera")
    assert known(again) == {"EI": 1, "UAE": 1}
    assert known(other) == {}
    (dice,) = again.remembered.dice
    assert dice.of == 20, "eighteen upper faces, of which three bear the same letters, and four sides"
    assert all(face.picture.startswith(b"\xff\xd8") for face in dice.faces)


def test_after_an_update_of_the_net_the_pictures_are_described_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Learning(MemoryFolder(tmp_path))
    first.open(CAMERA)
    with monkeypatch.context() as older:
        older.setattr(store, "mark_net", lambda: "an older net")
        taught(first, 1, "EI", "UAE")
        first.close()
    again = Learning(MemoryFolder(tmp_path))
    again.open(CAMERA)
    assert known(again) == {"EI": 1, "UAE": 1}
    assert again.remembered.trouble is None
    memory = again.memory("wibold")
    assert memory is not None
    for one in memory.exemplars:
        patch = decode_image(one.picture, live=False)
        described = FaceReader(dice_set("wibold"), 1.0).describe([patch])
        assert described.shape == (1, DESCRIPTOR_LENGTH)
        assert float(described[0] @ one.descriptor.astype(np.float32)) == pytest.approx(1.0, abs=1e-2)


def test_what_one_throw_taught_is_forgotten_alone(tmp_path: Path) -> None:
    learning = Learning(MemoryFolder(tmp_path))
    learning.open(CAMERA)
    taught(learning, 1, "EI")
    taught(learning, 2, "UAE")
    learning.forget("1/1")
    learning.work()
    assert known(learning) == {"UAE": 1}
    learning.tell(DiceLesson("1/2", 2, (FaceLesson(Glimpsed(20).middle, "AEI", named=True),)))
    learning.work()
    assert known(learning) == {"AEI": 1}, "a throw that is named anew first forgets"


def test_a_throw_of_long_ago_cannot_be_taught_any_more(tmp_path: Path) -> None:
    learning = Learning(MemoryFolder(tmp_path))
    learning.open(CAMERA)
    for number in range(READINGS_HELD + 1):
        learning.hold(number, "wibold", [Glimpsed(number)])
    for number in (0, 1):
        learning.tell(
            DiceLesson(f"1/{number}", number, (FaceLesson(Glimpsed(number).middle, FACES["1"][number], named=True),))
        )
    learning.work()
    assert known(learning) == {FACES["1"][1]: 1}


@pytest.mark.parametrize("torn", [b"", b"PK\x03\x04 torn", b"something else"])
def test_a_torn_memory_is_set_aside_and_the_table_begins_anew(tmp_path: Path, torn: bytes) -> None:
    folder = MemoryFolder(tmp_path)
    path = folder.path("wibold", CAMERA)
    path.write_bytes(torn)
    learning = Learning(folder)
    learning.open(CAMERA)
    assert "could not be used" in str(learning.remembered.trouble)
    aside = tmp_path / f"{path.name}.broken-1"
    assert aside.name in str(learning.remembered.trouble)
    assert aside.read_bytes() == torn
    taught(learning, 1, "EI")
    learning.close()
    again = Learning(folder)
    again.open(CAMERA)
    assert known(again) == {"EI": 1}
    assert again.remembered.trouble is None


def test_all_can_be_forgotten_on_the_disk_too(tmp_path: Path) -> None:
    learning = Learning(MemoryFolder(tmp_path))
    learning.open(CAMERA)
    taught(learning, 1, "EI")
    learning.close()
    assert list(tmp_path.iterdir())
    answer = learning.clear()
    learning.work()
    assert answer.done()
    assert known(learning) == {}
    assert not list(tmp_path.iterdir())
    learning.close()
    assert not list(tmp_path.iterdir())


def test_a_table_starts_with_a_profile_and_keeps_apart_what_it_learns_further(tmp_path: Path) -> None:
    plain = Learning(MemoryFolder(tmp_path))
    plain.open(CAMERA)
    taught(plain, 1, "AEI")
    plain.close()
    profile = TableMemory(origin=Origin("grandfather", "wibold", "2026-11-21T12:00:00", Light()))
    Glimpsed(3).teach(profile, "EI", "teaching/learn-0", named=True)

    def opened() -> Learning:
        learning = Learning(MemoryFolder(tmp_path))
        learning.start_with(profile)
        learning.open(CAMERA)
        return learning

    first = opened()
    assert known(first) == {"EI": 1}
    taught(first, 1, "UAE")
    first.close()
    assert known(opened()) == {"EI": 1, "UAE": 1}
    assert len(profile.exemplars) == 1, "nothing is written to the profile"
    plain.open(CAMERA)
    assert known(plain) == {"AEI": 1}
    again = opened()
    again.clear()
    again.work()
    again.close()
    assert (known(again), known(opened())) == ({}, {"EI": 1})


def test_a_disk_that_takes_nothing_is_told_in_a_sentence_until_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    learning = Learning(MemoryFolder(tmp_path / "kept"))
    learning.open(CAMERA)
    learning.memory("wibold")
    (tmp_path / "kept").write_text("a file where the folder should be")
    taught(learning, 1, "EI")
    settle(learning)
    assert "cannot be kept" in str(learning.remembered.trouble)
    assert known(learning) == {"EI": 1}, "it is used all the same"
    (tmp_path / "kept").unlink()
    now[0] += TRY_AGAIN + 1
    learning.work()
    settle(learning)
    assert learning.remembered.trouble is None
    assert MemoryFolder(tmp_path / "kept").holds("wibold", CAMERA)


def settle(learning: Learning) -> None:
    """Wait until what is written now is written, and its result known."""
    learning._wait_for_saver()
    learning.work()


def test_the_disk_is_written_now_and_then_and_not_at_every_throw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, writes = [100.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(MemoryFolder, "save", lambda _, name, *__: writes.append(name))
    learning = Learning(MemoryFolder(tmp_path))
    learning.open(CAMERA)
    for number in range(10):
        taught(learning, number, "EI")
        now[0] += 1.0
        settle(learning)
    assert 2 <= len(writes) <= 3


def test_two_throws_that_contradict_each_other_are_told_in_words(tmp_path: Path) -> None:
    learning = Learning(MemoryFolder(tmp_path))
    learning.open(CAMERA)
    for event in (3, 7):  # the same face, which was said to be another one the third time
        learning.hold(event, "wibold", [Glimpsed(1)])
        learning.tell(DiceLesson(f"2/{event}", event, (FaceLesson(Glimpsed(1).middle, "UAE", named=True),)))
    learning.hold(9, "wibold", [Glimpsed(1)])
    learning.tell(DiceLesson("2/9", 9, (FaceLesson(Glimpsed(1).middle, "OU", named=True),)))
    learning.work()
    (dice,) = learning.remembered.dice
    text = [str(doubt) for doubt in dice.doubts]
    assert any("You said OU in match 2, event 9, but it looks like the UAE of match 2, event" in one for one in text)


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_an_error_while_learning_ends_neither_the_thread_nor_reading(tmp_path: Path) -> None:
    source = DrawnSource()
    sights: list[Sight] = []
    learning = Learning(MemoryFolder(tmp_path))
    watcher = watching_dice(
        source, WatchSettings(None, lambda _: DrawnReader(), joined, learning), Pictures(), sights.append
    )
    watcher.tell(expect(("wibold", None)))
    watcher.start()
    try:
        learning.hold(1, "wibold", [Failing(1)])
        learning.tell(DiceLesson("1/1", 1, (FaceLesson(Failing(1).middle, "EI", named=True),))).result(10)
        assert "RuntimeError" in str(learning.remembered.trouble)
        source.throw(placed("EI E OU STXZ"))
        until(lambda: any(sight.seen is not None and sight.seen.reading.status == "read" for sight in sights))
        assert watcher.is_alive()
    finally:
        watcher.end()
        watcher.join(120)
    assert not watcher.is_alive()


def test_a_table_whose_memory_fails_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = DrawnSource()
    learning = Learning(MemoryFolder(tmp_path / "kept"))
    monkeypatch.setattr(learning, "tell", lambda _: 1 / 0)
    table = LiveTable(
        tmp_path / "match.db",
        Seeing(source, reader=lambda _: DrawnReader()),
        TableFeatures(learning=learning),
        combine=joined,
    )
    table.start()
    try:
        game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "options": {}, "dice_by": "camera"}
        assert table.command("new_match", game, "tests").ok
        source.show(draw({}))
        source.throw(placed("EI E OU STXZ"))
        until(lambda: table.snapshot().data["match"]["throws"] == 1)
    finally:
        table.stop()
