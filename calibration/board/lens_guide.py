"""Lead a person through measuring the lens while the table runs: the person holds up the sheet, pictures are automatic.

Both hands hold the sheet, so there is nothing to press. A picture counts when the sheet is still and its place or tilt
differs from before. Of the pictures, only the places of the sheet's corners are stored.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from calibration.board.guide_error import GuideError
from calibration.board.kept import lens_path, load_lens, save_lens
from calibration.board.lens import (
    ALIKE,
    LEAST_SHEET_MOVE,
    LensCalibration,
    LensCalibrationError,
    MeasuredLens,
    SheetView,
)
from companion.language.sentence import N_, Sentence
from companion.vision.boards.lens import Lens, LensError
from companion.vision.readings import Frame
from companion.vision.sources.source import FrameSource

ENOUGH_PICTURES: Final = 8
"""Pictures from which on the lens can be measured here: three more than necessary, because some are always poor."""

MOST_PICTURES: Final = 15
"""Pictures after which more do not help."""

STILL_SHARE: Final = 0.0025
"""The part of the picture's diagonal within which the sheet is still between two checks, 4 pixels of 1280x960."""

PICTURE_WAIT: Final = 2.0
"""Seconds to wait for a camera's next picture."""

IDLE_SECONDS: Final = 120.0
"""Seconds after which another page may replace an idle measurement."""

HOLD_STILL: Final = Sentence("The camera sees the sheet: hold it still for a moment.")
FIRST: Final = Sentence(
    "Hold the printed sheet of squares in front of the camera, so that all of it is in the picture."
)
READY: Final = N_("{count} pictures are taken: measure the lens now, or take some more in the corners not covered yet.")
TAKEN: Final = N_(
    "Picture {count} is taken. Now tilt the sheet another way, or hold it in another part of the picture."
)

Json = dict[str, Any]


class LensGuide:
    """Leads through the measurement of one table's lens. All public methods are thread-safe."""

    def __init__(self, camera: Callable[[], FrameSource | None], clock: Callable[[], float] = time.monotonic) -> None:
        """``camera``: returns the camera that sees the board, or None."""
        self._camera = camera
        self._clock = clock
        self._lock = threading.Lock()
        self._run: _Run | None = None
        self._measured: dict[str, Lens] = {}  # by camera; for a browser's camera only while the program runs

    def begin(self, *, over: bool = False) -> Json:
        """Start again; ``over``: end another page's measurement. Raises `GuideError`."""
        with self._lock:
            run = self._run
            if run is not None and not over and self._clock() - run.used < IDLE_SECONDS:
                raise GuideError(
                    Sentence("The lens is being measured on another page: let that one finish, or take over."), "busy"
                )
            self._run = run = _Run(self._clock())
            return run.to_json(FIRST)

    def take(self, token: str) -> Json:
        """Examine the next picture; count it if the sheet is still and has moved or tilted. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            frame = self._frame(run.number)
            run.number = frame.number
            return run.to_json(run.take(frame))

    def measure(self, token: str) -> Json:
        """Measure the lens from the counted pictures, and save it for this camera. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            if run.steps.views < ENOUGH_PICTURES:
                raise GuideError(run.still_missing())
            try:
                measured = run.steps.measure()
            except LensCalibrationError as refused:
                raise GuideError(refused.sentence) from refused
            run.measured = measured
            source = self._camera()
            if measured.grade != "poor" and source is not None:
                self._keep(source.name, measured.lens)
            return run.to_json(measured.sentence)

    def leave(self, token: str) -> None:
        """Forget a measurement that was begun; a measured lens stays."""
        with self._lock:
            if self._run is not None and self._run.token == token:
                self._run = None

    def lens(self) -> Lens | None:
        """Return the lens measured for the camera that looks at the board, now or on an earlier day.

        For a browser's camera it returns only a lens measured since the program began: tomorrow it may be another
        device.
        """
        source = self._camera()
        if source is None:
            return None
        with self._lock:
            known = self._measured.get(source.name)
        name = _file_of(source.name)
        if known is None and name is not None:
            try:
                known = load_lens(lens_path(name))
            except LensError:  # there is none, or it is being measured again
                return None
        return known

    def _keep(self, camera: str, lens: Lens) -> None:
        self._measured[camera] = lens
        name = _file_of(camera)
        if name is not None:
            try:
                save_lens(name, lens)
            except OSError as error:
                raise GuideError(
                    Sentence(
                        "The lens is measured and used until the program ends, but cannot be kept: {why}.",
                        why=error.strerror or str(error),
                    )
                ) from error

    def _mine(self, token: str) -> "_Run":
        run = self._run
        if run is None or not secrets.compare_digest(run.token.encode(), token.encode()):
            raise GuideError(
                Sentence("This measuring is over: it was left, or another page has taken over. Begin again."), "over"
            )
        run.used = self._clock()
        return run

    def _frame(self, after: int) -> Frame:
        source = self._camera()
        frame = None if source is None else source.newest(after, PICTURE_WAIT)
        if source is None or frame is None or str(source.state) != "LIVE":
            state = Sentence("There is no camera.") if source is None else source.sentence
            raise GuideError(Sentence("The camera gives no picture now. {state}", state=state), "camera")
        return frame


class _Run:
    """One measurement in progress."""

    def __init__(self, now: float) -> None:
        self.token = secrets.token_urlsafe(16)
        self.steps = LensCalibration()
        self.used = now
        self.number = 0  # of the last examined frame
        self.size: tuple[int, int] | None = None
        self.seen: SheetView | None = None
        self.kept: SheetView | None = None  # the last one that counted
        self.measured: MeasuredLens | None = None

    def take(self, frame: Frame) -> Sentence:
        """Examine a picture; return a sentence about the result."""
        self.size = (frame.image.shape[1], frame.image.shape[0])
        before, self.seen = self.seen, None
        try:
            self.seen = self.steps.view(frame.image)
            if before is None or self.seen.moved(before) > STILL_SHARE * float(np.hypot(*self.size)):
                return HOLD_STILL
            if self.steps.views >= MOST_PICTURES:
                return Sentence("All {count} pictures are taken: measure the lens now.", count=self.steps.views)
            self.steps.keep(self.seen, self.size)
            self.kept = self.seen
        except LensCalibrationError as refused:
            if refused.sentence != ALIKE:
                return refused.sentence
            assert self.seen is not None
            diagonal = float(np.hypot(*self.size))
            just_taken = self.kept is not None and self.seen.moved(self.kept) < LEAST_SHEET_MOVE * diagonal
            if not self.ready and not just_taken:
                return ALIKE
        return Sentence.of(READY if self.ready else TAKEN, count=self.steps.views)

    @property
    def ready(self) -> bool:
        """Whether the lens can be measured now."""
        return self.steps.views >= ENOUGH_PICTURES and self.steps.missing() is None

    def still_missing(self) -> Sentence:
        """Return a sentence about what is needed before the lens can be measured here."""
        return self.steps.missing() or Sentence(
            "{count} of {least} pictures of the sheet are taken: take more.",
            count=self.steps.views,
            least=ENOUGH_PICTURES,
        )

    def to_json(self, sentence: Sentence) -> Json:
        """Return the state, with the outlines to draw over the picture, in its pixels."""
        return {
            "session": self.token,
            "said": sentence.to_json(),
            "missing": None if self.ready else self.still_missing().to_json(),
            "count": self.steps.views,
            "enough": ENOUGH_PICTURES,
            "most": MOST_PICTURES,
            "cover": round(self.steps.cover(), 3),
            "size": None if self.size is None else list(self.size),
            "poses": [np.round(outline, 1).tolist() for outline in self.steps.outlines],
            "seen": None if self.seen is None else np.round(self.seen.outline, 1).tolist(),
            "ready": self.ready,
            "grade": None if self.measured is None else self.measured.grade,
        }


def _file_of(camera: str) -> str | None:
    """Return the file name for the lens of a camera; None for a camera that may be another device tomorrow."""
    if not camera.startswith("camera "):
        return None
    return re.sub(r"[^A-Za-z0-9]+", "-", camera).strip("-")[:60] or None
