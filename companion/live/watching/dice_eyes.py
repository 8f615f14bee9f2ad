"""The eyes of the watching thread: they read dice in pictures, and keep what the next reading needs of the last."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.desk.page.lights import from_phrase
from companion.language.sentence import Sentence
from companion.live.watching.dice_settings import GroundReader, Learner, Reader, WatchSettings, joined_under_lamps
from companion.live.watching.lit_frames import Newest, take
from companion.referee.arrangement import Arrangement, arranged
from companion.referee.readable import Dice
from companion.vision.dice.answers import with_unread
from companion.vision.dice.memory.glimpses import Glimpse
from companion.vision.ground import Ground
from companion.vision.mat import Mat
from companion.vision.mirrored import MirrorWatch
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import DiceReading, Frame, Image
from companion.vision.stillness import Stillness


@dataclass(frozen=True)
class Read:
    """What was read of some frames, and the sharpest of them. ``warning``: what does not work as it should.

    ``number``: that of the last frame which was taken for it; 0 if none was beside those that were given.
    """

    reading: DiceReading
    image: Image
    glimpses: Sequence[Glimpse]
    warning: Sentence | None = None
    number: int = 0


class DiceEyes:
    """Reads dice through one camera. Only its watching thread uses it."""

    def __init__(self, settings: WatchSettings, newest: Newest) -> None:
        """``newest``: takes further frames, while the lamps are switched."""
        self._settings = settings
        self._newest = newest
        self._readers: dict[Dice, Reader] = {}
        self._mirror = MirrorWatch()
        self._ground = Ground()
        self._resting: Read | None = None  # what the ground is to be learnt from, once nobody waits

    def work(self) -> None:
        """Learn what was read last, and do what was asked of the table's memory.

        The readers follow when the memory is switched on or off.
        """
        self._learn_ground()
        if self._settings.learning is not None and self._settings.learning.work():
            self._readers.clear()

    def read(self, frames: Sequence[Frame], dice: Dice) -> Read:
        """Read the sharpest frame, and the others too if it leaves a doubt; return what was seen in the sharpest."""
        self._learn_ground()
        reader = self._readers.get(dice)
        if reader is None:
            reader = self._readers[dice] = self._settings.reader(dice)
            if isinstance(reader, GroundReader):
                reader.ground = self._ground
        readings = [reader.read(frames[0].image)]
        glimpses = tuple(reader.glimpses) if isinstance(reader, Learner) else ()
        if readings[0].status != "read" and readings[0].dice:
            readings += [reader.read(frame.image) for frame in frames[1:]]
        reading = readings[0] if len(readings) == 1 else self._settings.combine(readings[::-1])
        return Read(reading, frames[0].image, glimpses)

    def rest(self, read: Read) -> None:
        """Learn the ground on which these dice lie, when the next frame comes: whoever waits has the answer by then."""
        self._resting = read

    def _learn_ground(self) -> None:
        resting, self._resting = self._resting, None
        if resting is not None:
            self._ground.rest(resting.image, resting.reading)

    def examined(self, read: Read, dice: Dice, *, lit: "UnderLamps | None") -> Read:
        """Return what was read with all that pictures tell about it; ``lit``: how to light doubtful dice, if at all."""
        mirrored = self._mirror.see(read.image, read.reading, self._readers[dice].read)
        if lit is not None:
            read = self._under_lamps(read, dice, lit)
        return replace(read, reading=self._with_what_came(read, dice), warning=mirrored or read.warning)

    def _with_what_came(self, read: Read, dice: Dice) -> DiceReading:
        """Return the reading with what came to rest on the ground and looks like a die, but was not read."""
        reading = read.reading
        there = [die for die in reading.dice if die.status != "ignored"]
        whole = reading.expected and len(there) >= len(reading.expected)
        if whole or not isinstance(self._readers[dice], GroundReader) or not self._settings.dice_alone:
            self.rest(read)
            return reading
        came = self._ground.rest(read.image, reading)
        return with_unread(reading, dice[0], [one.outline for one in came if one.like or not there])

    def _under_lamps(self, read: Read, dice: Dice, lit: "UnderLamps") -> Read:
        """Look at doubtful marks under either lamp alone; return the joined reading, and what a lamp did not do.

        `Stillness` gets none of these frames, so the change of light is no motion; a hand that came in between is one,
        because the next frame differs from those before.
        """
        assert self._settings.lamps is not None
        lit_frames = take(self._settings.lamps, self._newest, lit.before, self._settings.clock)
        read = replace(read, number=lit_frames.number)
        if lit_frames.trouble is not None:
            why = from_phrase(lit_frames.trouble)
            return replace(read, warning=Sentence("The dice are read from a single picture: {why}", why=why))
        if lit_frames.after is None:
            return read
        try:
            unchanged = lit.stillness.same(lit.mat.crop(lit_frames.after), lit.sharpest)
            seen = [self._readers[dice].read(lit.mat.crop(frame).image) for frame in lit_frames.frames if unchanged]
        except BadFrameError:  # the camera began to send pictures of another size
            return read
        return replace(read, reading=joined_under_lamps(read.reading, seen)) if unchanged else read


@dataclass(frozen=True)
class UnderLamps:
    """What it takes to look at dice under the lamps: the newest frame, whole, and the sharpest, cropped by the mat."""

    before: Frame
    sharpest: Frame
    mat: Mat
    stillness: Stillness


def doubtful(reading: DiceReading) -> bool:
    """Whether light from one side may tell more about the marks of these dice."""
    there = [die for die in reading.dice if die.status != "ignored"]
    marks = any(die.status == "ask" and die.short is not None for die in there)
    return marks or (bool(there) and len(there) == len(reading.expected) - 1)


def lying(reading: DiceReading) -> Arrangement:
    """Return how the dice lie that were read."""
    return arranged(die for die in reading.dice if die.status != "ignored")
