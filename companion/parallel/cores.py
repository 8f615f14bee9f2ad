"""The cores of this computer."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from types import TracebackType
from typing import Self

from companion.parallel.parts import Done, Here, Piece, Result


class Cores:
    """The cores of this computer: a process for each, from the first work of several pieces until the context ends.

    Args:
        number: of processes; by default one for each core that this program may use. A single one is this process.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = number or _cores()
        self._pool: ProcessPoolExecutor | None = None
        self._idle = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            # idle processes end at once; to leave them to the end of the program may break a pipe that both close
            self._pool.shutdown(wait=self._idle, cancel_futures=True)
            self._pool = None

    def run(self, task: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Done[Result]:
        """Do a task for each piece; a single piece in this process, because a new one takes about a second to start."""
        if min(self.number, len(pieces)) <= 1:
            yield from Here().run(task, pieces)
            return
        if self._pool is None:
            # a copy of a process that has threads may wait for one of them for ever
            self._pool = ProcessPoolExecutor(self.number, get_context("spawn"))
        self._idle = False
        places = {self._pool.submit(task, piece): place for place, piece in enumerate(pieces)}
        try:
            for done in as_completed(places):
                yield places[done], done.result()
            self._idle = True
        finally:
            for future in places:
                future.cancel()


def _cores() -> int:
    """Return how many cores this program may use, where the system says so; otherwise how many there are."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
