"""What the measurements on other computers compare, and how they say what they lack."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.computers.arm64 import compared, dice_in, right
from bench.computers.debian import NotHereError, check_tools
from bench.computers.limits import NoLimitsError, limited
from bench.computers.slow import right as right_on_a_slow_one

ROOT = Path(__file__).resolve().parents[2]
LINE = (
    '{"image": "a.jpg", "objects": [{"face": "IO", "confidence": 0.98765, "polygon": [[5, 90], [9, 90], [9, 99]]},'
    ' {"face": "A", "confidence": 0.9, "polygon": [[5, 10], [9, 10], [9, 19]]}]}\n'
)
READ = {"dice": 8, "dice_there": 8, "faces_differ": 0, "most_apart": 0.0001}
FIGURES = {
    "system": ["cortex-a72", "aarch64"],
    "doctor": "Everything is fine.",
    "readings": {"wibold": READ},
    "lines_of_errors": 0,
    "first_throw": {"1": "A", "2": "IOUA", "3": "IOUAE", "consonants": "STXZ"},
    "match_throws": 12,
    "broken_matches": 0,
}


def test_dice_are_compared_from_top_to_bottom() -> None:
    here = dice_in(LINE)
    assert here == {"a.jpg": [("A", 0.9), ("IO", 0.9877)]}
    there = {"a.jpg": [("A", 0.8999), ("IOU", 0.9877)]}
    assert compared(here, there) == {
        "pictures": 1,
        "dice": 2,
        "dice_there": 2,
        "faces_differ": 1,
        "confidences_differ": 1,
        "most_apart": 0.0001,
    }
    assert compared(here, {})["dice_there"] == 0


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"doctor": "1 to fix."},
        {"lines_of_errors": 9},
        {"first_throw": None},
        {"match_throws": 11},
        {"broken_matches": 1},
        {"readings": {"wibold": READ | {"dice_there": 7}}},
        {"readings": {"wibold": READ | {"faces_differ": 1}}},
        {"readings": {"wibold": READ | {"most_apart": 0.0002}}},
    ],
)
def test_whatever_is_not_as_here_fails_the_measurement(other: dict[str, object]) -> None:
    assert right(FIGURES | other) is not bool(other)


def test_a_missing_tool_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.computers.debian.TOOLS", {"no-such-emulator": "no-such-package", "sh": "dash"})
    with pytest.raises(
        NotHereError, match=r"^Expected the Debian packages no-such-package, .*: sudo apt install no-such"
    ):
        check_tools()


def test_whoever_may_not_make_another_system_learns_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.computers.debian.TOOLS", {"sh": "dash"})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NotHereError, match="Expected to run as root"):
        check_tools()


def test_the_sentence_comes_without_a_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.computers.arm64", "--folder", str(tmp_path / "there")]
    environment = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(ROOT)}  # no tool lies there
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("Expected the Debian packages ")
    assert not (tmp_path / "there").exists()


def test_a_slow_computer_is_one_core_a_share_of_it_and_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.computers.limits.GROUPS", tmp_path)
    (tmp_path / "cgroup.controllers").write_text("cpu memory cpuset\n", encoding="ascii")
    with limited(0.25, 1000) as there:
        (group,) = there.groups
        written = {file.name: file.read_text(encoding="ascii") for file in group.iterdir()}
        there.give(0.1)
        slower = (group / "cpu.max").read_text(encoding="ascii")
    core = str(min(os.sched_getaffinity(0)))
    assert written == {"cpu.max": "12500 50000", "cpu.weight": "10000", "memory.max": "1000M", "cpuset.cpus": core}
    assert slower == "5000 50000"


def test_where_nothing_can_be_limited_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.computers.limits.GROUPS", tmp_path)
    with pytest.raises(NoLimitsError, match=r"^Expected to limit .*Run this as root on Linux"), limited(0.25, 1000):
        pass


SAMPLED = {"otherwise": [], "events": 32, "events_there": 32, "there": {"broken": 0}}
BEFORE_A_CAMERA = {
    "broken": 0,
    "max_s": 1.5,
    "said_on_a_whole_core": False,
    "sentence": "This computer is too slow.",
}


@pytest.mark.parametrize(
    ("sampled", "before_a_camera"),
    [
        ({}, {}),
        ({"otherwise": [[["asked"], ["committed"]]]}, {}),
        ({"events_there": 31}, {}),
        ({"there": {"broken": 1}}, {}),
        ({}, {"max_s": 1.6}),
        ({}, {"broken": 1}),
        ({}, {"said_on_a_whole_core": True}),
    ],
)
def test_a_slow_computer_must_do_the_same_and_in_time(
    sampled: dict[str, object], before_a_camera: dict[str, object]
) -> None:
    figures = {"zeno": SAMPLED | sampled, "camera": BEFORE_A_CAMERA | before_a_camera}
    assert right_on_a_slow_one(figures, ["zeno"]) is not bool(sampled or before_a_camera)
    silent = {**figures, "camera": {"broken": 0, "max_s": 1.0, "said_on_a_whole_core": False}}
    assert not right_on_a_slow_one(silent, ["zeno"]), "it must say that it is too slow"
