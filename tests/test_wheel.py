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


def test_a_wheel_carries_the_data_that_the_program_reads(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "companion/rules/dice_sets/wibold.toml",
        "companion/rules/ludus_regularis/virtues.toml",
        "companion/web/templates/",
        "companion/web/static/",
        "companion/fairness/report/report.css",
        "companion/fairness/report/report.html",
        "companion/web/kiosk/defaults/kiosk.toml",
        "companion/web/serving/services/alea-kiosk-browser.service",
        "companion/vision/dice/weights/",
        "companion/vision/boards/weights/",
        "calibration/kit/nets.toml",
        "calibration/kit/sizes.toml",
        "companion/vision/boards/kit_boards.toml",
        "firmware_bridge/firmware/Makefile",
        "firmware_bridge/firmware/README.md",
        "firmware_bridge/firmware/ws2812.S",
        "firmware_bridge/ports.toml",
        "sample_images/zeno/script.json",
    ):
        assert any(name.startswith(needed) for name in inside), f"{needed} is missing from the wheel"
    left_out = ("tests/", "bench/", "workshop/", "sample_images/varied/")
    assert not any(name.startswith(left_out) for name in inside)
    carried = [name for name in inside if name.endswith((".c", ".h", ".S", ".elf", ".hex", ".o"))]
    assert all(name.startswith("firmware_bridge/firmware/") for name in carried)
    assert not any(b"GPL" in zipfile.ZipFile(wheel).read(name) for name in carried), "the emulation is not for a wheel"
    assert not any(name.endswith((".elf", ".hex", ".o")) for name in carried)


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    assert not any(name.endswith("labels.jsonl") for name in zipfile.ZipFile(wheel).namelist())


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
