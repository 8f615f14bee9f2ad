"""The wheel alone is the whole program: what an installed companion needs lies in it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 32_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    folder = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_is_small_and_holds_no_workshop(wheel: Path, unpacked: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    assert not (unpacked / "calibration" / "workshop").exists()
    assert not list(unpacked.rglob("labels.jsonl"))


def test_the_demonstrations_play_from_the_wheel(unpacked: Path) -> None:
    """Its own modules are asked which samples there are, in a process that does not see the repository."""
    asked = "from companion.vision.sources import scripted; print(scripted.SAMPLES, *scripted.samples())"
    surroundings = {**os.environ, "PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", asked], cwd=unpacked, env=surroundings, capture_output=True, text=True, check=True
    )
    folder, *names = done.stdout.split()
    assert Path(folder) == unpacked / "sample_images"
    assert names == ["ludus-regularis", "rithmomachia", "zeno"]
    for name in names:
        script = json.loads((unpacked / "sample_images" / name / "script.json").read_text(encoding="utf-8"))
        shown = {row["image"] for row in script.get("timeline") or script["frames"]}
        assert shown == {path.name for path in (unpacked / "sample_images" / name).glob("*.jpg")}
