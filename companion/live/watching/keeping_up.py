"""Whether this computer looks at enough of a camera's pictures: a watching thread takes the newest one, when it can."""

import logging
from typing import Final

from companion.language.sentence import Sentence
from companion.vision.readings import Frame

log = logging.getLogger(__name__)

COUNTED_SECONDS: Final = 10.0
"""Seconds over which pictures are counted: reading dice takes a part of one, and passes some over every time."""

ENOUGH_PICTURES: Final = 5.0
"""So many a second show whether dice roll or lie."""


class KeepingUp:
    """Counts which pictures of a camera are taken and which are passed over. Only its watching thread uses it."""

    def __init__(self, name: str) -> None:
        """``name``: what a player would call the camera."""
        self.warning: Sentence | None = None
        """What to say, from the newest count; None while enough pictures are taken."""
        self._name = name
        self._first: Frame | None = None  # of the pictures that are counted now
        self._taken = 0  # pictures taken after it

    def take(self, frame: Frame) -> None:
        """Count a picture that was taken, and by its number those that were passed over since the last one."""
        if self._first is None:
            self._first = frame
            return
        self._taken += 1
        seconds = frame.taken - self._first.taken
        if seconds < COUNTED_SECONDS:
            return
        sent, taken = (frame.number - self._first.number) / seconds, self._taken / seconds
        before, self.warning = self.warning, None
        if taken < ENOUGH_PICTURES and taken < sent / 2:
            self.warning = Sentence(
                "This computer is too slow for {name}: of {sent} pictures a second it takes {taken}. Close other "
                "programs, or set the camera to smaller pictures.",
                name=self._name,
                sent=round(sent),
                taken=max(1, round(taken)),
            )
            if before is None:
                log.warning("%s", self.warning)
        self._first, self._taken = frame, 0
