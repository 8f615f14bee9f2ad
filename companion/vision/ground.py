"""The ground on which dice are thrown before a camera that stands still: what lies there in throw after throw.

A number disc, a key, a coin or a printed square looks like a die in one picture, and gives itself away by lying there,
alike, in the next ones. What was there first is the ground; what came to lie on it moved, and may be a die, however
long it stays. A die that lay there first is ground only until it is thrown: then what it covered is.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import Change, compare, shrink
from companion.vision.ground_lines import Mask, Outline, alike, evenly_lit, grey, lit, plainer, steps
from companion.vision.readings import DiceReading, Image

THROWS_TO_LEARN: Final = 2
"""After so many throws of other dice, what was there first is known as ground: a player may keep dice for some."""

OPEN_SHARE: Final = 0.4
"""Where so much of an outline does not differ from the ground, its lines in that part say whether it is the ground."""

KNOWN_SHARE: Final = 0.6
"""A place is known as ground if so much of it is."""

GONE_SHARE: Final = 0.6
"""What lay at an outline is gone, or covered, where so much of it differs from the ground."""

OTHER_TABLE_SHARE: Final = 0.4
"""Where a larger share of the picture differs, another table is seen: the ground is learnt from the beginning."""

BUMPED_PIXELS: Final = 0.6
"""A camera that was moved by more than this, in pixels of the small picture, is followed."""

LEAST_RESPONSE: Final = 0.25
"""The least response of the phase correlation that shows by how much the picture was moved."""

CALMED_SHARE: Final = 0.5
"""And if the pictures then differ in no more than this share of the places where they differ without."""

SIZES: Final = (0.6, 2.4)
"""The least and largest width of a thing, in edges of the dice that were seen here, that may be one of them."""

LEAST_WIDTH: Final = 5
MOST_SHARE: Final = 0.03
"""The same where no dice were seen yet: pixels of the small picture, and the share of the picture."""

OF_COLOUR: Final = 30.0
"""A thing has the colour of a die if it is nearer than this in CIE L*a*b*, of 8 bits each."""

DICE_KEPT: Final = 40
"""The size and colour of so many dice are remembered."""

GHOST_SHARPNESS: Final = 1.2
LEFT_SHARPNESS: Final = 2.0
"""Where the outline of what differs is so much plainer in the ground than now, something was taken away from there; by
the second also where a die is found, which was under it. Of 207 drawn dice that came to lie on prints none reached
1.1, of 204 that left 200 the first and 147 the second, of 45 places that one left and another came to 19 and 2."""

DIE_WIDTH: Final = 20.0
"""The edge of a die, in small pixels, while none was seen."""

HOLE_EDGES: Final = 0.1
"""Holes in what differs from the ground are part of it if they are narrower than twice this, in edges of the dice."""

TOUCHED_EDGES: Final = 0.25
"""The same where the ground is learnt: what lies in such a hole may be a die, and is not taken for the ground."""

RIM_EDGES: Final = 0.1
LEAST_RIM: Final = 2
"""So much ground beside what lies on it is left, in edges of the dice, and at least in small pixels: an outline needs
both sides."""

LEAST_PART: Final = 0.15
"""A smaller part that differs, in squares of the dice's edge, is noise or the rim of a shadow."""

FAINT_SHARE: Final = 1e-3
"""Where less of the surroundings than this is ground, its light is not known."""

EVEN_EDGES: Final = 3.0
"""Ground that is known is blurred over so many edges of the dice: no line of a print is left, but its light is."""


class Came(NamedTuple):
    """A thing that came to lie on the ground: its outline, and whether it has the colour of dice that were seen."""

    outline: Outline
    like: bool


class Ground:
    """What one camera sees lie still. Not for two threads at once; all outlines are (n, 2), pixels of the pictures."""

    def __init__(self) -> None:
        self._picture: Image | None = None
        self._shown = False  # whether anything that was found turned out to be the ground

    def _begin(self, image: Image, dice: Sequence[Outline]) -> None:
        self._picture = image.copy()
        self._shown = False
        self._ground = self._last = shrink(image)  # small: the ground's picture; that of the throw before
        self._scale = image.shape[1] / self._last.shape[1]
        self._noise = 1.0
        self._compared: Image | None = None  # the picture that was compared with the ground last
        self._small = self._last  # the same, small
        self._change = Change(np.zeros(self._last.shape[:2], np.uint8), 0.0)  # of the compared picture
        self._around = self._change.mask > 0  # where it differs, with a pixel around that
        self._bare: Image | None = None  # 1 where the compared picture shows the ground, in its size, once asked for
        self._throws = 1
        self._edges: list[float] = []  # of the dice that were seen here, in small pixels
        self._colours: list[npt.NDArray[np.float64]] = []  # usual ones, CIE L*a*b*
        shape = self._last.shape[:2]
        self._since = np.ones(shape, np.int32)  # the throw from which on the ground is known
        self._there = list(dice)  # what the ground's picture shows and may be dice that lay there first
        self._covered_since = np.zeros(shape, np.int32)  # the throw at which what covers the ground came
        self._die = np.zeros(shape, np.bool_)  # whether it was ever taken for a die

    def shows(self, image: Image, outline: Outline, *, exact: bool = True) -> bool:
        """Tell whether what is found at an outline is the ground, which was there in throw after throw.

        ``exact``: whether the outline is; elsewhere only a place in which nothing at all differs is the ground.
        """
        if self._picture is None or image.shape != self._picture.shape:
            return False
        inside = self._filled([outline])
        if not inside.any() or float((self._throws - self._since[inside] >= THROWS_TO_LEARN).mean()) < KNOWN_SHARE:
            return False
        self._compare(image)
        covered = float(self._around[inside].mean())
        if not exact:
            ground = covered == 0
        else:
            # dice are opaque: what still shows the ground in a large part of its outline is none
            partly = OPEN_SHARE < 1 - covered < 1
            if partly and self._bare is None:
                self._bare = _whole(~self._around, image)
            ground = covered == 0 or alike(image, self._picture, outline, self._bare if partly else None)
        self._shown |= ground
        return ground

    def cleared(self, image: Image) -> Image:
        """Return a picture with what lies on the ground, and the ground that is known blurred: no print of it is found.

        While nothing that was found turned out to be the ground, it is the picture itself.
        """
        if not self._shown or self._picture is None or image.shape != self._picture.shape:
            return image
        known = self._throws - self._since >= THROWS_TO_LEARN
        edge = self._edge()
        self._compare(image)
        there = _closed((self._change.mask > 0) | ~known, HOLE_EDGES * edge)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(there.astype(np.uint8), connectivity=8)
        large = stats[:, cv2.CC_STAT_AREA] > LEAST_PART * edge**2
        large[0] = False  # the ground itself
        kept = cv2.dilate(large[labels].astype(np.float32), _disc(max(RIM_EDGES * edge, LEAST_RIM)))
        across = (2 * round(EVEN_EDGES * edge) + 1,) * 2
        light = cv2.blur(self._small.astype(np.float32) * (1 - kept[..., None]), across)
        even = light / np.maximum(cv2.blur(1 - kept, across), FAINT_SHARE)[..., None]
        size = (image.shape[1], image.shape[0])
        weight, whole = cv2.resize(cv2.blur(kept, (3, 3)), size), cv2.resize(even, size)
        cleared = np.asarray(whole, np.uint8)
        cv2.copyTo(image, (weight == 1).astype(np.uint8), cleared)
        rim = np.nonzero((weight > 0) & (weight < 1))
        share = weight[rim][:, None]
        cleared[rim] = share * image[rim] + (1 - share) * whole[rim]
        return cleared

    def rest(self, image: Image, reading: DiceReading) -> list[Came]:
        """Learn what lies still, from a picture in which nothing moves and what was read there.

        Returns the other things that came to lie on the ground and have the size of a die.
        """
        dice = [np.array(die.polygon) for die in reading.dice if die.status != "ignored"]
        if self._picture is None or image.shape != self._picture.shape:
            self._begin(image, dice)
            return []
        self._compare(image)
        small, change = self._small, self._change
        if self._follow(small):
            change = compare(small, self._ground, self._noise)
        before = self._ground
        differs = cv2.morphologyEx(change.mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0
        if float(differs.mean()) > OTHER_TABLE_SHARE:
            self._begin(image, dice)
            return []
        self._noise += 0.3 * (min(change.noise, 4.0) - self._noise)
        moved = compare(small, self._last, self._noise).mask > 0
        self._last = small
        lying = self._filled(dice)
        self._covered_since[moved | ~differs] = self._throws
        self._die = (self._die & differs & ~moved) | (lying & differs)
        # what nobody takes for a die and that stays there for throws is ground, too
        bare = differs & ~self._die & (self._throws - self._covered_since >= THROWS_TO_LEARN)
        came: list[Came] = []
        thrown = False
        gone = [one for one in self._there if self._share(differs, one) > GONE_SHARE]  # thrown since, or covered
        self._there = [one for one in self._there if not any(one is other for other in gone)]
        thrown_from = self._filled(gone)
        bright = [grey(one) for one in (before, small)]
        lines = [np.linalg.norm(steps(one), axis=2) for one in bright]
        number, labels, stats, _ = cv2.connectedComponentsWithStats(differs.astype(np.uint8), connectivity=8)
        covered = _grown(lying)
        for k in range(1, number):
            left, top, across, down = (int(stats[k][at]) for at in range(4))
            around = np.s_[max(0, top - 1) : top + down + 1, max(0, left - 1) : left + across + 1]
            part = labels[around] == k
            thrown |= min(across, down) >= LEAST_WIDTH and bool((part & moved[around]).any())
            sharper = plainer([one[around] for one in lines], part)
            if sharper > LEFT_SHARPNESS:
                bare[around] |= part
            elif (part & thrown_from[around]).any():
                bare[around] |= part & ~covered[around]  # this is what the die covered
            elif not (part & (lying[around] | self._die[around] | bare[around])).any() and self._may_be_die(stats[k]):
                box = self._box(stats[k])
                if sharper > GHOST_SHARPNESS:
                    bare[around] |= part
                elif not (lit(before[around], small[around], part) or alike(image, self._picture, box)):
                    came.append(Came(box, self._has_their_colour(small[around], part)))
        self._compared = None
        self._note(small, dice)
        self._throws += thrown
        self._take(image, (evenly_lit(*bright) & ~_grown(_closed(differs, TOUCHED_EDGES * self._edge()))) | bare)
        self._since[bare] = self._covered_since[bare]
        self._there += [one for one in dice if self._share(bare, one) > GONE_SHARE]
        return came

    def _note(self, small: Image, dice: Sequence[Outline]) -> None:
        """Note how large and of what colour the dice are."""
        lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
        for one in dice:
            inside = self._filled([one])
            if inside.any():
                self._edges.append(float(np.sqrt(cv2.contourArea(one.astype(np.float32)))) / self._scale)
                self._colours.append(np.median(lab[inside], axis=0))
        del self._edges[:-DICE_KEPT], self._colours[:-DICE_KEPT]

    def _has_their_colour(self, small: Image, part: Mask) -> bool:
        inner = cv2.erode(part.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        colour = np.median(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[inner if inner.any() else part], axis=0)
        return any(float(np.linalg.norm(colour - one)) < OF_COLOUR for one in self._colours)

    def _follow(self, small: Image) -> bool:
        """Shift the ground with a camera that was bumped; return whether it was."""
        assert self._picture is not None
        ground = self._ground
        was, now = (grey(one).astype(np.float32) for one in (ground, small))
        window = cv2.createHanningWindow((small.shape[1], small.shape[0]), cv2.CV_32F)
        (right, down), sure = cv2.phaseCorrelate(was, now, window)
        if np.hypot(right, down) < BUMPED_PIXELS or sure < LEAST_RESPONSE:
            return False
        far = np.array([[1, 0, right], [0, 1, down]], np.float64)

        def shifted(one: npt.NDArray[Any], scale: float = 1.0) -> npt.NDArray[Any]:
            by = far * [[1, 1, scale], [1, 1, scale]]
            return np.asarray(cv2.warpAffine(one, by, one.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))

        differing = [
            cv2.countNonZero(compare(small, one, self._noise).mask)
            for one in (ground, shifted(ground).astype(np.uint8))
        ]
        if differing[1] > CALMED_SHARE * differing[0]:  # dice that moved alike are no bump
            return False
        self._picture = shifted(self._picture, self._scale).astype(np.uint8)
        self._last = shifted(self._last).astype(np.uint8)
        self._since, self._covered_since = (
            shifted(one.astype(np.float32)).round().astype(np.int32) for one in (self._since, self._covered_since)
        )
        self._die = shifted(self._die.astype(np.uint8)) > 0
        self._there = [one + self._scale * np.array([right, down]) for one in self._there]
        self._ground = shrink(self._picture)
        return True

    def _compare(self, image: Image) -> None:
        """Compare a picture with the ground, once for all that is asked about it."""
        if self._compared is not image:
            self._compared, self._small = image, shrink(image)
            self._change = compare(self._small, self._ground, self._noise)
            self._around, self._bare = _grown(self._change.mask > 0), None

    def _edge(self) -> float:
        """Return the usual edge of a die, in small pixels."""
        return float(np.median(self._edges)) if self._edges else DIE_WIDTH

    def _take(self, image: Image, where: Mask) -> None:
        """Take the picture as the ground at these places: light drifts."""
        assert self._picture is not None
        cv2.copyTo(image, _whole(where, image), self._picture)
        self._ground = shrink(self._picture)

    def _filled(self, outlines: Sequence[Outline]) -> Mask:
        """Return which small pixels lie within outlines."""
        filled = np.zeros(self._last.shape[:2], np.uint8)
        for one in outlines:
            cv2.fillPoly(filled, [np.round(one / self._scale).astype(np.int32)], 1)
        return filled > 0

    def _share(self, where: Mask, outline: Outline) -> float:
        inside = self._filled([outline])
        return float(where[inside].mean()) if inside.any() else 0.0

    def _may_be_die(self, stats: npt.NDArray[np.int32]) -> bool:
        """Tell by its size whether what differs may be a die: left, top, width, height and area, small pixels."""
        across, down, area = (int(stats[k]) for k in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
        low, high = min(across, down), max(across, down)
        if self._edges:
            edge = self._edge()
            return low > SIZES[0] * edge and high < SIZES[1] * edge
        return low >= LEAST_WIDTH and high < 2 * low and area < MOST_SHARE * self._last.shape[0] * self._last.shape[1]

    def _box(self, stats: npt.NDArray[np.int32]) -> Outline:
        left, top, across, down = (float(stats[k]) for k in range(4))
        corners = np.array([[left, top], [left + across, top], [left + across, top + down], [left, top + down]])
        return np.asarray(corners * self._scale)


def _disc(radius: float) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(radius) + 1,) * 2), np.uint8)


def _closed(mask: Mask, radius: float) -> Mask:
    """Return a mask without its holes and gaps that are narrower than twice this, in small pixels."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _disc(radius)) > 0)


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _whole(where: Mask, image: Image) -> Image:
    """Return a mask of small pixels in the size of a picture, 1 or 0."""
    size = (image.shape[1], image.shape[0])
    return np.asarray(cv2.resize(where.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), np.uint8)
