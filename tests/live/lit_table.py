"""A table under two lamps for the tests: what the camera sees depends on which lamp shines, and time on its frames."""

import threading
from collections.abc import Callable

import cv2
import numpy as np

from companion.language.sentence import Sentence
from companion.vision.images import load_image
from companion.vision.readings import Frame, Image
from companion.vision.sources.source import SourceState
from firmware_bridge.lamps import BOTH, LampError, Lit
from firmware_bridge.phrase import Phrase
from tests.live.labelled import SAMPLE

RATE = 15
EMPTY, DICE, HAND = "000_throw00_empty.jpg", "024_throw04_still.jpg", "026_throw05_hand.jpg"
GLARE = 4.6
"""With both lamps the dice gleam so much that one of them cannot be read: in the picture, a blur of so many pixels."""
HAZE = 0.3
"""The share of white that the gleam adds."""


def under(image: Image, lit: Lit) -> Image:
    """Return a picture as it looks under these lamps: each is brightest at its own side."""
    if lit == BOTH:
        blurred = cv2.GaussianBlur(image, (0, 0), GLARE)
        return np.asarray(cv2.addWeighted(blurred, 1 - HAZE, np.full_like(image, 235), HAZE, 0.0), np.uint8)
    ramp = np.linspace(1.1, 0.6, image.shape[1], dtype=np.float32)
    shaded = image * (ramp if lit[0] else ramp[::-1])[None, :, None] if any(lit) else image * np.float32(0.2)
    return np.asarray(np.clip(shaded, 0, 255), np.uint8)


class SimulatedLamps:
    """Two lamps that do what they are told, at once; or do not answer. ``page_part`` is all that they were told."""

    def __init__(self) -> None:
        self.lit: Lit = (False, False)
        self.lit_so_far: list[Lit] = []
        self.answer = True
        self.stopped = False

    def start(self) -> None:
        self.lit = BOTH

    def stop(self) -> None:
        self.stopped = True

    def light(self, lit: Lit, within: float) -> None:
        assert within <= 1
        self.lit_so_far.append(lit)
        if not self.answer:
            raise LampError(Phrase("The lamp at {host} does not answer.", host="wall"))
        self.lit = lit


class LitSource:
    """Gives as many frames as it is allowed to, as fast as they are taken; `clock` is the time of its frames."""

    name = "a lit table"
    sentence = Sentence("A drawn table.")

    def __init__(self, lit: Callable[[], Lit]) -> None:
        """``lit``: says which lamps shine now."""
        self.state = SourceState.STARTING
        self.shows = EMPTY
        self.between: Callable[[int], None] = lambda _: None
        self._lit = lit
        self._pictures: dict[tuple[str, Lit], Image] = {}
        self._changed = threading.Condition()
        self._left = 0
        self._idle = False  # all frames were taken, and another one was asked for
        self._number = 0
        self._taken = 1000.0
        self._closed = False

    def clock(self) -> float:
        return self._taken

    def start(self) -> None:
        self.state = SourceState.LIVE

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def newest(self, after: int, timeout: float) -> Frame | None:
        with self._changed:
            if not self._left:
                self._idle = True
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._left or self._closed, min(timeout, 0.02))
            if not self._left:
                self._taken += timeout
                return None
            self._left -= 1
            self._number = max(after, self._number) + 1
            self._taken += 1 / RATE
            self.between(self._number)
            return Frame(self._picture(), self._taken, self.name, self._number)

    def _picture(self) -> Image:
        key = (self.shows, self._lit())
        if key not in self._pictures:
            self._pictures[key] = under(load_image(SAMPLE / key[0]), key[1])
        return self._pictures[key]

    def give(self, frames: int) -> None:
        """Give so many frames and wait until all were taken and looked at: the thread then asks for another one."""
        with self._changed:
            self._left, self._idle = frames, False
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._idle, 60)
