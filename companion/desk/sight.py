"""What the watching thread tells the writer: how the camera is, whether anything moves, and what lies there still."""

from dataclasses import dataclass

from companion.language.sentence import Sentence
from companion.vision.board_readings import BoardReading
from companion.vision.readings import DiceReading

NO_CAMERA = Sentence("There is no camera: tap the dice in.")


@dataclass(frozen=True)
class DiceSeen:
    """The dice in one still interval, which ``interval`` numbers. ``picture``: JPEG of the mat.

    ``crops``: one JPEG a die, as the reading lists them. ``watched``: since the camera started, or last came back, the
    table was seen in motion or empty before this interval. ``origin``: where the top left corner of the mat's picture
    lies in the frame, x and y in pixels.
    """

    interval: int
    reading: DiceReading
    picture: bytes
    crops: tuple[bytes, ...]
    digest: str
    motion: int
    watched: bool
    origin: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class BoardSeen:
    """The board in one still interval: the looks of it so far, pooled into one reading.

    ``interval`` and ``looks`` name it: one that left a doubt is looked at again. ``picture``: JPEG of the board alone,
    cropped around its field; ``digest`` its hash.
    """

    interval: int
    looks: int
    reading: BoardReading
    picture: bytes
    digest: str


@dataclass(frozen=True)
class BoardSight:
    """The camera over the board now, which may be that of the dice. The fields are those of `Sight`.

    ``size``: width and height in pixels of the frames in which ``seen`` has its places.
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
    size: tuple[int, int] | None = None


@dataclass(frozen=True)
class Sight:
    """The camera now. ``status`` is NONE, STARTING, LIVE, STALE or LOST; ``picture`` numbers the last one worth a look.

    ``motion`` counts how often the table was seen to move or to be empty. ``trouble`` is what went wrong in reading.
    ``board``: what the camera over the board sees; None where none looks at one.
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
    bad_frames: int = 0
    ended: bool = False
    board: BoardSight | None = None
