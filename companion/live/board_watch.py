"""The thread that watches a board: it reads the men once nothing moves, and only reports what it saw to the writer."""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from companion.desk.sight import Agreement, BoardSeen, BoardSight
from companion.language.sentence import Sentence, why_of
from companion.live.pictures import digest, jpeg
from companion.referee.board import pooled
from companion.vision.board_readings import BoardReading
from companion.vision.boards.places import BoardPlaces, BoardReads, FoundPlaces, Learns, PlaceUnknownError
from companion.vision.mat import Mat
from companion.vision.readings import Frame, Image
from companion.vision.sources import FrameSource
from companion.vision.stillness import Stillness, StillnessState

log = logging.getLogger(__name__)

FRAME_WAIT: Final = 0.25
"""Seconds to wait for a frame before looking at the state of the source again."""

AFTER_TROUBLE: Final = 0.5
"""Seconds to wait after an unexpected error, so that it cannot fill the log."""

LEAST_LOOKS, MOST_LOOKS = 2, 5
"""The least looks at a still interval before it is reported, and the most while a doubt remains."""

SECOND_LOOK_SECONDS: Final = 0.4
"""Seconds between two looks at one still interval that left a doubt, so that one flicker of the light cannot spoil
all."""

SEEK_AGAIN: Final = 2.0
"""Seconds between two looks for a board that was not found or could not be read, after the first few looks at one that
was found before."""

HAND_PATIENCE: Final = 1.5
"""Seconds after which the watcher examines what lies still at the edge: a man that was set down there is no hand."""

RIM_SHARE: Final = 0.12
"""How much around the field still belongs to the board, as a share of the field: its rim and men beside it."""

MOVED_FIELD_SHARE: Final = 0.04
"""The field has moved if a corner lies further than this from its old place, as a share of the field's width."""

FIELD_MEN_ACROSS: Final = 14
"""A field is about this many men wide. Something much larger that comes over the edge is a hand."""


@dataclass(frozen=True)
class BoardWatchSettings:
    """How a board is watched.

    ``reader`` makes the reader of a board of this name; ``places`` makes the object that knows where it lies, by
    default `FoundPlaces`. Both are called in the watching thread.
    """

    reader: Callable[[str], BoardReads]
    places: Callable[[str, BoardReads], BoardPlaces] | None = None


def board_reader(name: str) -> BoardReads:
    """Return the reader of a board: its nets are loaded only when a board is to be read."""
    from companion.vision.boards.readers import reader_of  # noqa: PLC0415  (nets load slowly)

    return reader_of(name)


@dataclass(frozen=True)
class _Ahead:
    """A look that was taken before the board had lain quiet for long enough, which it did from ``quiet_since`` on."""

    quiet_since: float
    taken: float
    reading: BoardReading


class BoardWatcher(threading.Thread):
    """Feeds frames to stillness and reader, one at a time, always the newest."""

    def __init__(
        self,
        source: FrameSource,
        looks: BoardWatchSettings,
        report: Callable[[BoardSight], None],
        show: Callable[[Frame], None],
    ) -> None:
        """``report`` is called from this thread with every change, ``show`` with every frame, cropped to the board."""
        super().__init__(name="watch the board", daemon=True)
        self._source = source
        self._looks = self._wanted = looks
        self._report = report
        self._show = show
        self._expected: str | None = None
        self._doubted: tuple[int, int] | None = None  # interval and looks of what left the writer in doubt
        self._agreement: Agreement | None = None
        self._ending = threading.Event()
        self._number = 0
        self._complaint = ""  # what was wrong last: it is logged once
        self._interval = 0  # the number of the newest still interval; it continues when `_begin` starts over
        self._sight = BoardSight(source.name, str(source.state), source.sentence)
        self._begin(None)

    def _begin(self, board: str | None) -> None:
        """Start over with this board."""
        self._board = board
        self._reader: BoardReads | None = None
        self._places: BoardPlaces | None = None
        self._around: Mat | None = None  # the board in the picture; nothing else is kept or shown
        self._stillness = Stillness()
        self._stillness_interval: int | None = None  # the same interval as the stillness counts it
        self._readings: list[BoardReading] = []  # the newest looks in this still interval
        self._looks_taken = 0
        self._looked = 0.0
        self._read_last: tuple[int, int] | None = None  # interval and looks of the picture that was read last
        self._learnt: Agreement | None = None
        self._hand_since: float | None = None
        self._hand_doubted = 0
        self._ahead: _Ahead | None = None
        self._tried_ahead: float | None = None

    def expect(self, board: str | None) -> None:
        """Set the board to read from now on, None for none."""
        self._expected = board

    def look(self, looks: BoardWatchSettings) -> None:
        """Use these settings from now on and start over: the place of the board was given."""
        self._wanted = looks

    @property
    def taken(self) -> float | None:
        """When the newest frame that this thread has processed was taken, by the monotonic clock; None before any."""
        return self._sight.taken

    def doubt(self, interval: int, looks: int) -> None:
        """Ask for another look in this still interval, which left a doubt after this many looks."""
        self._doubted = (interval, looks)

    def agreed(self, agreement: Agreement) -> None:
        """Let the reader learn from a look whose men everybody agrees on, if it is still the newest."""
        self._agreement = agreement

    def end(self) -> None:
        """Ask the thread to end soon."""
        self._ending.set()

    def run(self) -> None:
        """Watch until the end. No error ends the thread before."""
        while not self._ending.is_set():
            try:
                self._step()
            except Exception as error:
                log.exception("watching the board goes on after this")
                self._publish(replace(self._sight, trouble=_unread(error), seen=None))
                self._ending.wait(AFTER_TROUBLE)

    def _step(self) -> None:
        if self._board != self._expected or self._looks is not self._wanted:
            self._looks = self._wanted
            self._begin(self._expected)
            self._sight = replace(self._sight, seen=None, trouble=None)
        self._learn()
        frame = self._source.newest(self._number, FRAME_WAIT)
        sight = replace(self._sight, status=str(self._source.state), sentence=self._source.sentence)
        if sight.status != "LIVE":
            self._stillness = self._new_stillness()
            self._stillness_interval = None
            sight = replace(sight, phase=None, hand=False, seen=None)
        if frame is None:
            self._publish(sight)
            return
        self._number = frame.number
        cropped = frame if self._around is None else self._around.crop(frame)
        if self._around is not None or self._board is None:
            self._show(cropped)
        height, width = frame.image.shape[:2]
        sight = replace(sight, taken=frame.taken, size=(width, height))
        self._publish(self._look(frame, cropped, self._stillness.feed(cropped), sight))

    def _learn(self) -> None:
        """Learn from the newest look once table and match agree on it."""
        agreement = self._agreement
        if agreement is None or agreement == self._learnt or self._reader is None:
            return
        if (agreement.interval, agreement.looks) == self._read_last and isinstance(self._reader, Learns):
            self._learnt = agreement
            self._reader.learn(agreement.men)

    def _look(self, frame: Frame, cropped: Frame, state: StillnessState, sight: BoardSight) -> BoardSight:
        sight = replace(sight, phase=state.phase, hand=state.hand)
        if state.phase == "settling":
            self._look_ahead(frame, state)
        if state.phase != "still":
            self._stillness_interval, self._hand_since = None, None
            return replace(sight, seen=None, trouble=None)
        if state.hand:
            self._doubt_the_hand(frame, state)
            return replace(sight, seen=None, trouble=None)
        if state.interval != self._stillness_interval:
            self._stillness_interval, self._interval = state.interval, self._interval + 1
            self._readings, self._looks_taken = [], 0
            if self._ahead is not None and self._ahead.quiet_since == state.quiet_since:
                self._readings, self._looks_taken, self._looked = [self._ahead.reading], 1, self._ahead.taken
        if self._board is None or not self._due(frame, sight):
            return sight
        return self._read(frame, cropped, sight)

    def _look_ahead(self, frame: Frame, state: StillnessState) -> None:
        """Read a known board once, while it must still lie quiet for a moment: if it does, this was the first look."""
        since = state.quiet_since
        if since is None or since == self._tried_ahead or state.hand or self._around is None or frame.taken <= since:
            return
        self._tried_ahead = since
        self._read_last = None  # the reader has another picture now than the one that was reported
        with suppress(Exception):  # the look at the still board comes to the same error, and tells
            reading = self._reading(frame.image)
            self._ahead = _Ahead(since, frame.taken, reading) if reading.status == "read" else None

    def _due(self, frame: Frame, sight: BoardSight) -> bool:
        """Whether to look at the board again in this frame."""
        if self._looks_taken < LEAST_LOOKS:
            return True
        waited, seen = frame.taken - self._looked, sight.seen
        if seen is None or seen.reading.status != "read":
            known = self._around is not None and self._looks_taken < MOST_LOOKS
            return waited >= (SECOND_LOOK_SECONDS if known else SEEK_AGAIN)
        doubted = self._doubted == (seen.interval, seen.looks)
        return doubted and self._looks_taken < MOST_LOOKS and waited >= SECOND_LOOK_SECONDS

    def _doubt_the_hand(self, frame: Frame, state: StillnessState) -> None:
        """Accept that what lies still at the edge for long is no hand, if the reader sees every site of the board."""
        if self._hand_since is None:
            self._hand_since = frame.taken
        waited = frame.taken - self._hand_since > HAND_PATIENCE
        if self._board is not None and waited and state.interval != self._hand_doubted:
            self._hand_doubted = state.interval
            self._read_last = None
            try:
                reading = self._reading(frame.image)
            except PlaceUnknownError:
                return
            if reading.status == "read" and all(site.status != "hidden" for site in reading.sites.values()):
                self._stillness.accept()

    def _read(self, frame: Frame, cropped: Frame, sight: BoardSight) -> BoardSight:
        self._looked, self._looks_taken, self._read_last = frame.taken, self._looks_taken + 1, None
        try:
            reading = self._reading(frame.image)
        except PlaceUnknownError as unknown:
            self._looks_taken = 0  # read again with the next frame: it takes several to know where the board lies now
            self._readings = []
            return replace(sight, trouble=unknown.sentence, seen=None, picture=frame.number)
        except Exception as error:
            if str(error) != self._complaint:
                log.exception("the board could not be read")
            self._complaint = str(error)
            self._looks_taken = LEAST_LOOKS  # not again with every frame
            return replace(sight, trouble=_unread(error), seen=None, picture=frame.number)
        if self._framed(frame, reading):
            return replace(sight, phase="settling")  # it must be still again, now without what lies around the board
        self._readings = [*self._readings, reading][-MOST_LOOKS:]
        self._read_last = self._interval, self._looks_taken
        if self._looks_taken < LEAST_LOOKS:
            return sight
        picture = jpeg(cropped.image)
        all_looks = pooled(self._readings)
        field = self._shares(all_looks.corners, cropped.image)
        seen = BoardSeen(self._interval, self._looks_taken, all_looks, picture, digest(picture), field)
        return replace(sight, seen=seen, trouble=None, warning=reading.warning, picture=frame.number)

    def _reading(self, image: Image) -> BoardReading:
        assert self._board is not None
        if self._reader is None:
            self._reader = self._looks.reader(self._board)
        if self._places is None:
            make = self._looks.places or (lambda _, reader: FoundPlaces(reader))
            self._places = make(self._board, self._reader)
        place = self._places.field(image)
        reading = self._reader.read(image, place)
        if reading.status != "read" and isinstance(self._places, FoundPlaces):
            self._places.lose()
        return reading

    def _framed(self, frame: Frame, reading: BoardReading) -> bool:
        """Crop to the board from here on, once its place is known or when it was moved; return whether it did."""
        if reading.status != "read" or len(reading.corners) != 4:  # noqa: PLR2004  (a field)
            return False
        height, width = frame.image.shape[:2]
        corners = np.array(reading.corners, np.float64)
        mat = around(corners, width, height)
        if self._around is not None and self._around.size == mat.size:
            assert self._around.polygon is not None
            assert mat.polygon is not None
            far = np.abs(np.array(self._around.polygon) - np.array(mat.polygon)).max()
            if far < MOVED_FIELD_SHARE * np.ptp(corners[:, 0]):
                return False
        self._around = mat
        self._stillness = self._new_stillness()
        self._stillness.feed(mat.crop(frame))
        self._stillness.set_die_size(float(np.ptp(corners[:, 0])) / FIELD_MEN_ACROSS)
        self._stillness_interval = None
        return True

    def _shares(self, corners: Sequence[tuple[float, float]], cropped: Image) -> tuple[tuple[float, float], ...]:
        """Return places in the frame as shares of the width and height of the cropped picture."""
        outline = self._around.polygon if self._around is not None and self._around.polygon is not None else ((0, 0),)
        left, top = (min(corner[axis] for corner in outline) for axis in (0, 1))
        height, width = cropped.shape[:2]
        return tuple((round((x - left) / width, 4), round((y - top) / height, 4)) for x, y in corners)

    def _new_stillness(self) -> Stillness:
        return Stillness() if self._around is None else Stillness(self._around, self._around.size)

    def _publish(self, sight: BoardSight) -> None:
        changed = replace(sight, taken=None) != replace(self._sight, taken=None)
        self._sight = sight
        if changed and not self._ending.is_set():
            self._report(sight)


def around(corners: "np.ndarray[Any, np.dtype[np.float64]]", width: int, height: int) -> Mat:
    """Return the part of a picture that holds a board with its rim: its field, widened on all sides."""
    middle = corners.mean(axis=0)
    wide = middle + (corners - middle) * (1 + 2 * RIM_SHARE)
    inside = np.clip(wide, [0, 0], [width, height])
    return Mat(tuple((float(x), float(y)) for x, y in inside), (width, height))


def _unread(error: Exception) -> Sentence:
    return Sentence(
        "The board cannot be read: {error} Tap in what is played.",
        error=why_of(error) if str(error) else Sentence("an error."),
    )
