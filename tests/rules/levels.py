"""Perft's counting: how many sequences of throws and choices there are, level by level, and positions they reach."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

Where = TypeVar("Where", bound=Hashable)


def levels(start: Where, following: Callable[[Where], Iterator[Where]], depth: int) -> tuple[list[int], list[int]]:
    """Count sequences and different positions at each level from 0 on; ways to equal positions go on together."""
    reached = Counter({start: 1})
    sequences, positions = [1], [1]
    for _ in range(depth):
        deeper: Counter[Where] = Counter()
        for position, ways in reached.items():
            for after in following(position):
                deeper[after] += ways
        reached = deeper
        sequences.append(reached.total())
        positions.append(len(reached))
    return sequences, positions
