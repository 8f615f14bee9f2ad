"""One die's throws under one camera, sorted by the map of its surface, named once by a person, and then counted."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

import cv2
import numpy as np

from companion.rules.die import Die
from companion.vision.dice.atlas.atlas import LEAST_LEAD, Atlas, FoundPose
from companion.vision.dice.atlas.facets import facets
from companion.vision.dice.atlas.marked import Common
from companion.vision.dice.atlas.place import MOST_THROWS, EmptyPlace, NoSpotError, Spot
from companion.vision.dice.atlas.pose import LyingThrow, lying, projection
from companion.vision.dice.atlas.rig import RigSizes, sizes, surveyed
from companion.vision.dice.geometry import PLACES, cut_turned
from companion.vision.dice.groups.course import ThrowRow, names_of_throws, refuse_few
from companion.vision.dice.groups.linkage import Likes
from companion.vision.dice.groups.named import Verdict, separation, without_itself
from companion.vision.dice.groups.sorting import mixed_groups
from companion.vision.readings import Image

PICTURE_RADII: Final = 1.5
"""How far a throw's picture reaches from the middle of the die, in radii of its outline."""

ROW_LEAD: Final = 0.15
"""Doubtful throws stand in one row if the same face leads in them by so much."""

SURE_LEAD: Final = 0.45
"""A throw counts if its upper face leads by so much."""

PLAIN_FIT: Final = 0.8
"""A throw counts if its pose fits what all faces have in common at least so well, as a share of the usual fit: else the
die leans on something."""

FIRST_PICTURES: Final = 16
"""From so many pictures the empty place is learnt at first."""

GUESSING_VIEWS: Final = 4
"""From so many views the general reader guesses what a face bears."""

MIXED_LIKENESS: Final = 0.45
"""A row is mixed if its two parts, as the map lays them, are less alike than this: see `sorting.MIXED_LIKENESS`."""

WITNESS_LIKENESS: Final = 3.4
"""How alike throws are by themselves, on the scale of `named.by_likeness`. A sure name then is hardly ever wrong."""

LEAST_PAIRS: Final = 6
"""So many faces with a name whose opposite has one, too, show that the die is numbered as its set says."""

REST_SIZE: Final = 48
REST_PIXELS: Final = 5
"""Two pictures of one rest are compared at this size, and may be so many of its pixels apart."""

NUDGES: Final = (-12.0, -6.0, 0.0, 6.0, 12.0)
"""The rotations, in degrees, by which a nudge may turn a die."""

ONE_REST: Final = 0.95
"""The least correlation of two pictures of one rest. On a rig, two throws in a row reached 0.91 at most (n = 198), and
one rest, with noise and two pixels off, 0.985 at least (n = 60); 21 throws lay nearly where the last one lay."""

SHOWN_SIZE: Final = 160
"""The height and width of a throw as a person sees it, in pixels."""

Guess = Callable[[Sequence[Sequence[Image]]], str | None]


@dataclass(frozen=True, eq=False)
class DieCut:
    """One throw: the picture around the die (BGR), the die's place in it, and its place in the whole picture."""

    picture: Image
    inside: tuple[float, float]
    spot: Spot
    size: tuple[int, int]

    @classmethod
    def of(cls, image: Image, spot: Spot) -> "DieCut":
        """Cut the die out of a BGR picture."""
        reach = int(np.ceil(spot.radius * PICTURE_RADII * 1.4))
        left, top = max(0, int(spot.x) - reach), max(0, int(spot.y) - reach)
        cut_out = image[top : int(spot.y) + reach + 1, left : int(spot.x) + reach + 1].copy()
        return cls(cut_out, (spot.x - left, spot.y - top), spot, (image.shape[1], image.shape[0]))

    def at_rest_with(self, other: "DieCut") -> bool:
        """Whether both show one rest of the die, which was at most nudged in between.

        A die that comes to rest where it lay before shows another face, or another rotation.
        """
        inner = self.straight(0.0)[REST_PIXELS:-REST_PIXELS, REST_PIXELS:-REST_PIXELS]
        theirs = (other.straight(angle) for angle in NUDGES)
        return max(float(cv2.matchTemplate(one, inner, cv2.TM_CCOEFF_NORMED).max()) for one in theirs) >= ONE_REST

    def straight(self, angle: float) -> Image:
        """Return the die in the middle, turned by so many degrees, `REST_SIZE` square BGR."""
        zoom = REST_SIZE / (2 * self.spot.radius)
        warp = cv2.getRotationMatrix2D(self.inside, angle, zoom)
        warp[0, 2] += REST_SIZE / 2 - self.inside[0]
        warp[1, 2] += REST_SIZE / 2 - self.inside[1]
        seen = cv2.warpAffine(
            self.picture, warp, (REST_SIZE, REST_SIZE), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.0), np.uint8)

    def lying(self, along: RigSizes) -> LyingThrow:
        """Return what is compared of it."""
        one = lying(self.picture, *self.inside, along.at(self.spot.x, self.spot.y))
        return replace(one, at=(self.spot.x, self.spot.y))


class Cutter:
    """Cuts the die out of the pictures of a camera that stands still; it follows light and things that drift.

    Args:
        place: the empty place, as the first pictures show it.
    """

    def __init__(self, place: EmptyPlace) -> None:
        self._place = place
        self._recent: deque[Image] = deque(maxlen=MOST_THROWS)
        self._seen = 0

    def cut(self, image: Image) -> DieCut | NoSpotError:
        """Return the die cut out of a BGR picture, or why there is none."""
        self._recent.append(image)
        self._seen += 1
        if self._seen % MOST_THROWS == 0:
            with suppress(NoSpotError):
                self._place = EmptyPlace(self._recent)
        try:
            return DieCut.of(image, self._place.spot(image))
        except NoSpotError as why:
            return why


class SolidThrows:
    """Counts the throws of one die whose faces need no marks that a net knows.

    Args:
        cuts: the throws from which it learns.
        die: the die, whose shape is one of `facets.SHAPES`.
        guess: says what a face bears, given flat in each of its rotations; None without any guess.

    Raises:
        TooFewThrowsError: there are fewer than `LEAST_EACH` throws for each face.
    """

    def __init__(self, cuts: Sequence[DieCut], die: Die, guess: Guess | None = None) -> None:
        self._die = die
        self._solid = facets(die.shape)
        faces = len(self._solid.points)
        refuse_few(len(cuts), faces)
        self._cuts = list(cuts)
        self._lock = Lock()  # one thread may read throws while another sorts the doubtful ones
        width, height = cuts[0].size
        outlines = sizes([one.spot for one in cuts], width, height)
        survey = surveyed(self._solid, [one.lying(outlines) for one in cuts], outlines)
        self._common, self._sizes, self._throws = survey.common, survey.sizes, survey.throws
        self._atlas = Atlas(survey.common, survey.throws, survey.poses)
        self._plain = PLAIN_FIT * float(np.median([found.common for found in self._atlas.found]))
        self._names: dict[int, str] = {}
        members: dict[int, list[int]] = {}
        for number, found in enumerate(self._atlas.found):
            if found.lead >= LEAST_LEAD:
                members.setdefault(found.face, []).append(number)
        for own in members.values():
            own.sort(key=lambda number: -self._atlas.found[number].lead)
        self._row_faces = sorted(members, key=lambda face: (-len(members[face]), face))
        laid, self._alike = pairs_alike(survey.common, survey.throws, self._atlas.found)
        mixed = mixed_groups(laid, [members[face] for face in self._row_faces], MIXED_LIKENESS)
        self.rows = [
            ThrowRow(tuple(members[face]), None if guess is None else guess(self._best_views(face)), is_mixed)
            for face, is_mixed in zip(self._row_faces, mixed, strict=True)
        ]
        self.verdicts: list[Verdict] = []
        """What each of the throws shows, once the rows have names."""
        self.separation: dict[str, dict[str, int]] = {}
        """How well the names separate, as `named.separation` says it."""

    def _best_views(self, face: int) -> list[list[Image]]:
        """Return a face of the die as it was seen best, whichever face was up: each view flat in all its rotations."""
        views: list[tuple[float, int, int]] = []
        for number, found in enumerate(self._atlas.found):
            if found.lead >= LEAST_LEAD:
                there = int(np.flatnonzero(self._solid.faces[found.symmetry] == face)[0])
                turn, _, _ = projection(self._solid, self._common.camera, self._throws[number], found.pose)
                views.append((-float(turn[2] @ self._solid.solid.normals[there]), number, there))
        flat = []
        for _, number, there in sorted(views, reverse=True)[:GUESSING_VIEWS]:
            one, throw = self._cuts[number], self._throws[number]
            turn, middle, scale = projection(self._solid, self._common.camera, throw, self._atlas.found[number].pose)
            corners = (self._solid.solid.vertices[self._solid.solid.rings[there]] @ turn.T)[:, :2] * scale
            corners += middle - [throw.x, throw.y] + one.inside
            flat.append(cut_turned(one.picture, corners, PLACES[self._die.shape]))
        return flat

    def picture(self, one: DieCut) -> Image:
        """Return a throw as a person sees it: the die, its upper face outlined, `SHOWN_SIZE` square BGR."""
        learnt = next((number for number, cut in enumerate(self._cuts) if cut is one), None)
        throw = one.lying(self._sizes) if learnt is None else self._throws[learnt]
        with self._lock:
            found = self._atlas.read(throw) if learnt is None else self._atlas.found[learnt]
        return shown(self._common, one, throw, found)

    def name(self, names: Mapping[int, str]) -> None:
        """Take the names of rows, by their places; what shows a face without a name stays doubtful.

        Raises:
            ValueError: a mixed row has a name, or no row has one.
        """
        named = names_of_throws(self.rows, names, len(self._cuts))
        self._names = {self._row_faces[number]: name for number, name in names.items()}
        self._names |= self._opposites()
        verdicts = [self._verdict(found) for found in self._atlas.found]
        # the map never contradicts the rows that it made: the throws themselves may, and a person who saw them
        others = without_itself(WITNESS_LIKENESS * self._alike, named)
        seen = {number for row in self.rows for number in row.shown}
        known = [
            name if other.sure or not verdict.sure or number in seen else None
            for number, (name, verdict, other) in enumerate(zip(named, verdicts, others, strict=True))
        ]
        by = [other if other.sure and own.sure else own for own, other in zip(verdicts, others, strict=True)]
        self.separation = separation(known, by)
        self.verdicts = [
            replace(own, sure=own.sure and not (other.sure and other.name != own.name))
            for own, other in zip(verdicts, others, strict=True)
        ]

    def _opposites(self) -> dict[int, str]:
        """Return names of faces without one that follow from the faces opposite to them.

        None follows unless the names so far agree with the numbering that the set records.
        """
        texts = [face.text for face in self._die.faces]
        across = {texts[one]: texts[other] for pair in self._die.opposite for one, other in (pair, pair[::-1])}
        normals = self._solid.solid.normals
        opposite = [int((normals @ -normal).argmax()) for normal in normals]
        both = [
            (name, self._names[opposite[face]]) for face, name in self._names.items() if opposite[face] in self._names
        ]
        if len(both) < LEAST_PAIRS or any(across.get(one) != other for one, other in both):
            return {}
        return {
            opposite[face]: across[name]
            for face, name in self._names.items()
            if opposite[face] not in self._names and name in across
        }

    def likes(self, cuts: Sequence[DieCut], numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Return doubtful throws in rows: those of which the map says the same face is likeliest.

        ``numbers``: what the throws are called in the answer.
        """
        rows: dict[int, list[int]] = {}
        for one, number in zip(cuts, numbers, strict=True):
            with self._lock:
                found = self._atlas.read(one.lying(self._sizes))
            rows.setdefault(found.face if found.lead >= ROW_LEAD else -1 - number, []).append(number)
        return sorted(map(tuple, rows.values()), key=lambda row: (-len(row), row))

    def read(self, one: DieCut) -> Verdict:
        """Return what a further throw shows; a sure one teaches the map.

        Raises:
            ValueError: no row has a name yet.
        """
        if not self._names:
            raise ValueError("Expected the rows to be named before further throws are read.")
        throw = one.lying(self._sizes)
        with self._lock:
            found = self._atlas.read(throw)
            verdict = self._verdict(found)
            if verdict.sure:
                self._atlas.extend(throw, found)
        return verdict

    def _verdict(self, found: FoundPose) -> Verdict:
        name = self._names.get(found.face)
        sure = name is not None and found.lead >= SURE_LEAD and found.common >= self._plain
        return Verdict(name, sure, found.lead)


def shown(common: Common, one: DieCut, throw: LyingThrow, found: FoundPose) -> Image:
    """Return a throw as a person sees it: the die in the middle, with the outline of the face that is up."""
    turn, middle, scale = projection(common.solid, common.camera, throw, found.pose)
    middle = middle - [throw.x, throw.y] + one.inside
    zoom = SHOWN_SIZE / (2 * PICTURE_RADII * one.spot.radius)
    move = np.array([[zoom, 0, SHOWN_SIZE / 2 - zoom * middle[0]], [0, zoom, SHOWN_SIZE / 2 - zoom * middle[1]]])
    large = cv2.warpAffine(
        one.picture, move, (SHOWN_SIZE, SHOWN_SIZE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    solid = common.solid.solid
    corners = (solid.vertices[solid.rings[0]] @ turn.T)[:, :2] * scale * zoom + SHOWN_SIZE / 2
    cv2.polylines(large, [np.round(corners).astype(np.int32)], isClosed=True, color=(60, 60, 255), thickness=1)
    return np.asarray(large, np.uint8)


def pairs_alike(common: Common, throws: Sequence[LyingThrow], found: Sequence[FoundPose]) -> tuple[Likes, Likes]:
    """Return how alike every two throws are with their upper faces laid on each other, (n, n) with 0 on the diagonal.

    That is a second witness of what the map of all throws says of them. First as the map turns them: two throws with
    one face up are alike, all others are not. Then in whichever position fits best, where it may be that the map errs.
    Each is the mean correlation of the faces that both show.

    Args:
        common: what all faces of the die have in common.
        throws: throws of the die.
        found: how each of them lies, by the map.
    """
    solid, steps = common.solid, common.solid.steps
    about = np.array([k for k in range(len(solid.faces)) if solid.faces[k, 0] == 0])
    about = about[np.argsort(solid.turns[about, 0])]  # the symmetry that turns the upper face by each step
    shown = np.zeros((steps, len(throws), len(solid.points), len(solid.weights)), np.float32)
    facing = np.zeros((steps, len(throws), len(solid.points)), np.float32)
    for number, (throw, one) in enumerate(zip(throws, found, strict=True)):
        own = common.own(throw, one.pose)
        for step in range(steps):
            k = about[(int(solid.turns[one.symmetry, 0]) + step) % steps]
            faces, places = solid.faces[k, own.faces], solid.turned[solid.turns[k, own.faces]]
            shown[step, number, faces[:, None], places] = own.facing[:, None] * own.samples
            facing[step, number, faces] = own.facing
    flat = shown.reshape(steps, len(throws), -1)
    each = [(flat[0] @ flat[step].T) / (facing[0] @ facing[step].T) for step in range(steps)]
    laid, best = (np.asarray((likes + likes.T) / 2, np.float64) for likes in (each[0], np.max(each, axis=0)))
    for likes in (laid, best):
        np.fill_diagonal(likes, 0.0)
    return laid, best
