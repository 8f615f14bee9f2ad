"""Teaching the table its dice outside a match: somebody throws, the page asks what each new face is.

The watching thread hands in what it read; the pages' threads answer. What is taught belongs to no match, so it never
reaches a journal.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Sentence, SentenceError
from companion.live.dice_memory.known import FaceRemembered, source_taught
from companion.live.dice_memory.learning import DiceLesson, Learning
from companion.referee.readable import Dice
from companion.rules.dice import UnknownDiceSetError, dice_set
from companion.vision.dice.memory.course import (
    HINT_AFTER,
    Answer,
    FaceKey,
    NotAskedError,
    TeachingCourse,
    TeachingQuestion,
    faces_of,
)
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE
from companion.vision.dice.memory.glimpses import FaceLesson, Glimpse
from companion.vision.readings import DiceReading, readable

LEASE_SECONDS: Final = 20.0
"""Seconds without a page that looks, after which the camera watches the match again."""

MOST_CROPS: Final = 100
"""Pictures of finds that are kept, some 10 kB each: a page may ask for one whose throw no longer waits."""


class TeachingError(SentenceError):
    """Why something cannot be taught now, in a sentence."""


@dataclass(frozen=True)
class FaceToTeach:
    """One face of the set. ``known``: what is remembered of it once a person named it, else None."""

    text: str
    known: FaceRemembered | None


@dataclass(frozen=True)
class TeachingNow:
    """How far the course is. ``choices`` are indices in ``faces``; ``asked``: the question, ``more``: how many follow.

    ``hint``: whether it is time to put the missing faces up; ``taught``: whether an answer can be taken back.
    """

    set_name: str
    throws: int
    faces: tuple[FaceToTeach, ...]
    asked: TeachingQuestion | None
    choices: tuple[int, ...]
    more: int
    hint: bool
    taught: bool

    @property
    def known(self) -> int:
        """How many faces are known."""
        return sum(face.known is not None for face in self.faces)


class Teaching:
    """The course of teaching at one table; there is one at a time, and every page of the owner shows the same."""

    def __init__(
        self,
        learning: Learning,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], float] = time.time,
    ) -> None:
        """``clock``: seconds, for the lease; ``today``: seconds since 1970, for the names of what is taught."""
        self._learning = learning
        self._clock = clock
        self._today = today
        self._lock = threading.Lock()
        self._course: TeachingCourse | None = None
        self._begun = 0.0
        self._heard = 0.0
        self._crops: dict[tuple[int, int], bytes] = {}
        self._shown: dict[int, bytes] = {}
        self._untaught: list[tuple[Future[None], Answer]] = []

    def begin(self, set_name: str) -> None:
        """Begin to teach a set, or go on with it.

        Raises:
            TeachingError: no camera reads the set, or the table does not learn.
        """
        try:
            if not readable(dice_set(set_name)):
                raise TeachingError(Sentence("No camera reads these dice: choose others."))
        except UnknownDiceSetError as why:
            raise TeachingError(Sentence("There are no such dice: choose others.")) from why
        if not self._learning.remembered.on:
            raise TeachingError(Sentence("The table does not learn: switch learning on first."))
        with self._lock:
            self._heard = self._clock()
            if self._course is None or self._course.set_name != set_name:
                self._course, self._begun = TeachingCourse(set_name), self._today()
                self._crops, self._shown, self._untaught = {}, {}, []

    def leave(self) -> None:
        """End the course; what was taught stays."""
        with self._lock:
            self._course = None

    def now(self) -> TeachingNow | None:
        """Return how far the course is, None if there is none. Looking keeps the course going."""
        with self._lock:
            self._heard = self._clock()
            course = self._course
            if course is None:
                return None
            kept = self._named(course.set_name)
            questions = course.questions(self._known(kept))
            faces = faces_of(course.set_name)
            order = list(faces)
            self._shown |= {order.index(key): one.picture for key, one in kept.items()}
            asked = questions[0] if questions else None
            return TeachingNow(
                course.set_name,
                course.throws,
                tuple(FaceToTeach(" / ".join(texts), kept.get(key)) for key, texts in faces.items()),
                asked,
                () if asked is None else tuple(order.index(key) for key in asked.choices),
                max(0, len(questions) - 1),
                course.throws >= HINT_AFTER and any(key not in kept for key in faces),
                course.last is not None,
            )

    def answer(self, throw: int, find: int, face: int | None) -> None:
        """Say what a find shows; ``face``: an index in `TeachingNow.faces`, None for no die.

        Raises:
            TeachingError: it is not asked.
        """
        with self._lock:
            course = self._require()
            faces = list(faces_of(course.set_name).items())
            try:
                key = None if face is None else faces[face][0]
                given = course.answer(throw, find, key)
            except (NotAskedError, IndexError) as why:
                raise TeachingError(Sentence("That question is no longer open: look at the new one.")) from why
            text = None if face is None else faces[face][1][0]
            lesson = DiceLesson(self._source(given), throw, (FaceLesson(given.place, text, named=True),))
            self._untaught.append((self._learning.tell(lesson), given))

    def take_back(self) -> None:
        """Undo the last answer: what it taught is forgotten, and the question comes again.

        Raises:
            TeachingError: there is none to undo.
        """
        with self._lock:
            given = self._require().take_back()
            if given is None:
                raise TeachingError(Sentence("There is no answer to take back."))
            self._untaught = [(done, one) for done, one in self._untaught if one != given]
            self._learning.forget(self._source(given))

    def ask_all(self) -> None:
        """Ask about every die that lies there.

        Raises:
            TeachingError: nobody teaches.
        """
        with self._lock:
            self._require().ask_all()

    def crop(self, throw: int, find: int) -> bytes | None:
        """Return the JPEG of a find; None if its throw is too long ago."""
        with self._lock:
            return self._crops.get((throw, find))

    def picture(self, face: int) -> bytes | None:
        """Return the JPEG of a face that `now` last listed as known; ``face``: an index in `TeachingNow.faces`."""
        with self._lock:
            return self._shown.get(face)

    # The watching thread calls what follows.

    @property
    def dice(self) -> Dice | None:
        """The dice to read now; None if nobody teaches."""
        with self._lock:
            if self._course is None or self._clock() - self._heard > LEASE_SECONDS:
                return None
            return self._course.set_name, None

    def see(self, throw: int, reading: DiceReading, crops: Sequence[bytes], glimpses: Sequence[Glimpse]) -> None:
        """Take in a reading, its number among all readings, and a JPEG of each of its dice."""
        with self._lock:
            course = self._course
            if course is None:
                return
            self._learning.hold(throw, course.set_name, glimpses)
            course.see(throw, reading.dice)
            there = [crop for die, crop in zip(reading.dice, crops, strict=True) if die.status != "ignored"]
            self._crops |= {(throw, find): crop for find, crop in enumerate(there)}
            while len(self._crops) > MOST_CROPS:
                self._crops.pop(next(iter(self._crops)))

    def _require(self) -> TeachingCourse:
        if self._course is None:
            raise TeachingError(Sentence("Nobody is teaching the table now: start again."))
        return self._course

    def _source(self, given: Answer) -> str:
        return source_taught(self._begun, given.number)

    def _named(self, set_name: str) -> dict[FaceKey, FaceRemembered]:
        """Return the faces that a person named."""
        return {
            face.key: face
            for dice in self._learning.remembered.dice
            if dice.set_name == set_name
            for face in dice.faces
            if face.named
        }

    def _known(self, kept: dict[FaceKey, FaceRemembered]) -> set[FaceKey]:
        """Return the faces that need no question: those that were named, and those just being learnt."""
        self._untaught = [(done, given) for done, given in self._untaught if not done.done()]
        learning = (given.key for _, given in self._untaught)
        return {*kept, *(key for key in learning if key is not None and key[0] != SIDE_OUTLINE)}
