"""What waits for the one writer: commands in order, bounded, and the newest sight of the table with all dice read."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from companion.desk.sight import BoardSight, Sight
from companion.desk.table.match_desk import Reply

MOST_SIGHTS = 8  # still intervals that wait while the disk is slow; each has a picture
MOST_WAITING = 64  # commands; people press no faster, and a page that floods gets the answer that the table is busy

Task = Callable[[], Reply]


class Inbox:
    """Any thread puts in, one takes out. A newer sight replaces one that was not looked at yet.

    One in which dice were read stays until it was judged: a hand that takes them up at once must not undo the throw.
    The sights of dice and of the board come from two threads, so each has its own place.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tasks: deque[tuple[Task, Future[Reply]]] = deque()
        self._sights: deque[Sight] = deque(maxlen=MOST_SIGHTS)
        self._board: BoardSight | None = None
        self._nudged = False
        self._closed = False

    def ask(self, task: Task) -> Future[Reply] | None:
        """Hand in something to do; return where its answer will be, or None if too much waits or it is closed."""
        with self._changed:
            if self._closed or len(self._tasks) >= MOST_WAITING:
                return None
            answer: Future[Reply] = Future()
            self._tasks.append((task, answer))
            self._changed.notify_all()
            return answer

    def put_sight(self, sight: Sight) -> None:
        """Hand in what the camera sees now."""
        with self._changed:
            if self._sights and (self._sights[-1].seen is None or self._sights[-1].seen is sight.seen):
                self._sights.pop()
            self._sights.append(sight)
            self._changed.notify_all()

    def put_board_sight(self, sight: BoardSight) -> None:
        """Hand in what the camera over the board sees now."""
        with self._changed:
            self._board = sight
            self._changed.notify_all()

    def drop_sights(self) -> None:
        """Forget what was seen and not looked at yet: it came through other cameras."""
        with self._changed:
            self._sights.clear()
            self._board = None

    def nudge(self) -> None:
        """Wake the writer for a change that it only shows."""
        with self._changed:
            self._nudged = True
            self._changed.notify_all()

    def take(self, timeout: float | None) -> tuple[tuple[Task, Future[Reply]] | None, Sight | None, BoardSight | None]:
        """Return the next task and the next sights of dice and board, waiting up to ``timeout`` seconds for one."""
        with self._changed:
            self._changed.wait_for(self._anything, timeout)
            self._nudged = False
            task = self._tasks.popleft() if self._tasks else None
            sight = self._sights.popleft() if self._sights else None
            board, self._board = self._board, None
            return task, sight, board

    def _anything(self) -> bool:
        return bool(self._closed or self._tasks or self._sights or self._board or self._nudged)

    def close(self) -> None:
        """Accept nothing more and wake the writer, which still does what waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether it was closed and nothing waits."""
        return self._closed and not self._tasks
