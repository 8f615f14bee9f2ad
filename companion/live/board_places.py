"""Where a calibrated board lies: followed from its profile through knocks, and never guessed."""

import time
from collections.abc import Callable
from typing import Any, Protocol

from companion.rules.sentence import Sentence
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.boards.pose import PoseError
from companion.vision.boards.readers import same_board
from companion.vision.boards.tracking import COVERED, BoardTracker
from companion.vision.readings import Image


class PlaceUnknownError(RuntimeError):
    """The board's place is not known for certain in this picture, so that nothing on it may be read."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class KnowsField(Protocol):
    """The part of a board reader that takes a field's corners as they are."""

    def known(self, image: Image, corners: Any) -> Any:
        """Return the field whose corners are known for certain."""
        ...


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
                    "The profile {name} is of the board {board}, but this game is played on {wanted}: calibrate that.",
                    name=profile.name,
                    board=profile.board,
                    wanted=board,
                )
            )
        self._tracker = BoardTracker(profile.pose, profile.picture, profile.places)
        self._reader = reader
        self._clock = clock

    def field(self, image: Image) -> Any:
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
        return self._reader.known(image, tracked.pose.corners)
