"""Who of a class has joined a table: the code, the pupils, and what they may do. Kept in memory, and nowhere else."""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from companion.language.sentence import Sentence, SentenceError
from companion.web.access.pin import make_pin
from companion.web.access.tries import Tries, network_of
from companion.web.classroom.nicknames import LONGEST_NAME, nickname, skeleton

MOST_PUPILS: Final = 60
"""The most who are here; nobody else joins then. Who is away makes room and has to join again."""

LONGEST_WAIT: Final = 30.0
"""Seconds: a class may share one address, so its wait is short; a guesser still needs years for a day's code."""

OPEN_FOR: Final = 8 * 3600.0
"""Seconds after which a class ends by itself: the longest school day."""

HERE_FOR: Final = 60.0
"""Seconds after its last request in which a telephone counts as here; its page asks every few seconds."""


class ClassroomError(SentenceError):
    """Somebody cannot join; ``seconds``: how long to wait first, 0 if waiting does not help."""

    def __init__(self, sentence: Sentence, seconds: float = 0.0) -> None:
        super().__init__(sentence)
        self.seconds = seconds


CLOSED: Final = Sentence("No class is open at this table: ask your teacher.")
WRONG: Final = Sentence("This is not the code that the table shows.")
NO_NAME: Final = Sentence("Expected a nickname of 1 to {most} characters.", most=LONGEST_NAME)
TAKEN: Final = Sentence("Somebody here already has this nickname: choose another one.")
FULL: Final = Sentence("{most} pupils are here, and no more can join.", most=MOST_PUPILS)


@dataclass(frozen=True)
class Pupil:
    """Who has joined: a ``number`` that nobody else gets, and a nickname; ``seen``: when, on the clock."""

    number: int
    name: str
    seen: float


class Classroom:
    """One table's class. Thread-safe. It begins with `open` and ends with `close`, or after `OPEN_FOR`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._code = ""
        self._opened = 0.0
        self._tapping = False
        self._lesson = ""
        self._pupils: dict[str, Pupil] = {}  # by the token in the telephone's cookie
        self._number = 0
        self._tries = Tries(clock, LONGEST_WAIT)

    def open(self) -> str:
        """Begin a class with a new code and return the code; whoever joined before has to join again."""
        with self._lock:
            self._pupils.clear()
            self._code, self._opened, self._tries = make_pin(), self._clock(), Tries(self._clock, LONGEST_WAIT)
            return self._code

    def close(self) -> None:
        """End the class; everybody who reaches the page may do again what they may without one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._pupils.clear()
        self._code, self._tapping, self._lesson = "", False, ""

    @property
    def code(self) -> str:
        """The code, "" while no class is open."""
        with self._lock:
            if self._code and self._clock() - self._opened > OPEN_FOR:
                self._end()
            return self._code

    @property
    def tapping(self) -> bool:
        """Whether pupils may tap in what lies on the table; otherwise they watch."""
        return bool(self.code) and self._tapping

    def let_tap(self, *, on: bool) -> None:
        """Let pupils tap in what lies on the table, or only watch."""
        with self._lock:
            self._tapping = on and bool(self._code)

    @property
    def lesson(self) -> str:
        """The name of the course that the phones are offered, "" for none."""
        return self._lesson if self.code else ""

    def offer(self, lesson: str) -> None:
        """Offer the phones a course, or none."""
        with self._lock:
            self._lesson = lesson if self._code else ""

    def join(self, code: str, name: str, address: str, token: object = None) -> str:
        """Let a telephone in, and return the token that names it from now on.

        ``address``: the telephone's, which has to wait after wrong codes; ``token``: the one that it has, if any. Who
        is in the class already only takes another nickname.

        Raises:
            ClassroomError: no class is open, the code is wrong or was wrong too often, the nickname cannot be used,
                or the class is full.
        """
        if not self.code:
            raise ClassroomError(CLOSED)
        chosen, address = nickname(name), network_of(address)
        if chosen is None:
            raise ClassroomError(NO_NAME)
        with self._lock:
            self._check_code(code, address)
            mine = self._pupils.get(token) if isinstance(token, str) else None
            here = [one for one in self._here() if one is not mine]
            if any(skeleton(chosen) == skeleton(one.name) for one in here):
                raise ClassroomError(TAKEN)
            if mine is not None and isinstance(token, str):
                self._pupils[token] = replace(mine, name=chosen, seen=self._clock())
                return token
            if len(here) >= MOST_PUPILS:
                raise ClassroomError(FULL)
            while len(self._pupils) >= MOST_PUPILS:
                self._pupils.pop(min(self._pupils, key=lambda token: self._pupils[token].seen))
            self._number += 1
            made = secrets.token_urlsafe(24)
            self._pupils[made] = Pupil(self._number, chosen, self._clock())
            return made

    def _check_code(self, code: str, address: str) -> None:
        if (seconds := self._tries.wait(address)) > 0:
            wait = Sentence("Too many wrong codes: wait {count} seconds and try again.", count=round(seconds) or 1)
            raise ClassroomError(wait, seconds)
        if not secrets.compare_digest("".join(code.split()).encode(), self._code.encode()):
            self._tries.wrong(address)
            raise ClassroomError(WRONG)
        self._tries.right(address)

    def pupil(self, token: object) -> Pupil | None:
        """Return who has this token, and note that the telephone is here; None for nobody."""
        if not self.code or not isinstance(token, str):
            return None
        with self._lock:
            found = self._pupils.get(token)
            if found is not None:
                found = self._pupils[token] = replace(found, seen=self._clock())
            return found

    def pupils(self) -> list[Pupil]:
        """Return those who are here now, in the order in which they joined."""
        if not self.code:
            return []
        with self._lock:
            return self._here()

    def _here(self) -> list[Pupil]:
        now = self._clock()
        return [one for one in self._pupils.values() if now - one.seen <= HERE_FOR]

    def leave(self, token: object) -> None:
        """Forget who has this token."""
        with self._lock:
            if isinstance(token, str):
                self._pupils.pop(token, None)

    def remove(self, number: int | None) -> None:
        """Forget the pupil of this number, or all for None; with the code they may join again."""
        with self._lock:
            self._pupils = {
                token: one for token, one in self._pupils.items() if number is not None and one.number != number
            }
