"""What a position that everybody agreed on teaches: how the sites of this board and the men of each side look now.

A picture in which it is known what stands on each site is a lesson. Later pictures are compared with it: a site that
looks as it did still has what it had, and a man is of the side whose men he looks like.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board_readings import EMPTY, Standing
from companion.vision.boards.layout import BAR, Layout
from companion.vision.boards.men import Canvas, FoundMan
from companion.vision.boards.sides import CLEAR_SIDE_DOUBT, LEAST_SPREAD, MOST_APPEARANCE, TAIL_FREEDOM, Sides
from companion.vision.boards.sites import extent
from companion.vision.dice.geometry import Points
from companion.vision.readings import Image

Floats = npt.NDArray[np.float64]
Light = npt.NDArray[np.float32]
"""A straightened board at half size, from 0 to 1 (h x w x 3, BGR)."""

RIM, BESIDE = "rim ", "beside "
"""How the names of the places on the field's edge, and of those beside the field, begin."""

LIGHT_BLOCKS: Final = 4
"""The light is compared in this many parts along and across the board."""

MOST_LOCAL: Final = 1.4
"""On one part of the board the light has changed by at most this factor more or less than on the whole."""

LEAST_LIT: Final = 0.3
"""The least share of such a part that must show the board's light to tell how it has changed there."""

EDGE_SHARE: Final = 0.02
"""A site ends at the field's edge if less than this share of the field lies between them."""

FAINT_LIGHT: Final = 0.02
"""Light that differs from none, as a fraction of white."""

WHITE_LIGHT: Final = 0.97
"""Light above this may have been more than the camera can show: nobody knows how bright it is in less light."""

WINDOW_COLUMNS: Final = 0.5
"""The edge of the window in which two pictures are compared, in columns of the board."""

CENTRAL_COLUMNS: Final = 0.15
"""How far from the middle of its column a site is compared, in columns: tall men lean over the next one."""

SLIDE_PIXELS: Final = 1
"""The pixels of the half-size picture by which a place may be off each way."""

LEAST_USUAL: Final = 0.01
"""The least difference between two pictures of a site on which nothing changed, as a fraction of the brightness."""

UNCOVERED_FACTOR: Final = 2.5
"""A site that differs from the lesson by less than this many times what is usual is not under a hand."""

RIM_PLACES: Final = 12
"""Along each edge of the field, its rim is compared at this many places."""

OUTSIDE_COLUMNS: Final = 0.45
"""How far outside the field hands are searched for, in columns: only piles of men lean so far."""

REACHED_SHARE: Final = 0.95
"""A hand reaches in where two neighbouring places of the rim differ by more than this fraction of the brightness, or
one by twice as much.

On drawn boards the rim differs by up to 0.87 at neighbouring places without a hand, and by 1.0 to 3.9 under one.
"""

BETRAYED_COLUMNS: Final = 0.2
"""The slide that must show, in columns: a place of the board that looks the same after it tells nothing."""

TELLING_SHARE: Final = 0.06
"""The least difference after such a slide, as a fraction of the brightness, with which a place tells of slides."""

AS_IT_WAS: Final = 0.6
"""A place is as it was if it differs by less than this part of what such a slide would make it differ."""

SHARES: Final = {"sites": 0.6, "men": 0.5, "rim": 0.5}
"""A board lies where it lay if more than these shares are as they were: of its sites, of those with men, of its rim.

A turn changes few sites, and a hand hides few. The rim and the men betray a slip by whole columns: these look alike.
"""

UNDER_A_HAND: Final = {"sites": 0.85, "men": 0.6, "rim": 0.5}
"""The same where something lies over the board: a turn changes few of the sites that can be seen. Where more differ, a
hand covers them that no net sees."""

FEWEST_PLACES: Final = 6
"""Fewer telling places do not show where a board lies."""

APPEARANCE: Final = (2.0, 0.35)
"""The weights of a man's looks and of the net's output for him in the log odds of his side: a logistic fit to drawn
matches."""

LEAST_NET_CHANCE: Final = 0.02
"""The net's output for a man counts for no more than this leaves."""

APPEARANCE_BY_PLACES: Final = (4.5, 0.5)
"""The most that is believed of a man's side, in log odds: the least, and what each place adds on which the lesson has
men of his side (of the side with fewer). Light differs from place to place: men in a shade that the lesson does not
know look like the other side's. Of 349 men far from those of the lesson, on 31 drawn boards of which the lesson had
seen one or four places of each side (seed 770000), none was taken for the other side's."""

NEARBY_PIXELS: Final = 48.0
"""A man less than this many pixels of the canvas from where a man stood in the lesson is in a light that it knows."""

FEWEST_MEN: Final = 2
"""Fewer men do not show how their side looks."""


@dataclass(frozen=True, eq=False)
class SideAppearances:
    """How the men of the lighter and of the darker side look: ``means`` (2 x 5) and ``spread`` (5), see `looks`.

    ``places``: on how many sites men of the side stood that stood on fewer; ``stood``: where men stood (n x 2, pixels
    of the canvas).
    """

    means: Floats
    spread: Floats
    places: int
    stood: Points

    def darker_by(self, seen: Floats) -> Floats:
        """Return the log odds that each man, by his looks (n x 5) in the lesson's light, is of the darker side."""
        near = [
            TAIL_FREEDOM * np.log1p(((seen - mean) ** 2 / self.spread**2).sum(axis=1) / 2 / TAIL_FREEDOM)
            for mean in self.means
        ]
        return np.asarray(near[0] - near[1])

    def decided(self, men: Sequence[FoundMan], seen: Floats) -> Sides:
        """Return the side of each man, by his looks (n x 5) in the lesson's light and by the net's output for him."""
        by_net = np.clip(np.array([man.darker for man in men]), LEAST_NET_CHANCE, 1 - LEAST_NET_CHANCE)
        feet = np.array([(man.x, man.y) for man in men]).reshape(-1, 1, 2)
        known = np.linalg.norm(feet - self.stood, axis=2).min(axis=1, initial=np.inf) < NEARBY_PIXELS
        most = np.where(known, MOST_APPEARANCE, max(APPEARANCE_BY_PLACES[0], APPEARANCE_BY_PLACES[1] * self.places))
        odds = APPEARANCE[0] * self.darker_by(seen) + APPEARANCE[1] * np.log(by_net / (1 - by_net))
        darker = 1 / (1 + np.exp(-np.clip(odds, -most, most)))
        return Sides(np.array([1.0]), np.clip(darker, CLEAR_SIDE_DOUBT, 1 - CLEAR_SIDE_DOUBT)[None])


@dataclass(frozen=True, eq=False)
class Compared:
    """A later picture beside the lesson.

    ``differs``: by how much each site and each place on and beside the rim differs, as a fraction of the brightness;
    ``gain``: by which factor the light has changed at each pixel of the half-size picture (h x w x 3).
    """

    differs: Mapping[str, float]
    gain: Light


@dataclass(frozen=True, eq=False)
class Lesson:
    """A picture of a board in which it is known what stood on the sites. ``men``: by the picture's names of the sites.

    ``denied``: by how much the nets denied that, as log odds (at most 0); ``flat``: the picture, straightened;
    ``corners`` and ``bar``: where the field lay in the whole picture. ``uncovered``: sites that the net took for
    covered, although all their men were seen, in this lesson or before; ``miscounted``: points on which the nets saw
    another number of men, with the side and how many more; ``away``: how many men of each shape and number stood on
    the board in a lesson before and have left it.
    """

    layout: Layout
    canvas: Canvas
    men: Mapping[str, Standing]
    denied: Mapping[str, float]
    flat: Image
    corners: Points
    bar: float
    sides: SideAppearances | None
    uncovered: frozenset[str] = frozenset()
    miscounted: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    away: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @cached_property
    def light(self) -> Light:
        """The picture as it is compared."""
        return light_of(self.flat)

    @cached_property
    def _windows(self) -> Mapping[str, tuple[slice, slice]]:
        """Where on the half-size canvas the middles of the windows lie that show each site, and the rim."""
        layout, canvas = self.layout, self.canvas
        column = 1 / (layout.columns + layout.is_tables)
        high = column * canvas.field_width / canvas.field_height
        found = {}
        for site in layout.sites:
            if site == BAR:
                continue
            u0, v0, u1, v1 = extent(layout, site, self.bar)
            u = (u0 + u1) / 2
            if layout.is_tables:
                v0, v1 = v0 + WINDOW_COLUMNS / 2 * high, v1 - WINDOW_COLUMNS / 2 * high
            else:
                v, around = (v0 + v1) / 2, CENTRAL_COLUMNS / layout.rows
                v0, v1 = v - around, v + around
            found[site] = self._window(u - CENTRAL_COLUMNS * column, v0, u + CENTRAL_COLUMNS * column, v1)
        outside = OUTSIDE_COLUMNS * column, OUTSIDE_COLUMNS * high
        for place in range(RIM_PLACES):
            along = (place + 0.5) / RIM_PLACES
            for kind, (out_u, out_v) in ((RIM, (0.0, 0.0)), (BESIDE, outside)):
                sides = ((along, -out_v), (1 + out_u, along), (along, 1 + out_v), (-out_u, along))
                for side, (u, v) in enumerate(sides):
                    found[_place(kind, side, place)] = self._window(u, v, u, v)
        return found

    @cached_property
    def _lit(self) -> npt.NDArray[np.bool_]:
        """Which pixels of the half-size picture show the board's light, and not what lay over a site in the lesson."""
        lit = np.ones(self.light.shape[:2], bool)
        for site in self.layout.sites:
            if site not in self.men and site != BAR:
                u0, v0, u1, v1 = extent(self.layout, site, self.bar)
                # what lies over a site at the edge lies over the rim beside it, too
                beyond = (-1.0 if u0 < EDGE_SHARE else u0, -1.0 if v0 < EDGE_SHARE else v0)
                until = (2.0 if u1 > 1 - EDGE_SHARE else u1, 2.0 if v1 > 1 - EDGE_SHARE else v1)
                lit[self._window(*beyond, *until)] = False
        return lit

    def _window(self, u0: float, v0: float, u1: float, v1: float) -> tuple[slice, slice]:
        x0, x1 = (max(0, int((self.canvas.left + u * self.canvas.field_width) / 2)) for u in (u0, u1))
        y0, y1 = (max(0, int((self.canvas.top + v * self.canvas.field_height) / 2)) for v in (v0, v1))
        return slice(y0, y1 + 1), slice(x0, x1 + 1)

    @cached_property
    def _slid(self) -> Mapping[str, float]:
        """How much each place would differ after the least slide that must show."""
        slide = round(BETRAYED_COLUMNS * self.canvas.field_width / 2 / self.layout.columns)
        ways = [(slide, 0), (-slide, 0), (0, slide), (0, -slide)]
        every = [self._differing(np.roll(self.light, way, axis=(0, 1)), self.light, self.light) for way in ways]
        return dict(zip(self._windows, np.median(every, axis=0).tolist(), strict=True))

    @cached_property
    def _pixels(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The pixels of all windows one after another, as places in the flattened picture; where each window begins."""
        height, width = self.light.shape[:2]
        every = np.arange(height * width).reshape(height, width)
        windows = [every[window].ravel() for window in self._windows.values()]
        return np.concatenate(windows), np.cumsum([0, *map(len, windows[:-1])])

    def compared(self, flat: Image) -> Compared:
        """Compare a straightened picture with the lesson."""
        now = light_of(flat)
        gain = _gain(self.light, now, self._lit)
        lit = np.minimum(self.flat * _widened(gain, self.flat), 255)
        then = light_of(lit)
        most = light_of(np.where(self.flat > WHITE_LIGHT * 255, 255, lit)) if gain.min() < 1 else then
        slides = range(-SLIDE_PIXELS, SLIDE_PIXELS + 1)
        every = [self._differing(np.roll(now, (y, x), axis=(0, 1)), then, most) for x in slides for y in slides]
        return Compared(dict(zip(self._windows, np.min(every, axis=0).tolist(), strict=True)), gain)

    def _differing(self, now: Light, then: Light, most: Light) -> npt.NDArray[np.float32]:
        """Return by how much each of the places of `_windows` differs: what lies from ``then`` to ``most`` does not."""
        window = max(3, round(WINDOW_COLUMNS * self.canvas.field_width / 2 / self.layout.columns) | 1)
        every = cv2.transform(np.maximum(np.maximum(then - now, now - most), 0), np.ones((1, 3)))
        off = np.asarray(cv2.boxFilter(every, -1, (window, window)), np.float32) / (float(then.mean()) + FAINT_LIGHT)
        pixels, starts = self._pixels
        return np.asarray(np.maximum.reduceat(off.ravel()[pixels], starts), np.float32)

    def lies_as_before(self, compared: Compared, hidden: frozenset[str] = frozenset()) -> bool:
        """Whether the board lies where it lay and no hand reaches in: sites and rim look as they did, but for a few.

        ``hidden``: sites that the picture does not show.
        """
        return not _reached(compared) and self.in_place(compared, hidden)

    def in_place(self, compared: Compared, hidden: frozenset[str], shares: Mapping[str, float] = SHARES) -> bool:
        """Whether the compared picture shows the board as the lesson does, perhaps with a hand over it.

        ``shares``: more than these must be as they were.
        """
        same = {
            place: differs < AS_IT_WAS * self._slid[place]
            for place, differs in compared.differs.items()
            if self._slid[place] > TELLING_SHARE and place not in hidden and not place.startswith(BESIDE)
        }
        kinds = {
            "sites": [alike for place, alike in same.items() if not place.startswith(RIM)],
            "men": [alike for place, alike in same.items() if self.men.get(place) is not EMPTY],
            "rim": [alike for place, alike in same.items() if place.startswith(RIM)],
        }
        return len(same) >= FEWEST_PLACES and all(
            not kind or np.mean(kind) > shares[name] for name, kind in kinds.items()
        )

    def with_earlier(self, earlier: "Lesson", sites: Collection[str]) -> "Lesson":
        """Return the lesson with what an earlier one shows of other sites, such as those under a hand now.

        The same if the two pictures do not lie one over the other.
        """
        compared = earlier.compared(self.flat)
        if not sites or not earlier.in_place(compared, frozenset(sites)):
            return self
        flat = self.flat.copy()
        then = np.clip(earlier.flat * _widened(compared.gain, self.flat), 0, 255).astype(np.uint8)
        for site in sites:
            rows, columns = self._pixels_of(*extent(self.layout, site, self.bar))
            flat[rows, columns] = then[rows, columns]
        return replace(
            self,
            flat=flat,
            men={**self.men, **{site: earlier.men[site] for site in sites}},
            denied={**self.denied, **{site: earlier.denied[site] for site in sites}},
            miscounted={**self.miscounted, **{site: off for site, off in earlier.miscounted.items() if site in sites}},
        )

    def _pixels_of(self, u0: float, v0: float, u1: float, v1: float) -> tuple[slice, slice]:
        x0, x1 = (round(self.canvas.left + u * self.canvas.field_width) for u in (u0, u1))
        y0, y1 = (round(self.canvas.top + v * self.canvas.field_height) for v in (v0, v1))
        return slice(y0, y1), slice(x0, x1)

    def shown(self, compared: Compared, hidden: frozenset[str]) -> frozenset[str]:
        """Return which of the sites that seem covered are not: they look as they did, and nothing covered them then."""
        usual = self.unusual(compared)
        return frozenset(site for site in hidden if usual.get(site, np.inf) < UNCOVERED_FACTOR)

    def unusual(self, compared: Compared, hidden: frozenset[str] = frozenset()) -> dict[str, float]:
        """Return by how much each visible, known site differs, in units of what most of them do."""
        differs = {site: compared.differs[site] for site in self.men if site not in hidden}
        usual = max(float(np.median(list(differs.values()))), LEAST_USUAL) if differs else 1.0
        return {site: max(off, LEAST_USUAL) / usual for site, off in differs.items()}


def _place(kind: str, side: int, place: int) -> str:
    return f"{kind}{side} {place}"


def _reached(compared: Compared) -> bool:
    """Whether something broad lies over the rim that was not there."""
    off = [
        [compared.differs[_place(BESIDE, side, place)] / REACHED_SHARE for place in range(RIM_PLACES)]
        for side in range(4)
    ]
    return any(max(edge) > 2 or any(min(two) > 1 for two in pairwise(edge)) for edge in off)  # noqa: PLR2004 (twice)


def light_of(flat: npt.NDArray[np.uint8 | np.float32]) -> Light:
    """Return a straightened picture, from 0 to 255, as it is compared: small and soft."""
    height, width = flat.shape[:2]
    small = cv2.resize(flat, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32) / 255, (0, 0), 0.8), np.float32)


def _gain(then: Light, now: Light, lit: npt.NDArray[np.bool_]) -> Light:
    """Return by which factor the light has changed at each pixel (h x w x 3): slowly over the board, by medians.

    ``lit``: which pixels (h x w) tell it; where few of a block do, the whole board's light counts.
    """
    ratio = np.log((now + FAINT_LIGHT) / (then + FAINT_LIGHT))
    height, width = ratio.shape[:2]
    whole = np.median(ratio[lit] if lit.any() else ratio.reshape(-1, 3), axis=0)
    blocks = np.zeros((LIGHT_BLOCKS, LIGHT_BLOCKS, 3), np.float32)
    for row in range(LIGHT_BLOCKS):
        for column in range(LIGHT_BLOCKS):
            block = (
                slice(height * row // LIGHT_BLOCKS, height * (row + 1) // LIGHT_BLOCKS),
                slice(width * column // LIGHT_BLOCKS, width * (column + 1) // LIGHT_BLOCKS),
            )
            lit_here = lit[block]
            blocks[row, column] = np.median(ratio[block][lit_here], axis=0) if lit_here.mean() > LEAST_LIT else whole
    most = np.log(MOST_LOCAL)
    blocks = np.clip(blocks, whole - most, whole + most).astype(np.float32)
    return np.asarray(np.exp(cv2.resize(blocks, (width, height), interpolation=cv2.INTER_LINEAR)), np.float32)


def evened(flat: Image, gain: Light) -> Image:
    """Return a straightened picture as it would look in the lesson's light."""
    return np.asarray(np.clip(flat / _widened(gain, flat), 0, 255), np.uint8)


def _widened(gain: Light, flat: Image) -> Light:
    """Return the gain at each pixel of the straightened picture (h x w x 3)."""
    height, width = flat.shape[:2]
    return np.asarray(cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def side_appearances(
    seen: Floats, darker: npt.NDArray[np.bool_], sites: Sequence[str], stood: Points
) -> SideAppearances | None:
    """Return how the men of both sides look, from men (n x 5) whose side is known; None where a side has too few.

    ``sites`` and ``stood`` (n x 2, pixels of the canvas): where each of them stands.
    """
    parts = [seen[~darker], seen[darker]]
    if min(map(len, parts)) < FEWEST_MEN:
        return None
    means = np.stack([np.median(part, axis=0) for part in parts])
    within = sum(
        (np.minimum(np.abs(part - mean), 30) ** 2).sum(axis=0) for part, mean in zip(parts, means, strict=True)
    )
    spread = np.sqrt(within / len(seen) + LEAST_SPREAD**2)
    places = min(
        len({site for site, dark in zip(sites, darker, strict=True) if bool(dark) is side}) for side in (False, True)
    )
    return SideAppearances(means, spread, places, stood)
