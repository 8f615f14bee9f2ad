"""What the watching thread passes to the writer: the state of the camera, motion, and what lies there at rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.language.sentence import Sentence
from companion.referee.arrangement import Arrangement
from companion.rules.dice import Throw
from companion.vision.board_readings import BoardReading, Men
from companion.vision.readings import DiceReading

NO_CAMERA = Sentence("There is no camera: tap in the dice.")


@dataclass(frozen=True)
class DiceSeen:
    """The dice in the still interval number ``interval``. ``picture``: JPEG of the mat.

    ``crops``: one JPEG for each die, in the order of the reading. ``watched``: the table was seen moving or empty
    between the camera's start, or its last return, and this interval. ``origin``: the top left corner of the mat's
    picture in the frame, x and y in pixels. ``rolled_on``: the still interval before this one ended a moment ago, and
    no hand was seen since: nobody can have thrown in between, so its dice had not come to rest. ``width``: of the mat's
    picture, in pixels of the camera, to which the reading's outlines refer.
    """

    interval: int
    reading: DiceReading
    picture: bytes
    crops: tuple[bytes, ...]
    digest: str
    motion: int
    watched: bool
    origin: tuple[int, int] = (0, 0)
    rolled_on: bool = False
    width: int = 0


class NextThrow(NamedTuple):
    """What the dice say while the turn before their throw is not committed yet.

    ``throws``: the throw, if all its dice are read for certain; ``lying``: where they lie. ``expected``: a camera waits
    for the throw, and no dice lie there that it does not read for certain.
    """

    throws: tuple[Throw, ...] = ()
    lying: Arrangement = ()
    expected: bool = False


@dataclass(frozen=True)
class BoardSeen:
    """The board in one still interval: all observations of it so far, pooled into one reading.

    ``interval`` and ``readings`` identify it: after a doubtful reading it is read again. ``picture``: JPEG of the
    board alone, cropped around its field; ``digest``: the picture's hash. ``field``: the field's corners as shares of
    that picture's width and height, clockwise from the top left.
    """

    interval: int
    readings: int
    reading: BoardReading
    picture: bytes
    digest: str
    field: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Agreement:
    """Table and match agree on what an observation shows: ``men`` on each occupied site, by the picture's names.

    ``interval`` and ``readings`` are those of the `BoardSeen`.
    """

    interval: int
    readings: int
    men: Mapping[str, Men]


@dataclass(frozen=True)
class BoardSight:
    """The camera over the board now, which may also be the dice camera. The fields are those of `Sight`.

    ``size``: width and height in pixels of the frames to which the places in ``seen`` refer.
    """

    source: str
    status: str
    sentence: Sentence
    phase: str | None = None
    hand: bool = False
    picture: int | None = None
    taken: float | None = None
    seen: BoardSeen | None = None
    trouble: Sentence | None = None
    warning: Sentence | None = None
    slow: Sentence | None = None
    size: tuple[int, int] | None = None


@dataclass(frozen=True)
class Sight:
    """The camera now. ``status`` is NONE, STARTING, LIVE, STALE or LOST; ``picture`` numbers the last useful picture.

    ``motion`` counts how often the table was seen moving or empty. ``trouble``: what went wrong in reading.
    ``warning``: what does not work as it should although the dice are read. ``slow``: this computer passes over too
    many pictures. ``board``: what the camera over the board sees; None without such a camera.
    """

    source: str | None = None
    status: str = "NONE"
    sentence: Sentence = NO_CAMERA
    phase: str | None = None
    hand: bool = False
    picture: int | None = None
    taken: float | None = None
    motion: int = 0
    seen: DiceSeen | None = None
    trouble: Sentence | None = None
    warning: Sentence | None = None
    slow: Sentence | None = None
    bad_frames: int = 0
    board: BoardSight | None = None
