"""How many sequences of throws and choices there are, level by level, and which positions they reach."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from companion.parallel.parts import Workers
from companion.rules.game import Position

AT_ONCE: Final = 500
"""Positions of one piece of the work: enough that it takes longer than to send them to another process."""

Reached = Mapping[Position, int]
"""Positions, each with the number of sequences that lead there."""


@dataclass(frozen=True)
class Level:
    """What is reached after ``depth`` throws and choices: sequences, different positions, and those of the end."""

    depth: int
    sequences: int
    positions: int
    over: int


def levels(start: Position, depth: int, workers: Workers) -> Iterator[Level]:
    """Yield the levels from 0 to ``depth``; equal positions are visited once.

    Raises:
        ClusterError: the workers cannot do it.
    """
    reached: Counter[Position] = Counter({start: 1})
    yield _level(0, reached)
    for number in range(1, depth + 1):
        following: Counter[Position] = Counter()
        for _, more in workers.run(_following, _pieces(reached)):
            following.update(more)
        reached = following
        yield _level(number, reached)


def _level(depth: int, reached: Counter[Position]) -> Level:
    return Level(depth, reached.total(), len(reached), sum(position.outcome is not None for position in reached))


def _pieces(reached: Reached) -> Sequence[Reached]:
    every = list(reached.items())
    return [dict(every[first : first + AT_ONCE]) for first in range(0, len(every), AT_ONCE)]


def _following(reached: Reached) -> Counter[Position]:
    """Return what one more throw or choice reaches from each of these positions."""
    found: Counter[Position] = Counter()
    for position, sequences in reached.items():
        for move in chain(position.throws(), position.legal()):
            found[position.after(move)] += sequences
    return found
