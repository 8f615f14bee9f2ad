"""A profile comes back as it was kept; a torn, foreign or hostile one is refused; an old one says so."""

import json
import zipfile
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.boards import board_profile
from companion.vision.boards.board_profile import BoardProfile, BoardProfileError, load, only_board, save, stale
from companion.vision.boards.lens import Lens
from companion.vision.boards.markers import MarkerFinder
from companion.vision.boards.pose import learn_places, pose_from_corners
from companion.vision.readings import Image
from tests.vision.boards.drawn import Camera, draw_table, field_corners, photograph, project

CAMERA = Camera(640, size=(640, 480), focal=520)
MADE = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
LENS = Lens((640, 480), (520.0, 520.0), (319.5, 239.5), (-0.1, 0.01, 0.0, 0.0, 0.0), 0.3, 8)


@cache
def picture(seed: int = 1) -> Image:
    return photograph(draw_table(markers=30.0), CAMERA, seed=seed)


def profile() -> BoardProfile:
    image = picture()
    pose = pose_from_corners(project(CAMERA.homography(), field_corners()), CAMERA.size, lens=LENS)
    places = learn_places(MarkerFinder().find(image).markers, pose)
    return BoardProfile(
        "oak board",
        "tables",
        MADE.isoformat(),
        only_board(image, pose, places),
        pose.corners,
        "hand",
        places,
        LENS,
        (360.0, 300.0),
        {"light": {"lab": [80.0, 1.0, 2.0]}},
        {"exposure": 120.0},
        {"grade": "good"},
    )


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "oak board.board"
    save(path, profile())
    return path


def rewritten(path: Path, **changed: object) -> Path:
    with zipfile.ZipFile(path) as archive:
        data, jpeg = json.loads(archive.read("profile.json")), archive.read("picture.jpg")
    other = path.with_name("changed.board")
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("profile.json", json.dumps(data | changed))
        archive.writestr("picture.jpg", jpeg)
    return other


def test_a_profile_comes_back_as_it_was_kept(kept: Path) -> None:
    one, other = profile(), load(kept)
    assert other.to_json() == one.to_json()
    assert np.abs(other.picture.astype(int) - one.picture).mean() < 4  # JPEG
    assert np.allclose(other.pose.corners, one.corners, atol=0.01)


def test_nothing_is_kept_of_the_room_around_the_board() -> None:
    kept = profile().picture
    assert not kept[:20, :20].any()
    assert not kept[-20:, -20:].any()
    assert kept[240, 320].all()


def test_every_torn_file_is_refused(kept: Path) -> None:
    whole = kept.read_bytes()
    for share in np.linspace(0, 0.999, 40):
        kept.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(BoardProfileError, match="damaged"):
            load(kept)
    for place in range(40, len(whole), len(whole) // 25):
        kept.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            load(kept)
        except BoardProfileError:
            continue
        except Exception as error:  # noqa: BLE001  any other error is the fault that is looked for
            pytest.fail(f"byte {place}: {error!r}")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"kind": "Alea dice profile"}, "no profile of a board"),
        ({"version": 2}, "version 2, but this program reads version 1"),
        ({"made": "2026-11-22T12:00:00"}, "damaged"),
        ({"made": "yesterday"}, "damaged"),
        ({"corners": [[0, 0], [1, 1], [2, 2], [3, 3]]}, "damaged"),
        ({"corners": [[1e300, 0], [1, 1], [2, 2], [3, 3]]}, "damaged"),
        ({"markers": {"7": [[0, 0], [1, 0], [1, 1], [0, 1]]}}, "damaged"),
        ({"markers": [1, 2]}, "damaged"),
        ({"lens": {"size": [0, 0]}}, "damaged"),
        ({"size": [640, 481]}, "damaged"),
        ({"how": "magic"}, "damaged"),
        ({"how": ["hand"]}, "damaged"),
        ({"name": "../../etc/passwd"}, "name of letters"),
        ({"field_mm": [float("inf"), 3]}, "damaged"),
        ({"colours": 7}, "damaged"),
    ],
)
def test_what_is_no_profile_of_this_version_is_refused(kept: Path, changed: dict[str, object], words: str) -> None:
    with pytest.raises(BoardProfileError, match=words):
        load(rewritten(kept, **changed))


def test_a_picture_larger_than_any_camera_gives_is_refused_before_it_is_decoded(kept: Path) -> None:
    ok, jpeg = cv2.imencode(".jpg", np.zeros((5000, 8000), np.uint8))  # 40 megapixels in few bytes
    assert ok
    with zipfile.ZipFile(kept) as archive:
        data = archive.read("profile.json")
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("profile.json", data)
        archive.writestr("picture.jpg", jpeg.tobytes())
    with pytest.raises(BoardProfileError, match="damaged"):
        load(kept)


def test_a_bomb_is_not_unpacked(kept: Path) -> None:
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("profile.json", b" " * (board_profile.MOST_BYTES["profile.json"] + 1))
    with pytest.raises(BoardProfileError, match="damaged"):
        load(kept)


def test_a_missing_profile_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BoardProfileError, match="calibrate the board first"):
        load(tmp_path / "none.board")


def test_a_profile_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BoardProfileError, match="cannot be written"):
        save(tmp_path / "file" / "oak.board", profile())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_fresh_profile_fits_and_a_stale_one_says_why() -> None:
    made = profile()
    soon = MADE + timedelta(hours=3)
    assert stale(made, soon, picture(2)) == ()
    (old,) = stale(made, MADE + timedelta(days=45))
    assert "45 days old" in str(old)
    (size,) = stale(made, soon, np.zeros((720, 1280, 3), np.uint8))
    assert "640x480" in str(size)
    dark = photograph(draw_table(markers=30.0), CAMERA, light=0.4)
    (light,) = stale(made, soon, dark)
    assert "much darker" in str(light)
    tint = picture().copy()
    tint[..., 0] = tint[..., 0] // 2
    assert any("different colour" in str(one) for one in stale(made, soon, tint))
    (place,) = stale(made, soon, np.roll(picture(), 90, axis=1))
    assert "is not where it was" in str(place)
