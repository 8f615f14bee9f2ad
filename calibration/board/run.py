"""One calibration of a board in progress: what was taken and confirmed so far, and the state for a page."""

import secrets
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.board.choices import GRIDS, OFFERED
from calibration.board.eye import BoardEye
from calibration.board.guide_error import GuideError
from calibration.board.kept import free_name
from calibration.board.procedure import BoardCalibration, Finder
from companion.language.sentence import Sentence
from companion.vision.boards.kit import kit_board
from companion.vision.boards.lens import Lens
from companion.vision.boards.pose import BoardPose, Places, Points
from companion.vision.readings import Frame
from companion.vision.sources.locking import Lock

Json = dict[str, Any]

FIELD_LINES: Final = 9
"""Points along each line drawn over the picture: a lens may bend it."""

A_COLUMN_OFF = Sentence(
    "The columns in the picture do not begin and end along this outline: check whether it is a whole column off, "
    "because they all look alike."
)


@dataclass(frozen=True, eq=False)
class RunSettings:
    """How a calibration sees the board: its nets, the lens to undo, the held settings of the camera."""

    eye: BoardEye | None
    lens: Lens | None
    lock: Lock | None


class BoardRun:
    """One calibration in progress. ``taps``: a person's actions that the procedure does not count."""

    def __init__(self, board: str, *, kit: bool, settings: RunSettings) -> None:
        self.token = secrets.token_urlsafe(16)
        self.board = board
        self.settings = settings
        finder: Finder | None = None if settings.eye is None else settings.eye.propose
        printed = kit_board(OFFERED[board]) if kit else None
        held = None if settings.lock is None else settings.lock.settings()
        self.steps = BoardCalibration(board, GRIDS[board], kit=printed, lens=settings.lens, finder=finder, camera=held)
        self.taps = 1  # choosing the board and taking its picture
        self.number = 0  # of the taken frame
        self.taken = 0.0  # its time
        self.notes: tuple[Sentence, ...] = ()  # further sentences, about the camera
        self.doubt: Sentence | None = None  # about the outline
        self.pictures = 0
        self.used = 0.0
        self.saved = ""
        self.suggestion = free_name(f"{board}-{'kit' if kit else 'board'}")

    def take(self, frame: Frame) -> None:
        """Take a picture and look for the board in it."""
        self.number, self.taken, self.pictures = frame.number, frame.taken, self.pictures + 1
        self.steps.see(frame.image)
        self.compare()

    def compare(self) -> None:
        """Check whether the board's columns agree with the outline; markers are more reliable than columns."""
        steps, eye = self.steps, self.settings.eye
        self.doubt = None
        if eye is None or steps.pose is None or steps.image is None or steps.pose.how == "markers":
            return
        if not eye.agrees(steps.image, steps.pose.corners):
            self.doubt = A_COLUMN_OFF

    @property
    def agreed(self) -> tuple[BoardPose, Places] | None:
        """Where the board and its markers lie, once a person has confirmed it."""
        steps = self.steps
        step, pose = steps.progress.step, steps.pose
        return None if pose is None or step in ("picture", "corners", "confirm") else (pose, steps.places)

    def still_open(self) -> None:
        """Raise `GuideError` if there is no outline to move, or a person has already confirmed it."""
        if self.steps.progress.step not in ("corners", "confirm"):
            raise GuideError(Sentence("The outline is already settled: take another picture to mark it again."))

    def at_colours(self) -> BoardPose:
        """Return where the board lies if the present step is its colours."""
        if self.steps.progress.step != "colours" or self.steps.pose is None:
            raise GuideError(self.steps.progress.sentence)
        return self.steps.pose

    def to_json(self) -> Json:
        """Return the state, with the outlines to draw over the picture, in its pixels."""
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
            "doubt": None if self.doubt is None else self.doubt.to_json(),
            "held": None
            if self.settings.lock is None
            else [{"held": one.held, "sentence": one.sentence.to_json()} for one in self.settings.lock.controls],
            "notes": [note.to_json() for note in self.notes],
            "lens": self.settings.lens is not None,
        }


def _lines(pose: BoardPose, grid: tuple[int, int]) -> list[Points]:
    """Return the lines between the sites, each as points (n, 2) in pixels."""
    columns, rows = grid
    along = np.linspace(0, 1, FIELD_LINES)
    upright = [np.column_stack([np.full(FIELD_LINES, n / columns), along]) for n in range(1, columns)]
    level = [np.column_stack([along, np.full(FIELD_LINES, n / rows)]) for n in range(1, rows)]
    return [pose.pixels(line) for line in upright + level]
