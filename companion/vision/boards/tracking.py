"""Follow the board during a game, and report when the camera was knocked.

With markers, every picture gives the place. Without, the picture is compared with an earlier one: a board that is found
elsewhere beyond doubt is followed; in every other case a person is asked. A hand over the board is no knock.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from companion.language.sentence import Sentence
from companion.vision.boards.likeness import LEAST_SIDES, BoardPicture, Registration
from companion.vision.boards.markers import Marker, MarkerFinder
from companion.vision.boards.pose import BoardPose, Matrix, Places, PoseError, pose_from_markers
from companion.vision.readings import Image

State = Literal["steady", "covered", "knocked", "recovered", "lost"]
"""``steady``: it lies where it lay; ``covered``: too little of it is seen; ``knocked``: it has moved, but its new place
is not yet sure; ``recovered``: it was just found at its new place; ``lost``: it was not found again, a person must show
it."""

KNOCK_SHARE: Final = 0.0045
"""How far a corner must move for a knock, as a share of the picture's diagonal: 7 pixels of 1280x960. Smaller moves are
followed."""

UNMOVED_PIXELS: Final = 0.7
"""Pixels within which a board has not moved: the place stays the same, so that noise does not shake it."""

SLIPPED_PIXELS: Final = 2.0
"""The distance from its place, in pixels, at which a marker has been moved, if three others are where they were."""

STILL_PIXELS: Final = 2.5
"""Pixels between two pictures within which the camera stands still again after a knock."""

UNLIKE_SECONDS: Final = 1.5
"""Seconds for which a board may look different before the tracker reports it; it must notice knocks within two."""

SEARCH_SECONDS: Final = 4.0
"""Seconds of searching after which a person is asked."""

HARD_AGAIN: Final = 1.0
"""Seconds between two thorough searches for markers, which take a while."""

REFRESH_SECONDS: Final = 6.0
"""Seconds for which men and light must look much changed before a new picture is kept for comparison."""

_SAME_TILES_SHARE: Final = 0.35  # share of border tiles that look as before: the rest may be under an arm
_WORN_SHARE: Final = 0.55  # share of points that agree; below it, the picture for comparison is worn out
_ENOUGH_MARKERS: Final = 3  # this many markers give the whole place
_PAIR_OF_MARKERS: Final = 2

KNOCKED = Sentence("The camera was knocked and is looking for the board. Leave camera and board alone for a moment.")
RECOVERED = Sentence("The camera was knocked, but has found the board again; the game goes on.")
LOST = Sentence(
    "The camera was knocked, and it is not certain where the board is. Put the camera back where it was, or mark the "
    "board's four corners again."
)
COVERED = Sentence("The camera cannot see the board where it was: uncover it, or mark its corners again.")


@dataclass(frozen=True, eq=False)
class Tracked:
    """What one picture shows of the board's place.

    ``pose`` is None while it is not known: then nothing on the board may be read. ``sentence``: what to tell people, if
    anything. ``shift``: by how many pixels a corner has moved since the place was last certain.
    """

    state: State
    pose: BoardPose | None
    sentence: Sentence | None = None
    shift: float = 0.0


@dataclass
class _Doubt:
    """What has been seen since the board was last where it should be; times in seconds."""

    since: float | None = None
    knocked: bool = False
    announced: bool = False
    candidate: BoardPose | None = field(default=None)


class BoardTracker:
    """Follows one board with one camera. Not thread-safe: the thread that reads the frames feeds it."""

    def __init__(self, pose: BoardPose, image: Image, places: Places | None = None) -> None:
        """``image``: a picture in which the board lies as ``pose`` says; ``places``: its markers', if it has any."""
        self._places: Places = places or {}
        self._finder = MarkerFinder()
        self.accept(pose, image)

    def accept(self, pose: BoardPose, image: Image) -> None:
        """Take a place that a person has shown or confirmed, with the picture in which the board lies there."""
        self._pose = pose
        self._picture = BoardPicture(image, pose)
        self._doubt = _Doubt()
        self._worn_since: float | None = None
        self._hard_at = -HARD_AGAIN
        self._moved: Matrix = np.eye(3)
        self._strays: set[int] = set()

    @property
    def pose(self) -> BoardPose:
        """The place that was last known."""
        return self._pose

    def feed(self, image: Image, taken: float) -> Tracked:
        """Take the next picture (BGR, the size of the first) and its time in seconds; return where the board lies.

        Raises:
            PoseError: the picture has another size than the one in which the board's place was given.
        """
        if (image.shape[1], image.shape[0]) != self._pose.size:
            raise PoseError(
                Sentence(
                    "Expected pictures of {width}x{height}, as when the board was calibrated, but got {came}: set "
                    "the camera to that size or calibrate the board again.",
                    width=self._pose.size[0],
                    height=self._pose.size[1],
                    came=f"{image.shape[1]}x{image.shape[0]}",
                )
            )
        tracked = self._by_markers(image, taken) if self._places else None
        return tracked if tracked is not None else self._by_picture(image, taken)

    # With markers

    def _by_markers(self, image: Image, taken: float) -> Tracked | None:
        """Return where the board lies by its markers, or None if too few of them are seen."""
        expected = {number: self._pose.pixels(places) for number, places in self._places.items()}
        seen = self._finder.find_near(image, expected).nearest(_centres(expected))
        if len(seen) < min(_ENOUGH_MARKERS, len(expected)):
            # A knock may have moved them beyond the search windows. If a hand hides them, this search is in vain.
            hard = self._doubt.since is not None and taken - self._hard_at >= HARD_AGAIN
            self._hard_at = taken if hard else self._hard_at
            everywhere = self._finder.find(image, hard=hard)
            seen = everywhere.nearest(_centres(expected)) | (seen if not everywhere.markers else {})
        seen = self._unmoved({number: marker for number, marker in seen.items() if number in expected}, expected)
        if len(seen) >= _ENOUGH_MARKERS:
            try:
                found = pose_from_markers(seen, self._places, self._pose.size, self._pose.lens)
            except PoseError as refused:
                return self._astray(refused, taken)
            return self._found(found, image, taken)
        offs = [float(np.linalg.norm(marker.centre - _centres(expected)[n])) for n, marker in seen.items()]
        if len(offs) >= _PAIR_OF_MARKERS and max(offs) < self._knock and not self._doubt.knocked:
            return self._steady(self._pose)
        return None

    def _unmoved(self, seen: dict[int, Marker], expected: Places) -> dict[int, Marker]:
        """Leave out a marker that has moved while three others have not, now and until it is back in its place."""
        offs = {n: float(np.linalg.norm(one.corners - expected[n], axis=1).max()) for n, one in seen.items()}
        there = {number for number, off in offs.items() if off < SLIPPED_PIXELS}
        self._strays -= there
        if len(there) >= _ENOUGH_MARKERS:
            self._strays |= set(seen) - there
        return {number: marker for number, marker in seen.items() if number not in self._strays}

    def _astray(self, refused: PoseError, taken: float) -> Tracked | None:
        """Return the state when markers are seen but not as they lay: several were moved.

        The picture may still show where the board is.
        """
        self._begin_doubt(taken)
        if taken - (self._doubt.since or taken) < UNLIKE_SECONDS:
            return Tracked("covered", None)
        return Tracked("lost", None, refused.sentence)

    # Without

    def _by_picture(self, image: Image, taken: float) -> Tracked:
        small = self._picture.small(image)
        match = self._picture.follow(small, self._moved)
        if match is not None and match.certain:
            return self._matched(match, image, taken)
        # Search elsewhere before assuming that it lies still under an arm: a repeating pattern looks like that too.
        match = self._picture.find(small)
        if match is not None and match.certain:
            return self._matched(match, image, taken)
        if not self._doubt.knocked:
            alike, sides = self._picture.as_it_was(small, self._moved)
            if alike >= _SAME_TILES_SHARE and sides >= LEAST_SIDES:
                self._doubt = _Doubt()
                return self._steady(self._pose)
        self._begin_doubt(taken)
        return self._in_doubt(taken)

    def _matched(self, match: Registration, image: Image, taken: float) -> Tracked:
        found = self._picture.pose_after(match.moved)
        if self._doubt.knocked or found.shift(self._pose) >= self._knock:
            return self._found(found, image, taken)
        tracked = self._found(found, image, taken)
        self._moved = match.moved
        self._refresh(match, image, found, taken)
        return tracked

    def _refresh(self, match: Registration, image: Image, found: BoardPose, taken: float) -> None:
        """Keep a new picture for comparison, at the place just measured, when men and light have changed for good."""
        if match.share >= _WORN_SHARE:
            self._worn_since = None
        elif self._worn_since is None:
            self._worn_since = taken
        elif taken - self._worn_since >= REFRESH_SECONDS:
            self._picture = BoardPicture(image, found)
            self._moved = np.eye(3)
            self._worn_since = None

    # Both

    @property
    def _knock(self) -> float:
        return KNOCK_SHARE * float(np.hypot(*self._pose.size))

    def _found(self, found: BoardPose, image: Image, taken: float) -> Tracked:
        """Take a place that is certain: the old one, one a little off it, or after a knock a new one."""
        shift = found.shift(self._pose)
        if shift < self._knock:
            back = self._doubt.knocked
            self._doubt = _Doubt()
            if shift >= UNMOVED_PIXELS:
                self._pose = found
            sentence = RECOVERED if back else self._stray_sentence(found)
            return Tracked("recovered" if back else "steady", self._pose, sentence, shift)
        self._begin_doubt(taken)
        self._doubt.knocked = True
        before, self._doubt.candidate = self._doubt.candidate, found
        if before is None or found.shift(before) > STILL_PIXELS:
            return Tracked("knocked", None, KNOCKED, shift)
        strays = self._strays | set(found.strays)
        self.accept(found, image)
        self._strays = strays
        return Tracked("recovered", found, RECOVERED, shift)

    def _steady(self, pose: BoardPose) -> Tracked:
        self._doubt = _Doubt()
        return Tracked("steady", pose)

    def _stray_sentence(self, found: BoardPose) -> Sentence | None:
        strays = self._strays | set(found.strays)
        if not strays:
            return None
        return Sentence(
            "Marker {number} was moved: the camera follows the other three. Put it back, or calibrate the board again.",
            number=", ".join(map(str, sorted(strays))),
        )

    def _in_doubt(self, taken: float) -> Tracked:
        """Return the state while nothing is certain."""
        assert self._doubt.since is not None
        waited = taken - self._doubt.since
        if self._doubt.knocked:
            return Tracked("lost", None, LOST) if waited >= SEARCH_SECONDS else Tracked("knocked", None, KNOCKED)
        if waited < UNLIKE_SECONDS:
            return Tracked("covered", None)
        return Tracked("lost" if waited >= SEARCH_SECONDS else "covered", None, COVERED)

    def _begin_doubt(self, taken: float) -> None:
        if self._doubt.since is None:
            self._doubt.since = taken


def can_follow(pose: BoardPose, image: Image) -> bool:
    """Whether a board without markers shows enough along its edges in this picture to be followed by its looks."""
    picture = BoardPicture(image, pose)
    small = picture.small(image)
    _, sides = picture.as_it_was(small, np.eye(3))
    match = picture.follow(small, np.eye(3))
    return sides >= LEAST_SIDES and match is not None and match.certain


def _centres(corners: Places) -> dict[int, "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"]:
    return {number: Marker(number, places).centre for number, places in corners.items()}
