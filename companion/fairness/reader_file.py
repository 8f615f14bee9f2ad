"""A reader's measurement as a file: how often it read each true face as which one, and how often as none."""

from typing import Any

import numpy as np

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Outcomes
from companion.fairness.reader_errors import ReaderError, ReaderErrors
from companion.rules.strict_json import StrictJsonError, read_json

UNREAD = "unread"
BEFOREHAND = "beforehand"


def read_reader(text: str, outcomes: Outcomes) -> ReaderErrors:
    """Read a measurement, ``{"1": {"1": 498, "unread": 2}, "6": {"6": 490, "1": 10}, ...}``.

    The part that was known before the first throw may be there too, in the same form, as ``beforehand``.

    Raises:
        ReaderError: it has another form, or names another face.
    """
    try:
        data = read_json(text)
    except StrictJsonError as why:
        message = f"Expected how the reader read known faces as JSON, but it cannot be read: {why.reason}."
        raise ReaderError(message) from why
    if not isinstance(data, dict) or BEFOREHAND not in data:
        return ReaderErrors(seen_of(data, outcomes))
    faces = {face: read for face, read in data.items() if face != BEFOREHAND}
    return ReaderErrors(seen_of(faces, outcomes), beforehand=seen_of(data[BEFOREHAND], outcomes))


def seen_of(data: Any, outcomes: Outcomes) -> Counts:
    """Return the counts (k x (k + 1)) of such an object: the true outcome by the outcome read, the last column unread.

    Raises:
        ReaderError: it has another form, or names another face.
    """
    columns = (*outcomes.labels, UNREAD)
    seen = np.zeros((len(outcomes.labels), len(columns)), np.int64)
    for face, read in (data if isinstance(data, dict) else {"": data}).items():
        if face not in outcomes.labels or not isinstance(read, dict):
            raise ReaderError(
                f"Expected for each of the faces {', '.join(outcomes.labels)} how it was read, but got {face!r:.40}."
            )
        for name, count in read.items():
            if name not in columns or isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ReaderError(
                    f"Expected how often {face} was read as {', '.join(columns)}, but got {name!r:.40}: {count!r:.40}."
                )
            seen[outcomes.labels.index(face), columns.index(name)] = count
    return seen
