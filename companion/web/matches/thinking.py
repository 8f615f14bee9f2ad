"""Hints and reviews of a match: one is thought out at a time, in a short line with one place for each address."""

import threading
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, Final

from flask import abort, request

from companion.language.sentence import Sentence, SentenceText
from companion.web.access.tries import network_of
from companion.web.app_state import AppKey
from companion.web.streams import only_waits

MOST_WAITING: Final = 3
"""Addresses in the line, with the one whose answer is being thought out: each keeps a thread of the server."""

MOST_KEPT: Final = 256
"""Answers that are remembered; one takes some kilobytes."""

BUSY: Final = Sentence("The program is still thinking about another hint: ask again in a moment.")


class Thinking:
    """The line before the program's thoughts, and its last answers. Thread-safe."""

    def __init__(self) -> None:
        self._line: deque[str] = deque()  # addresses; the first one's answer is being thought out
        self._moved = threading.Condition()
        self._answers: dict[Hashable, dict[str, Any]] = {}

    def answer(self, about: Hashable, think: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return what ``think`` finds, or what it once found ``about`` the same; refuse the request (503) in a crowd.

        Each position is thought about once, however often and by however many it is asked about.
        """
        address = network_of(request.remote_addr or "")
        with self._moved:
            if about in self._answers:
                return self._answers[about]
            if address in self._line or len(self._line) >= MOST_WAITING:
                abort(503, SentenceText(BUSY))
            self._line.append(address)
            only_waits()
            self._moved.wait_for(lambda: self._line[0] == address)
        try:
            found = self._answers.get(about)  # who stood before may have asked the same
            if found is None:
                found = think()
        finally:
            with self._moved:
                self._line.popleft()
                self._moved.notify_all()
        with self._moved:
            self._answers[about] = found
            if len(self._answers) > MOST_KEPT:
                del self._answers[next(iter(self._answers))]
        return found


THINKING = AppKey[Thinking]("thinking")
