"""The house itself: locked dependencies, what a wheel carries, and a quick start."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-test.lock"])
def test_every_locked_dependency_has_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) > 10
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.]+ \\\n", entry), entry.splitlines()[0]
        assert "--hash=sha256:" in entry
    assert "://" not in text


def test_every_dependency_says_what_it_is_for() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split("dependencies = [", 1)[1].split("\n]", 1)[0]
    lines = [line for line in section.splitlines() if line.strip()]
    assert lines
    assert all("#" in line for line in lines)


def test_a_wheel_carries_the_data_that_the_program_reads(tmp_path: Path) -> None:
    hatchling = Path(sys.executable).parent / "hatchling"
    subprocess.run([hatchling, "build", "-t", "wheel", "-d", tmp_path], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "companion/rules/dice_sets/wibold.toml",
        "companion/rules/ludus_regularis/virtues.toml",
        "companion/web/templates/",
        "companion/web/static/",
        "companion/fairness/report/report.css",
        "companion/web/kiosk/defaults/kiosk.toml",
        "companion/web/kiosk/defaults/alea-kiosk.service",
        "companion/vision/dice/weights/",
        "companion/vision/boards/weights/",
        "calibration/kit/sizes.toml",
        "companion/vision/boards/kit_boards.toml",
        "firmware_bridge/firmware/Makefile",
        "firmware_bridge/firmware/README.md",
        "firmware_bridge/firmware/ws2812.S",
        "firmware_bridge/ports.toml",
    ):
        assert any(name.startswith(needed) for name in inside), f"{needed} is missing from the wheel"
    assert not any(name.startswith(("tests/", "bench/", "sample_images/", "calibration/workshop/")) for name in inside)
    carried = [name for name in inside if name.endswith((".c", ".h", ".S", ".elf", ".hex", ".o"))]
    assert all(name.startswith("firmware_bridge/firmware/") for name in carried)
    assert not any(b"GPL" in zipfile.ZipFile(wheel).read(name) for name in carried), "the emulation is not for a wheel"
    assert not any(name.endswith((".elf", ".hex", ".o")) for name in carried)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from companion.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(bool({'numpy', 'cv2', 'flask'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def _imports() -> dict[str, set[str]]:
    """Return for each module of the product which others it imports, anywhere: in functions and for types too."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for room in ("companion", "calibration", "firmware_bridge")
        for path in (ROOT / room).rglob("*.py")
    }
    found: dict[str, set[str]] = {}
    for name, path in modules.items():
        imported: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                members = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= (members & modules.keys()) or {node.module}
        found[name] = (imported & modules.keys()) - {name}
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    imports = _imports()
    assert len(imports) > 600
    while free := [name for name, others in imports.items() if not others & imports.keys()]:
        for name in free:
            del imports[name]
    assert sorted(imports) == [], "in a circle, or above one"


def test_no_room_is_a_hall() -> None:
    rooms = [ROOT / room for room in ("companion", "calibration", "firmware_bridge", "bench")]
    folders = [folder for room in rooms for folder in (room, *room.rglob("*")) if folder.is_dir()]
    crowded = {
        str(folder.relative_to(ROOT)): len(list(folder.glob(files)))
        for folder in folders
        for files, most in (("*.py", 25), ("*.js", 30))
        if len(list(folder.glob(files))) > most
    }
    assert len(folders) > 60
    assert crowded == {}
