"""A table in a process of its own, for measurements from outside."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

COMPANION = str(Path(sys.executable).parent / "companion")


@contextmanager
def served(
    *options: str, of: Path | None = None, begun: Callable[[int], None] | None = None
) -> Iterator[tuple[str, int]]:
    """Serve a table with a journal of its own and yield its address and process; it ends with the block.

    ``of``: the checkout whose program it is, with this environment's packages; by default the installed one.
    ``begun``: called with the process as soon as there is one.
    """
    environment = None if of is None else {**os.environ, "PYTHONPATH": str(of)}
    with tempfile.TemporaryDirectory() as folder:
        command = [COMPANION, "serve", "--port", "0", "--journal", f"{folder}/match.db", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=of) as server:
            assert server.stdout
            if begun is not None:
                begun(server.pid)
            address = next(m[0] for line in server.stdout if (m := re.search(r"http://[\w.:]+", line)))
            try:
                yield address, server.pid
            finally:
                server.terminate()
