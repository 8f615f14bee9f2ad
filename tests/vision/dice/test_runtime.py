"""ONNX Runtime is loaded in silence where the system does not list its processors.

On ARM its compiled code prints nine lines there; a stand-in prints such lines here, past Python, as that code does.
`bench.computers.arm64` counts the lines of the real one.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MOUNT = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
BARE = 'mount -t tmpfs none /sys && exec "$0" "$@"'
ABOUT_PROCESSORS = "Error in cpuinfo: failed to parse the list of possible processors\n"
OTHER = "no permission to lock memory\n"
PRINTS = f"import os\nos.write(2, {(ABOUT_PROCESSORS + OTHER + ABOUT_PROCESSORS).encode()!r})\n"


def loaded(folder: Path, stand_in: str, *, first: str = "", ending: str = "") -> subprocess.CompletedProcess[str]:
    """Load the stand-in in a process of its own; ``first`` is what a shell does before, with rights to mount."""
    telemetry = "def disable_telemetry_events(): pass\n"
    (folder / "onnxruntime.py").write_text(f"{stand_in}{telemetry}", encoding="utf-8")
    program = [sys.executable, "-c", f"import companion.vision.dice.runtime{ending}"]
    if first:
        if subprocess.run([*MOUNT, BARE, "true"], capture_output=True, check=False).returncode:
            pytest.skip("This machine lets nobody mount a file system.")
        program = [*MOUNT, first, *program]
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}"}
    return subprocess.run(program, capture_output=True, text=True, check=False, env=environment)


def test_lines_about_processors_are_kept_back_and_no_others(tmp_path: Path) -> None:
    ran = loaded(tmp_path, PRINTS, first=BARE)
    assert (ran.returncode, ran.stderr) == (0, OTHER)


def test_where_the_processors_are_listed_everything_is_shown(tmp_path: Path) -> None:
    ran = loaded(tmp_path, PRINTS)
    assert (ran.returncode, ran.stderr) == (0, ABOUT_PROCESSORS + OTHER + ABOUT_PROCESSORS)


def test_a_runtime_that_cannot_be_loaded_says_why(tmp_path: Path) -> None:
    ran = loaded(tmp_path, f"{PRINTS}raise ImportError('libgomp is missing')\n", first=BARE)
    assert ran.returncode == 1
    assert ran.stderr.startswith(OTHER)
    assert ran.stderr.endswith("ImportError: libgomp is missing\n")


def test_errors_go_their_way_again_afterwards(tmp_path: Path) -> None:
    ran = loaded(tmp_path, PRINTS, first=BARE, ending="; import sys; print('late', file=sys.stderr)")
    assert ran.stderr == f"{OTHER}late\n"


def test_a_program_without_an_output_for_errors_loads_it_too(tmp_path: Path) -> None:
    ran = loaded(tmp_path, "", first=f"exec 2>&-; {BARE}", ending="; print('loaded')")
    assert (ran.returncode, ran.stdout) == (0, "loaded\n")
