"""The file in which the looks of somebody's dice are kept."""

import json
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.vision.dice.own_appearance import OwnAppearance
from companion.vision.dice.profile import ProfileError, check_name, load, save
from tests.calibration.learning.own_dice import own_appearance, profile, thrown


def test_what_is_kept_comes_back_and_reads_alike(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "own.dice"
    save(path, profile())
    kept = load(path)
    for name in ("name", "set_name", "made", "camera", "picture", "axis", "squares", "sides", "light"):
        assert getattr(kept, name) == getattr(profile(), name)
    assert all((one.patch == two.patch).all() for one, two in zip(kept.faces, profile().faces, strict=True))
    patches = [face.patch for face, _ in thrown()[:3]]
    assert OwnAppearance.load(path).faces(patches).texts == pytest.approx(own_appearance().faces(patches).texts)
    assert [file.name for file in path.parent.iterdir()] == ["own.dice"]


@given(st.floats(0, 0.999), st.booleans())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_torn_or_spoilt_file_is_told_in_a_sentence(tmp_path: Path, part: float, cut: bool) -> None:  # noqa: FBT001
    path = tmp_path / "own.dice"
    save(path, profile())
    data = bytearray(path.read_bytes())
    at = int(part * len(data))
    if cut:
        del data[at:]
    else:
        data[at : at + 40] = bytes(40)
    path.write_bytes(data)
    if cut:
        with pytest.raises(ProfileError, match=r"own\.dice .*\.$"):
            load(path)
        return
    with suppress(ProfileError):  # what was overwritten may be a part that nothing reads: then it comes back whole
        assert len(load(path).faces) == len(profile().faces)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"kind": "something else"}, "no profile of dice"),
        ({"kind": "Alea dice profile", "version": 2}, "version 2"),
        ({"kind": "Alea dice profile", "version": 1}, "damaged or another file"),
        ([1, 2], "no profile of dice"),
    ],
)
def test_foreign_and_newer_files_are_told_apart(tmp_path: Path, content: object, says: str) -> None:
    path = tmp_path / "own.dice"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("profile.json", json.dumps(content))
    with pytest.raises(ProfileError, match=says):
        load(path)


def test_no_file_and_no_archive_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="there is none"):
        load(tmp_path / "absent.dice")
    (tmp_path / "text.dice").write_text("no archive")
    with pytest.raises(ProfileError, match="damaged or another file"):
        load(tmp_path / "text.dice")
    with pytest.raises(ProfileError, match="cannot be read"):
        load(tmp_path)


def test_a_profile_of_faces_that_the_set_has_not_is_refused() -> None:
    wrong = replace(profile(), faces=tuple(replace(face, text="XYZ") for face in profile().faces))
    with pytest.raises(ProfileError, match="XYZ"):
        OwnAppearance(wrong)
    with pytest.raises(ProfileError, match="runes"):
        OwnAppearance(replace(profile(), set_name="runes"))


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 61])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(ProfileError, match="choose another"):
        check_name(name)
