"""A person led through the calibration of a board while the table runs: one at a time, from any thread, by plain data.

The pictures come from the table's own camera. Until the outline is agreed to, the whole picture is shown to whoever
calibrates, for corners cannot be marked on what is not seen; from then on board and rim alone, and nothing is kept of
a calibration that was left.
"""

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
from calibration.board.kept import free_name, profile_names, profile_path
from calibration.board.procedure import BoardCalibration, Finder
from companion.rules.sentence import Sentence, why_of
from companion.vision.boards.board_profile import BoardProfile, BoardProfileError, check_name, only_board, save
from companion.vision.boards.kit import KitBoardError, kit_board
from companion.vision.boards.pose import BoardPose, Places, Points
from companion.vision.dice.nets import WeightsError
from companion.vision.images import as_jpeg
from companion.vision.readings import Frame
from companion.vision.sources import FrameSource

IDLE: Final = 15 * 60.0
"""Seconds after which a calibration that nobody goes on with gives way to another."""

PATIENCE: Final = 5.0
"""Seconds that a camera has to give its next picture."""

AT_ONCE: Final = 0.3
"""Seconds that a live picture is waited for: the next one is asked for soon."""

WIDEST: Final = 1600
"""Pixels of a picture that is shown: corners are told in pixels of the whole one."""

QUALITY: Final = 88

FIELD_LINES: Final = 9
"""Points along a line that is drawn over the picture: a lens may bend it."""

MOVED: Final = 0.5
"""Pixels within which the corners that a person agrees to are those that are known."""

Json = dict[str, Any]


class GuideError(Exception):
    """It cannot go on so; ``sentence`` says why and what to do. ``kind``: camera, busy, over, taken or wrong."""

    def __init__(self, sentence: Sentence, kind: str = "wrong") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.kind = kind


class BoardGuide:
    """Leads through the calibration of the board under one table's camera. All public methods are safe for threads."""

    def __init__(
        self,
        camera: Callable[[], FrameSource | None],
        clock: Callable[[], float] = time.monotonic,
        look: Callable[[str], BoardEye | None] = eye,
    ) -> None:
        """``camera``: returns what sees the board, None where nothing does; ``look``: the nets that know a board."""
        self._camera = camera
        self._clock = clock
        self._look = look
        self._lock = threading.Lock()  # nets and procedure take one thread at a time
        self._run: _Run | None = None

    def begin(self, board: str, *, kit: bool, over: bool = False) -> Json:
        """Begin with a picture of a board that lies there; ``kit``: it is the printed one; ``over``: end another's.

        Raises:
            GuideError: nobody knows the board, no picture comes, or somebody else is calibrating.
        """
        if board not in OFFERED:
            raise GuideError(
                Sentence("The boards to choose from are {known}, not {board}.", known=", ".join(OFFERED), board=board)
            )
        with self._lock:
            run = self._run
            if run is not None and not over and self._clock() - run.used < IDLE:
                raise GuideError(
                    Sentence(
                        "This board is being calibrated on another page: let that one finish, or take over, and begin "
                        "here."
                    ),
                    "busy",
                )
            frame = self._frame(after=0)
            try:
                run = _Run(board, kit=kit, look=self._look)
                run.take(frame)
            except (KitBoardError, WeightsError) as damaged:
                raise GuideError(why_of(damaged)) from damaged
            self._run = run
            return self._told(run)

    def again(self, token: str) -> Json:
        """Take another picture; what was marked in the last one is forgotten. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.taps += 1
            run.take(self._frame(after=run.number))
            return self._told(run)

    def corners(self, token: str, corners: Points) -> Json:
        """Take four corners (4, 2) in pixels, clockwise, as a person has dragged them. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.still_open()
            run.steps.corners(corners)
            return self._told(run)

    def confirm(self, token: str, corners: Points) -> Json:
        """Take a person's word for the outline that the page shows, whichever was known here. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.still_open()
            known = run.steps.pose
            if known is None or not np.abs(known.corners - corners).max() <= MOVED:
                run.steps.corners(corners)
                run.steps.taps -= 1  # dragged and agreed to in one go
            if run.steps.confirm().step != "colours":
                missing = run.steps.progress.missing
                raise GuideError(missing[0] if missing else run.steps.progress.sentence)
            return self._told(run)

    def start_position(self, token: str) -> Json:
        """Learn the colours from the men that stand there now. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            pose = run.at_colours()
            looks = run.eye
            if looks is None:
                raise GuideError(Sentence("No reader knows the men of this board: leave the colours as they are."))
            frame = self._frame(after=run.number)
            if (frame.image.shape[1], frame.image.shape[0]) != pose.size:
                raise GuideError(
                    Sentence("The camera gives pictures of another size now: take a new picture of the board."),
                    "camera",
                )
            try:
                run.steps.start_position(frame.image, looks.men(frame.image, pose))
            except ColoursError as refused:
                raise GuideError(refused.sentence) from refused
            return self._told(run)

    def skip_colours(self, token: str) -> Json:
        """Go on with the usual colours. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            run.at_colours()
            run.taps += 1
            run.steps.skip_colours()
            return self._told(run)

    def save(self, token: str, name: str, *, replace: bool = False) -> BoardProfile:
        """Name the profile and keep it on the disk; it may be saved again under another name. Raises `GuideError`."""
        with self._lock:
            run = self._mine(token)
            if run.steps.progress.step not in ("name", "done"):
                raise GuideError(run.steps.progress.sentence)
            try:
                check_name(name)
                if not replace and name in profile_names() and name != run.saved:
                    raise GuideError(
                        Sentence(
                            "There is a board called {name} already: choose another name, or replace it.", name=name
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

    def told(self, token: str) -> Json:
        """Return how it stands, as a page shows it. Raises `GuideError`."""
        with self._lock:
            return self._told(self._mine(token))

    def leave(self, token: str) -> None:
        """Forget a calibration and its picture; one that is over already is none."""
        with self._lock:
            if self._run is not None and self._run.token == token:
                self._run = None

    def picture(self, token: str) -> bytes:
        """Return the picture that was taken, as JPEG. Raises `GuideError`."""
        with self._lock:
            image = self._mine(token).steps.image
        if image is None:
            raise GuideError(Sentence("There is no picture yet: take one."))
        return as_jpeg(image, WIDEST, QUALITY)

    def live(self) -> bytes:
        """Return what the camera sees now, as JPEG: of a board that is known already, board and rim alone.

        Raises:
            GuideError: no camera gives a picture.
        """
        run = self._run  # read once: it is replaced as a whole
        agreed = None if run is None else run.agreed
        image = self._frame(after=0, patience=AT_ONCE).image
        if agreed is not None and agreed[0].size == (image.shape[1], image.shape[0]):
            image = only_board(image, *agreed)
        return as_jpeg(image, WIDEST, QUALITY)

    def _mine(self, token: str) -> "_Run":
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

    def _told(self, run: "_Run") -> Json:
        run.used = self._clock()
        return run.to_json()

    def _frame(self, after: int, patience: float = PATIENCE) -> Frame:
        """Return the next picture with a higher number, waiting so many seconds for it."""
        source = self._camera()
        if source is None:
            raise GuideError(
                Sentence(
                    "No camera looks at a board: stop the program and start it with 'companion serve --camera 0', or "
                    "with '--camera push' to use the camera of a telephone or tablet."
                ),
                "camera",
            )
        frame = source.newest(after, patience)
        if str(source.state) != "LIVE" or frame is None:
            raise GuideError(
                Sentence("The camera gives no picture now. {state}", state=source.sentence),
                "camera",
            )
        return frame


class _Run:
    """One calibration under way. ``taps``: what a person did that the procedure does not count."""

    def __init__(self, board: str, *, kit: bool, look: Callable[[str], BoardEye | None]) -> None:
        self.token = secrets.token_urlsafe(16)
        self.board = board
        self.eye = look(board)
        finder: Finder | None = None if self.eye is None else self.eye.propose
        printed = kit_board(OFFERED[board]) if kit else None
        self.steps = BoardCalibration(board, GRIDS[board], kit=printed, finder=finder)
        self.taps = 1  # the board was chosen and its picture taken
        self.number = 0  # of the frame that was taken
        self.pictures = 0
        self.used = 0.0
        self.saved = ""
        self.suggestion = free_name(f"{board}-{'kit' if kit else 'board'}")

    def take(self, frame: Frame) -> None:
        """Take a picture and look for the board in it."""
        self.number, self.pictures = frame.number, self.pictures + 1
        self.steps.see(frame.image)

    @property
    def agreed(self) -> tuple[BoardPose, Places] | None:
        """Where the board lies with its markers, once a person has agreed."""
        steps = self.steps
        step, pose = steps.progress.step, steps.pose
        return None if pose is None or step in ("picture", "corners", "confirm") else (pose, steps.places)

    def still_open(self) -> None:
        """Refuse to move an outline that there is none of, or that was agreed to."""
        if self.steps.progress.step not in ("corners", "confirm"):
            raise GuideError(Sentence("The outline is not in question now: take another picture to mark it anew."))

    def at_colours(self) -> BoardPose:
        """Return where the board lies if its colours are asked for now."""
        if self.steps.progress.step != "colours" or self.steps.pose is None:
            raise GuideError(self.steps.progress.sentence)
        return self.steps.pose

    def to_json(self) -> Json:
        """Return how it stands, with what is to be drawn over the picture, in its pixels."""
        steps, image, pose = self.steps, self.steps.image, self.steps.pose
        return {
            "session": self.token,
            "board": self.board,
            "progress": steps.progress.to_json(),
            "picture": self.pictures,
            "size": None if image is None else [image.shape[1], image.shape[0]],
            "corners": None if pose is None else np.round(pose.corners, 2).tolist(),
            "lines": [] if pose is None else [np.round(line, 1).tolist() for line in _lines(pose, GRIDS[self.board])],
            "markers": [np.round(outline, 1).tolist() for outline in steps.marker_outlines],
            "how": None if pose is None else pose.how,
            "quality": None if steps.quality is None else steps.quality.to_json(),
            "learnt": {name: colour["places"] for name, colour in steps.colours.items()},
            "taps": self.taps + steps.taps,
            "suggestion": self.suggestion,
        }


def _lines(pose: BoardPose, grid: tuple[int, int]) -> list[Points]:
    """Return the lines between the sites, each some points (n, 2) in pixels."""
    columns, rows = grid
    along = np.linspace(0, 1, FIELD_LINES)
    upright = [np.column_stack([np.full(FIELD_LINES, n / columns), along]) for n in range(1, columns)]
    level = [np.column_stack([along, np.full(FIELD_LINES, n / rows)]) for n in range(1, rows)]
    return [pose.pixels(line) for line in upright + level]
