"""What is printed to a disk that is full, or under a name that nothing can have, is whole or not there at all."""

import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.running import run

ROOM = 9000
"""Bytes that a file may have: fewer than any PDF of the program."""


@pytest.fixture(scope="module")
def throws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("throws") / "d6.csv"
    file.write_text("".join(f"{random.Random(n).randint(1, 6)}\n" for n in range(60)), encoding="utf-8")
    return file


def with_little_room(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program where no file may become larger than `ROOM`."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))

    command = [sys.executable, "-B", "-m", "companion", *arguments]
    return subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False, timeout=120)


def assert_refused(done: subprocess.CompletedProcess[str], name: str) -> None:
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert name in line
    assert "the disk is full" in line


def test_a_kit_that_the_disk_has_no_room_for_leaves_what_was_there_and_no_half_file(tmp_path: Path) -> None:
    there = tmp_path / "tokens-a4.pdf"
    there.write_bytes(b"printed before")
    assert_refused(with_little_room("kit", "tokens", "--out", str(tmp_path)), "tokens-a4.pdf")
    assert [one.name for one in tmp_path.iterdir()] == ["tokens-a4.pdf"]
    assert there.read_bytes() == b"printed before"


@pytest.mark.parametrize("kind", ["report", "batch"])
def test_neither_does_a_report(tmp_path: Path, throws: Path, kind: str) -> None:
    out = tmp_path / "out.pdf"
    assert_refused(with_little_room("fairness", kind, str(throws), "--die", "d6", "--pdf", str(out)), "out.pdf")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x" * 300, "taken/below.pdf", "folder"])
def test_a_name_that_no_file_can_have_is_refused_in_a_sentence(tmp_path: Path, throws: Path, name: str) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    done = run("fairness", "report", str(throws), "--die", "d6", "--pdf", f"{tmp_path}/{name}")
    assert done.exit_code != 0
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.iterdir()) == before
