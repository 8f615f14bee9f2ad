"""Lead a person through the calibration of a board while the table runs: one at a time, from any thread, by plain data.

The pictures come from the table's own camera. Until a person confirms the outline, the page shows the whole picture,
because nobody can mark corners outside it. From then on it shows only the board and its rim. An abandoned calibration
leaves nothing behind.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np

from calibration.board.choices import GRIDS, OFFERED
from calibration.board.colours import ColoursError
from calibration.board.eye import BoardEye, eye
from calibration.board.guide_error import GuideError
from calibration.board.kept import profile_names, profile_path
from calibration.board.run import BoardRun, RunSettings
from calibration.board.stillness import disturbed
from companion.language.sentence import Sentence, why_of
from companion.vision.boards.board_profile import BoardProfile, BoardProfileError, check_name, only_board, save
from companion.vision.boards.kit import KitBoardError
from companion.vision.boards.lens import Lens, LensError
from companion.vision.boards.pose import Points
from companion.vision.dice.nets import WeightsError
from companion.vision.images import as_jpeg
from companion.vision.readings import Frame, Image
from companion.vision.sources.locking import Lock
from companion.vision.sources.source import FrameSource, HoldsSettings, SourceError

SECOND_PICTURE_AFTER: Final = 2.0
"""Seconds after which another picture must agree with the taken one: by then a hand has left."""

IDLE_SECONDS: Final = 15 * 60.0
"""Seconds after which another person may replace an idle calibration."""

PICTURE_WAIT: Final = 5.0
"""Seconds to wait for a camera's next picture."""

AT_ONCE: Final = 0.3
"""Seconds to wait for a live picture: the page soon asks for the next one."""

WIDEST_PIXELS: Final = 1600
"""The largest width of a picture on the page; corners are in pixels of the original picture."""

CHANGED = Sentence(
    "The board does not look as it did in the picture: a hand or a sleeve was over it, or it was moved. Take another "
    "picture with nothing over the board; if only men were moved, the outline may still be right."
)

UNCHECKED = Sentence("The camera gives no picture now, so nothing shows whether a hand was over the board.")

JPEG_QUALITY: Final = 88

SAME_CORNER_PIXELS: Final = 0.5
"""Pixels within which the corners that a person confirms count as the known ones."""

Json = dict[str, Any]


class BoardGuide:
    """Leads through the calibration of the board under one table's camera. All public methods are thread-safe."""

    def __init__(
        self,
        camera: Callable[[], FrameSource | None],
        clock: Callable[[], float] = time.monotonic,
        eye_of: Callable[[str], BoardEye | None] = eye,
        lens: Callable[[], Lens | None] = lambda: None,
    ) -> None:
        """``camera``: returns the camera that sees the board, or None; ``eye_of``: returns the nets for a board.

        ``lens``: returns the measured lens of this camera, if any.
        """
        self._camera = camera
        self._lens = lens
        self._clock = clock
        self._eye_of = eye_of
        self._lock = threading.Lock()  # nets and procedure allow one thread at a time
        self._run: BoardRun | None = None

    def begin(self, board: str, *, kit: bool, over: bool = False, hold: bool = False, bent: bool = False) -> Json:
        """Begin with a picture of the board; ``kit``: it is the printed one; ``over``: end another's calibration.

        ``hold``: hold the camera's exposure, white balance and focus as they are now, if it allows that. ``bent``: undo
        the distortion of the measured lens.

        Raises:
            GuideError: the board is unknown, no picture comes, or somebody else is calibrating.
        """
        if board not in OFFERED:
            raise GuideError(
                Sentence("The boards to choose from are {known}, not {board}.", known=", ".join(OFFERED), board=board)
            )
        with self._lock:
            run = self._run
            if run is not None and not over and self._clock() - run.used < IDLE_SECONDS:
                raise GuideError(
                    Sentence(
                        "This board is being calibrated on another page: let that one finish, or take over, and begin "
                        "here."
                    ),
                    "busy",
                )
            frame = self._frame(after=0)
            lock, notes = self._held() if hold else (None, ())
            if lock is not None:
                frame = self._frame(after=frame.number)
            try:
                seen = RunSettings(self._eye_of(board), self._lens() if bent else None, lock)
                if seen.lens is not None:
                    seen.lens.at((frame.image.shape[1], frame.image.shape[0]))
                run = BoardRun(board, kit=kit, settings=seen)
                run.take(frame)
            except (KitBoardError, LensError, WeightsError) as damaged:
                raise GuideError(why_of(damaged)) from damaged
            run.notes = notes
            self._run = run
            return self._state_json(run)

    def again(self, token: str) -> Json:
        """Take another picture; forget the marks in the last one. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.taps += 1
            run.take(self._frame(after=run.number))
            return self._state_json(run)

    def corners(self, token: str, corners: Points) -> Json:
        """Take four corners (4, 2) in pixels, clockwise, that a person has dragged. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.still_open()
            run.steps.corners(corners)
            run.compare()
            return self._state_json(run)

    def confirm(self, token: str, corners: Points, *, sure: bool = False) -> Json:
        """Take a person's confirmation of the outline on the page, whatever was known here.

        The board must look as it did when its picture was taken; ``sure``: a person says that a change does not matter.

        Raises:
            GuideError: the outline is not possible, or the board has changed: then ``kind`` is changed.
        """
        with self._lock:
            run = self._mine(token)
            run.still_open()
            known = run.steps.pose
            if known is None or not np.abs(known.corners - corners).max() <= SAME_CORNER_PIXELS:
                run.steps.corners(corners)
                run.steps.taps -= 1  # dragged and confirmed in one step
            pose = run.steps.pose
            if pose is not None and run.steps.image is not None and not sure:
                later = self._later(run)
                if later is not None and disturbed(run.steps.image, later, pose, GRIDS[run.board]):
                    raise GuideError(CHANGED, "changed")
                run.notes += () if later is not None else (UNCHECKED,)
            if run.steps.confirm().step != "colours":
                missing = run.steps.progress.missing
                raise GuideError(missing[0] if missing else run.steps.progress.sentence)
            return self._state_json(run)

    def start_position(self, token: str) -> Json:
        """Learn the colours from the men on the board now. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            pose = run.at_colours()
            board_eye = run.settings.eye
            if board_eye is None:
                raise GuideError(
                    Sentence("The program cannot read the men of this board: leave the colours as they are.")
                )
            frame = self._frame(after=run.number)
            if (frame.image.shape[1], frame.image.shape[0]) != pose.size:
                raise GuideError(
                    Sentence("The camera's pictures have another size now: take a new picture of the board."),
                    "camera",
                )
            try:
                run.steps.start_position(frame.image, board_eye.men(frame.image, pose))
            except ColoursError as refused:
                raise GuideError(refused.sentence) from refused
            return self._state_json(run)

    def skip_colours(self, token: str) -> Json:
        """Continue with the usual colours. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.at_colours()
            run.taps += 1
            run.steps.skip_colours()
            return self._state_json(run)

    def save(self, token: str, name: str, *, replace: bool = False) -> BoardProfile:
        """Name the profile and save it to disk; it may be saved again under another name. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            if run.steps.progress.step not in ("name", "done"):
                raise GuideError(run.steps.progress.sentence)
            try:
                check_name(name)
                if not replace and name in profile_names() and name != run.saved:
                    raise GuideError(
                        Sentence(
                            "There is already a board called {name}: choose another name, or replace it.", name=name
                        ),
                        "taken",
                    )
                run.steps.call(name)
                profile = run.steps.profile(datetime.now(UTC).astimezone())
                save(profile_path(name), profile)
            except (BoardProfileError, OSError) as refused:
                raise GuideError(why_of(refused)) from refused
            run.saved = name
            return profile

    def state_json(self, token: str) -> Json:
        """Return the state for a page. Raises `GuideError`."""
        with self._lock:
            return self._state_json(self._mine(token))

    def leave(self, token: str) -> None:
        """Forget a calibration and its picture; do nothing if it is already over."""
        with self._lock:
            run = self._run
            if run is None or run.token != token:
                return
            self._run = None
            source = self._camera()
            if run.settings.lock is not None and not run.saved and isinstance(source, HoldsSettings):
                with contextlib.suppress(
                    SourceError
                ):  # a camera that is gone returns to automatic settings when it is back
                    source.hold_settings(still=False)

    def picture(self, token: str) -> bytes:
        """Return the taken picture, as JPEG. Raises `GuideError`."""
        with self._lock:
            image = self._mine(token).steps.image
        if image is None:
            raise GuideError(Sentence("There is no picture yet: take one."))
        return as_jpeg(image, WIDEST_PIXELS, JPEG_QUALITY)

    def live(self) -> bytes:
        """Return the camera's present picture, as JPEG; once the outline is confirmed, only the board and its rim.

        Raises:
            GuideError: no camera gives a picture.
        """
        run = self._run  # read it once: other threads replace it as a whole
        agreed = None if run is None else run.agreed
        image = self._frame(after=0, patience=AT_ONCE).image
        if agreed is not None and agreed[0].size == (image.shape[1], image.shape[0]):
            image = only_board(image, *agreed)
        return as_jpeg(image, WIDEST_PIXELS, JPEG_QUALITY)

    def _held(self) -> tuple[Lock | None, tuple[Sentence, ...]]:
        """Hold the camera's automatic settings; return sentences about those that it cannot hold."""
        source = self._camera()
        if not isinstance(source, HoldsSettings) or not source.can_hold:
            return None, ()
        try:
            return source.hold_settings(), ()
        except SourceError as refused:
            return None, (refused.sentence,)

    def _later(self, run: BoardRun) -> Image | None:
        """Return a picture `SECOND_PICTURE_AFTER` seconds after the taken one; None if none comes."""
        number, patience = run.number, SECOND_PICTURE_AFTER + PICTURE_WAIT
        until = self._clock() + patience
        while self._clock() < until:
            try:
                frame = self._frame(number, patience)
            except GuideError:
                return None
            size = (frame.image.shape[1], frame.image.shape[0])
            if frame.taken >= run.taken + SECOND_PICTURE_AFTER:
                return frame.image if run.steps.pose is not None and size == run.steps.pose.size else None
            number = frame.number
        return None

    def _mine(self, token: str) -> BoardRun:
        run = self._run
        if run is None or not secrets.compare_digest(run.token.encode(), token.encode()):
            raise GuideError(
                Sentence(
                    "This calibration is over: it was left, or another page has taken over. Nothing was changed; "
                    "begin again."
                ),
                "over",
            )
        run.used = self._clock()
        return run

    def _state_json(self, run: BoardRun) -> Json:
        run.used = self._clock()
        return run.to_json()

    def _frame(self, after: int, patience: float = PICTURE_WAIT) -> Frame:
        """Return the next picture with a higher number; wait ``patience`` seconds for it."""
        source = self._camera()
        if source is None:
            raise GuideError(
                Sentence("No camera sees a board: choose one on the page Camera."),
                "camera",
            )
        frame = source.newest(after, patience)
        if str(source.state) != "LIVE" or frame is None:
            raise GuideError(
                Sentence("The camera gives no picture now. {state}", state=source.sentence),
                "camera",
            )
        return frame
