"""The steps of calibrating a board, as a plain object: a prompt or a page shows its sentence and passes on the input.

It draws, asks and writes nothing; the caller does that. It needs no markers: if they are missing or do not belong to a
printed kit, a finder may propose the corners, and a person may always drag them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from calibration.board.colours import Start, learn_colours
from companion.language.sentence import Sentence
from companion.vision.boards.board_profile import BoardProfile, check_name, only_board
from companion.vision.boards.kit import KitBoard
from companion.vision.boards.lens import Lens
from companion.vision.boards.markers import MarkerFinder, MarkersSeen
from companion.vision.boards.pose import (
    LEAST_MARKERS,
    BoardPose,
    Places,
    Points,
    PoseError,
    learn_places,
    pose_from_corners,
    pose_from_markers,
)
from companion.vision.boards.quality import Quality, judge
from companion.vision.boards.tracking import can_follow
from companion.vision.images import check_live
from companion.vision.readings import Image

Step = Literal["picture", "corners", "confirm", "colours", "name", "done"]
STEPS: Final[tuple[Step, ...]] = ("picture", "corners", "confirm", "colours", "name", "done")

Finder = Callable[[Image], Points | None]
"""Proposes the field's corners (4, 2) in pixels, clockwise from the top left, if there are no known markers."""

TOO_LARGE: Final = 10_000_000
"""Pixels above which a picture is not a camera's live picture, and a profile does not accept it."""


FIRST: Final = Sentence("Step 1 of 5: show the whole board to the camera, from above, with no hands over it.")

CANNOT_FOLLOW: Final = Sentence(
    "There is too little to see along this outline to follow the board by its pattern: put the corners exactly on "
    "the field's edge, or lay three of the kit's markers beside the board; otherwise the table looks for the board "
    "by itself."
)


@dataclass(frozen=True)
class Progress:
    """The state of the procedure. ``number`` and ``of``: steps done and steps in all; ``missing``: what it needs."""

    step: Step
    sentence: Sentence
    missing: tuple[Sentence, ...]
    number: int
    of: int

    @property
    def done(self) -> bool:
        """Whether the profile may be saved."""
        return self.step == "done"

    def to_json(self) -> dict[str, Any]:
        """Return it for a page or ``--json``."""
        return {
            "step": self.step,
            "sentence": self.sentence.to_json(),
            "missing": [one.to_json() for one in self.missing],
            "number": self.number,
            "of": self.of,
            "done": self.done,
        }


class BoardCalibration:
    """One run of the procedure. ``taps`` counts a person's actions so far."""

    def __init__(
        self,
        board: str,
        grid: tuple[int, int],
        *,
        kit: KitBoard | None = None,
        lens: Lens | None = None,
        finder: Finder | None = None,
        camera: Mapping[str, Any] | None = None,
    ) -> None:
        """``grid``: sites across and down; ``camera``: its settings, as a `Lock` reads them back."""
        self._board, self._grid, self._kit, self._lens = board, grid, kit, lens
        self._find_corners = finder
        self._camera = dict(camera or {})
        self._finder = MarkerFinder()
        self._image: Image | None = None
        self._seen = MarkersSeen({})
        self._notes: list[Sentence] = []
        self._colours: dict[str, Any] = {}
        self._pose: BoardPose | None = None
        self._places: Places = {}
        self._quality: Quality | None = None
        self._name = ""
        self._step: Step = "picture"
        self.taps = 0

    @property
    def progress(self) -> Progress:
        """The present step and its sentence."""
        return Progress(self._step, self._sentence(), tuple(self._notes), STEPS.index(self._step), len(STEPS) - 1)

    @property
    def pose(self) -> BoardPose | None:
        """The board's place, as far as it is known, to draw over the picture."""
        return self._pose

    @property
    def image(self) -> Image | None:
        """The picture (BGR): whole until the outline is confirmed, then only the board and its rim."""
        return self._image

    @property
    def places(self) -> Places:
        """The places of the markers in parts of the field, by number, once the board's place is known."""
        return self._places

    @property
    def colours(self) -> Mapping[str, Any]:
        """The learnt colours: by side, and of the empty board."""
        return self._colours

    @property
    def quality(self) -> Quality | None:
        """The judgement of the picture, once the board's place is known."""
        return self._quality

    @property
    def markers(self) -> tuple[int, ...]:
        """The numbers of the visible markers."""
        return tuple(sorted(self._seen.markers))

    @property
    def marker_outlines(self) -> tuple[Points, ...]:
        """The corners (4, 2) in pixels of each visible marker, to draw over the picture."""
        return tuple(self._seen.markers[number].corners for number in self.markers)

    def see(self, image: Image) -> Progress:
        """Take a picture (BGR) of the whole board; kit markers or the finder may give its place at once."""
        self._restart()
        fault = check_live(image)
        if fault is None and image.shape[0] * image.shape[1] > TOO_LARGE:
            fault = Sentence(
                "Expected a picture of at most {most} megapixels, as a camera beside the table gives, but it is "
                "{width}x{height}: take a smaller one with that camera.",
                most=TOO_LARGE // 1_000_000,
                width=image.shape[1],
                height=image.shape[0],
            )
        if fault is not None:
            self._notes = [fault]
            return self.progress
        self._image, self._step = image, "corners"
        self._seen = self._finder.find(image)
        fault = self._finder.why_not(image, self._seen)
        mirrored = fault is not None and "mirrored" in fault.template
        if fault is not None and (self._seen.doubled or self._kit is not None or mirrored):
            self._notes.append(fault)
        if self._kit is not None and not self._seen.doubled:
            self._by_kit()
        if self._pose is None and self._find_corners is not None:
            proposed = self._find_corners(image)
            if proposed is not None:
                self._place_at(proposed, by_hand=False)
        return self.progress

    def corners(self, corners: Points) -> Progress:
        """Take the field's four corners (4, 2) in pixels of the picture, clockwise from the top left, from a person.

        Impossible corners leave the place unknown, whatever was proposed before: nobody can confirm an outline that the
        page does not show.
        """
        if self._image is None:
            return self.progress
        self.taps += 1
        self._notes, self._pose, self._places, self._quality = [], None, {}, None
        self._step = "corners"
        self._place_at(corners, by_hand=True)
        return self.progress

    def confirm(self) -> Progress:
        """Take a person's confirmation that the outline lies on the field's edge; then forget the room around it."""
        if self._step == "confirm" and self._image is not None and self._pose is not None:
            self.taps += 1
            self._image = only_board(self._image, self._pose, self._places)
            self._step = "colours"
        return self.progress

    def start_position(self, image: Image, start: Start) -> Progress:
        """Learn the colours from a picture with men at known places; the camera must not have moved.

        Raises:
            ColoursError: the picture does not show them well enough.
        """
        if self._step == "colours" and self._pose is not None:
            self.taps += 1
            self._colours = learn_colours(image, self._pose, start)
            men = {side: places for side, places in start.items() if side in self._colours and side != "empty"}
            self._quality = judge(image, self._pose, self._grid, men)
            self._step = "name"
        return self.progress

    def skip_colours(self) -> Progress:
        """Continue without colours: the usual ones are then expected."""
        if self._step == "colours":
            self._step = "name"
        return self.progress

    def call(self, name: str) -> Progress:
        """Take the name of the profile.

        Raises:
            BoardProfileError: the name is not allowed.
        """
        if self._step in ("name", "done"):
            self._name = check_name(name)
            self.taps += 1
            self._step = "done"
        return self.progress

    def profile(self, made: datetime) -> BoardProfile:
        """Return the profile when all steps are done. ``made``: the time with its zone."""
        if self._step != "done" or self._image is None or self._pose is None:
            raise ValueError(f"Expected a calibration that is done, but it is at {self._step!r}.")
        if made.tzinfo is None:
            raise ValueError("Expected a time with its zone.")
        return BoardProfile(
            self._name,
            self._board,
            made.isoformat(timespec="seconds"),
            only_board(self._image, self._pose, self._places),
            self._pose.corners,
            self._pose.how,
            self._places,
            self._pose.lens,
            self._kit.field if self._kit is not None else None,
            self._colours,
            self._camera,
            self._quality.to_json() if self._quality is not None else {},
        )

    def _restart(self) -> None:
        self._image, self._pose, self._places, self._quality = None, None, {}, None
        self._seen, self._notes, self._colours, self._step = MarkersSeen({}), [], {}, "picture"

    def _by_kit(self) -> None:
        assert self._kit is not None
        assert self._image is not None
        try:
            pose = pose_from_markers(self._seen.markers, self._kit.places(), self._size, self._here)
        except PoseError as refused:
            if not self._notes:
                self._notes.append(refused.sentence)
            return
        self._set(pose, self._kit.places())

    def _place_at(self, corners: Points, *, by_hand: bool) -> None:
        try:
            pose = pose_from_corners(corners, self._size, "hand" if by_hand else "finder", self._here)
        except PoseError as refused:
            self._notes.append(refused.sentence)
            return
        self._set(pose, learn_places(self._seen.markers, pose))

    def _set(self, pose: BoardPose, places: Places) -> None:
        assert self._image is not None
        self._pose, self._places = pose, places
        self._quality = judge(self._image, pose, self._grid)
        self._notes = list(self._quality.changes)
        if len(places) < LEAST_MARKERS and not can_follow(pose, self._image):
            # Show the outline, but do not allow its confirmation: the table would never find the board there again.
            self._notes.insert(0, CANNOT_FOLLOW)
            self._step = "corners"
            return
        if pose.strays:
            self._notes.append(
                Sentence(
                    "Marker {number} is not where the kit prints it: check that the sheets are joined exactly.",
                    number=", ".join(map(str, pose.strays)),
                )
            )
        self._step = "confirm"

    @property
    def _size(self) -> tuple[int, int]:
        assert self._image is not None
        return self._image.shape[1], self._image.shape[0]

    @property
    def _here(self) -> Lens | None:
        return None if self._lens is None else self._lens.at(self._size)

    def _sentence(self) -> Sentence:
        markers = len(self._places)
        tracked = (
            Sentence("Its {count} markers will show when the camera is knocked.", count=markers)
            if markers >= 3
            else Sentence(
                "Without three markers the camera follows the board by its pattern; with markers it would follow it "
                "exactly."
            )
        )
        return {
            "picture": FIRST,
            "corners": Sentence(
                "Step 2 of 5: mark the four corners of the playing field, where its outermost sites end, not of the "
                "frame around it."
            ),
            "confirm": Sentence(
                "Step 3 of 5: does the outline lie on the edge of the playing field? {tracked}", tracked=tracked
            ),
            "colours": Sentence(
                "Step 4 of 5: set up the start of the game to teach the colours of both sides, or skip this."
            ),
            "name": Sentence("Step 5 of 5: give this board and camera a name, such as oak-board."),
            "done": Sentence("The board is calibrated."),
        }[self._step]
