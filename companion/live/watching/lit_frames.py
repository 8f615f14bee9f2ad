"""Looks at dice at rest with one lamp lit and then the other, so that a doubt in the usual light may end."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Frame
from firmware_bridge.lamps import BOTH, LampError, Lit
from firmware_bridge.phrase import phrase_of

log = logging.getLogger(__name__)

LIT_SECONDS: Final = 1.0
"""Seconds that all views may take, until both lamps are lit again."""

ANSWER_WITHIN: Final = 0.25
"""Seconds that a lamp has for its answer."""

FIRST_FRAME: Final = 0.05
"""Seconds after a lamp's answer before a frame can show its light: WLED draws 40 times a second, and a camera needs
some time for a picture."""

STEADY_LIGHT_SHARE: Final = 0.05
"""The light is steady if two frames after each other differ by less than this share of their brightness."""

CHANGED_LIGHT_SHARE: Final = 0.05
"""A frame shows the new light if it differs from those before by more than this: a camera may deliver late."""

SMALL: Final = (32, 24)
"""Width and height of the pictures by which light is compared: coarse enough for noise to vanish."""

LIT_IN_TURN: Final[tuple[Lit, ...]] = ((True, False), (False, True), BOTH)
"""How the lamps are lit for the views: the one, the other, and again both."""


class Switch(Protocol):
    """What switches a pair of lamps."""

    def start(self) -> None:
        """Light both."""

    def stop(self) -> None:
        """Let go of them."""

    def light(self, lit: Lit, within: float) -> None:
        """Light each lamp or not; raise `LampError` if one does not answer within so many seconds."""


Small = npt.NDArray[np.float32]

Newest = Callable[[int, float], Frame | None]
"""Returns the newest frame after one of this number, waiting up to so many seconds, or None."""


@dataclass(frozen=True)
class LitFrames:
    """What the views gave. ``frames``: whole pictures with the one lamp and with the other alone; empty if that failed.

    ``after``: the first picture with both lit again, None if there is none. ``trouble``: what a lamp did not do.
    ``number``: that of the last frame that was taken.
    """

    frames: tuple[Frame, ...]
    after: Frame | None
    number: int
    trouble: str | None = None


def take(switch: Switch, newest: Newest, before: Frame, clock: Callable[[], float] = time.monotonic) -> LitFrames:
    """Light one lamp, the other, and both, and take a picture each time; never longer than `LIT_SECONDS`.

    Whatever goes wrong, both lamps are switched on at the end. ``before``: the newest frame, under both. ``clock``:
    in the time of the frames.
    """
    until = clock() + LIT_SECONDS
    frames: list[Frame] = []
    trouble: str | None = None
    number = before.number
    for lit in LIT_IN_TURN:
        try:
            switch.light(lit, min(ANSWER_WITHIN, max(0.0, until - clock())))
        except LampError as why:
            trouble = phrase_of(why)
            log.warning("%s", trouble)
            break
        frame, number = _steady(newest, frames[-1] if frames else before, number, clock, until)
        if frame is None:
            break
        frames.append(frame)
    if len(frames) < len(LIT_IN_TURN):
        _both_again(switch)
        return LitFrames((), None, number, trouble)
    return LitFrames(tuple(frames[:-1]), frames[-1], number)


def _both_again(switch: Switch) -> None:
    """Tell both lamps to shine, without waiting for them."""
    try:
        switch.light(BOTH, 0.0)
    except LampError as why:
        log.info("%s", phrase_of(why))


def _steady(
    newest: Newest, before: Frame, number: int, clock: Callable[[], float], until: float
) -> tuple[Frame | None, int]:
    """Return the first frame in new and steady light, or None before ``until``, and the number of the last one taken.

    ``before``: a frame in the light before.
    """
    ready, old, last = clock() + FIRST_FRAME, _small(before), None
    while clock() < until:
        frame = newest(number, until - clock())
        if frame is None:
            break
        number = frame.number
        if frame.taken < ready:
            continue
        now = _small(frame)
        if (
            last is not None
            and _difference(now, last) <= STEADY_LIGHT_SHARE
            and _difference(now, old) > CHANGED_LIGHT_SHARE
        ):
            return frame, number
        last = now
    return None, number


def _small(frame: Frame) -> Small:
    grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, SMALL, interpolation=cv2.INTER_AREA), np.float32)


def _difference(one: Small, other: Small) -> float:
    """Return by how much two small pictures differ, as a share of their brightness."""
    return float(np.abs(one - other).mean()) / max(float(one.mean()), float(other.mean()), 1.0)
