"""Where a board lies: found in the picture, or followed from its profile through knocks, and never guessed."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from companion.language.sentence import Sentence, SentenceError
from companion.vision.board_readings import BoardReading, Standing
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.boards.field.frame import LEAST_AGREEMENT
from companion.vision.boards.known import same_board
from companion.vision.boards.pose import PoseError
from companion.vision.boards.tracking import COVERED, BoardTracker
from companion.vision.readings import Image

PICTURES_BETWEEN: Final = 10
"""After this many pictures the columns of a board that lies still are checked again: a hand may have hidden them."""


class PlaceUnknownError(SentenceError, RuntimeError):
    """The board's place is not known for certain in this picture, so that nothing on it may be read."""


class Place(Protocol):
    """Where a board lies in a picture, as in `companion.vision.boards.field.frame.Field`."""

    @property
    def corners(self) -> Any:
        """The field's corners, 4 x 2, in pixels, from the top left clockwise."""

    @property
    def harmony(self) -> float:
        """How well its columns and rows agree with it, from 0 to 1."""


class KnowsField(Protocol):
    """The part of a board reader that takes a field's corners as they are."""

    def known(self, image: Image, corners: Any) -> Place:
        """Return the field whose corners are known for certain."""


class BoardReads(KnowsField, Protocol):
    """What reads a board in a picture."""

    def find(self, image: Image) -> Place | None:
        """Return where the field lies, or None."""

    def correct(self, image: Image, corners: Any) -> Place | None:
        """Return the field near roughly known corners, or None."""

    def read(self, image: Image, field: Any = None) -> BoardReading:
        """Return what stands on each site."""


@runtime_checkable
class Learns(Protocol):
    """A reader that learns from positions that were agreed on how this board and its men look."""

    def learn(self, men: Mapping[str, Standing]) -> None:
        """Learn from the picture that was read last: everybody agrees that these men stood there, and no others."""


class BoardPlaces(Protocol):
    """What knows where the board lies in each picture: a calibrated, tracked pose, or `FoundPlaces`."""

    def field(self, image: Image) -> Place | None:
        """Return where the field lies in this picture, or None where it is not seen."""


class FoundPlaces:
    """Finds the board in the first picture, follows it from there, and searches again when its place is doubtful."""

    def __init__(self, reader: BoardReads) -> None:
        self._reader = reader
        self._last: Place | None = None

    def field(self, image: Image) -> Place | None:
        """Return where the field lies in this picture, or None where it is not seen."""
        place = None if self._last is None else self._reader.correct(image, self._last.corners)
        self._last = place if place is not None else self._reader.find(image)
        return self._last

    def lose(self) -> None:
        """Search the whole picture next time."""
        self._last = None


class CalibratedPlaces:
    """Follows a board from its profile. For the watching thread alone."""

    def __init__(
        self, profile: BoardProfile, board: str, reader: KnowsField, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``board``: what the reader looks for; ``clock``: seconds, by which knocks are timed.

        Raises:
            PlaceUnknownError: the profile is of another board.
        """
        if not same_board(profile.board, board):  # a board of 8x16 squares has two names
            raise PlaceUnknownError(
                Sentence(
                    "The profile {name} is for the board {board}, but this game is played on {wanted}: calibrate "
                    "that one.",
                    name=profile.name,
                    board=profile.board,
                    wanted=board,
                )
            )
        self._tracker = BoardTracker(profile.pose, profile.picture, profile.places)
        self._corners_before = np.zeros((4, 2))  # the corners at which the columns were last searched
        self._found_before: Place | None = None  # the field that they gave
        self._pictures = 0  # how many pictures since then
        self._reader = reader
        self._clock = clock

    def field(self, image: Image) -> Place:
        """Return where the field lies in this picture.

        Raises:
            PlaceUnknownError: it was knocked or is covered, and is not found again for certain.
        """
        try:
            tracked = self._tracker.feed(image, self._clock())
        except PoseError as error:
            raise PlaceUnknownError(error.sentence) from error
        if tracked.pose is None:
            raise PlaceUnknownError(tracked.sentence or COVERED)
        return self._brought_in_step(image, tracked.pose.corners)

    def _brought_in_step(self, image: Image, corners: Any) -> Place:
        """Return the field at these corners; while they stay the same, check its columns only now and then."""
        self._pictures += 1
        if (
            self._found_before is not None
            and self._pictures < PICTURES_BETWEEN
            and np.array_equal(self._corners_before, corners)
        ):
            return self._found_before
        field = self._reader.known(image, corners)
        self._corners_before, self._pictures = corners, 0
        self._found_before = field if field.harmony >= LEAST_AGREEMENT else None
        return field
