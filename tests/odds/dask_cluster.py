"""A real Dask scheduler and its workers on this computer, as processes."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class DaskCluster:
    """A scheduler and workers, each a process of one thread.

    Args:
        folder: where they write their logs and files.
        workers: how many.
    """

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        here = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self._start("scheduler", *here, "--scheduler-file", str(self._file))
        for _ in range(workers):
            self.add_worker()

    @property
    def address(self) -> str:
        """Where the scheduler listens."""
        while not (self._file.exists() and self._file.stat().st_size):  # it is there before it is written
            assert self._processes[0].poll() is None, self._folder.joinpath("scheduler.log").read_text()
            time.sleep(0.05)
        return str(json.loads(self._file.read_text(encoding="utf-8"))["address"])

    @property
    def workers(self) -> int:
        """How many workers run."""
        return sum(process.poll() is None for process in self._processes[1:])

    def add_worker(self) -> None:
        """Start one more worker."""
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder))
        self._start("worker", self.address, *alone)

    def stop(self, *which: int) -> None:
        """End some of them at once, by their numbers; 0 is the scheduler. Without numbers, all."""
        chosen = [self._processes[one] for one in which] or self._processes
        for process in chosen:
            process.kill()
        for process in chosen:
            process.wait()

    def _start(self, *command: str) -> None:
        program = [sys.executable, "-m", f"distributed.cli.dask_{command[0]}", *command[1:]]
        with self._folder.joinpath(f"{command[0]}.log").open("ab") as log:
            self._processes.append(subprocess.Popen(program, stdout=log, stderr=log, cwd=ROOT))


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[DaskCluster]:
    """Run a cluster for a while."""
    cluster = DaskCluster(folder, workers)
    try:
        yield cluster
    finally:
        cluster.stop()
