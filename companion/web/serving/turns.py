"""Whose request a thread answers next: known devices first, then the address that has fewest at work."""

from collections import Counter, deque
from typing import Any, Final

from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

OF_STRANGERS: Final = 12
"""The share of the threads that strangers may hold: one in so many. The work of all of them shares one core anyway, and
each thread that wants it makes a phone's picture wait (bench `stranger`, medians: 1.7 s if they may hold a fourth of
the threads, 0.45 s if they may hold a twelfth)."""

OF_ADDRESS: Final = 24
"""The share of the threads that one stranger's address may hold: one in so many."""

MOST_WAITING: Final = 1000
"""Requests of one address that may wait before those are dropped whose client has gone."""


class FairQueue:
    """Requests that wait for a thread. It has what waitress uses of its queue, which holds the queue's lock meanwhile.

    Streams have a limit of their own (`companion.web.streams`), so they are counted only until they begin.
    """

    def __init__(self, threads: int) -> None:
        self._most = max(1, threads // OF_STRANGERS)
        self._of_address = max(1, threads // OF_ADDRESS)
        self._known: deque[Any] = deque()
        self._strangers: dict[str, deque[Any]] = {}  # who was served last stands last
        self._at_work: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._known) + sum(map(len, self._strangers.values()))

    def __bool__(self) -> bool:
        return bool(self._known) or self._next() is not None

    def append(self, channel: Any) -> None:
        """Let a connection wait whose next request is complete."""
        channel.waits = True
        if channel.known:
            self._known.append(channel)
            return
        waiting = self._strangers.setdefault(channel.address, deque())
        waiting.append(channel)
        if len(waiting) > MOST_WAITING:
            self._strangers[channel.address] = deque(one for one in waiting if one.connected or one is channel)

    def popleft(self) -> Any:
        """Return the connection whose request is answered next; `done` takes the request back."""
        if self._known:
            channel = self._known.popleft()
        else:
            address = self._next()
            assert address is not None, "the queue was asked whether anybody may be answered"
            waiting = self._strangers.pop(address)
            channel = waiting.popleft()
            if waiting:
                self._strangers[address] = waiting
            channel.requests[0].counted = True
            self._at_work[address] += 1
        channel.waits = False
        return channel

    def done(self, asked: Any) -> None:
        """Note that a request was answered, or only waits from now on."""
        if asked.counted:
            asked.counted = False
            self._at_work[asked.address] -= 1
            self._at_work += Counter()  # forgets who has none

    def _next(self) -> str | None:
        if self._at_work.total() >= self._most or not self._strangers:
            return None
        address = min(self._strangers, key=lambda one: self._at_work[one])
        return address if self._at_work[address] < self._of_address else None


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types
    """Waitress's threads, which take requests from a `FairQueue`."""

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.queue = FairQueue(threads)
        self.set_thread_count(threads)

    def done(self, asked: Any) -> None:
        """Note that a request was answered: another one may now have its turn."""
        with self.lock:
            self.queue.done(asked)
            self.queue_cv.notify()
