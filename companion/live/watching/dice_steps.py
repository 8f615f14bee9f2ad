"""How dice are watched, frame by frame: they are read once nothing moves. The steps decide nothing about the match."""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import cv2
import numpy as np

from companion.desk.sight import DiceSeen, Sight
from companion.language.sentence import Sentence, why_of
from companion.live.pictures import Pictures, crop_of, digest, jpeg
from companion.live.watching.dice_eyes import DiceEyes, UnderLamps, doubtful, lying
from companion.live.watching.dice_settings import WatchSettings
from companion.live.watching.shaking import Shaking
from companion.live.watching.thread import Action, Steps, WatchingThread, WatchState
from companion.referee.arrangement import Arrangement, compare
from companion.referee.readable import Dice
from companion.vision.images import too_dark
from companion.vision.mat import Mat, find_mat
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import DiceReading, Frame
from companion.vision.sources.source import FrameSource
from companion.vision.stillness import Stillness, StillnessState

log = logging.getLogger(__name__)

PICTURE_EVERY: Final = 1.0
"""Seconds between two pictures announced to pages while the table moves."""

WHOLE: Final = Mat()
"""The whole picture, where no mat is found."""

TEACHING = Sentence("Somebody is teaching the table its dice: throws count again when that ends.")

ROLLING_ON: Final = 1.0
"""Seconds between two still intervals in which nobody takes up dice and throws them again: rolling takes that long."""

HAND_PATIENCE: Final = 1.5
"""Seconds: no hand in the air keeps so still for so long, but dice that touch each other do."""


@dataclass(frozen=True)
class DiceState(WatchState[Sight]):
    """What the watching thread knows of the dice. Times are those of the frames, but for ``announced``.

    Attributes:
        mat: the part of the picture that counts.
        mat_known: whether the mat was given, or sought in a frame.
        stillness: whether anything moves.
        shaking: whether dice lie still on ground that shakes.
        expected: the dice to read, None for none.
        taught: the dice that somebody teaches now.
        board: a place of a board that was just found to lie here.
        read: the still interval, dice and purpose of the last reading.
        blind_at: the count of motions when the camera last did not see.
        announced: when a picture was last announced to pages while the table moved, by the monotonic clock.
        hand_since: when a hand came to lie still.
        doubted: the still interval in which that hand was doubted.
        dark: whether the picture was too dark then.
        rested: when dice were last seen at rest; None after a hand, or an empty table.
        left: the dice as the teaching left them: they are no throw of the match.
        lit: the dice for which the lamps were switched last.
    """

    mat: Mat = WHOLE
    mat_known: bool = False
    stillness: Stillness = field(default_factory=Stillness)
    shaking: Shaking = field(default_factory=Shaking)
    expected: Dice | None = None
    taught: Dice | None = None
    board: tuple[float, float] | None = None
    read: tuple[int, Dice | None, bool] | None = None
    blind_at: int = 0
    announced: float = 0.0
    hand_since: float | None = None
    doubted: int | None = None
    dark: bool = False
    rested: float | None = None
    left: Arrangement = ()
    lit: Arrangement = ()

    def restarted(self, mat: Mat) -> "DiceState":
        """Return the state that watches this part of the picture from here on; what lies there is no new throw."""
        sight = replace(self.sight, phase=None, hand=False, seen=None)
        stillness = Stillness(mat, mat.size)
        # the intervals of the new stillness count from the beginning
        return replace(self, mat=mat, stillness=stillness, read=None, doubted=None, blind_at=sight.motion, sight=sight)


@dataclass(frozen=True)
class _View:
    """One frame: ``whole`` and ``cropped`` by the mat, whose corner is ``origin``; and whether anything moves in it."""

    whole: Frame
    cropped: Frame
    origin: tuple[int, int]
    still: StillnessState


Result = tuple[DiceState, Sequence[Action]]
Change = Callable[[DiceState], DiceState]


class DiceSteps(Steps[DiceState]):
    """The steps from one state to the next. What they keep between two frames is in the state, but for the readers."""

    def __init__(self, settings: WatchSettings, eyes: DiceEyes, pictures: Pictures) -> None:
        self._settings = settings
        self._eyes = eyes
        self._pictures = pictures

    def begin(self, source: FrameSource) -> DiceState:
        """Return the state before the first frame."""
        sight, mat = Sight(source.name, str(source.state), source.sentence), self._settings.mat
        if mat is None:
            return DiceState(sight)
        return DiceState(sight, mat=mat, mat_known=True, stillness=Stillness(mat, mat.size))

    def open(self, camera: str) -> None:
        """Open what the table remembers of the dice before this camera."""
        if self._settings.learning is not None:
            self._settings.learning.open(camera)

    def close(self) -> None:
        """Close what the table remembers."""
        if self._settings.learning is not None:
            self._settings.learning.close()

    def ready(self, state: DiceState) -> Result:
        """Do what was asked of the table's memory, and notice which dice are taught."""
        self._eyes.work()
        teaching = self._settings.teaching
        return replace(state, taught=None if teaching is None else teaching.dice), ()

    def failed(self, state: DiceState, error: Exception) -> DiceState:
        """Return the state after an unexpected error."""
        trouble = Sentence(
            "Watching the table failed ({error}): tap the dice in, or start the companion again.",
            error=type(error).__name__,
        )
        return state.seeing(trouble=trouble, seen=None)

    def step(self, state: DiceState, frame: Frame | None, now: float) -> Result:
        """Return the state after a frame, None where none came in time."""
        if state.sight.status != "LIVE":
            state = state.restarted(state.mat)
        if frame is None:
            return state, ()
        state = _widened(_with_mat(state, frame))
        try:
            cropped = state.mat.crop(frame)
            origin = state.mat.box(frame.image.shape[1], frame.image.shape[0])[:2]
        except BadFrameError as error:
            bad = state.sight.bad_frames + 1
            return state.seeing(bad_frames=bad, trouble=error.sentence), ()
        view = _View(frame, cropped, origin, state.stillness.feed(cropped))
        state, shaken, rests = self._read_while_shaking(state, view)
        state, actions = (state, ()) if rests else self._examine(state, view, now)
        return state, (partial(self._pictures.show, cropped), *shaken, *actions)

    def _read_while_shaking(self, state: DiceState, view: _View) -> tuple[DiceState, Sequence[Action], bool]:
        """Return whether dice lie still in a picture that moves, and the state that shows them if they do."""
        taken, shaking = view.cropped.taken, state.shaking
        due = shaking.due(view.still, taken)
        if state.expected is None or state.taught is not None or not self._settings.restless:
            return state, (), False
        actions: Sequence[Action] = ()
        if due:
            found, actions = self._reading(state, view, (view.cropped,), state.expected)
            sight = found.sight
            if sight.seen is not None and shaking.take(sight.seen, taken):
                seen, number = shaking.one_rest(sight.seen), view.cropped.number
                sight = replace(sight, seen=seen, phase="still", hand=False, taken=taken, picture=number, trouble=None)
                return replace(found, sight=sight), actions, True
            state = replace(found, sight=state.sight, rested=state.rested)
        if shaking.rests:
            state = state.seeing(taken=taken)
        return state, actions, shaking.rests

    def _examine(self, state: DiceState, view: _View, now: float) -> Result:
        still, sight, taken = view.still, state.sight, view.cropped.taken
        motion = sight.motion + (still.phase == "moving" and sight.phase != "moving")
        state = state.seeing(phase=still.phase, hand=still.hand, taken=taken, motion=motion)
        state = self._doubt_the_hand(state, still, taken)
        if still.hand:
            state = replace(state, rested=None, lit=())
        if still.phase != "still" or still.hand:
            sight = replace(state.sight, seen=None, trouble=None if still.hand else state.shaking.trouble(taken))
            if now - state.announced > PICTURE_EVERY:
                state, sight = replace(state, announced=now), replace(sight, picture=view.cropped.number)
            return replace(state, sight=sight), ()
        dice = state.taught or state.expected
        key = (still.interval, dice, state.taught is not None)
        if key == state.read or not still.frames:
            return replace(state, rested=None if state.rested is None else taken), ()
        sight = replace(state.sight, picture=view.cropped.number, trouble=None, seen=None)
        state = replace(state, read=key, sight=sight)
        if state.taught is not None:
            return self._teach(state, still, state.taught)
        if dice is None:
            return state, ()
        state, actions = self._reading(state, view, still.frames, dice)
        seen = state.sight.seen
        if seen is not None:
            state = state.seeing(seen=state.shaking.one_rest(seen))
        return state, actions

    def _teach(self, state: DiceState, still: StillnessState, dice: Dice) -> Result:
        """Read what lies there for the teaching; the match does not see it."""
        try:
            read = self._eyes.read(still.frames[:1], dice)  # one frame is enough: a person says what the dice show
            self._eyes.rest(read)
        except Exception as error:
            log.exception("the dice could not be read")
            return state.seeing(trouble=_unread(error)), ()
        assert self._settings.teaching is not None
        crops = tuple(crop_of(read.image, die) for die in read.reading.dice)
        see = partial(self._settings.teaching.see, state.number, read.reading, crops, read.glimpses)
        return replace(state, left=lying(read.reading), sight=replace(state.sight, trouble=TEACHING)), (see,)

    def _doubt_the_hand(self, state: DiceState, still: StillnessState, taken: float) -> DiceState:
        """Accept what lies still for long under a seeming hand as dice, if all of them can be read for certain.

        Accept it too where a light went out or on: that changes the whole picture, as a hand over the camera does.
        """
        dice = state.expected
        if still.phase != "still" or not still.hand or dice is None:
            return replace(state, hand_since=None)
        if state.hand_since is None:
            return replace(state, hand_since=taken)
        if taken - state.hand_since <= HAND_PATIENCE or still.interval == state.doubted or not still.frames:
            return state
        state = replace(state, doubted=still.interval)
        try:
            read = self._eyes.read(still.frames[:1], dice)
        except Exception:
            log.exception("the dice under a seeming hand could not be read")
            return state
        dark = too_dark(read.image) is not None
        if read.reading.status == "read" or dark or state.dark:
            state.stillness.accept()
        return replace(state, dark=dark)

    def _reading(self, state: DiceState, view: _View, frames: Sequence[Frame], dice: Dice) -> Result:
        """Return the state that has read the dice in these frames, the sharpest first, cropped by the mat."""
        rested, state = state.rested, replace(state, rested=None)
        try:
            read = self._eyes.read(frames, dice)
        except Exception as error:
            log.exception("the dice could not be read")
            return state.seeing(trouble=_unread(error)), ()
        state.shaking.reading_seconds = read.reading.milliseconds / 1000
        if state.left and compare(state.left, lying(read.reading)).same:
            return state, ()
        state = replace(state, left=())
        lit = self._lit(state, view.whole, frames[0], read.reading)
        if lit is not None:
            state = replace(state, lit=lying(read.reading))
        try:
            read = self._eyes.examined(read, dice, lit=lit)
        except Exception as error:
            log.exception("what was read could not be examined")
            return self.failed(state, error), ()
        taken, reading = view.cropped.taken, read.reading
        warning = read.warning or (None if reading.status == "read" else too_dark(read.image))
        sight = replace(state.sight, warning=warning)
        if reading.dice:
            state.stillness.set_die_size(max(_side(die.polygon) for die in reading.dice))
            state = replace(state, rested=taken)
        else:
            sight = replace(sight, motion=sight.motion + 1)  # an empty table: whatever comes to lie here is new
            state = replace(state, lit=())
        state = replace(state, number=read.number or state.number)
        picture, learning = jpeg(read.image), self._settings.learning
        seen = DiceSeen(
            state.number,
            reading,
            picture,
            tuple(self._settings.cut(read.image, die) for die in reading.dice),
            digest(picture),
            sight.motion,
            watched=sight.motion > state.blind_at,
            origin=view.origin,
            rolled_on=rested is not None and taken - rested < ROLLING_ON,
            width=read.image.shape[1],
        )
        hold = () if learning is None else (partial(learning.hold, state.number, dice[0], read.glimpses),)
        return replace(state, sight=replace(sight, seen=seen)), hold

    def _lit(self, state: DiceState, whole: Frame, sharpest: Frame, reading: DiceReading) -> UnderLamps | None:
        """Return how to look at these dice under the lamps; None where that would tell nothing more."""
        # light that stays different after the views begins a still interval: the lamps must not go on and on
        before = bool(state.lit) and compare(state.lit, lying(reading)).same
        if self._settings.lamps is None or not doubtful(reading) or before:
            return None
        return UnderLamps(whole, sharpest, state.mat, state.stillness)


def watching_dice(
    source: FrameSource, settings: WatchSettings, pictures: Pictures, report: Callable[[Sight], None]
) -> WatchingThread[DiceState]:
    """Return the thread that watches dice; in it, ``report`` is called, and so is what makes the readers."""
    steps = DiceSteps(settings, DiceEyes(settings, source.newest), pictures)
    return WatchingThread("watch the table", source, steps, report)


def expect(dice: Dice | None) -> Change:
    """Set the dice to read from now on, None for none; after a change, what lies there is read again."""
    return lambda state: replace(state, expected=dice)


def spare_board(x: float, y: float) -> Change:
    """Note that a board lies at this pixel: if it was taken for the mat, dice may lie beside it from now on."""
    return lambda state: replace(state, board=(x, y))


def count_bad_frame(state: DiceState) -> DiceState:
    """Count a pushed picture that could not be used."""
    return state.seeing(bad_frames=state.sight.bad_frames + 1)


def _with_mat(state: DiceState, frame: Frame) -> DiceState:
    """Look for a tray or mat: from here on nothing outside it is kept. Without one, keep the whole picture."""
    if state.mat_known:
        return state
    found, state = find_mat(frame.image), replace(state, mat_known=True)
    return state if found.polygon is None else replace(state, mat=found, stillness=Stillness(found, found.size))


def _widened(state: DiceState) -> DiceState:
    """Watch the whole picture if the mat is the board. What lies there does not count as a new throw."""
    if state.board is None:
        return state
    outline, inside = state.mat.polygon, -1.0
    if outline is not None:
        inside = cv2.pointPolygonTest(np.array(outline, np.float32), state.board, measureDist=False)
    state = replace(state, board=None)
    return state if inside < 0 else state.restarted(WHOLE)


def _unread(error: Exception) -> Sentence:
    return Sentence("The dice could not be read ({error}): tap them in.", error=why_of(error) if str(error) else "?")


def _side(polygon: Sequence[tuple[float, float]]) -> float:
    if len(polygon) < 2:  # noqa: PLR2004  (one edge)
        return 1.0
    return max(1.0, math.dist(polygon[0], polygon[1]))
