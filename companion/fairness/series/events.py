"""The events of a series of throws: one frozen record for each kind of event, converted to JSON and back, checked."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from companion.fairness.account import How
from companion.ledger.codec import (
    Check,
    Codec,
    Json,
    Sayable,
    is_number,
    is_object,
    is_text,
    list_of,
    or_none,
)

Way = Literal["answered", "passed", "dismissed", "replaced"]
"""How a question ended: a person answered; the next throw came first; it was no throw; the throw was not over yet."""


def _candidate(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_text(value[0]) and is_number(value[1])  # noqa: PLR2004  (label, chance)


def _asked(value: Any) -> bool:
    """Tell whether a value is a die of a question; fields that earlier versions did not write may be missing."""
    match value:
        case {"key": str(), "die": str()}:
            named = all(or_none(is_text)(value.get(name)) for name in ("key", "die", "face", "picture"))
            return named and list_of(_candidate)(value.get("candidates", []))
    return False


def _lies(value: Any) -> bool:
    """Tell whether a value is a die's place as the referee writes it."""
    match value:
        case {"die": str(), "face": str(), "at": [x, y], "width": width, "angle": angle, "corners": int()}:
            return all(map(is_number, (x, y, width, angle)))
    return False


def _learnt(value: Any) -> bool:
    """Tell whether a value says what a throw shows that the reader kept until it had learnt its die."""
    match value:
        case {"throw": int()}:
            return all(or_none(is_text)(value.get(name)) for name in ("outcome", "suspected"))
    return False


Objects = Annotated[tuple[Json, ...], Check("a list of objects", list_of(is_object))]
Arrangement = Annotated[tuple[Json, ...], Check("a list of where dice lie", list_of(_lies))]
Candidates = Annotated[tuple[list[Any], ...], Check("a list of labels with their chances", list_of(_candidate))]
LearntThrows = Annotated[tuple[Json, ...], Check("a list of throws with what they show", list_of(_learnt))]
AskedDice = Annotated[tuple[Json, ...], Check("a list of dice that are asked about", list_of(_asked))]


@dataclass(frozen=True)
class SeriesStarted:
    """The first event of every series.

    ``dice``: objects with ``name`` (as the owner calls it), ``set``, ``die``, ``twins_apart``, ``together`` (how many
    dice that nobody can distinguish count as this one) and, for an owner's own set, ``text``, its file. ``smallest``:
    the bias that matters. ``fixed``: the number of throws, if it was fixed in advance. ``about``: what the owner wrote
    down. ``known``: what the program knows. ``seed`` draws the throws to audit. ``reader``: by a die's name, how the
    reader read its faces in a measurement, as in `companion.fairness.reader_file`.
    """

    kind: ClassVar[str] = "started"
    title: str
    dice: Objects
    smallest: float | None
    fixed: int | None
    about: Json
    known: Json
    seed: int
    reader: Json


@dataclass(frozen=True)
class Thrown:
    """One throw of one die. ``outcome`` is a label; None if it was not read, and then ``suspected`` is likely.

    ``candidates``: labels with their chances, likeliest first. ``picture``: SHA-256 of the JPEG of the die.
    ``question``: the event that asked about it, 0 if none did. ``arrangement``: where all dice lay, also those that
    were not thrown; of dice thrown together, the first one has it.
    """

    kind: ClassVar[str] = "thrown"
    die: str
    outcome: str | None
    how: How
    suspected: str | None = None
    picture: str = ""
    confidence: float | None = None
    candidates: Candidates = ()
    question: int = 0
    arrangement: Arrangement = ()


@dataclass(frozen=True)
class Asked:
    """A throw that counts when a person has answered. The event's number is the question's name.

    ``asked``: every die of this throw: ``key`` (its name in the answer), ``die``, ``face`` (a label, if it was read for
    certain), ``missing`` (it was not seen), ``candidates``, ``picture``. ``arrangement``: where all dice lay, also
    those that were not thrown.
    """

    kind: ClassVar[str] = "asked"
    sentence: Sayable
    asked: AskedDice
    arrangement: Arrangement


@dataclass(frozen=True)
class Answered:
    """A question ended; its throws follow. ``faces``: what a person said, a label or None by key."""

    kind: ClassVar[str] = "answered"
    question: int
    way: Way
    faces: Json
    reason: str = ""


@dataclass(frozen=True)
class Corrected:
    """A correction of a throw: to a label, to unread (None), or it was no throw (``withdrawn``)."""

    kind: ClassVar[str] = "corrected"
    throw: int
    outcome: str | None
    reason: str
    withdrawn: bool = False


@dataclass(frozen=True)
class Learnt:
    """The reader has learnt a die from rows of throws that a person named, and reads the throws that it had kept.

    ``reader``: how it read each named throw by all the others, as in `SeriesStarted`; empty if that is not known.
    ``throws``: of each throw that it had kept its number (``throw``), its ``outcome`` (a label, None while it is
    doubtful) and what it is ``suspected`` to be.
    """

    kind: ClassVar[str] = "learnt"
    die: str
    reader: Json
    throws: LearntThrows


@dataclass(frozen=True)
class Audited:
    """A person checked a throw that the draw had chosen and named its outcome; None if it is impossible to tell."""

    kind: ClassVar[str] = "audited"
    throw: int
    outcome: str | None


@dataclass(frozen=True)
class SessionBegan:
    """From this event on the throws belong to this session and this hand."""

    kind: ClassVar[str] = "session"
    name: str
    hand: str


@dataclass(frozen=True)
class Photographed:
    """A photograph of a face of a die; ``picture`` is the SHA-256 of its JPEG."""

    kind: ClassVar[str] = "photographed"
    die: str
    face: str
    picture: str


@dataclass(frozen=True)
class Ended:
    """Somebody put the series aside; it can be resumed."""

    kind: ClassVar[str] = "ended"


@dataclass(frozen=True)
class Resumed:
    """Somebody resumed the series."""

    kind: ClassVar[str] = "resumed"


SeriesEvent = (
    SeriesStarted
    | Thrown
    | Asked
    | Answered
    | Corrected
    | Learnt
    | Audited
    | SessionBegan
    | Photographed
    | Ended
    | Resumed
)


CODEC: Final[Codec[SeriesEvent]] = Codec(get_args(SeriesEvent))
"""Writes and reads the events of a series."""
