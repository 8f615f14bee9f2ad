"""An owner's file is written whole or not at all, in one way; where it cannot be, one sentence says so."""

import ast
import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.whole_file import UnwrittenFileError, write_whole
from tests.commands.running import run

ROOT = Path(__file__).resolve().parents[1]
OTHERWISE = {
    "companion/whole_file.py": "the one way",
    "companion/ledger/mirror.py": "adds to the second copy of a journal",
    "companion/ledger/tail.py": "begins the second copy again, whole or not at all",
    "companion/ledger/rescue.py": "copies a damaged journal",
    "bench/scoring/baseline.py": "a developer's command",
}
"""The files that may write otherwise, and why."""


WRITERS = {"write_bytes", "write_text", "copyfile", "NamedTemporaryFile", "imwrite", "savefig"}


def writes(code: str) -> Iterator[int]:
    """Yield the lines that write a file by themselves."""
    if not any(name in code for name in (*WRITERS, "open")):
        return
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        modes = [
            one.value for one in (*node.args, *(key.value for key in node.keywords)) if isinstance(one, ast.Constant)
        ]
        opens = name == "open" and any(mode in ("w", "wb", "x", "xb", "a", "ab") for mode in modes)
        if name in WRITERS or opens:
            yield node.lineno


def test_no_module_writes_a_file_in_a_way_of_its_own() -> None:
    found: dict[str, list[int]] = {}
    for folder in ("companion", "calibration"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if name not in OTHERWISE:
                lines = list(writes(file.read_text(encoding="utf-8")))
                found |= {name: lines} if lines else {}
    assert found == {}, "use companion.whole_file.write_whole"


@contextmanager
def full() -> Iterator[None]:
    """Let no file of this process take more than a few bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


COUNTS = "face,count\n" + "".join(f"{face},{100 + face}\n" for face in range(1, 7))
COMMANDS: dict[str, Callable[[Path, Path], list[str]]] = {
    "kit": lambda out, _: ["kit", "ludix-dice", "--out", str(out / "kit")],
    "page": lambda out, throws: ["fairness", "report", str(throws), "--html", str(out / "die.html")],
    "pdf": lambda out, throws: ["fairness", "report", str(throws), "--pdf", str(out / "die.pdf")],
    "csv": lambda out, throws: ["fairness", "report", str(throws), "--csv", str(out / "die.csv")],
    "batch": lambda out, throws: ["fairness", "batch", str(throws), "--html", str(out / "batch.html")],
    "kiosk": lambda out, _: ["kiosk", "init", str(out / "kiosk")],
    "hall": lambda out, _: ["hall", "init", str(out / "museum"), "north"],
}


@pytest.fixture
def throws(tmp_path: Path) -> Path:
    path = tmp_path / "throws.csv"
    path.write_text(COUNTS)
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_on_a_full_disk_a_command_ends_with_one_sentence_and_no_half_file(
    command: str, tmp_path: Path, throws: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with full():
        done = run(*COMMANDS[command](out, throws))
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert done.stderr.count("cannot be written, because the disk is full") == 1
    assert [one for one in out.rglob("*") if one.is_file()] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_in_a_file_s_place_a_command_ends_with_one_sentence(command: str, tmp_path: Path, throws: Path) -> None:
    out = tmp_path / "out"
    out.write_text("mine")
    done = run(*COMMANDS[command](out, throws))
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert done.stderr.count("cannot be written, because it does not lie in a folder") == 1
    assert out.read_text() == "mine"


def test_a_game_that_cannot_be_saved_goes_on(tmp_path: Path) -> None:
    with full():
        done = run("play", "ludix", "--seed", "1", typed=f"roll\nsave {tmp_path / 'game.txt'}\nquit\n")
    assert done.exit_code == 0
    assert done.stdout.count("cannot be written, because the disk is full") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["serve"], ["fairness", "watch", "--die", "pips"]])
def test_a_home_that_takes_nothing_is_named(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.write_text("a file")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    done = run(*arguments)
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize("arguments", [["serve"], ["fairness", "watch", "--die", "pips"]])
def test_a_folder_that_was_mistyped_is_not_made(arguments: list[str], tmp_path: Path) -> None:
    done = run(*arguments, "--journal", str(tmp_path / "a" / "typo" / "x.db"))
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert f"there is no {tmp_path / 'a' / 'typo'}" in done.stderr.replace("\n", "")
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_stays_where_the_new_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old", mode=0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    with full(), pytest.raises(UnwrittenFileError, match="the disk is full: make room"):
        write_whole(path, b"new and longer")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_file_that_is_kept_private_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    for mode in (0o600, 0o660):
        path.touch()
        path.chmod(mode)
        write_whole(path, b"new")
        assert path.stat().st_mode & 0o777 == mode
    write_whole(path, b"secret", mode=0o600)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_is_followed_and_a_device_is_written_as_it_is(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    write_whole(link, b"content")
    assert link.is_symlink()
    assert file.read_bytes() == b"content"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"content")
    assert os.read(reader, 20) == b"content"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "you have no permission to write there"),
        (errno.EISDIR, "it is a folder"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_every_reason_has_its_sentence(number: int, text: str) -> None:
    why = UnwrittenFileError(Path("die.pdf"), OSError(number, os.strerror(number)))
    assert str(why).startswith("die.pdf cannot be written")
    assert text in str(why)
    assert why.errno == number
