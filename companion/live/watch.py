"""The watching thread: it reads the dice once nothing moves, reports to the writer what it saw, and decides nothing."""

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import cv2
import numpy as np

from companion.desk.page.lights import from_phrase
from companion.desk.sight import DiceSeen, Sight
from companion.language.sentence import Sentence, why_of
from companion.live.dice_memory.learning import Learning
from companion.live.dice_memory.teaching import Teaching
from companion.live.lit_looks import Switch, take
from companion.live.pictures import Pictures, crop_of, digest, jpeg
from companion.live.shaking import Shaking
from companion.referee.arrangement import Arrangement, arranged, compare
from companion.referee.readable import Dice
from companion.vision.dice.answers import with_unread
from companion.vision.dice.memory.glimpses import Glimpse
from companion.vision.ground import Ground
from companion.vision.images import BadFrameError, too_dark
from companion.vision.mat import Mat, find_mat
from companion.vision.mirrored import MirrorWatch
from companion.vision.readings import DiceReading, Frame, Image, ReadDie
from companion.vision.sources import FrameSource
from companion.vision.stillness import Stillness, StillnessState

if TYPE_CHECKING:
    from companion.rules.dice import DiceSet
    from companion.vision.dice.memory.table import TableMemory
    from companion.vision.dice.nets import Nets

log = logging.getLogger(__name__)

FRAME_WAIT = 0.25  # seconds to wait for a frame before looking at the state of the source again
PICTURE_EVERY = 1.0  # seconds between two pictures announced to pages while the table moves
AFTER_TROUBLE = 0.5  # seconds to wait after an unexpected error, so that it cannot fill the log

TEACHING = Sentence("Somebody is teaching the table its dice: throws count again when that ends.")

ROLLING_ON = 1.0
"""Seconds between two still intervals in which nobody takes up dice and throws them again: rolling takes that long."""

HAND_PATIENCE = 1.5  # seconds: no hand in the air keeps so still for so long, but dice that touch each other do


class Reader(Protocol):
    """What reads the dice in a picture."""

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""


@runtime_checkable
class Learner(Reader, Protocol):
    """A reader that keeps what it saw of the last picture, so that the table may learn from it."""

    @property
    def glimpses(self) -> Sequence[Glimpse]:
        """The finds of the last picture."""


@runtime_checkable
class GroundReader(Reader, Protocol):
    """A reader that knows what lies still before the camera, and takes none of it for a die."""

    ground: Ground | None


Combine = Callable[[Sequence[DiceReading]], DiceReading]
"""Joins readings of several pictures of the same dice; the last one gives the places."""


@dataclass(frozen=True)
class WatchSettings:
    """How the table is watched: where the mat is (None: to be found), what makes a reader, what joins readings.

    ``learning``: what the table remembers of its dice; None where it learns nothing. ``teaching``: the course in which
    somebody teaches it. ``lamps``: two lamps that are lit one by one where a look leaves a question; ``clock``: the
    time of the frames, in seconds. ``cut``: makes the JPEG of a die from the picture that was read. ``restless``:
    pictures that never come to rest are read, too; not by a reader that takes each picture for a throw.
    ``dice_alone``: whether only dice come to lie in the picture, and no men of a board.
    """

    mat: Mat | None
    reader: Callable[[Dice], Reader]
    combine: Combine
    learning: Learning | None = None
    teaching: Teaching | None = None
    lamps: Switch | None = None
    clock: Callable[[], float] = time.monotonic
    cut: Callable[[Image, ReadDie], bytes] = crop_of
    dice_alone: bool = True
    restless: bool = True


def dice_reader(
    profile: "TableMemory | None" = None,
    own_sets: "Mapping[str, DiceSet] | None" = None,
    *,
    warm: bool = False,
    learning: Learning | None = None,
    taught: "Callable[[str], TableMemory | None]" = lambda _: None,
) -> Callable[[Dice], Reader]:
    """Return a function that makes readers of the dice that a game waits for, in one thread; they all share their nets.

    ``profile``: what was learnt of the owner's dice, used for the set that they are of where the table does not learn.
    ``own_sets``: an owner's own sets, by name; the program's own sets are known. ``warm``: load the nets now, with the
    memory that they will need, and not when the first dice lie there. ``learning``: what the table remembers.
    ``taught``: returns what somebody taught of an owner's own set.
    """
    sets = {} if own_sets is None else own_sets

    @cache
    def nets() -> "Nets":
        from companion.vision.dice.nets import Nets  # noqa: PLC0415  (as below)

        return Nets()

    def make(dice: Dice) -> Reader:
        from companion.vision.dice import DiceReader  # noqa: PLC0415  (nets load slowly and only a camera needs them)

        memory = None if learning is None else learning.memory(dice[0])
        if memory is None and profile is not None and profile.origin is not None:
            memory = profile if profile.origin.set_name == dice[0] else None
        if memory is None and dice[0] in sets:
            memory = taught(dice[0])
        return DiceReader(sets.get(dice[0], dice[0]), dice[1], memory=memory, nets=nets())

    if warm:
        nets().warm()
    return make


def joined_under_lamps(reading: DiceReading, lit: Sequence[DiceReading]) -> DiceReading:
    """Join a reading in the usual light with those under either lamp alone."""
    from companion.vision.dice.asking.lit import join_lit  # noqa: PLC0415

    return join_lit(reading, lit)


def combined(readings: Sequence[DiceReading]) -> DiceReading:
    """Join readings of several frames of one throw."""
    from companion.vision.dice import combine  # noqa: PLC0415

    return combine(readings)


class Watcher(threading.Thread):
    """Feeds frames to stillness and reader, one at a time, always the newest."""

    def __init__(
        self, source: FrameSource, looks: WatchSettings, pictures: Pictures, report: Callable[[Sight], None]
    ) -> None:
        """``report`` is called from this thread with every change; so is the function that makes the readers."""
        super().__init__(name="watch the table", daemon=True)
        self._source = source
        self._looks = looks
        self._mat = looks.mat or Mat()
        self._mat_known = looks.mat is not None
        self._pictures = pictures
        self._report = report
        self._readers: dict[Dice, Reader] = {}
        self._expected: Dice | None = None
        self._taught: Dice | None = None  # the dice that somebody teaches now
        self._left: Arrangement = ()  # the dice as the teaching left them: they are no throw of the match
        self._lit: Arrangement = ()  # the dice for which the lamps were switched last
        self._stillness = Stillness(self._mat, self._mat.size)
        self._ending = threading.Event()
        self._board: tuple[float, float] | None = None  # a place of a board that was just found to lie here
        self._read: tuple[int, Dice | None, bool] | None = (
            None  # the still interval, dice and purpose of the last reading
        )
        self._blind_at = 0  # the count of motions when the camera last did not see
        self._number = 0
        self._frame: Frame | None = None  # the newest one, whole
        self._origin = (0, 0)
        self._announced = 0.0  # when a picture was last announced to pages while the table moved
        self._hand_since: float | None = None  # when, in the time of the frames, a hand came to lie still
        self._doubted: int | None = None  # the still interval in which that hand was doubted
        self._dark = False  # whether the picture was too dark then
        self._rested: float | None = None  # when dice were last seen at rest; None after a hand, or an empty table
        self._mirror = MirrorWatch()
        self._ground = Ground()
        self._shaking = Shaking()
        self._sight = Sight(source=source.name, status=str(source.state), sentence=source.sentence)

    def expect(self, dice: Dice | None) -> None:
        """Set the dice to read from now on, None for none; after a change, what lies there is read again."""
        self._expected = dice

    @property
    def taken(self) -> float | None:
        """When the newest frame that this thread has processed was taken, by the monotonic clock; None before any."""
        return self._sight.taken

    def spare_board(self, x: float, y: float) -> None:
        """Note that a board lies at this pixel: if it was taken for the mat, dice may lie beside it from now on."""
        self._board = (x, y)

    def end(self) -> None:
        """Ask the thread to end soon."""
        self._ending.set()

    def count_bad_frame(self) -> None:
        """Count a pushed picture that could not be used."""
        self._sight = replace(self._sight, bad_frames=self._sight.bad_frames + 1)

    def run(self) -> None:
        """Watch until the end. No error ends the thread before."""
        if self._looks.learning is not None:
            self._looks.learning.open(self._source.name)
        while not self._ending.is_set():
            try:
                self._learn()
                self._step()
            except Exception as error:
                log.exception("the watching thread goes on after this")
                trouble = Sentence(
                    "Watching the table failed ({error}): tap the dice in, or start the companion again.",
                    error=type(error).__name__,
                )
                self._publish(replace(self._sight, trouble=trouble, seen=None))
                self._ending.wait(AFTER_TROUBLE)

        if self._looks.learning is not None:
            self._looks.learning.close()

    def _learn(self) -> None:
        """Do what was asked of the table's memory; the readers follow when it is switched on or off."""
        if self._looks.learning is not None and self._looks.learning.work():
            self._readers.clear()

    def _step(self) -> None:
        frame = self._source.newest(self._number, FRAME_WAIT)
        status = str(self._source.state)
        sight = replace(self._sight, status=status, sentence=self._source.sentence)
        if status != "LIVE":
            self._blind_at = sight.motion
            self._stillness = Stillness(self._mat, self._mat.size)
            self._read = self._doubted = None  # its intervals count from the beginning
            sight = replace(sight, phase=None, hand=False, seen=None)
        if frame is None:
            self._publish(sight)
            return
        if not self._mat_known:
            self._mat_known = True
            self._seek_mat(frame)
        if self._board is not None:
            sight = self._widen(self._board, sight)
        self._number, self._frame = frame.number, frame
        try:
            cropped = self._mat.crop(frame)
            self._origin = self._mat.box(frame.image.shape[1], frame.image.shape[0])[:2]
        except BadFrameError as error:
            self._publish(replace(sight, bad_frames=sight.bad_frames + 1, trouble=error.sentence))
            return
        self._pictures.show(cropped)
        self._publish(self._look(cropped, self._stillness.feed(cropped), sight))

    def _seek_mat(self, frame: Frame) -> None:
        """Look for a tray or mat: from here on nothing outside it is kept. Without one, keep the whole picture."""
        found = find_mat(frame.image)
        if found.polygon is not None:
            self._mat = found
            self._stillness = Stillness(found, found.size)

    def _widen(self, board: tuple[float, float], sight: Sight) -> Sight:
        """Watch the whole picture if the mat is the board. What lies there does not count as a new throw."""
        self._board = None
        outline = self._mat.polygon
        if outline is None or cv2.pointPolygonTest(np.array(outline, np.float32), board, measureDist=False) < 0:
            return sight
        self._mat = Mat()
        self._stillness = Stillness(self._mat, self._mat.size)
        self._read = self._doubted = None
        self._blind_at = sight.motion
        return replace(sight, phase=None, hand=False, seen=None)

    def _look(self, frame: Frame, state: StillnessState, sight: Sight) -> Sight:
        if (resting := self._look_while_shaking(frame, state, sight)) is not None:
            return resting
        motion = sight.motion + (state.phase == "moving" and sight.phase != "moving")
        sight = replace(sight, phase=state.phase, hand=state.hand, taken=frame.taken, motion=motion)
        now = time.monotonic()
        self._doubt_the_hand(state, frame)
        if state.hand:
            self._rested, self._lit = None, ()
        if state.phase != "still" or state.hand:
            if now - self._announced > PICTURE_EVERY:
                self._announced, sight = now, replace(sight, picture=frame.number)
            return replace(sight, seen=None, trouble=None if state.hand else self._shaking.trouble(frame.taken))
        teaching = self._looks.teaching
        self._taught = None if teaching is None else teaching.dice
        dice = self._taught or self._expected
        key = (state.interval, dice, self._taught is not None)
        if key == self._read or not state.frames:
            self._rested = frame.taken if self._rested is not None else None
            return sight
        self._read = key
        sight = replace(sight, picture=frame.number, trouble=None, seen=None)
        if teaching is not None and self._taught is not None:
            return self._teach(teaching, state, self._taught, sight)
        if dice is None:
            return sight
        sight = self._reading(state, dice, sight, frame.taken)
        return sight if sight.seen is None else replace(sight, seen=self._shaking.one_rest(sight.seen))

    def _look_while_shaking(self, frame: Frame, state: StillnessState, sight: Sight) -> Sight | None:
        """Return the sight of dice that lie still in a picture that moves; None where none do."""
        dice, busy = self._expected, self._looks.teaching is not None and self._looks.teaching.dice is not None
        due = self._shaking.due(state, frame.taken)
        if dice is None or busy or not self._looks.restless:
            return None
        if due:
            rested = self._rested
            found = self._reading(replace(state, frames=(frame,)), dice, sight, frame.taken)
            if found.seen is not None and self._shaking.take(found.seen, frame.taken):
                seen = self._shaking.one_rest(found.seen)
                return replace(
                    found, seen=seen, phase="still", hand=False, taken=frame.taken, picture=frame.number, trouble=None
                )
            self._rested = rested
        return replace(sight, taken=frame.taken) if self._shaking.rests else None

    def _teach(self, teaching: Teaching, state: StillnessState, dice: Dice, sight: Sight) -> Sight:
        """Read what lies there for the teaching; the match does not see it."""
        try:
            # one frame is enough: a person says what the dice show
            reading, image, glimpses = self._read_frames(state.frames[:1], dice)
        except Exception as error:
            log.exception("the dice could not be read")
            return replace(sight, trouble=_unread(error))
        self._left = _lying(reading)
        self._ground.rest(image, reading)
        teaching.see(self._number, reading, tuple(crop_of(image, die) for die in reading.dice), glimpses)
        return replace(sight, trouble=TEACHING)

    def _doubt_the_hand(self, state: StillnessState, frame: Frame) -> None:
        """Accept what lies still for long under a seeming hand as dice, if all of them can be read for certain.

        Accept it too where a light went out or on: that changes the whole picture, as a hand over the camera does.
        """
        if state.phase != "still" or not state.hand or self._expected is None:
            self._hand_since = None
        elif self._hand_since is None:
            self._hand_since = frame.taken
        elif frame.taken - self._hand_since > HAND_PATIENCE and state.interval != self._doubted and state.frames:
            self._doubted, was_dark = state.interval, self._dark
            reading, image, _ = self._read_frames(state.frames[:1], self._expected)
            self._dark = too_dark(image) is not None
            if reading.status == "read" or self._dark or was_dark:
                self._stillness.accept()

    def _reading(self, state: StillnessState, dice: Dice, sight: Sight, taken: float) -> Sight:
        rolled_on = self._rested is not None and taken - self._rested < ROLLING_ON
        self._rested = None
        try:
            reading, image, glimpses = self._read_frames(state.frames, dice)
        except Exception as error:
            log.exception("the dice could not be read")
            return replace(sight, trouble=_unread(error))
        if self._left and compare(self._left, _lying(reading)).same:
            return sight
        self._left = ()
        mirrored = self._mirror.see(image, reading, self._readers[dice].read)
        reading, warning = self._under_lamps(reading, state, dice)
        reading = self._with_what_came(reading, image, dice)
        warning = mirrored or warning or (None if reading.status == "read" else too_dark(image))
        sight = replace(sight, warning=warning)
        if not reading.dice:
            self._lit = ()
            sight = replace(sight, motion=sight.motion + 1)  # an empty table: whatever comes to lie here is new
        else:
            self._rested = taken
            self._stillness.set_die_size(max(_side(die.polygon) for die in reading.dice))
        if self._looks.learning is not None:
            self._looks.learning.hold(self._number, dice[0], glimpses)
        picture = jpeg(image)
        seen = DiceSeen(
            self._number,
            reading,
            picture,
            tuple(self._looks.cut(image, die) for die in reading.dice),
            digest(picture),
            sight.motion,
            watched=sight.motion > self._blind_at,
            origin=self._origin,
            rolled_on=rolled_on,
            width=image.shape[1],
        )
        return replace(sight, seen=seen)

    def _read_frames(self, frames: Sequence[Frame], dice: Dice) -> tuple[DiceReading, Image, Sequence[Glimpse]]:
        """Read the sharpest frame, and the others too if it leaves a doubt; return what was seen in the sharpest."""
        reader = self._readers.get(dice)
        if reader is None:
            reader = self._readers[dice] = self._looks.reader(dice)
            if isinstance(reader, GroundReader):
                reader.ground = self._ground
        readings = [reader.read(frames[0].image)]
        glimpses = tuple(reader.glimpses) if isinstance(reader, Learner) else ()
        if readings[0].status != "read" and readings[0].dice:
            readings += [reader.read(frame.image) for frame in frames[1:]]
        reading = readings[0] if len(readings) == 1 else self._looks.combine(readings[::-1])
        return reading, frames[0].image, glimpses

    def _with_what_came(self, reading: DiceReading, image: Image, dice: Dice) -> DiceReading:
        """Learn the ground; return the reading with what came to rest there and looks like a die, but was not read."""
        there = [die for die in reading.dice if die.status != "ignored"]
        came = self._ground.rest(image, reading)
        if not isinstance(self._readers[dice], GroundReader) or not self._looks.dice_alone:
            return reading
        if reading.expected and len(there) >= len(reading.expected):
            return reading
        return with_unread(reading, dice[0], [one.outline for one in came if one.like or not there])

    def _under_lamps(
        self, reading: DiceReading, state: StillnessState, dice: Dice
    ) -> tuple[DiceReading, Sentence | None]:
        """Look at doubtful marks under either lamp alone; return the joined reading, and what a lamp did not do.

        `Stillness` gets none of these frames, so the change of light is no motion; a hand that came in between is one,
        because the next frame differs from those before.
        """
        lamps, lying = self._looks.lamps, _lying(reading)
        there = [die for die in reading.dice if die.status != "ignored"]
        doubtful = any(die.status == "ask" and die.short is not None for die in there)
        doubtful = doubtful or (bool(there) and len(there) == len(reading.expected) - 1)
        # light that stays different after the looks begins a still interval: the lamps must not go on and on
        if lamps is None or self._frame is None or not doubtful or (self._lit and compare(self._lit, lying).same):
            return reading, None
        self._lit = lying
        looks = take(lamps, self._source.newest, self._frame, self._looks.clock)
        self._number = looks.number
        if looks.trouble is not None:
            return reading, Sentence("The dice are read from a single picture: {why}", why=from_phrase(looks.trouble))
        if looks.after is None:
            return reading, None
        try:
            unchanged = self._stillness.same(self._mat.crop(looks.after), state.frames[0])
            lit = [self._readers[dice].read(self._mat.crop(frame).image) for frame in looks.frames if unchanged]
        except BadFrameError:  # the camera began to send pictures of another size
            return reading, None
        return (joined_under_lamps(reading, lit) if unchanged else reading), None

    def _publish(self, sight: Sight) -> None:
        changed = replace(sight, taken=None) != replace(self._sight, taken=None)
        self._sight = sight
        if changed and not self._ending.is_set():
            self._report(sight)


def _lying(reading: DiceReading) -> Arrangement:
    return arranged(die for die in reading.dice if die.status != "ignored")


def _unread(error: Exception) -> Sentence:
    return Sentence("The dice could not be read ({error}): tap them in.", error=why_of(error) if str(error) else "?")


def _side(polygon: Sequence[tuple[float, float]]) -> float:
    if len(polygon) < 2:  # noqa: PLR2004  (one edge)
        return 1.0
    return max(1.0, math.dist(polygon[0], polygon[1]))
