"""The reader of tokens on the printed boards of 56 places: from a picture to what lies on each of them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence, SentenceText, why_of
from companion.vision.board_readings import BoardReading
from companion.vision.boards.field.frame import Field
from companion.vision.boards.field.patch import warped
from companion.vision.boards.markers import Marker, MarkerFinder, MarkersSeen, exact
from companion.vision.boards.pose import BoardPose, PoseError, pose_from_corners, pose_from_markers
from companion.vision.boards.tokens.layout import ANY, TokenLayout, token_layouts
from companion.vision.boards.tokens.print_light import StraightBoard, TooDarkError, fitted_light
from companion.vision.boards.tokens.sites import SEEN_MM, read_sites
from companion.vision.readings import Image

Points = npt.NDArray[np.float64]

NOT_CERTAIN: Final = Sentence("It is not certain where the board is: let the camera see all four markers.")
PIXELS_PER_MILLIMETRE: Final = 3.0
"""Pixels per millimetre of the straightened board."""

LEAST_PITCH: Final = 1.1
"""Pixels per millimetre that a picture must have: below this, a token has fewer than 15 across."""

FINDER_PIXELS: Final = 2600
"""The finder searches a picture of at most this many pixels along its longer side; it refines corners in the whole
picture."""

FAR_OFF: Final = 0.9
"""How far a corner of the field may be off, in millimetres, if three markers are seen; else the reading is not
certain."""


@dataclass(frozen=True, eq=False)
class TokenField(Field):
    """Where a board of tokens lies: a field, and which of the boards it is."""

    board: str = ""


class TokenReader:
    """Reads the tokens on one printed board, or on whichever of them lies there. Not for two threads at once."""

    def __init__(self, board: str = ANY) -> None:
        """``board``: rim, pairs or wheel, or virtues for any of them."""
        known = token_layouts()
        self.board = board
        self._layouts: Mapping[str, TokenLayout] = known if board == ANY else {board: known[board]}
        self._finder = MarkerFinder()
        self._why = Sentence("The camera has not looked for a board yet.")

    def find(self, image: Image) -> TokenField | None:
        """Return where the board's field lies in a BGR picture, or None where it is not known for certain."""
        markers, seen = self._markers(image)
        size = image.shape[1], image.shape[0]
        fits, why = self._fits(markers, size, self._layouts)
        if fits is not None:
            return fits
        others = {name: one for name, one in token_layouts().items() if name not in self._layouts}
        other, _ = self._fits(markers, size, others)
        if other is not None:
            self._why = Sentence(
                "The board in the picture is {found}, but the camera should read {wanted}: lay that one there, or "
                "name this one.",
                found=other.board,
                wanted=self.board,
            )
        elif len(markers) < 3:  # noqa: PLR2004 (three tell where a board lies)
            self._why = self._finder.why_not(image, seen) or why
        else:
            self._why = Sentence(
                "The markers in the picture are not placed as on {board} of the kit: uncover them, and lay the board "
                "flat.",
                board=Sentence("a board of virtues")
                if self.board == ANY
                else Sentence("the board {name}", name=self.board),
            )
        return None

    def correct(self, image: Image, corners: Points) -> TokenField | None:
        """Return the field near known corners, by where its markers lie now: this is quick."""
        size = image.shape[1], image.shape[0]
        for name, layout in self._layouts.items():
            try:
                pose = pose_from_corners(np.asarray(corners, np.float64), size)
            except PoseError:
                return self.find(image)
            expected = {number: pose.pixels(places) for number, places in layout.kit.places().items()}
            near = self._finder.find_near(image, expected)
            fits, _ = self._fits(near.markers, size, {name: layout})
            if fits is not None and len(near.markers) == len(expected):
                return fits
        return self.find(image)

    def known(self, image: Image, corners: Points) -> TokenField:
        """Return the field whose corners are known for certain: it was calibrated, or a person marked them."""
        found = self.correct(image, corners) if len(self._layouts) > 1 else None
        board = found.board if found is not None else self._only
        return TokenField(np.asarray(corners, np.float64), 0.0, 0.0, 1.0, board=board)

    def read(self, image: Image, field: Field | None = None) -> BoardReading:
        """Return what lies on each site; ``field``: where the board lies, if that is known already."""
        begun = time.perf_counter()
        place = field if field is not None else self.find(image)
        found = time.perf_counter()
        if place is None:
            return self._nothing(self._why, (found - begun) * 1e3)
        board = place.board if isinstance(place, TokenField) and place.board else self._only
        if not board:
            sentence = Sentence(
                "It is not known which board of virtues this is: uncover its markers, or name the board."
            )
            return self._nothing(sentence, (found - begun) * 1e3)
        layout = token_layouts()[board]
        corners = tuple((float(x), float(y)) for x, y in place.corners)
        across = _pixels_a_millimetre(place.corners, layout)
        if across < LEAST_PITCH:
            sentence = Sentence(
                "The board is too small in the picture ({across} pixels a millimetre, {least} are needed): bring the "
                "camera nearer.",
                across=round(across, 1),
                least=LEAST_PITCH,
            )
            return replace(self._nothing(sentence, (found - begun) * 1e3), corners=corners)
        flat = straightened(image, place.corners, layout)
        try:
            light = fitted_light(flat, layout)
        except TooDarkError as error:
            return replace(self._nothing(why_of(error), (found - begun) * 1e3), corners=corners)
        sites = read_sites(flat, layout, light)
        ended = time.perf_counter()
        certain = place.error * layout.kit.field[0] <= FAR_OFF
        return BoardReading(
            board,
            sites,
            corners,
            "read" if certain else "ask",
            "" if certain else SentenceText(NOT_CERTAIN),
            float(place.chance),
            (ended - begun) * 1e3,
            {"find": (found - begun) * 1e3, "sites": (ended - found) * 1e3},
        )

    @property
    def _only(self) -> str:
        """The board that is read if only one is possible; else an empty string."""
        return "" if len(self._layouts) > 1 else next(iter(self._layouts))

    def _nothing(self, why: Sentence, milliseconds: float) -> BoardReading:
        return BoardReading(self.board, {}, (), "ignored", SentenceText(why), milliseconds=milliseconds)

    def _markers(self, image: Image) -> tuple[Mapping[int, Marker], MarkersSeen]:
        """Return the markers of a picture; a large picture is searched in a reduced copy."""
        scale = min(1.0, FINDER_PIXELS / max(image.shape[:2]))
        if scale == 1.0:
            seen = self._finder.find(image)
            return seen.markers, seen
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        seen = self._finder.find(small)
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        ratio = np.array([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]])
        large = {n: Marker(n, (one.corners + 0.5) * ratio - 0.5) for n, one in seen.markers.items()}
        return {n: exact(grey, one) for n, one in large.items()}, seen

    def _fits(
        self, markers: Mapping[int, Marker], size: tuple[int, int], layouts: Mapping[str, TokenLayout]
    ) -> tuple[TokenField | None, Sentence]:
        """Return the field of the board that the markers fit best, or why they fit none."""
        sentence = Sentence("The markers fit no board.")
        best: tuple[float, BoardPose, TokenLayout] | None = None
        for layout in layouts.values():
            try:
                pose = pose_from_markers(markers, layout.kit.places(), size)
            except PoseError as why:
                sentence = why.sentence
                continue
            if best is None or pose.error < best[0]:
                best = pose.error, pose, layout
        if best is None:
            return None, sentence
        _, pose, layout = best
        used = len(set(markers) & set(layout.kit.places())) - len(pose.strays)
        wide = float(np.linalg.norm(pose.corners[1] - pose.corners[0]))
        error = pose.error / wide * (1.0 if used > 3 else 3.0)  # noqa: PLR2004 (the others give the fourth corner)
        return TokenField(pose.corners, 0.0, error, 1.0, board=layout.board), sentence


def straightened(image: Image, corners: Points, layout: TokenLayout) -> StraightBoard:
    """Return the printed board seen from above.

    It has `PIXELS_PER_MILLIMETRE` pixels per millimetre, and enough room around places and markers.
    """
    kit = layout.kit
    centres = np.array(kit.centres)
    beyond = kit.marker / 2 + 6.0
    low = np.minimum(np.minimum(layout.places.min(axis=0) - SEEN_MM, centres.min(axis=0) - beyond), 0.0) - 1.0
    high = np.maximum(np.maximum(layout.places.max(axis=0) + SEEN_MM, centres.max(axis=0) + beyond), kit.field) + 1.0
    width, height = (int(length) for length in np.ceil((high - low) * PIXELS_PER_MILLIMETRE))
    origin = -low * PIXELS_PER_MILLIMETRE
    unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    target = unit * np.array(kit.field) * PIXELS_PER_MILLIMETRE + origin
    flat = warped(image, corners, target, (width, height))
    whole = np.full(image.shape[:2], 255, np.uint8)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    seen = cv2.warpPerspective(whole, warp, (width, height), flags=cv2.INTER_NEAREST) > 0
    return StraightBoard(flat, seen, origin, PIXELS_PER_MILLIMETRE)


def _pixels_a_millimetre(corners: Points, layout: TokenLayout) -> float:
    """Return the board's pixels per millimetre in the picture, where it is coarsest."""
    width, height = layout.kit.field
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(min(sides[0] / width, sides[2] / width, sides[1] / height, sides[3] / height))
