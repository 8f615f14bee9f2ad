"""Commands run as they are typed."""

import json
from typing import Any

from click.testing import CliRunner, Result

from companion.cli import main


def run(*arguments: str, typed: str | None = None) -> Result:
    """Run ``companion`` with these arguments and this standard input."""
    return CliRunner().invoke(main, list(arguments), input=typed)


def json_of(*arguments: str, typed: str | None = None) -> Any:
    """Return what a command prints with ``--json``."""
    result = run(*arguments, "--json", typed=typed)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)
