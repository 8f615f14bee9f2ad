"""The state of camera, file and second copy, for the pages of table and laboratory."""

from companion.desk.shapes.common import HealthShape
from companion.desk.sight import Sight
from companion.language.sentence import Sentence


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
