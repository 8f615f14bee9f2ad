"""A sequence that never changes and grows by one at the same cost, however long it is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Grown(Sequence[T]):
    """A tuple whose `plus` shares what is already there: a match of 100,000 events is folded without copying them.

    Safe in several threads: the one who comes second to the place after the last item takes a copy.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        """``items``: what it holds."""
        self._items = list(items)  # may hold more than this sequence: the items of one that grew out of it
        self._length = len(self._items)

    def plus(self, item: T) -> "Grown[T]":
        """Return this sequence with one more item."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        if items[length] is not item:
            items = [*items[:length], item]
        grown: Grown[T] = Grown()
        grown._items, grown._length = items, length + 1
        return grown

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "Grown[T]": ...
    def __getitem__(self, place: int | slice) -> "T | Grown[T]":
        """Return an item, or some in a sequence of their own."""
        if isinstance(place, slice):
            return Grown(map(self._items.__getitem__, range(self._length)[place]))
        if not -self._length <= place < self._length:
            raise IndexError(place)
        return self._items[place % self._length]

    def __len__(self) -> int:
        """Return the number of items."""
        return self._length

    def __iter__(self) -> Iterator[T]:
        """Yield the items."""
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        """Whether the other sequence holds equal items."""
        return isinstance(other, Sequence) and len(other) == self._length and all(map(_same, self, other))

    def __hash__(self) -> int:
        """Return the hash of its items."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        """Show the items."""
        return repr(tuple(self))


def _same(one: Any, other: Any) -> bool:
    return bool(one is other or one == other)
