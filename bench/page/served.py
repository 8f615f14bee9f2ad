"""A table in a process of its own, for measurements from outside."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

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
            address = address_in(server.stdout)
            try:
                yield address, server.pid
            finally:
                server.terminate()


def address_in(printed: Iterable[str]) -> str:
    """Return the address of a table from what its program prints, a line at a time."""
    return next(found[0] for line in printed if (found := re.search(r"http://[\w.:]+", line)))


def ask(address: str, path: str, body: dict[str, Any] | None = None, patience: float = 120.0) -> Any:
    """Ask the page's interface, and return its JSON; ``patience``: seconds until it must have answered."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{address}{path}", data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=patience) as answer:
        return json.load(answer)


def soon(true: Callable[[], Any], every: float = 0.5, patience: float = 900.0) -> Any:
    """Wait until something is true, and return it.

    Raises:
        TimeoutError: it never came true.
    """
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(every)
    raise TimeoutError("it did not come true")
