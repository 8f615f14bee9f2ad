"""The file of a table's memory: whole or told in one sentence, never half, and never silent about what it doubts."""

import json
import resource
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bench.reader.sittings import sitting
from companion.rules.dice import dice_set
from companion.vision.dice.faces import FaceReader, Vectors
from companion.vision.dice.memory.balance import Balance
from companion.vision.dice.memory.exemplars import MOST_EXEMPLARS, NOTHING, SIDE_OUTLINE, View
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.scores import Scores
from companion.vision.dice.memory.store import ANSWERS, HEAD, MOST_BYTES, MemoryFileError, load, save
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.solids import size as solid_size
from companion.vision.dice.solids.upper import Lying
from companion.vision.readings import Image
from tests.vision.dice.memory.views import CORNERS, content, distinguished, view
from workshop.scenes.fonts import find_fonts

Parts = dict[str, bytes]


def undescribed(pictures: object) -> Vectors:
    raise AssertionError(f"the net in use described these faces: {pictures}")


def patches(seed: int) -> list[Image]:
    """Return a picture of a face in four rotations."""
    coarse = np.random.default_rng(seed).integers(0, 255, (4, 4, 3), np.uint8)
    flat = np.asarray(cv2.resize(coarse, (64, 64), interpolation=cv2.INTER_CUBIC), np.uint8)
    return [np.ascontiguousarray(np.rot90(flat, k)) for k in range(CORNERS)]


def remembered() -> TableMemory:
    """Return a memory of three faces, one of them named wrongly, and of a thing that is no die."""
    memory = TableMemory(balance=Balance(Scores(np.linspace(-3, 0, len(Balance().scores.whole)))))
    memory.balance.scores.add(np.full(len(memory.balance.scores.whole), -0.5), "match 1, throw 1")
    memory.sides.scores.add(np.arange(5) / 8, "Wurf 3")
    memory.learn(
        CORNERS, "A", View(view(0, 0, 1).descriptors, patches(0)), "match 1, throw 1", named=True, recalled=None
    )
    memory.learn(CORNERS, "A", view(0, 1, 2), "match 1, throw 2", named=False, recalled=None)
    memory.learn(SIDE_OUTLINE, "Ä", view(1, 2), "Wurf 3", named=False, recalled=None)
    lies = np.array([[700, 300], [790, 301], [790, 391], [700, 390]])
    memory.learn(CORNERS, NOTHING, replace(view(0, 3, 3), corners=lies), "4", named=True, recalled=None)
    memory.plane.learn(np.array([[100.123, 100], [190, 101.5], [188.77, 190], [99, 189]]), (960, 1280))
    sure = solid_size.seen(np.log([60.0]), np.ones(1), 0.9)
    memory.see(Lying(np.linspace(-9, 0, len(memory.upright.evidence)), "icosahedron", sure))
    return memory


def alike(one: Scores, other: Scores) -> bool:
    return np.allclose(one.whole, other.whole, atol=1e-4) and [(source, row.tolist()) for source, row in one.added] == [
        (source, row.tolist()) for source, row in other.added
    ]


def same(one: TableMemory, other: TableMemory) -> bool:
    return (
        content(one.exemplars) == content(other.exemplars)
        and [kept.picture for kept in one.exemplars] == [kept.picture for kept in other.exemplars]
        and [kept.place for kept in one.exemplars] == [pytest.approx(kept.place) for kept in other.exemplars]
        and all(
            np.array_equal(kept.descriptor, again.descriptor)
            for kept, again in zip(one.exemplars, other.exemplars, strict=True)
        )
        and alike(one.balance.scores, other.balance.scores)
        and alike(one.sides.scores, other.sides.scores)
        and np.array_equal(one.plane.faces, other.plane.faces)
        and one.plane.picture == other.plane.picture
        and np.allclose(one.upright.evidence, other.upright.evidence, atol=1e-3)
        and one.sizes.gathered.keys() == other.sizes.gathered.keys()
        and all(np.allclose(of, other.sizes.gathered[shape], atol=1e-3) for shape, of in one.sizes.gathered.items())
        and distinguished(one.exemplars) == distinguished(other.exemplars)
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A kept memory of Wibold's dice."""
    place = tmp_path / "deep" / "table.memory"
    save(place, remembered(), "wibold")
    return place


def parts_of(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, parts: Parts, packing: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def change(path: Path, **head: Any) -> None:
    """Write another head into a kept memory."""
    parts = parts_of(path)
    write(path, parts | {HEAD: json.dumps(json.loads(parts[HEAD]) | head).encode()})


def refusal(path: Path, set_name: str = "wibold") -> str:
    with pytest.raises(MemoryFileError) as found:
        load(path, set_name, undescribed)
    text = str(found.value)
    assert text.endswith(".")
    assert text.count(". ") == 0, "one sentence"
    assert "\n" not in text
    return text


def test_what_is_kept_comes_back(path: Path) -> None:
    back = load(path, "wibold", undescribed)
    assert same(back, remembered())
    seen = view(0, 9).descriptors
    for outline in (CORNERS, SIDE_OUTLINE):
        assert back.exemplars.likeness(outline, seen) == remembered().exemplars.likeness(outline, seen)
    assert [file.name for file in path.parent.iterdir()] == ["table.memory"]


def test_a_doubt_outlives_the_program(path: Path) -> None:
    assert [doubted for doubted, _ in distinguished(remembered().exemplars)] == ["4"]
    assert distinguished(load(path, "wibold", undescribed).exemplars) == distinguished(remembered().exemplars)
    face = view(0, 9).descriptors
    assert NOTHING not in load(path, "wibold", undescribed).exemplars.likeness(CORNERS, face)


def test_an_empty_memory_is_kept_too(tmp_path: Path) -> None:
    save(tmp_path / "new.memory", TableMemory(), "pips")
    back = load(tmp_path / "new.memory", "pips", undescribed)
    assert len(back.exemplars) == 0
    assert np.array_equal(back.balance.scores.whole, Balance().scores.whole)


def test_a_memory_that_an_earlier_program_kept_knows_no_plane_and_no_sizes_but_all_faces(path: Path) -> None:
    parts = parts_of(path)
    head = json.loads(parts[HEAD])
    del head["plane"], head["sizes"]
    write(path, parts | {HEAD: json.dumps(head).encode()})
    back = load(path, "wibold", undescribed)
    assert content(back.exemplars) == content(remembered().exemplars)
    assert len(back.plane.faces) == 0
    assert back.sizes.gathered == {}


def test_what_is_kept_again_replaces_what_was(path: Path) -> None:
    back = load(path, "wibold", undescribed)
    back.exemplars.forget("4")
    back.exemplars.learn(CORNERS, "E", view(2), "5", named=True)
    save(path, back, "wibold")
    assert same(load(path, "wibold", undescribed), back)


def test_a_torn_file_is_told_wherever_it_is_torn(path: Path) -> None:
    whole = path.read_bytes()
    ends = {*range(0, len(whole), 97), *range(40), *range(len(whole) - 40, len(whole))}
    for end in sorted(ends):
        path.write_bytes(whole[:end])
        assert "damaged" in refusal(path)


def test_flipped_bits_are_told_or_change_nothing(path: Path) -> None:
    whole = path.read_bytes()
    found = 0
    places = {*range(0, len(whole), 83), *range(60), *range(len(whole) - 400, len(whole), 3)}
    for place in sorted(places):
        data = bytearray(whole)
        data[place] ^= 1 << place % 8
        path.write_bytes(data)
        with suppress(MemoryFileError):
            # a date, or another byte that says nothing of the table
            assert same(load(path, "wibold", undescribed), remembered())
            continue
        assert refusal(path)
        found += 1
    assert found > len(places) / 2


def test_other_dice_and_newer_programs_are_told_apart(path: Path) -> None:
    sentence = refusal(path, "pips")
    assert "pips" in sentence
    assert "wibold" in sentence
    change(path, version=2)
    assert "version 2" in refusal(path)


@pytest.mark.parametrize(
    "content",
    [
        {"memory.json": b"[1, 2]"},
        {"memory.json": b"{"},
        {"memory.json": b"[" * 100_000},
        {"memory.json": b'{"kind": "alea table memory", "version": 1, "set": "wibold"}'},
        {"profile.json": b'{"kind": "Alea dice profile", "version": 1}'},
        {},
    ],
    ids=["list", "no json", "deep", "bare", "profile", "empty"],
)
def test_other_archives_are_told(tmp_path: Path, content: Parts) -> None:
    write(tmp_path / "other.zip", content)
    assert "damaged or is another kind" in refusal(tmp_path / "other.zip")


@pytest.mark.parametrize("content", [b"", b"no archive", bytes(4096)])
def test_what_is_no_archive_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    assert "damaged or is another kind" in refusal(tmp_path / "other")


FACE = {"outline": 4, "bag": "A", "source": "1", "said": True, "picture": 0}


@pytest.mark.parametrize(
    "head",
    [
        {"balance": [0.0]},
        {"balance": "no numbers"},
        {"balance": None},
        {"faces": [FACE] * 3},
        {"faces": [FACE] * (MOST_EXEMPLARS + 1)},
        {"faces": [FACE] * 3 + [{}]},
        {"faces": [FACE] * 3 + [FACE | {"outline": None}]},
        {"faces": [FACE] * 3 + [FACE | {"outline": 7}]},
        {"faces": [FACE] * 3 + [FACE | {"outline": []}]},
        {"faces": [FACE] * 3 + ["A"]},
        {"faces": [FACE] * 3 + [FACE | {"place": [1.0]}]},
        {"faces": [FACE] * 3 + [FACE | {"place": [1.0, "left"]}]},
        {"faces": 4},
        {"net": None, "faces": {}},
        {"kind": "alea"},
        {"sizes": None},
        {"sizes": {"cube": [0.0] * len(solid_size.SIZES)}},
        {"sizes": {"icosahedron": [0.0]}},
        {"sizes": {"icosahedron": [-1.0] * len(solid_size.SIZES)}},
        {"plane": None},
        {"plane": {"picture": [960], "faces": []}},
        {"plane": {"picture": [0, 1280], "faces": [[[0, 0], [9, 0], [9, 9], [0, 9]]]}},
        {"plane": {"picture": [960, 1280], "faces": [[[0, 0], [9, 0], [9, 9]]]}},
        {"plane": {"picture": [960, 1280], "faces": [[[0, 0], [9, 0], [9, 9], [0, 9]]] * 400}},
    ],
)
def test_a_head_that_does_not_fit_its_parts_is_told(path: Path, head: dict[str, Any]) -> None:
    change(path, **head)
    assert "damaged or is another kind" in refusal(path)


def spoilt(name: str, how: Callable[[bytes], bytes]) -> Callable[[Parts], Parts]:
    return lambda parts: parts | {name: how(parts[name])}


@pytest.mark.parametrize(
    "spoil",
    [
        spoilt("descriptors", lambda data: data[:-2]),
        spoilt("descriptors", lambda data: np.full(len(data) // 2, np.nan, np.float16).tobytes()),
        spoilt("likenesses", lambda data: data[4:]),
        spoilt("likenesses", lambda data: np.full(len(data) // 4, np.nan, np.float32).tobytes()),
        spoilt("0.jpg", lambda _: bytes(MOST_BYTES + 1)),
        lambda parts: parts | {f"more{i}": bytes(MOST_BYTES // 8) for i in range(8)},
        lambda parts: {name: data for name, data in parts.items() if name != "3.jpg"},
    ],
    ids=["short", "no numbers", "few likenesses", "likenesses no numbers", "large", "large together", "one missing"],
)
def test_parts_that_do_not_fit_are_told(path: Path, spoil: Callable[[Parts], Parts]) -> None:
    write(path, spoil(parts_of(path)))
    assert "damaged or is another kind" in refusal(path)


def test_an_archive_packed_otherwise_and_a_huge_file_are_told(path: Path) -> None:
    write(path, parts_of(path), zipfile.ZIP_LZMA)
    assert "damaged or is another kind" in refusal(path)
    with path.open("wb") as opened:
        opened.truncate(MOST_BYTES + 1)
    assert "damaged or is another kind" in refusal(path)


def test_no_file_is_no_fault_but_a_place_that_cannot_be_read_is(path: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "absent", "wibold", undescribed)
    assert "cannot be read (Is a directory)" in refusal(tmp_path)
    assert "cannot be read (Not a directory)" in refusal(path / "inside")


def test_where_nothing_may_be_written_one_sentence_says_so(path: Path) -> None:
    kept = path.read_bytes()
    with pytest.raises(MemoryFileError, match=r"cannot be kept \(.*\): make room or choose another folder\.$"):
        save(path / "inside" / "table.memory", remembered(), "wibold")
    assert path.read_bytes() == kept


def test_a_failed_write_leaves_no_half_and_the_old_file(path: Path, tmp_path: Path) -> None:
    kept = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(MemoryFileError, match="File too large"):
            save(path, remembered(), "wibold")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == kept
    (tmp_path / "taken").mkdir()
    with pytest.raises(MemoryFileError, match="cannot be kept"):
        save(tmp_path / "taken", remembered(), "wibold")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["deep", "taken"]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.fixture(scope="module")
def seen() -> TableMemory:
    """What a real table learnt from two throws; the second is one whose third die was named wrongly."""
    table = sitting("small", 1, find_fonts("train", bundled=True))
    memory = TableMemory()
    reader = DiceReader("wibold", memory=memory)
    for number in range(2):
        shown = table.throw(number)
        reader.read(shown.image)
        found = []
        for die in shown.labels:
            x, y = np.mean(die.polygon, axis=0)
            found.append(FaceLesson((float(x), float(y)), die.face, named=True))
        reader.learn(found, str(number))
    return memory


def described_by_net(pictures: list[Image]) -> Vectors:
    reader = FaceReader(dice_set("wibold"), 1.0)
    return np.array([face.descriptors[0] for face in reader.views([[one] for one in pictures])])


def test_another_net_describes_the_pictures_anew(seen: TableMemory, tmp_path: Path) -> None:
    path = tmp_path / "table.memory"
    save(path, seen, "wibold")
    parts = parts_of(path)
    change(path, net="another net", balance=["of no use"])
    number = len(seen.exemplars)
    assert number > 8
    back = load(path, "wibold", lambda pictures: described_by_net(list(pictures)))
    assert content(back.exemplars) == content(seen.exemplars)
    assert not back.balance.scores.whole.any()
    again = [float(one.descriptor @ two.descriptor) for one, two in zip(seen.exemplars, back.exemplars, strict=True)]
    assert min(again) > 0.98
    assert distinguished(back.exemplars) == distinguished(seen.exemplars)

    # pictures that are none, too small or torn are left out, and the others stay what they are
    write(path, parts_of(path) | {"0.jpg": b"no picture", "2.jpg": parts["2.jpg"][:99], "4.jpg": b""})
    less = load(path, "wibold", lambda pictures: described_by_net(list(pictures)))
    assert content(less.exemplars) == [one for i, one in enumerate(content(seen.exemplars)) if i not in (0, 2, 4)]
    left = [i for i in range(number) if i not in (0, 2, 4)]
    assert np.array_equal(less.exemplars.alike, seen.exemplars.alike[left][:, left])


def test_another_net_and_no_picture_at_all_leave_nothing(path: Path) -> None:
    change(path, net="another net")
    write(path, parts_of(path) | {"0.jpg": b""})
    assert len(load(path, "wibold", undescribed).exemplars) == 0


def test_a_file_of_an_earlier_version_takes_nothing_back_but_is_read(path: Path) -> None:
    parts = parts_of(path)
    head = json.loads(parts[HEAD])
    del head["answers"], parts[ANSWERS]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**parts, HEAD: json.dumps(head).encode()}.items():
            archive.writestr(name, data)
    back = load(path, "wibold", undescribed)
    assert np.allclose(back.balance.scores.whole, remembered().balance.scores.whole, atol=1e-4)
    assert (back.balance.scores.added, back.sides.scores.added) == ([], [])


def test_what_was_taught_before_a_restart_is_taken_back_after_it(path: Path) -> None:
    back, mended = load(path, "wibold", undescribed), remembered()
    assert back.forget("match 1, throw 1")
    assert mended.forget("match 1, throw 1")
    assert same(back, mended)
    assert np.allclose(back.balance.scores.whole, np.linspace(-3, 0, len(back.balance.scores.whole)), atol=1e-4)


@pytest.mark.parametrize(
    "answers", [{"balance": ["1"] * 9, "sides": []}, {"sides": []}, {"balance": [], "sides": []}, [], 5]
)
def test_rows_that_belong_to_no_answer_are_refused(path: Path, answers: object) -> None:
    change(path, answers=answers)
    with pytest.raises(MemoryFileError, match="damaged"):
        load(path, "wibold", undescribed)
