"""A person led through the measuring of the lens while the table runs: the sheet is held up, pictures take themselves.

Both hands are at the sheet, so nothing has to be pressed: a picture counts when the sheet is held still and lies or
leans otherwise than before. Nothing is kept of the pictures but where the sheet's corners were.
"""

import re
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from calibration.board.kept import lens_path, load_lens, save_lens
from calibration.board.lens import ALIKE, OTHERWISE, LensCalibration, LensCalibrationError, MeasuredLens, View
from companion.language.sentence import N_, Sentence
from companion.vision.boards.lens import Lens, LensError
from companion.vision.readings import Frame
from companion.vision.sources import FrameSource

ENOUGH_PICTURES: Final = 8
"""Pictures from which on the lens may be measured here: three more than it needs, for some are always poor."""

MOST_PICTURES: Final = 15
"""Pictures after which more tell nothing new."""

STILL: Final = 0.0025
"""Of the picture's diagonal within which the sheet lies still from one look to the next, 4 pixels of 1280x960."""

PICTURE_WAIT: Final = 2.0
"""Seconds that a camera has to give its next picture."""

IDLE: Final = 120.0
"""Seconds after which measuring that nobody goes on with gives way to another page."""

HOLD_STILL: Final = Sentence("The sheet is seen: hold it still for a moment.")
FIRST: Final = Sentence("Hold the printed sheet of squares into the picture, so that all of it is seen.")
READY: Final = N_("{count} pictures are taken: measure the lens now, or take some more in the corners that are free.")
TAKEN: Final = N_(
    "Picture {count} is taken. Now lean the sheet another way, or hold it in another part of the picture."
)

Json = dict[str, Any]


class LensGuideError(Exception):
    """It cannot go on so; ``sentence`` says why and what to do. ``kind``: camera, busy, over or wrong."""

    def __init__(self, sentence: Sentence, kind: str = "wrong") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.kind = kind


class LensGuide:
    """Leads through the measuring of one table's lens. All public methods are safe for threads."""

    def __init__(self, camera: Callable[[], FrameSource | None], clock: Callable[[], float] = time.monotonic) -> None:
        """``camera``: returns what sees the board, None where nothing does."""
        self._camera = camera
        self._clock = clock
        self._lock = threading.Lock()
        self._run: _Run | None = None
        self._measured: dict[str, Lens] = {}  # by camera; of a browser's camera, while the program runs

    def begin(self, *, over: bool = False) -> Json:
        """Begin anew; ``over``: end another page's. Raises `LensGuideError`."""
        with self._lock:
            run = self._run
            if run is not None and not over and self._clock() - run.used < IDLE:
                raise LensGuideError(
                    Sentence("The lens is being measured on another page: let that one finish, or take over."), "busy"
                )
            self._run = run = _Run(self._clock())
            return run.to_json(FIRST)

    def look(self, token: str) -> Json:
        """Look at the next picture, and count it if the sheet is held still in a new way. Raises `LensGuideError`."""
        with self._lock:
            run = self._mine(token)
            frame = self._frame(run.number)
            run.number = frame.number
            return run.to_json(run.look(frame))

    def measure(self, token: str) -> Json:
        """Measure the lens from the pictures that count, and keep it for this camera. Raises `LensGuideError`."""
        with self._lock:
            run = self._mine(token)
            if run.steps.views < ENOUGH_PICTURES:
                raise LensGuideError(run.still_missing())
            try:
                measured = run.steps.measure()
            except LensCalibrationError as refused:
                raise LensGuideError(refused.sentence) from refused
            run.measured = measured
            source = self._camera()
            if measured.grade != "poor" and source is not None:
                self._keep(source.name, measured.lens)
            return run.to_json(measured.sentence)

    def leave(self, token: str) -> None:
        """Forget what was begun; a lens that was measured stays."""
        with self._lock:
            if self._run is not None and self._run.token == token:
                self._run = None

    def lens(self) -> Lens | None:
        """Return the lens that was measured for the camera that looks at the board, now or on an earlier day.

        Of a browser's camera only what was measured since the program began: tomorrow it may be another device.
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
            except LensError:  # there is none, or it is measured anew
                return None
        return known

    def _keep(self, camera: str, lens: Lens) -> None:
        self._measured[camera] = lens
        name = _file_of(camera)
        if name is not None:
            try:
                save_lens(name, lens)
            except OSError as error:
                raise LensGuideError(
                    Sentence(
                        "The lens is measured and used until the program ends, but cannot be kept: {why}.",
                        why=error.strerror or str(error),
                    )
                ) from error

    def _mine(self, token: str) -> "_Run":
        run = self._run
        if run is None or not secrets.compare_digest(run.token.encode(), token.encode()):
            raise LensGuideError(
                Sentence("This measuring is over: it was left, or another page has taken over. Begin again."), "over"
            )
        run.used = self._clock()
        return run

    def _frame(self, after: int) -> Frame:
        source = self._camera()
        frame = None if source is None else source.newest(after, PICTURE_WAIT)
        if source is None or frame is None or str(source.state) != "LIVE":
            state = Sentence("There is no camera.") if source is None else source.sentence
            raise LensGuideError(Sentence("The camera gives no picture now. {state}", state=state), "camera")
        return frame


class _Run:
    """One measuring under way."""

    def __init__(self, now: float) -> None:
        self.token = secrets.token_urlsafe(16)
        self.steps = LensCalibration()
        self.used = now
        self.number = 0  # of the frame that was looked at
        self.size: tuple[int, int] | None = None
        self.seen: View | None = None
        self.kept: View | None = None  # the last that counted
        self.measured: MeasuredLens | None = None

    def look(self, frame: Frame) -> Sentence:
        """Look at a picture; say what it came to."""
        self.size = (frame.image.shape[1], frame.image.shape[0])
        before, self.seen = self.seen, None
        try:
            self.seen = self.steps.look(frame.image)
            if before is None or self.seen.moved(before) > STILL * float(np.hypot(*self.size)):
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
            just_taken = self.kept is not None and self.seen.moved(self.kept) < OTHERWISE * diagonal
            if not self.ready and not just_taken:
                return ALIKE
        return Sentence.of(READY if self.ready else TAKEN, count=self.steps.views)

    @property
    def ready(self) -> bool:
        """Whether the lens may be measured now."""
        return self.steps.views >= ENOUGH_PICTURES and self.steps.missing() is None

    def still_missing(self) -> Sentence:
        """Say what is needed before the lens may be measured here."""
        return self.steps.missing() or Sentence(
            "{count} of {least} pictures of the sheet are taken: take more.",
            count=self.steps.views,
            least=ENOUGH_PICTURES,
        )

    def to_json(self, said: Sentence) -> Json:
        """Return how it stands, with what is to be drawn over the picture, in its pixels."""
        return {
            "session": self.token,
            "said": said.to_json(),
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
    """Return the name under which the lens of a camera is kept; None of one that may be another device tomorrow."""
    if not camera.startswith("camera "):
        return None
    return re.sub(r"[^A-Za-z0-9]+", "-", camera).strip("-")[:60] or None
