"""The one writer's loop, for table and laboratory: it runs what waits in the inbox, shows the result, and answers."""

import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Final, Protocol

from companion.desk.sight import BoardSight, Sight
from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence
from companion.live.inbox import Inbox, Task

log = logging.getLogger(__name__)

ANSWER_WAIT: Final = 10.0
"""Seconds that a command waits for the writer."""

END_WAIT: Final = 5.0
"""Seconds that stopping waits for the writer's thread."""

ROOM_EVERY: Final = 1.0
"""Seconds between two checks whether a file that refused an event can be written again."""


class DeskDriver(Protocol):
    """Drives one desk with its file. Only the writer's thread calls it."""

    def open(self) -> AbstractContextManager[None]:
        """Open the file and what was open in it last; leaving the context closes it."""

    def waits(self) -> Iterable[float | None]:
        """Return in how many seconds each thing that comes by itself is due, None for what is not awaited."""

    def check(self, sight: Sight | None, board: BoardSight | None) -> None:
        """Take the newest sights of dice and board, None where nothing new was seen."""

    def go_on(self) -> None:
        """Do what is due, unless the file cannot be written."""

    def publish(self, *, hurried: bool) -> None:
        """Publish a snapshot; ``hurried``: nobody asked for anything, so it may be skipped for a moment."""

    def failed(self, error: Exception) -> None:
        """Report an unexpected error."""


class WriterLoop:
    """Runs a desk in a thread of its own. Every public method may be called from any thread."""

    def __init__(self, name: str, inbox: Inbox, desk: DeskDriver) -> None:
        """``name``: the thread's."""
        self._name = name
        self._inbox = inbox
        self._desk = desk
        self._ready: Future[None] = Future()  # done once the first snapshot is published, or failed with the error
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Open the file and return once the first snapshot is published.

        Raises:
            JournalError: the file cannot be opened; nothing runs.
        """
        self.thread.start()
        self._ready.result()

    def stop(self) -> None:
        """Accept nothing more, and end the thread when everything that waits is done."""
        self._inbox.close()
        if self.thread.ident is not None:
            self.thread.join(END_WAIT)

    def ask(self, task: Task) -> Reply:
        """Let the writer do a task, and wait for its answer."""
        answer = self._inbox.ask(task)
        if answer is None:
            return Reply(ok=False, sentence=Sentence("The table is busy or closed: try again in a moment."))
        try:
            return answer.result(ANSWER_WAIT)
        except TimeoutError:
            sentence = Sentence(
                "The table did not answer in time: check whether the command was carried out, then try again."
            )
            return Reply(ok=False, sentence=sentence)

    def answers(self) -> bool:
        """Whether the writer answers in time."""
        answer = self._inbox.ask(lambda: Reply(ok=True, sentence=Sentence("The table answers.")))
        try:
            return answer is not None and answer.result(ANSWER_WAIT / 2).ok
        except TimeoutError:
            return False

    def _run(self) -> None:
        """Open the file, then do what comes until the inbox is closed."""
        try:
            with self._desk.open():
                self._desk.publish(hurried=False)
                self._ready.set_result(None)
                while not self._inbox.closed:
                    self._turn()
        except Exception as why:
            if self._ready.done():
                raise
            self._ready.set_exception(why)  # start raises it in the thread that asked for it

    def _turn(self) -> None:
        wait = min((wait for wait in self._desk.waits() if wait is not None), default=None)
        task, sight, board = self._inbox.take(wait)
        answered: Callable[[], None] | None = None
        try:
            self._desk.check(sight, board)
            if task is not None:
                answered = _answer(*task)
            self._desk.go_on()
            self._desk.publish(hurried=task is None)
        except Exception as error:
            log.exception("the %s goes on after this", self._name)
            self._desk.failed(error)
        finally:
            if answered is not None:
                answered()


def _answer(task: Task, answer: Future[Reply]) -> Callable[[], None]:
    """Carry out a task; return what gives its answer, to be called after the snapshot that shows it is published."""
    try:
        reply = task()
    except Exception as error:
        log.exception("a command failed")
        reply = Reply(
            ok=False, sentence=Sentence("Something failed inside the companion ({error}).", error=type(error).__name__)
        )
    return lambda: answer.set_result(reply)
