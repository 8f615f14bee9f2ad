"""The program as a process of its own that does not import it anew: imports take most of what a start takes."""

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

# A forked process has a journal, threads, signals and an end of its own. That the installed command starts is for the
# tests of commands.
_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["tests.warm_program"])


class Forked:
    """A running ``companion`` with its own standard output; tests use it as they use `subprocess.Popen`."""

    def __init__(self, *arguments: str) -> None:
        heard, found = _FORKING.Pipe(duplex=False)
        here = (dict(os.environ), Path.cwd())
        self._process = _FORKING.Process(target=_run, args=(found, arguments, *here), daemon=True)
        self._process.start()
        found.close()
        self.stdout: TextIO = os.fdopen(os.dup(heard.fileno()), encoding="utf-8")
        heard.close()

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process.pid
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code if the program has ended, minus the signal if one ended it."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send the program a signal."""
        os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Wait at most so many seconds for the end, and return as `poll`.

        Raises:
            TimeoutError: it has not ended in time.
        """
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutError(f"The program did not end in {timeout} seconds.")
        return self._process.exitcode


def _run(found: Connection, arguments: tuple[str, ...], environment: dict[str, str], folder: Path) -> None:
    """Run the program in the new process."""
    os.dup2(found.fileno(), 1)
    os.dup2(found.fileno(), 2)
    found.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from companion.cli import main  # noqa: PLC0415  # sets what the others read when they are imported

    main(list(arguments), prog_name="companion")
