"""Teaching on another machine: what is asked of it there, and that what it learns comes back."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PYTHON = """#!/bin/bash
# stands in for a Python that trains: notes what is asked and learns at once
if [[ $2 == print* || $2 == tarfile ]]; then exec {python} "$@"; fi
said="${{*:2}}"
echo "${{said//$'\\n'/ }}" >> asked
[[ $* == *"--step faces"* ]] && echo learnt > training-data/faces.pt
exit ${{FAILS:-0}}
"""


def away(folder: Path, *nets: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script in a copy of the tree that holds nothing but it and the weights."""
    for name in ("workshop/training/away.sh", "companion/vision/dice/weights"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        if not (folder / name).exists():
            copy(ROOT / name, folder / name)
    (folder / "training-data").mkdir(exist_ok=True)
    (folder / "bin").mkdir(exist_ok=True)
    python = shutil.which("python3")
    assert python is not None
    (folder / "bin/python3").write_text(PYTHON.format(python=python))
    (folder / "bin/python3").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "OUT": str(folder / "out"), **more}
    command = ["bash", str(folder / "workshop/training/away.sh"), *nets]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text().splitlines()


def drawn(folder: Path) -> list[str]:
    return [one.split("training-data ")[1].split(" --")[0] for one in asked(folder) if "training.material" in one]


def test_material_is_drawn_once_and_each_net_gets_its_share_of_the_time(tmp_path: Path) -> None:
    (tmp_path / "training-data").mkdir()
    with tarfile.open(tmp_path / "training-data/fonts.txz", "w:xz") as fonts:
        fonts.add(ROOT / "workshop/fonts/Klaudia.ttf", "fonts/Klaudia.ttf")
    first = away(tmp_path, "faces", "corners", CORES="16", SEED="7", LIMIT="400")
    assert first.returncode == 0, first.stderr
    assert (tmp_path / "training-data/fonts/Klaudia.ttf").is_file()
    draw, faces, corners = asked(tmp_path)
    assert "training.material training-data scenes singles slanted" in draw
    assert "--singles 64000 --seed 7 --cores 16" in draw
    assert "--step faces --further --device cuda --bfloat16" in faces
    minutes = [float(one.split("--minutes ")[1]) for one in (faces, corners)]
    assert 2.5 < minutes[0] < 3
    assert 5.5 < minutes[1] < 6.3  # the stand-in took no time of it
    assert away(tmp_path, "corners", "faces").returncode == 0
    assert len(drawn(tmp_path)) == 1


def test_only_what_the_named_nets_learn_from_is_drawn(tmp_path: Path) -> None:
    assert away(tmp_path, "corners").returncode == 0
    assert away(tmp_path, "faces").returncode == 0
    assert drawn(tmp_path) == ["scenes slanted", "scenes singles"]


def test_the_nets_of_boards_are_taught_beside_the_others_with_half_of_the_cores(tmp_path: Path) -> None:
    assert away(tmp_path, "boards", "faces", CORES="16", LIMIT="400").returncode == 0
    boards, *others = sorted(asked(tmp_path), key=lambda one: "boards.away" not in one)
    assert "training-data/boards" in boards
    assert " 6.5 --drawers 8 --device cuda" in boards
    assert len(others) == 2
    assert all("--cores 8" in one for one in others)


def test_the_nets_of_boards_alone_need_no_material_of_dice(tmp_path: Path) -> None:
    assert away(tmp_path, "boards").returncode == 0
    (only,) = asked(tmp_path)
    assert "boards.away" in only


def test_boards_that_fail_are_reported(tmp_path: Path) -> None:
    assert away(tmp_path, "boards", FAILS="3").returncode == 3


def test_what_was_learnt_comes_back_also_where_it_breaks_off(tmp_path: Path) -> None:
    (tmp_path / "training-data").mkdir()
    (tmp_path / "training-data/drawn-scenessingles").touch()
    done = away(tmp_path, "faces", FAILS="3")
    assert done.returncode == 3
    assert (tmp_path / "out/faces.pt").read_text() == "learnt\n"
    assert len(list((tmp_path / "out").rglob("*.*"))) == 5  # no more than a machine gives back
    for name in ("faces.onnx", "card.toml"):
        weights = "companion/vision/dice/weights"
        assert (tmp_path / "out/weights" / name).read_bytes() == (ROOT / weights / name).read_bytes()
