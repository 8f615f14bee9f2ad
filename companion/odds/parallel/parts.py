"""Parts of a long work, and who does them.

What a part gives depends on its numbers alone. So the whole is the same wherever and in whatever order parts are done.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class Part:
    """The numbers from ``first`` on, ``count`` of them."""

    first: int
    count: int


Done = Iterator[tuple[int, Result]]
"""Each part's place among the parts with its result, in the order in which they are done."""


class Workers(Protocol):
    """Who does parts side by side."""

    @property
    def number(self) -> int:
        """How many parts are done at the same time."""

    def run(self, task: Callable[[Part], Result], parts: Sequence[Part]) -> Done[Result]:
        """Do a task for each part. Whatever the task raises, this raises."""


class Cores:
    """The cores of this computer: a process for each.

    Args:
        number: of processes; by default one for each core that this program may use. A single one is this process.
    """

    def __init__(self, number: int | None = None) -> None:
        self.number = number or _cores()

    def run(self, task: Callable[[Part], Result], parts: Sequence[Part]) -> Done[Result]:
        """Do a task for each part; a single part in this process, because a new one takes about a second to start."""
        if min(self.number, len(parts)) <= 1:
            for place, part in enumerate(parts):
                yield place, task(part)
            return
        from concurrent.futures import ProcessPoolExecutor, as_completed  # noqa: PLC0415  (most work has one part)
        from multiprocessing import get_context  # noqa: PLC0415

        # a copy of a process that has threads may wait for one of them for ever
        with ProcessPoolExecutor(min(self.number, len(parts)), get_context("spawn")) as pool:
            try:
                places = {pool.submit(task, part): place for place, part in enumerate(parts)}
                for done in as_completed(places):
                    yield places[done], done.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def parts_of(count: int, size: int) -> list[Part]:
    """Return the numbers from 0 to just below ``count`` in parts of this size; the last may be smaller."""
    return [Part(first, min(size, count - first)) for first in range(0, count, size)]


def _cores() -> int:
    """Return how many cores this program may use, where the system says so; otherwise how many there are."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
