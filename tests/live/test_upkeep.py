"""What the owner is told of the table's health is true: ended threads, old frames, a full disk."""

import threading
import time
from pathlib import Path
from random import Random

import pytest

from companion.live import upkeep
from companion.live.cameras import Cameras
from companion.live.features import PLAIN, RunningFeatures
from companion.live.inbox import Inbox
from companion.live.keeping import Keeping, PictureFolder
from companion.live.pictures import Pictures
from companion.live.seeing import Seeing
from companion.live.shared_matches import SharedMatches
from companion.live.table import LiveTable
from companion.live.upkeep import Upkeep
from companion.live.watching.dice_settings import WatchSettings, combined, dice_reader
from companion.vision.sources.pushed import PushedSource

TABLE = Path(__file__).resolve().parents[2] / "sample_images" / "ludus-regularis" / "000_throw00_empty.jpg"


def test_a_running_table_is_well_and_a_camera_that_sends_nothing_is_not(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "journal.db")
    table.start()
    try:
        signs = table.upkeep.vital_signs()
        assert signs.well
        assert [(thread.name, thread.alive) for thread in signs.threads] == [("referee", True)]
        assert signs.journal_size == sum(p.stat().st_size for p in tmp_path.iterdir() if not p.name.endswith("-shm"))
        assert signs.room
        assert signs.memory
    finally:
        table.stop()
    assert [thread.alive for thread in table.upkeep.vital_signs().threads] == [False]
    assert not table.upkeep.vital_signs().well
    pushed = LiveTable(tmp_path / "other.db", Seeing(PushedSource()))
    pushed.start()
    try:
        signs = pushed.upkeep.vital_signs()
        assert [(camera.over, camera.frame_age) for camera in signs.cameras] == [("dice", None)]
        assert not signs.well
    finally:
        pushed.stop()


def test_the_age_of_the_newest_frame_grows_while_none_comes(tmp_path: Path) -> None:
    source = PushedSource()
    pictures = Pictures(PictureFolder(tmp_path / "kept", Keeping()))
    cameras = Cameras(source, None, WatchSettings(None, dice_reader(), combined), pictures, Inbox())
    kept = Upkeep(
        tmp_path / "journal.db",
        pictures,
        cameras,
        RunningFeatures(PLAIN, Inbox(), Random(), SharedMatches(tmp_path / "journal.db")),
    )
    source.start()
    source.offer(TABLE.read_bytes())
    first = kept.vital_signs().cameras[0].frame_age
    time.sleep(0.05)
    second = kept.vital_signs().cameras[0].frame_age
    assert first is not None
    assert second is not None
    assert second >= first + 0.04
    source.close()


def test_a_thread_that_ended_and_a_full_disk_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Thread(target=lambda: None, name="watch the table")
    ended.start()
    ended.join()
    pictures = Pictures()
    cameras = Cameras(None, None, WatchSettings(None, dice_reader(), combined), pictures, Inbox())
    plain = RunningFeatures(PLAIN, Inbox(), Random(), SharedMatches(tmp_path / "journal.db"))
    assert not Upkeep(tmp_path / "j.db", pictures, cameras, plain, lambda: [ended]).vital_signs().well
    whole = Upkeep(tmp_path / "j.db", pictures, cameras, plain)
    assert whole.vital_signs().well
    monkeypatch.setattr(upkeep, "LEAST_ROOM", 2**60)
    assert not whole.vital_signs().well


def test_all_pictures_go_from_disk_and_memory(tmp_path: Path) -> None:
    pictures = Pictures(PictureFolder(tmp_path / "kept", Keeping("all")))
    cameras = Cameras(None, None, WatchSettings(None, dice_reader(), combined), pictures, Inbox())
    kept = Upkeep(
        tmp_path / "j.db",
        pictures,
        cameras,
        RunningFeatures(PLAIN, Inbox(), Random(), SharedMatches(tmp_path / "journal.db")),
    )
    pictures.keep(3, b"jpeg", ())
    assert kept.kept().pictures == 1
    assert kept.clear_pictures() == 1
    assert pictures.get("crop-3") is None
    assert kept.kept().pictures == 0
