"""The program as a module, for computers on which the command is not on the path."""

import subprocess
import sys

from companion.cli import COMMANDS


def test_the_module_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "companion", "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: companion ")
    for name in COMMANDS:
        assert f"  {name} " in done.stdout
