"""``companion doctor`` names what is missing and how to mend it."""

import socket
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from platformdirs import user_cache_path

from companion.cli import main
from companion.commands import doctor
from companion.program import RELEASE_TIME

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the devices of Linux")


def test_a_taken_port_is_missing_and_the_command_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(main, ["doctor", "--port", str(port)])
        assert done.exit_code == 1
        assert f"MISSING  Port {port} cannot be used" in done.output
        assert "companion serve --port" in done.output
        assert "ok       Python" in done.output
        assert "ok       ONNX Runtime" in done.output
        assert "ok       Demonstrations: ludus-regularis" in done.output
    assert doctor.free_port(port).well


@linux
def test_a_camera_that_may_not_be_used_names_its_group(tmp_path: Path) -> None:
    for name in ("video0", "video2", "ttyUSB0", "null"):
        (tmp_path / name).touch()
    found = list(doctor.cameras(tmp_path, lambda device: device.name == "video0"))
    assert [finding.well for finding in found] == [True, False]
    assert "usermod -aG video" in found[1].fix
    (port,) = doctor.serial_ports(tmp_path, lambda _: False)
    assert "usermod -aG dialout" in port.fix
    assert list(doctor.serial_ports(tmp_path / "nothing", lambda _: False)) == []


def test_what_an_earlier_version_kept_to_report_is_found_and_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert list(doctor.reports()) == []
    kept = user_cache_path("Microsoft", appauthor=False) / "DeveloperTools" / ".onnxruntime"
    kept.mkdir(parents=True)
    for file in (kept / "deviceid", kept / "onnxruntime.db", tmp_path / ".ses", kept.parent / "another"):
        file.touch()
    output = CliRunner().invoke(main, ["doctor"]).output
    assert f"{kept}, before Alea switched that off: delete it with: companion doctor --delete-reports" in output
    output = CliRunner().invoke(main, ["doctor", "--delete-reports"]).output
    assert f"{kept}, before Alea switched that off: deleted" in output
    assert not kept.exists()
    assert not (tmp_path / ".ses").exists()
    assert (kept.parent / "another").exists(), "other programs' files stay"
    assert list(doctor.reports()) == []


@linux
def test_no_camera_is_no_fault(tmp_path: Path) -> None:
    (found,) = doctor.cameras(tmp_path, lambda _: False)
    assert found.well


def test_an_old_python_and_a_clock_without_battery_are_found() -> None:
    assert not doctor.python((3, 10, 12)).well
    assert doctor.python((3, 11, 0)).well
    assert not doctor.clock(0, Path("nothing")).well
    assert doctor.clock(RELEASE_TIME, Path("nothing")).well


def test_a_clock_before_the_last_match_is_found(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    journal.touch()
    played = journal.stat().st_mtime
    assert doctor.clock(played - 3600, journal).well, "another time zone's summer time is no fault"
    state = doctor.clock(played - 2 * doctor.DAY_SECONDS, journal)
    assert not state.well
    assert "last match" in state.message


def test_a_camera_is_tried_if_it_is_named(tmp_path: Path) -> None:
    picture = tmp_path / "still.png"
    cv2.imwrite(str(picture), np.zeros((48, 64, 3), np.uint8))
    assert doctor.picture(str(picture)) == doctor.Diagnosis(f"Camera {picture} sends pictures of 64x48")
    sentence = doctor.picture(str(tmp_path / "nothing.png"))
    assert not sentence.well
    assert "cannot be read (No such file or directory): check the path" in sentence.message


def test_room_is_looked_for_where_the_folder_will_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.room(tmp_path / "not" / "yet").well
    monkeypatch.setattr(doctor, "LEAST_FREE", 1 << 62)
    assert not doctor.room(tmp_path).well
