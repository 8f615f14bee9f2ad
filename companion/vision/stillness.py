"""Find still intervals: the reader reads a throw once, while nothing moves and no hand is in the picture."""

import itertools
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from companion.vision.change import compare, shrink
from companion.vision.hand import HandWatch
from companion.vision.mat import Mask, Mat
from companion.vision.readings import Frame, Image

Phase = Literal["moving", "settling", "still"]

QUIET_SECONDS = 0.18  # seconds without movement before a still interval: 3 frames at 15 a second, 1 at 5
GAP_SECONDS = 1.5  # with more seconds between two frames, anything may have happened between them
CREEP_SECONDS = 2.0  # compare with the table of about two seconds ago: finds what creeps, follows slow changes of light
SHARPEN_SECONDS = 1.0  # seconds into a still interval during which a sharper frame may still replace one
MOST_FRAMES = 3
ABSORB_SECONDS = 45.0  # seconds without any movement after which what reaches in counts as an object and not as a hand
REPEATED_SHARE = 0.02  # a picture in which no larger share of small pixels differs is the one before, delivered again
REPEATS_SECONDS = 0.8  # seconds of repeated pictures after which the table stands still: a stream may leave out noise
FIRST_NOISE, MOST_NOISE = 1.0, 12.0  # 75th percentile of differences; a webcam by candle light reaches 8


@dataclass(frozen=True)
class StillnessState:
    """Whether anything moves, in ``phase``.

    ``hand``: something reaches in over the edge. ``interval``: the number of the newest still interval. ``frames``: up
    to three frames of this interval, sharpest first; empty while anything moves. ``quiet_since``: when the frame was
    taken after which nothing has moved; None while anything moves.
    """

    phase: Phase
    hand: bool
    interval: int
    frames: tuple[Frame, ...]
    quiet_since: float | None = None


@dataclass(frozen=True)
class _Seen:
    """A frame with its small picture."""

    frame: Frame
    small: Image


class Stillness:
    """Watches one camera. Takes frames cropped by ``mat``, in order, and knows no other time than ``Frame.taken``.

    A slow phone or network camera delivers a picture of rolling dice again and again until it has a new one. Where
    frames may repeat, those that do are left out: rest takes different frames of a still table, or nothing new for
    `REPEATS_SECONDS`.
    """

    def __init__(self, mat: Mat | None = None, size: tuple[int, int] | None = None) -> None:
        """``mat`` and the ``size`` (width, height) of whole frames give the mat's edge inside the cropped frames."""
        self._inside: Mask | None = mat.mask(*size) if mat is not None and size is not None else None
        self._interval = 0
        self._noise = FIRST_NOISE
        self._absorbing_since = 0.0
        self._last: _Seen | None = None
        self._news = 0.0  # when a picture last differed from the one before
        self._begin_again()

    def _begin_again(self) -> None:
        self._watch: HandWatch | None = None
        self._moving_hand = False
        self._gaps = 0  # long waits in a row at whose ends nothing had changed
        self._anchor: _Seen | None = None  # first frame of the quiet time; during movement the newest; None at first
        self._slow: np.ndarray[tuple[int, ...], np.dtype[np.float32]] | None = None
        self._sharpest: list[tuple[float, int, Frame]] = []
        self._state = StillnessState("settling", hand=False, interval=self._interval, frames=())

    def feed(self, frame: Frame) -> StillnessState:
        """Take the next frame and return the state. A frame that is not newer than the last one changes nothing."""
        last = self._last
        if last is not None and frame.taken <= last.frame.taken:
            return self._state
        seen = _Seen(frame, shrink(frame.image))
        if last is None or not frame.may_repeat or not self._repeats(seen, last):
            self._news = frame.taken
        elif frame.taken - self._news < REPEATS_SECONDS:
            return self._state
        self._last = seen
        if last is None or last.small.shape != seen.small.shape or self._watch is None:
            self._begin_again()
            self._watch = HandWatch(self._inside_small(seen))
            self._begin_quiet(seen)
            return self._state
        moved = self._moved(seen, last)
        gap = frame.taken - last.frame.taken > GAP_SECONDS
        self._gaps = self._gaps + 1 if gap and not moved else 0
        # A camera that is always so slow shows rest by a third equal picture; the table would else wait for ever.
        if moved or (self._gaps == 1 and self._state.phase != "still"):
            self._begin_quiet(seen)
        else:
            self._sharpen(seen)
        self._state = self._judge(seen, moved=moved)
        return self._state

    def set_die_size(self, side: float) -> None:
        """Set the side of a die in pixels of the cropped frame; it helps to distinguish dice from a hand."""
        if self._watch is not None and self._last is not None:
            self._watch.set_die_size(side * self._last.small.shape[1] / self._last.frame.image.shape[1])

    def same(self, one: Frame, other: Frame) -> bool:
        """Return whether two cropped frames show the same table, as far as this camera's noise lets one see."""
        small, before = shrink(one.image), shrink(other.image)
        return small.shape == before.shape and not compare(small, before, self._noise).moved

    def accept(self) -> None:
        """Take the current picture as the table without a hand: what reaches in is an object that stays there."""
        if self._watch is None or self._last is None:
            return
        self._watch.adopt(self._last.small, self._noise)
        self._state = self._settle(self._last, hand=False)

    def _repeats(self, seen: _Seen, last: _Seen) -> bool:
        """Tell whether this is the picture before once more: a sensor never gives the same picture twice."""
        if seen.small.shape != last.small.shape:
            return False
        differing = np.count_nonzero(cv2.absdiff(seen.small, last.small))
        if differing > REPEATED_SHARE * seen.small.size:
            return False
        return differing == 0 or not compare(seen.small, last.small, self._noise).moved

    def _moved(self, seen: _Seen, last: _Seen) -> bool:
        """Compare with the last frame, and with the start of the quiet time or the table of two seconds ago."""
        assert self._watch is not None
        change = compare(seen.small, last.small, self._noise)
        # Movement over half the picture must not count as noise at once, but the estimate must follow real noise.
        pull = 0.3 if change.noise < self._noise else 0.05
        self._noise = min(MOST_NOISE, self._noise + pull * (change.noise - self._noise))
        if change.moved:
            self._moving_hand = self._watch.in_motion(change.mask)
            return True
        self._moving_hand = False
        assert self._anchor is not None
        if self._slow is None:
            return self._anchor is not last and compare(seen.small, self._anchor.small, self._noise).moved
        slow = cv2.convertScaleAbs(self._slow).astype(np.uint8)
        if compare(seen.small, slow, self._noise).moved:
            return True
        weight = min(1.0, (seen.frame.taken - last.frame.taken) / CREEP_SECONDS)
        cv2.accumulateWeighted(seen.small, self._slow, weight)
        return False

    def _judge(self, seen: _Seen, *, moved: bool) -> StillnessState:
        assert self._watch is not None
        if moved:
            hand = self._moving_hand or self._watch.reaches_in(seen.small, self._noise)
            return StillnessState("moving", hand=hand, interval=self._interval, frames=())
        assert self._anchor is not None
        if self._state.phase == "still":
            return self._keep_still(seen)
        if seen.frame.taken - self._anchor.frame.taken < QUIET_SECONDS:
            since = self._anchor.frame.taken
            return StillnessState("settling", self._state.hand, self._interval, frames=(), quiet_since=since)
        hand = self._watch.reaches_in(seen.small, self._noise)
        if hand and self._watch.has_left(seen.small, self._noise):
            self._watch.forget()
            hand = False
        return self._settle(seen, hand=hand)

    def _settle(self, seen: _Seen, *, hand: bool) -> StillnessState:
        """Begin a new still interval."""
        assert self._watch is not None
        self._interval += 1
        self._slow = seen.small.astype(np.float32)
        self._absorbing_since = seen.frame.taken
        if not hand:
            self._watch.learn(seen.small, self._noise)
        return self._still(hand=hand)

    def _keep_still(self, seen: _Seen) -> StillnessState:
        assert self._watch is not None
        if self._state.hand and seen.frame.taken - self._absorbing_since > ABSORB_SECONDS:
            self._watch.adopt(seen.small, self._noise)
            return self._settle(seen, hand=False)
        return self._still(hand=self._state.hand)

    def _still(self, *, hand: bool) -> StillnessState:
        assert self._anchor is not None
        return StillnessState("still", hand, self._interval, self._frames(), self._anchor.frame.taken)

    def _begin_quiet(self, seen: _Seen) -> None:
        """Take this frame as the first of a still interval, until movement shows that it was not."""
        self._anchor = seen
        self._slow = None
        self._sharpest = []
        self._sharpen(seen)

    def _sharpen(self, seen: _Seen) -> None:
        """Keep the frame if it is among the sharpest of this still interval."""
        assert self._anchor is not None
        if seen.frame.taken - self._anchor.frame.taken > QUIET_SECONDS + SHARPEN_SECONDS:
            return
        plane = np.ascontiguousarray(seen.frame.image[::2, ::2, 1])
        sharpness = float(cv2.Laplacian(plane, cv2.CV_16S, ksize=1).astype(np.float32).var())
        self._sharpest.append((sharpness, seen.frame.number, seen.frame))
        self._sharpest.sort(key=lambda kept: kept[0], reverse=True)
        del self._sharpest[MOST_FRAMES:]

    def _frames(self) -> tuple[Frame, ...]:
        return tuple(frame for _, _, frame in itertools.islice(self._sharpest, MOST_FRAMES))

    def _inside_small(self, seen: _Seen) -> Mask:
        height, width = seen.small.shape[:2]
        if self._inside is None:
            return np.ones((height, width), np.bool_)
        share = cv2.resize(self._inside.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(share > 0.99, np.bool_)  # noqa: PLR2004
