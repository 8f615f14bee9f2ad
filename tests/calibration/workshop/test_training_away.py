"""Teaching on another machine: what is asked of it there, and that what it learns comes back."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

PYTHON = """#!/bin/bash
# stands in for a Python that trains: notes what is asked and learns at once
if [[ $2 == print* ]]; then exec {python} "$@"; fi
echo "${{@:3}}" >> asked
[[ $* == *"--step faces"* ]] && echo learnt > training-data/faces.pt
exit ${{FAILS:-0}}
"""


def away(folder: Path, *nets: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the script in a copy of the tree that holds nothing but it and the weights."""
    for name in ("calibration/workshop/training/away.sh", "companion/vision/dice/weights"):
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
    command = ["bash", str(folder / "calibration/workshop/training/away.sh"), *nets]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text().splitlines()


def test_material_is_drawn_once_and_each_net_gets_its_share_of_the_time(tmp_path: Path) -> None:
    (tmp_path / "training-data").mkdir()
    with tarfile.open(tmp_path / "training-data/fonts.tgz", "w:gz") as fonts:
        fonts.add(ROOT / "calibration/workshop/fonts/Klaudia.ttf", "fonts/Klaudia.ttf")
    first = away(tmp_path, "faces", "corners", CORES="16", SEED="7", LIMIT="400")
    assert first.returncode == 0, first.stderr
    assert (tmp_path / "training-data/fonts/Klaudia.ttf").is_file()
    draw, faces, corners = asked(tmp_path)
    assert "--step draw" in draw
    assert "--seed 7 --cores 16" in draw
    assert "--singles 80000" in draw
    assert "--step faces --further --device cuda --bfloat16" in faces
    minutes = [float(one.split("--minutes ")[1]) for one in (faces, corners)]
    assert 2.5 < minutes[0] < 3
    assert 5.5 < minutes[1] < 6.3  # the stand-in took no time of it
    assert away(tmp_path, "faces").returncode == 0
    assert away(tmp_path, "corners").returncode == 0
    assert sum("--step draw" in one for one in asked(tmp_path)) == 1


def test_single_faces_are_drawn_for_the_net_that_reads_them_alone(tmp_path: Path) -> None:
    assert away(tmp_path, "corners").returncode == 0
    assert away(tmp_path, "faces").returncode == 0
    draws = [one.split("--singles ")[1] for one in asked(tmp_path) if "--step draw" in one]
    assert draws == ["0", "80000"]


def test_what_was_learnt_comes_back_also_where_it_breaks_off(tmp_path: Path) -> None:
    (tmp_path / "training-data").mkdir()
    (tmp_path / "training-data/drawn-singles").touch()
    done = away(tmp_path, "faces", FAILS="3")
    assert done.returncode == 3
    assert (tmp_path / "out/faces.pt").read_text() == "learnt\n"
    assert len(list((tmp_path / "out").rglob("*.*"))) == 5  # no more than a machine gives back
    for name in ("faces.onnx", "card.toml"):
        weights = "companion/vision/dice/weights"
        assert (tmp_path / "out/weights" / name).read_bytes() == (ROOT / weights / name).read_bytes()
