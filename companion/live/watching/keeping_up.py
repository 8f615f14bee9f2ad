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


BUSY_SHARE: Final = 0.5
"""A thread that takes a camera's pictures, and computes or waits for a processor for this share of its time, is late.

Measured with 15 pictures a second of 1280x960: 0.06 on a whole core and on a quarter of one, 0.3 and more on a tenth,
and all of the time on a twentieth and less.
"""


class KeepingUp:
    """Counts which pictures of a camera are taken and which are passed over. Only its watching thread uses it.

    A computer that is slow enough gets fewer pictures from the camera, too, so that it passes none over: then the
    thread that takes them has no time left.
    """

    def __init__(self, name: str) -> None:
        """``name``: what a player would call the camera."""
        self.warning: Sentence | None = None
        """What to say, from the newest count; None while enough pictures are taken."""
        self._name = name
        self._first: Frame | None = None  # of the pictures that are counted now
        self._taken = 0  # pictures taken after it

    def take(self, frame: Frame) -> None:
        """Count a picture that was taken, and by its number those that were passed over since the last one."""
        first = self._first
        if first is None:
            self._first = frame
            return
        self._taken += 1
        seconds = frame.taken - first.taken
        if seconds < COUNTED_SECONDS:
            return
        sent, taken = (frame.number - first.number) / seconds, self._taken / seconds
        before, self.warning = self.warning, None
        if taken < ENOUGH_PICTURES and (taken < sent / 2 or _busy(first, frame) >= BUSY_SHARE):
            self.warning = Sentence(
                "This computer is too slow for {name}: it takes only {taken} of its pictures a second. Close other "
                "programs, or set the camera to smaller pictures.",
                name=self._name,
                taken=max(1, round(taken)),
            )
            if before is None:
                log.warning("%s", self.warning)
        self._first, self._taken = frame, 0


def _busy(first: Frame, last: Frame) -> float:
    """Return the share of its time in which the thread that took these pictures computed, or wanted to."""
    if first.effort is None or last.effort is None:
        return 0.0
    return last.effort.share_since(first.effort, last.taken - first.taken)
