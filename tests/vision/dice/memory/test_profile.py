"""A profile: what a table starts with, made by ``companion learn`` or taken over from an earlier program."""

import json
import re
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.rules.dice import dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import FaceReader, rotations
from companion.vision.dice.memory.profile import ProfileError, check_name, open_profile
from companion.vision.dice.memory.store import save
from companion.vision.dice.memory.table import OTHER_DICE, Origin, Shown, TableMemory
from companion.vision.dice.nets import settings as reader_settings
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import Image
from tests.calibration.learning.own_dice import SHOWN, memory, patch, style, thrown
from tests.vision.dice.memory.views import CORNERS, content

EARLIER = Path(__file__).resolve().parents[3] / "golden" / "files" / "profiles" / "own.dice"
SAMPLES = Path(__file__).resolve().parents[4] / "sample_images" / "varied"
READER = FaceReader(dice_set("wibold"), reader_settings().temperature)
TEXTS = Shown([text for _, text in READER.texts.upper])


def read(known: TableMemory, face: Image) -> dict[str, float]:
    """Return the chance of each bag of marks of a flat face, as the general reader and a memory read it together."""
    (view,) = READER.views([rotations(face, "square")])
    general = READER.judge(READER.opinions([view]), [CORNERS])
    recalled = known.recall(CORNERS, view.descriptors, general, TEXTS)
    assert recalled is not None
    return dict(zip(TEXTS.bags, TEXTS.by_bag(recalled.marks), strict=True))


def origin(known: TableMemory) -> Origin:
    assert known.origin is not None
    return known.origin


def named(known: TableMemory) -> tuple[str, str, str]:
    return origin(known).name, origin(known).set_name, origin(known).made


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "own.dice"
    save(path, memory(), "wibold")
    return path


def test_fresh_looks_of_learnt_faces_are_never_taken_for_others() -> None:
    rng = np.random.default_rng(77)
    texts = [text for text in SHOWN for _ in range(4)]
    chances = [read(memory(), patch(rng, text, style(5))) for text in texts]
    assert not [text for text, one in zip(texts, chances, strict=True) if max(one.values()) - one[bag_of(text)] > 0.95]
    assert sum(one[bag_of(text)] > 0.95 for text, one in zip(texts, chances, strict=True)) > len(texts) // 2


@pytest.mark.parametrize(("owner", "strange"), [(5, False), (8, True), (9, True)])
def test_dice_of_another_hand_are_strange_to_a_profile_and_its_own_are_not(owner: int, strange: bool) -> None:  # noqa: FBT001
    rng, known = np.random.default_rng(owner), memory().copy()
    for text in SHOWN * 3:
        (view,) = READER.views([rotations(patch(rng, text, style(owner)), "square")])
        recalled = known.recall(CORNERS, view.descriptors, READER.judge(READER.opinions([view]), [CORNERS]), TEXTS)
        assert recalled is not None
        known.compare(recalled.evidence)
    assert known.strange == strange


def test_dice_that_a_profile_was_not_learnt_of_are_not_read_by_it_alone() -> None:
    reader = DiceReader("wibold", memory=open_profile(EARLIER))
    for name in ("00_plain.jpg", "01_plain.jpg", "00_plain.jpg", "01_plain.jpg"):
        reading = reader.read(load_image(SAMPLES / name))
    assert reading.drift == OTHER_DICE
    assert not any(die.remembered for die in reading.dice)


def test_what_is_kept_comes_back(kept: Path) -> None:
    known = open_profile(kept)
    assert content(known.exemplars) == content(memory().exemplars)
    assert known.origin == memory().origin
    assert (origin(known).name, origin(known).set_name, origin(known).made) == (
        "own",
        "wibold",
        "2026-11-21T12:00:00+00:00",
    )


def test_a_profile_of_an_earlier_program_is_taken_over() -> None:
    known = open_profile(EARLIER)
    assert (origin(known).name, origin(known).set_name, origin(known).made) == (
        "own",
        "wibold",
        "2026-11-21T12:00:00+00:00",
    )
    assert {one.bag for one in known.exemplars} == set(map(bag_of, SHOWN))
    assert all(one.named for one in known.exemplars)
    for face, text in thrown()[:6]:  # of these throws it was made
        assert read(known, face.patch)[bag_of(text)] > 0.95
    assert origin(known).light.drift([face.patch for face, _ in thrown() if face.throw == 0]) is None


def throw(number: int) -> list[Image]:
    return [face.patch for face, _ in thrown() if face.throw == number]


def test_the_learnt_throws_have_not_drifted() -> None:
    light = origin(memory()).light
    assert [light.drift(throw(number)) for number in range(14)] == [None] * 14
    assert light.drift([]) is None


def test_a_picture_out_of_focus_or_in_the_dark_has_drifted() -> None:
    blurred = [np.asarray(cv2.GaussianBlur(one, (0, 0), 4.0), np.uint8) for one in throw(0)]
    dim = [(one * 0.12).astype(np.uint8) for one in throw(0)]
    light = origin(memory()).light
    assert re.search("less sharp|weaker", str(light.drift(blurred)))
    assert re.search("darker|weaker", str(light.drift(dim)))


@pytest.mark.parametrize("earlier", [False, True])
@given(st.floats(0, 0.999), st.booleans())
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_torn_or_spoilt_file_is_told_in_a_sentence(
    kept: Path,
    tmp_path: Path,
    earlier: bool,  # noqa: FBT001
    part: float,
    cut: bool,  # noqa: FBT001
) -> None:
    path = tmp_path / "own.dice"
    shutil.copy(EARLIER if earlier else kept, path)
    data = bytearray(path.read_bytes())
    at = int(part * len(data))
    if cut:
        del data[at:]
    else:
        data[at : at + 40] = bytes(40)
    path.write_bytes(data)
    if cut:
        with pytest.raises(ProfileError, match=r"own\.dice .*\.$"):
            open_profile(path)
        return
    with suppress(ProfileError):  # what was overwritten may be a part that nothing reads: then it comes back whole
        assert len(open_profile(path).exemplars) >= len(SHOWN)


HEAD: dict[str, Any] = {"kind": "Alea dice profile", "version": 1, "name": "own", "set": "wibold", "made": ""}
FACE = {"outline": "square", "file": "0.png", "text": "A", "die": None, "throw": 0, "twin": None}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"kind": "something else"}, "another file"),
        ({**HEAD, "version": 2, "faces": []}, "of a newer program"),
        (HEAD, "not a whole profile of dice"),
        ([1, 2], "another file"),
        ({**HEAD, "set": "runes", "faces": []}, "runes"),
        ({**HEAD, "faces": [{**FACE, "text": "XYZ"}]}, "XYZ"),
    ],
)
def test_what_is_no_earlier_profile_is_told(tmp_path: Path, content: object, says: str) -> None:
    path = tmp_path / "own.dice"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("profile.json", json.dumps(content))
        archive.writestr("0.png", cv2.imencode(".png", throw(0)[0])[1].tobytes())
    with pytest.raises(ProfileError, match=says):
        open_profile(path)


def test_no_file_and_no_archive_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="there is none"):
        open_profile(tmp_path / "absent.dice")
    (tmp_path / "text.dice").write_text("no archive")
    with pytest.raises(ProfileError, match="damaged"):
        open_profile(tmp_path / "text.dice")
    with pytest.raises(ProfileError, match="cannot be read"):
        open_profile(tmp_path)


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 61])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(ProfileError, match="choose another"):
        check_name(name)
