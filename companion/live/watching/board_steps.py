"""How a board is watched, frame by frame: its men are read once nothing moves. The steps decide nothing about them."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from companion.desk.sight import Agreement, BoardSeen, BoardSight
from companion.language.sentence import Sentence, why_of
from companion.live.pictures import digest, jpeg
from companion.live.watching.thread import Action, Steps, WatchingThread, WatchState
from companion.referee.board.evidence import pooled
from companion.vision.board_readings import BoardReading
from companion.vision.boards.places import BoardPlaces, BoardReads, FoundPlaces, Learns, PlaceUnknownError
from companion.vision.mat import Mat
from companion.vision.readings import Frame, Image
from companion.vision.sources.source import FrameSource
from companion.vision.stillness import Stillness, StillnessState

log = logging.getLogger(__name__)

LEAST_READINGS, MOST_READINGS = 2, 5
"""The least observations of a still interval before it is reported, and the most while a doubt remains."""

SECOND_READING_SECONDS: Final = 0.4
"""Seconds between two observations of one still interval that left a doubt, so that one flicker of the light cannot
spoil all."""

SEEK_AGAIN: Final = 2.0
"""Seconds between two searches for a board that was not found or could not be read, after the first few for one that
was found before."""

HAND_PATIENCE: Final = 0.6
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


class BoardEyes:
    """Reads one board through one camera: its reader and its places are made at the first reading."""

    def __init__(self, settings: BoardWatchSettings, board: str) -> None:
        self._settings = settings
        self._board = board

    @cached_property
    def reader(self) -> BoardReads:
        """What reads the board."""
        return self._settings.reader(self._board)

    @cached_property
    def _places(self) -> BoardPlaces:
        make = self._settings.places
        return FoundPlaces(self.reader) if make is None else make(self._board, self.reader)

    def read(self, image: Image) -> BoardReading:
        """Return what a picture shows of the board.

        Raises:
            PlaceUnknownError: it is not known for certain where the board lies.
        """
        places = self._places
        reading = self.reader.read(image, places.field(image))
        if reading.status != "read" and isinstance(places, FoundPlaces):
            places.lose()
        return reading


@dataclass(frozen=True)
class _Ahead:
    """An observation from before the board had lain quiet for long enough, which it did from ``quiet_since`` on."""

    quiet_since: float
    taken: float
    reading: BoardReading


@dataclass(frozen=True)
class BoardState(WatchState[BoardSight]):
    """What the watching thread knows of the board. Times are those of the frames, in seconds.

    Attributes:
        wanted: the settings to use from the next frame on; ``used``: those that are in use.
        expected: the board to read from the next frame on, None for none; ``board``: the one that is read.
        eyes: what reads it, None without a board.
        around: the board in the picture; nothing else is kept or shown.
        stillness: whether anything moves.
        counted: the newest still interval as the stillness counts it, None while anything moves.
        interval: its number, which goes on when another board is watched.
        readings: the newest observations in this still interval; ``count``: how many were taken.
        looked: when the newest was.
        read_last: interval and number of the picture that the eyes have read last, if it counts as an observation.
        doubted: interval and number of what left the writer in doubt.
        agreement: that on which table and match agree; ``learnt``: the one that was learnt last.
        hand_since: when a hand came to lie still; ``hand_doubted``: the still interval in which it was doubted.
        ahead: the observation that was taken early; ``tried_ahead``: from when on the board lay quiet then.
        complaint: what was wrong last: it is logged once.
    """

    wanted: BoardWatchSettings
    used: BoardWatchSettings
    expected: str | None = None
    board: str | None = None
    eyes: BoardEyes | None = None
    around: Mat | None = None
    stillness: Stillness = field(default_factory=Stillness)
    counted: int | None = None
    interval: int = 0
    readings: tuple[BoardReading, ...] = ()
    count: int = 0
    read_at: float = 0.0
    read_last: tuple[int, int] | None = None
    doubted: tuple[int, int] | None = None
    agreement: Agreement | None = None
    learnt: Agreement | None = None
    hand_since: float | None = None
    hand_doubted: int = 0
    ahead: _Ahead | None = None
    tried_ahead: float | None = None
    complaint: str = ""

    def begun(self) -> "BoardState":
        """Return the state that starts over with the wanted settings and the expected board."""
        return BoardState(
            replace(self.sight, seen=None, trouble=None),
            self.wanted,
            self.wanted,
            self.expected,
            self.expected,
            None if self.expected is None else BoardEyes(self.wanted, self.expected),
            number=self.number,
            interval=self.interval,
            doubted=self.doubted,
            agreement=self.agreement,
            complaint=self.complaint,
        )


Result = tuple[BoardState, Sequence[Action]]
Change = Callable[[BoardState], BoardState]


class BoardSteps(Steps[BoardState]):
    """The steps from one state to the next. What they keep between two frames is in the state."""

    def __init__(self, settings: BoardWatchSettings, show: Callable[[Frame], None]) -> None:
        """``show`` is called with every frame, cropped to the board."""
        self._settings = settings
        self._show = show

    def begin(self, source: FrameSource) -> BoardState:
        """Return the state before the first frame."""
        sight = BoardSight(source.name, str(source.state), source.sentence)
        return BoardState(sight, self._settings, self._settings)

    def ready(self, state: BoardState) -> Result:
        """Start over where another board or place is wanted; learn from the newest observation once all agree on it."""
        if state.board != state.expected or state.used is not state.wanted:
            state = state.begun()
        agreement = state.agreement
        if agreement is None or agreement == state.learnt or state.eyes is None:
            return state, ()
        if (agreement.interval, agreement.readings) == state.read_last and isinstance(state.eyes.reader, Learns):
            return replace(state, learnt=agreement), (partial(state.eyes.reader.learn, agreement.men),)
        return state, ()

    def failed(self, state: BoardState, error: Exception) -> BoardState:
        """Return the state after an unexpected error."""
        return state.seeing(trouble=_unread(error), seen=None)

    def step(self, state: BoardState, frame: Frame | None, now: float) -> Result:
        """Return the state after a frame, None where none came in time."""
        del now  # the frames have all the time that counts
        if state.sight.status != "LIVE":
            state = replace(state.seeing(phase=None, hand=False, seen=None), stillness=_stillness(state), counted=None)
        if frame is None:
            return state, ()
        cropped = frame if state.around is None else state.around.crop(frame)
        shown = (partial(self._show, cropped),) if state.around is not None or state.board is None else ()
        height, width = frame.image.shape[:2]
        state = state.seeing(taken=frame.taken, size=(width, height))
        return _seen_at_rest(state, frame, cropped, state.stillness.feed(cropped)), shown


def watching_board(
    source: FrameSource,
    settings: BoardWatchSettings,
    report: Callable[[BoardSight], None],
    show: Callable[[Frame], None],
) -> WatchingThread[BoardState]:
    """Return the thread that watches a board; in it, ``report`` and ``show`` are called."""
    return WatchingThread("watch the board", source, BoardSteps(settings, show), report)


def expect(board: str | None) -> Change:
    """Set the board to read from now on, None for none."""
    return lambda state: replace(state, expected=board)


def use(settings: BoardWatchSettings) -> Change:
    """Use these settings from now on and start over: the place of the board was given."""
    return lambda state: replace(state, wanted=settings)


def doubt(interval: int, readings: int) -> Change:
    """Ask for another observation in this still interval, which left a doubt after this many observations."""
    return lambda state: replace(state, doubted=(interval, readings))


def agree(agreement: Agreement) -> Change:
    """Let the reader learn from an observation whose men everybody agrees on, if it is still the newest."""
    return lambda state: replace(state, agreement=agreement)


def _seen_at_rest(state: BoardState, frame: Frame, cropped: Frame, still: StillnessState) -> BoardState:
    state = state.seeing(phase=still.phase, hand=still.hand)
    if still.phase == "settling":
        state = _read_ahead(state, frame, still)
    if still.phase != "still":
        return replace(state.seeing(seen=None, trouble=None), counted=None, hand_since=None)
    if still.hand:
        return _doubt_the_hand(state.seeing(seen=None, trouble=None), frame, still)
    if still.interval != state.counted:
        state = replace(state, counted=still.interval, interval=state.interval + 1, readings=(), count=0)
        ahead = state.ahead
        if ahead is not None and ahead.quiet_since == still.quiet_since:
            state = replace(state, readings=(ahead.reading,), count=1, read_at=ahead.taken)
    if state.eyes is None or not _due(state, frame):
        return state
    return _read(state, state.eyes, frame, cropped)


def _read_ahead(state: BoardState, frame: Frame, still: StillnessState) -> BoardState:
    """Read a known board once, while it must still lie quiet for a moment: if it does, this was the first time."""
    since, eyes = still.quiet_since, state.eyes
    if since is None or since == state.tried_ahead or frame.taken <= since:
        return state
    if still.hand or state.around is None or eyes is None:
        return state
    # the reader has another picture then than the one that was reported
    state = replace(state, tried_ahead=since, read_last=None)
    with suppress(Exception):  # the observation of the still board comes to the same error, and tells
        reading = eyes.read(frame.image)
        return replace(state, ahead=_Ahead(since, frame.taken, reading) if reading.status == "read" else None)
    return state


def _due(state: BoardState, frame: Frame) -> bool:
    """Whether to look at the board again in this frame."""
    if state.count < LEAST_READINGS:
        return True
    waited, seen = frame.taken - state.read_at, state.sight.seen
    if seen is None or seen.reading.status != "read":
        known = state.around is not None and state.count < MOST_READINGS
        return waited >= (SECOND_READING_SECONDS if known else SEEK_AGAIN)
    doubted = state.doubted == (seen.interval, seen.readings)
    return doubted and state.count < MOST_READINGS and waited >= SECOND_READING_SECONDS


def _doubt_the_hand(state: BoardState, frame: Frame, still: StillnessState) -> BoardState:
    """Accept that what lies still at the edge for long is no hand, if the reader sees every site of the board."""
    since, eyes = frame.taken if state.hand_since is None else state.hand_since, state.eyes
    state = replace(state, hand_since=since)
    if eyes is None or frame.taken - since <= HAND_PATIENCE or still.interval == state.hand_doubted:
        return state
    state = replace(state, hand_doubted=still.interval, read_last=None)
    try:
        reading = eyes.read(frame.image)
    except PlaceUnknownError:
        return state
    except Exception:
        log.exception("the board under a seeming hand could not be read")
        return state
    if reading.status == "read" and all(site.status != "hidden" for site in reading.sites.values()):
        state.stillness.accept()
    return state


def _read(state: BoardState, eyes: BoardEyes, frame: Frame, cropped: Frame) -> BoardState:
    state = replace(state, read_at=frame.taken, count=state.count + 1, read_last=None)
    try:
        reading = eyes.read(frame.image)
    except PlaceUnknownError as unknown:
        # read again with the next frame: it takes several to know where the board lies now
        state = replace(state, count=0, readings=())
        return state.seeing(trouble=unknown.sentence, seen=None, picture=frame.number)
    except Exception as error:
        if str(error) != state.complaint:
            log.exception("the board could not be read")
        state = replace(state, complaint=str(error), count=LEAST_READINGS)  # not again with every frame
        return state.seeing(trouble=_unread(error), seen=None, picture=frame.number)
    framed = _framed(state, frame, reading)
    if framed is not state:
        return framed.seeing(phase="settling")  # it must be still again, now without what lies around the board
    readings = (*state.readings, reading)[-MOST_READINGS:]
    state = replace(state, readings=readings, read_last=(state.interval, state.count))
    if state.count < LEAST_READINGS:
        return state
    picture, all_readings = jpeg(cropped.image), pooled(readings)
    field_ = _shares(state.around, all_readings.corners, cropped.image)
    seen = BoardSeen(state.interval, state.count, all_readings, picture, digest(picture), field_)
    return state.seeing(seen=seen, trouble=None, warning=reading.warning, picture=frame.number)


def _framed(state: BoardState, frame: Frame, reading: BoardReading) -> BoardState:
    """Crop to the board from here on, once its place is known or when it was moved; return the same state if not."""
    if reading.status != "read" or len(reading.corners) != 4:  # noqa: PLR2004  (a field)
        return state
    height, width = frame.image.shape[:2]
    corners = np.array(reading.corners, np.float64)
    mat, known = around(corners, width, height), state.around
    if known is not None and known.size == mat.size:
        assert known.polygon is not None
        assert mat.polygon is not None
        far = np.abs(np.array(known.polygon) - np.array(mat.polygon)).max()
        if far < MOVED_FIELD_SHARE * np.ptp(corners[:, 0]):
            return state
    state = replace(state, around=mat, counted=None)
    stillness = _stillness(state)
    stillness.feed(mat.crop(frame))
    stillness.set_die_size(float(np.ptp(corners[:, 0])) / FIELD_MEN_ACROSS)
    return replace(state, stillness=stillness)


def _shares(
    cropped_to: Mat | None, corners: Sequence[tuple[float, float]], cropped: Image
) -> tuple[tuple[float, float], ...]:
    """Return places in the frame as shares of the width and height of the cropped picture."""
    outline = cropped_to.polygon if cropped_to is not None and cropped_to.polygon is not None else ((0, 0),)
    left, top = (min(corner[axis] for corner in outline) for axis in (0, 1))
    height, width = cropped.shape[:2]
    return tuple((round((x - left) / width, 4), round((y - top) / height, 4)) for x, y in corners)


def _stillness(state: BoardState) -> Stillness:
    return Stillness() if state.around is None else Stillness(state.around, state.around.size)


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
