"""The same examples on every machine, and no property is judged by how busy it is; exploring keeps what it finds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

PROPERTY = """
from hypothesis import given, strategies as st

@given(st.lists(st.integers(0, 10**9), max_size=3))
def test_of_many_numbers(numbers):
    print("tried", numbers)
    assert sum(numbers) < 10**6
"""


def test_no_property_is_judged_by_chance_or_by_the_clock(request: pytest.FixtureRequest) -> None:
    """Of all that is collected with this test: of everything, where everything is run."""
    chosen = request.config.getoption("--hypothesis-profile")
    for item in request.session.items:
        judged = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
        if judged is not None:
            assert judged.deadline is None, f"{item.nodeid} has a deadline"
            assert HealthCheck.too_slow in judged.suppress_health_check, f"{item.nodeid} fails on a busy machine"
            assert judged.derandomize or chosen == "explore", f"{item.nodeid} has other examples each time"


def examples(folder: Path, *options: str, **environment: str) -> list[str]:
    """Run the property under the rules of these tests; return what it was tried with, in order."""
    (folder / "test_property.py").write_text(PROPERTY)
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    command = [sys.executable, "-m", "pytest", "-s", "-q", "-p", "_hypothesis_pytestplugin", *options, str(folder)]
    surroundings = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("tried")]


def test_the_same_examples_come_each_time_whatever_is_known_from_before(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    first = examples(folder, PYTHONHASHSEED="1")
    assert first == examples(folder, PYTHONHASHSEED="2", CI="true", ALEA_NOTHING_SKIPPED="1")


def test_exploring_begins_with_what_it_once_found(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    first = examples(folder, "-m", "hypothesis", "--hypothesis-profile=explore")
    assert first[-1] == "tried [1000000]", "the simplest is told last"
    assert (tmp_path / ".explored").is_dir()
    again = examples(folder, "-m", "hypothesis", "--hypothesis-profile=explore")
    assert again[0] == first[-1]
    assert not settings.get_profile("explore").derandomize
