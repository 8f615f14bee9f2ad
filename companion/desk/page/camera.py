"""The camera as the page shows it, what it sees now that has led to nothing yet, and the health of camera and file."""

from collections.abc import Mapping
from typing import Any, Final

from companion.desk.page.family_page import page_of
from companion.desk.shapes.common import CameraShape, HealthShape
from companion.desk.shapes.table import ReadingShape
from companion.desk.sight import BoardSight, Sight
from companion.language.sentence import Sentence
from companion.referee.match import Match
from companion.rules.dice import Throw, ThrowError
from companion.vision.source_names import PUSHED

PHONE: Final = PUSHED["phone"]
"""The name of the source that is a phone's camera."""


def camera_part(sight: Sight, *, watches: bool = True) -> CameraShape:
    """Return the camera's part of a snapshot; a live camera reports how light or focus have drifted.

    ``watches``: whether the camera watches the open match; if not, the part gives the state of the camera only.
    """
    seen: Sight | BoardSight = sight if sight.source is not None or sight.board is None else sight.board
    live = seen.status == "LIVE"
    if isinstance(seen, BoardSight):
        warning = seen.warning or (seen.slow if live else None)
    else:
        drift = seen.seen.reading.drift if seen.seen is not None else None
        warning = (seen.warning or drift or seen.slow) if live else None
    return {
        "source": seen.source,
        "status": seen.status,
        "sentence": (warning or seen.sentence).to_json(),
        "warning": warning.to_json() if watches and warning is not None else None,
        "hand": watches and seen.hand,
        "phase": seen.phase if watches else None,
        "picture": seen.picture if watches else None,
        "telephone": seen.source == PHONE,
    }


def reading_part(match: Match | None, sight: Sight) -> ReadingShape | None:
    """Return what the camera sees now and nobody has committed yet, with what these dice point to."""
    if sight.seen is None or sight.status != "LIVE" or sight.phase != "still":
        return None
    reading = sight.seen.reading
    shown = {die.die: die.face for die in reading.dice if die.status == "read" and die.die and die.face}
    prospects: Mapping[str, Any] | None = None
    if match is not None and not match.over and not match.paused and reading.dice:
        try:
            prospects = page_of(match.game).prospects(match, Throw.of(reading.dice[0].set_name, shown))
        except ThrowError:
            prospects = None
    return {
        "dice": [die.to_json() for die in reading.dice],
        "status": reading.status,
        "reason": reading.reason,
        "prospects": prospects,
        "width": sight.seen.width,
    }


def health_part(sight: Sight, now: float, trouble: Sentence | None, copy_trouble: Sentence | None) -> HealthShape:
    """Return the part of a snapshot that reports what is wrong.

    ``now``: time of the monotonic clock, in seconds; ``trouble``: what is wrong with the file, ``copy_trouble`` with
    its second copy.
    """
    return {
        "frame_age": None if sight.taken is None else round(max(0.0, now - sight.taken), 1),
        "journal": "ok" if trouble is None else trouble.to_json(),
        "journal_copy": "ok" if copy_trouble is None else copy_trouble.to_json(),
        "bad_frames": sight.bad_frames,
    }
