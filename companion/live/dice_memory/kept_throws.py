"""The throws of a journal as their kept pictures show them again, with what people said of their dice.

What was taught outside a match, or by a throw whose picture is gone, is not among them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from companion.fairness.audits.ledger import AuditLedger
from companion.fairness.audits.table_audits import TableAudits
from companion.live.camera_throws import CameraThrow, camera_throw, middle
from companion.live.dice_memory.match_lessons import Taught, lessons_after_audit, taught_by
from companion.live.pictures import WIDEST_PIXELS
from companion.referee.events import Corrected, Observed
from companion.referee.match import Match
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.images import decode_image
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import DiceReading, Image

MOST_SHRUNK: Final = 0.25
"""No picture is kept smaller than this beside the frame that it shows."""


AuditAnswers = dict[tuple[str, int], list[tuple[Sequence[float], str | None]]]
"""By the hash of a match's first event and the event of a throw: where each die lies that a person looked at, and what
it shows, None for no die."""


def answers_in(path: Path) -> AuditAnswers:
    """Return what the owner answered about drawn dice; nothing if there is no file.

    Raises:
        JournalError: it cannot be read.
    """
    answers: AuditAnswers = defaultdict(list)
    if not path.exists():
        return answers
    with AuditLedger(path, writable=False) as ledger:
        for number in ledger.latest():
            audits = TableAudits(ledger.events(number))
            for drawn, answer in audits.answers.items():
                if answer.right is not None:
                    die = audits.drawn[drawn]
                    answers[die.first, die.event].append((die.at, answer.face or None))
    return answers


class PictureReader(Protocol):
    """A reader of single pictures."""

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""


@dataclass(frozen=True, eq=False)
class KeptThrow:
    """A throw of a match and what is known of its dice.

    ``lessons``: what lies where in the frame that was read then; ``corrected``: whether this is a correction of it.
    """

    taught: Taught
    seen: CameraThrow
    lessons: tuple[FaceLesson, ...]
    corrected: bool


@dataclass(frozen=True, eq=False)
class Reread:
    """A kept picture, BGR, and what it shows now; ``scale``: how much smaller it is than the frame that was read."""

    image: Image
    reading: DiceReading
    scale: float


def kept_throws(match: Match, answers: AuditAnswers) -> Iterator[KeptThrow]:
    """Yield the throws of a match of which something is known, in the order of the events that say it."""
    for entry in match.entries:
        taught = taught_by(match.entries, entry.number)
        seen = None if taught is None else camera_throw(match.entries, taught.event)
        if taught is None or seen is None:
            continue
        lessons, corrected = taught.lessons, isinstance(entry.event, Corrected)
        if not corrected:
            for at, text in answers.get((match.entries[0].hash, taught.event), ()):
                lessons = lessons_after_audit(lessons, at, text)
        yield KeptThrow(taught, seen, lessons, corrected)


def reread(
    match: Match, throw: KeptThrow, picture: Callable[[str], bytes | None], reader: PictureReader
) -> Reread | None:
    """Look at a throw again; None where its picture is gone or shows something else.

    ``picture``: returns a kept JPEG by its hash.
    """
    observed = match.entries[throw.taught.observation - 1].event
    jpeg = picture(observed.picture) if isinstance(observed, Observed) else None
    if jpeg is None or not isinstance(observed, Observed):
        return None
    try:
        image = decode_image(jpeg, live=False)
    except BadFrameError:
        return None
    reading = reader.read(image)
    scale = _scale(observed, reading, image.shape[1])
    return None if scale is None else Reread(image, reading, scale)


def _scale(observed: Observed, reading: DiceReading, width: int) -> float | None:
    """Return how much smaller a kept picture is than the frame that was read; None where the dice do not show it."""
    if width < WIDEST_PIXELS:
        return 1.0
    before, now = ([middle(die) for die in dice] for dice in (observed.dice, [die.to_json() for die in reading.dice]))
    whole = sum(x + y for x, y in before)
    if len(before) != len(now) or not whole:
        return None
    scale = sum(x + y for x, y in now) / whole
    return scale if MOST_SHRUNK < scale < 1 / MOST_SHRUNK else None
