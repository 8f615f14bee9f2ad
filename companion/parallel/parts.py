"""The pieces of a long work, and who does them.

What a piece gives depends on the piece alone. So the whole is the same wherever and in whatever order pieces are done.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, TypeVar

Piece = TypeVar("Piece")
"""Anything that can be pickled: numbers of games, positions, chances."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class WorkPart:
    """The numbers from ``first`` on, ``count`` of them: a piece of a work that is numbered."""

    first: int
    count: int


Done = Iterator[tuple[int, Result]]
"""Each piece's place among the pieces with its result, in the order in which they are done."""


class Workers(Protocol):
    """Who does pieces, several at once, as a context."""

    @property
    def number(self) -> int:
        """How many pieces are done at the same time."""

    def __enter__(self) -> Self:
        """Return the workers."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let them go; what is not done yet is dropped."""

    def run(self, task: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Done[Result]:
        """Do a task, which can be pickled, for each piece. Whatever the task raises, this raises."""


class Here:
    """This process alone: one piece after another."""

    number = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nobody is to be let go."""

    def run(self, task: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Done[Result]:
        """Do a task for each piece, in their order."""
        for place, piece in enumerate(pieces):
            yield place, task(piece)


def in_order(
    workers: Workers, task: Callable[[Piece], Result], pieces: Sequence[Piece], report: Callable[[Piece], object]
) -> list[Result]:
    """Do a task for each piece; return the results in the order of the pieces. ``report`` hears of each that is done.

    Raises what the task raises, and `ClusterError`.
    """
    found: dict[int, Result] = {}
    for place, result in workers.run(task, pieces):
        found[place] = result
        report(pieces[place])
    return [found[place] for place in range(len(pieces))]


def parts_of(count: int, size: int) -> list[WorkPart]:
    """Return the numbers from 0 to just below ``count`` in parts of this size; the last may be smaller."""
    return [WorkPart(first, min(size, count - first)) for first in range(0, count, size)]
