"""What the camera over the dice sees now, for a page that lets the nets look at it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from flask import abort

from companion.language.sentence import Sentence, SentenceText
from companion.vision.readings import Frame
from companion.web.app_state import table

FRAME_WAIT: Final = 2.0
"""Seconds in which the camera must deliver a frame."""

_looking = threading.Lock()  # the nets use every core for some seconds: one request at a time is enough


@contextmanager
def frame_for_nets() -> Iterator[Frame]:
    """Yield the newest frame, while nobody else lets the nets look; refuse the request where there is none."""
    source = table().upkeep.dice_camera()
    if source is None:
        abort(409, SentenceText(Sentence("No camera sees the dice: choose one on the page Camera.")))
    if not _looking.acquire(blocking=False):
        abort(503, "Somebody else is already asking; try again in a moment.")
    try:
        frame = source.newest(0, FRAME_WAIT)
        if frame is None:
            abort(409, SentenceText(source.sentence))
        yield frame
    finally:
        _looking.release()
