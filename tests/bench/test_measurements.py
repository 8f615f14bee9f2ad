"""Every measurement that `python -m bench` knows can be started by it."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.__main__ import MEASUREMENTS, ON_REQUEST

ROOT = Path(__file__).resolve().parents[2]
EVERY = MEASUREMENTS | ON_REQUEST


@pytest.mark.parametrize("name", EVERY)
def test_a_measurement_is_a_module(name: str) -> None:
    module = find_spec(f"bench.{EVERY[name][0]}")
    assert module is not None
    assert module.origin is not None
    text = Path(module.origin).read_text(encoding="utf-8")
    assert "argparse" not in text or '"--json"' in text, "each is asked for JSON"


@pytest.mark.parametrize("name", ["first_page", "reader", "corrections"])
def test_its_options_are_understood(name: str) -> None:
    module, *options = EVERY[name]
    command = [sys.executable, "-m", f"bench.{module}", *options, "--json", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--json" in done.stdout
