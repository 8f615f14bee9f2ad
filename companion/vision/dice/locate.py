"""Locate the dice: a small net over the whole picture finds upper faces and the corners of tetrahedra."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.blobs import DIE_CELL_CHANCE, LEAST_CELLS, Blob, blobs, regions
from companion.vision.dice.geometry import (
    Places,
    Points,
    area,
    clockwise,
    edge_length,
    fit_polygon,
    fit_rectangle,
    grow,
    inside,
    is_convex,
)
from companion.vision.dice.nets import LOCATOR, Net, Nets, net_input
from companion.vision.readings import Image

Maps = npt.NDArray[np.float32]

CORE, FACE, CORNER, TETRAHEDRON, BASE, APEX = range(6)
"""The net's maps: a shrunk upper face, an upper face, its corners, a tetrahedron's outline, base corners, apex.

The map of corners only helps to train the net; the corner net finds the corners better.
"""

CORE_SHRINK: Final = 0.7
"""The core is the face scaled by this factor, so that the cores of touching dice stay apart."""

CELL_PIXELS: Final = 2
"""Edge of a cell of the maps, in pixels of the net's picture."""

NET_PIXELS: Final = 448 * 336
"""The net's picture has about this many pixels, whatever its shape."""

SIDE_MULTIPLE: Final = 32
"""The sides of the net's picture are multiples of this, in pixels."""

SMALL_EDGE: Final = 26.0
"""Dice with shorter edges in the net's picture get a second, closer search; in pixels."""

HARDLY_SEEN: Final = 20.0
"""If the dice that are found have shorter edges than this, the picture's quarters get a closer search; in pixels."""

GOOD_EDGE: Final = 44.0
"""The edge of dice in the second pass, in pixels."""

PLAINER_FIT: Final = 0.08
"""A face counts as one with more corners only if it then fits the region better by more than this."""

FINER_FACTOR: Final = 4.0
"""Factor for the number of pixels of a closer search: if nothing is found, or if all dice are small."""

COARSER_FACTOR: Final = 0.3
"""Factor for the number of pixels of a coarser search, in which the letters on large faces do not look like faces."""

WHOLE_SHARE: Final = 0.5
"""A face that covers more than this part of a face in the coarse search is the same face."""

MOST_SIZE_RATIO: Final = 1.7
"""Dice of one throw differ in size by no more than this factor; a larger one may be that of a face and its letter."""


@dataclass(frozen=True)
class Impression:
    """What the nets say of an outline as they found it, before a solid's pose or anything else is fitted to it.

    ``located``: the locator's chance; ``die``, ``error`` and ``on_top``: the corner net's, see `UpperFace`.
    """

    located: float
    die: float
    error: float
    on_top: float


@dataclass(frozen=True, eq=False)
class UpperFace:
    """An upper face: its three to five corners, clockwise, in pixels of the picture, and the net's chance for it.

    ``error``: the corner net's estimate of how far the worst corner is off, in edges; 0 if that net did not run.
    ``upper``: natural logarithm of the odds that this face lies up and not a neighbour; infinite if there was no doubt.
    ``on_top``: the corner net's chance that this is an upper face, and not a side or a part of a face. ``impression``:
    None if the corner net did not run.
    """

    corners: Points
    score: float
    error: float = 0.0
    upper: float = np.inf
    on_top: float = 1.0
    impression: Impression | None = None


@dataclass(frozen=True, eq=False)
class Tetrahedron:
    """A tetrahedron from above: three base corners, clockwise, and the apex, in pixels of the picture.

    ``apex`` is None if the net did not find it; then nobody can separate the sides. ``error``: the corner net's
    estimate of how far the worst corner is off, in edges; 0 if that net did not run.
    """

    base: Points
    apex: Points | None
    score: float
    error: float = 0.0

    def outline(self) -> Points:
        """Return the outline, clockwise: the base, and the apex if it lies outside the base."""
        if self.apex is None or inside(self.apex, self.base):
            return self.base
        return clockwise(np.vstack([self.base, self.apex[None]]))


@dataclass(frozen=True, eq=False)
class Found:
    """All dice of a picture."""

    faces: tuple[UpperFace, ...]
    tetrahedra: tuple[Tetrahedron, ...]


class Locator:
    """Finds dice whose upper faces have this many corners (``sides``), and tetrahedra. Loads its net on first use.

    ``lettered``: the dice bear letters or numerals, which the net may mistake for faces. Then a second, coarser search
    shows which faces are whole. It happens if the first pass finds dice of uneven size, or another number than
    ``number``, if that is known.
    """

    def __init__(
        self,
        sides: Collection[int] = (4,),
        *,
        lettered: bool = True,
        number: int | None = None,
        nets: Nets | None = None,
    ) -> None:
        self.sides = tuple(sorted(sides))
        self.lettered = lettered
        self.number = number
        self._nets = nets or Nets()

    def load(self) -> Net:
        """Load the net now, if it is not loaded yet, instead of on first use."""
        return self._nets.load(LOCATOR)

    def find(self, image: Image) -> Found:
        """Return the dice of a BGR picture; small dice get a second pass."""
        found = self._search(image, NET_PIXELS)
        if not found.faces and not found.tetrahedra:
            found = self._search(image, NET_PIXELS * FINER_FACTOR)
        if self._doubtful(found):
            found = whole_faces(found, self._search(image, NET_PIXELS * COARSER_FACTOR))
        shapes = [face.corners for face in found.faces] + [one.base for one in found.tetrahedra]
        if not shapes:
            return found
        scale = float(np.sqrt(NET_PIXELS / (image.shape[0] * image.shape[1])))
        edge = float(np.median([edge_length(shape) for shape in shapes]))
        if edge * scale >= SMALL_EDGE or scale >= 1:
            return found
        if edge * scale < HARDLY_SEEN:  # if one die is hardly visible, the net has probably missed others
            return self._quarters(image, 3 * edge)
        corners = np.vstack(shapes)
        reach = max(2.0 * edge, edge * scale / GOOD_EDGE * max(image.shape[:2]) / 4)
        low = np.floor(np.maximum(corners.min(axis=0) - reach, 0)).astype(int)
        high = np.ceil(np.minimum(corners.max(axis=0) + reach, [image.shape[1], image.shape[0]])).astype(int)
        if (high - low).prod() > 0.7 * image.shape[0] * image.shape[1]:
            nearer = self._search(image, NET_PIXELS * min(FINER_FACTOR, (GOOD_EDGE / (edge * scale)) ** 2))
        else:
            nearer = _moved(self._search(image[low[1] : high[1], low[0] : high[0]], NET_PIXELS), low)
        # in the closer search, the net may mistake a pip and its surroundings for a face of one pip
        return nearer if self.lettered else whole_faces(nearer, found)

    def _quarters(self, image: Image, overlap: float) -> Found:
        """Return the dice in the picture's four quarters, after a closer search of each; ``overlap`` is in pixels."""
        high, wide = image.shape[:2]
        faces: list[UpperFace] = []
        solids: list[Tetrahedron] = []
        there, solid_there = Places(), Places()
        for top, left in ((0, 0), (0, 1), (1, 0), (1, 1)):
            low = np.array([left * max(0, wide // 2 - int(overlap)), top * max(0, high // 2 - int(overlap))])
            reach = low + np.array([wide // 2, high // 2]) + int(overlap)
            part = image[low[1] : reach[1], low[0] : reach[0]]
            found = _moved(self._search(part, NET_PIXELS * FINER_FACTOR), low)
            new_faces = [face for face in found.faces if not there.hold(face.corners)]
            new_solids = [solid for solid in found.tetrahedra if not solid_there.hold(solid.base)]
            for face in new_faces:
                there.add(face.corners)
            for solid in new_solids:
                solid_there.add(solid.base)
            faces += new_faces
            solids += new_solids
        return Found(tuple(faces), tuple(solids))

    def _doubtful(self, found: Found) -> bool:
        """Return whether some of the faces may be letters on a face, or whether something is missing."""
        number = len(found.faces) + len(found.tetrahedra)
        if not self.lettered:
            return number == 0
        edges = [edge_length(face.corners) for face in found.faces]
        return number != (self.number or number) or not edges or max(edges) > MOST_SIZE_RATIO * min(edges)

    def _search(self, image: Image, pixels: float) -> Found:
        height, width = image.shape[:2]
        scale = np.sqrt(pixels / (height * width))
        size = [max(SIDE_MULTIPLE, round(side * scale / SIDE_MULTIPLE) * SIDE_MULTIPLE) for side in (width, height)]
        image = _averaged(image, int(min(width / size[0], height / size[1])))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        picture = cv2.resize(image, (size[0], size[1]), interpolation=how).astype(np.uint8, copy=False)
        net = self.load()
        logits = net.run(net_input(picture)[None])[0]
        maps: Maps = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        found = from_maps(maps, self.sides)
        stretch = np.array([width / size[0], height / size[1]]) * CELL_PIXELS
        return Found(
            tuple(UpperFace(_to_pixels(face.corners, stretch), face.score) for face in found.faces),
            tuple(
                Tetrahedron(
                    _to_pixels(one.base, stretch),
                    None if one.apex is None else _to_pixels(one.apex, stretch),
                    one.score,
                )
                for one in found.tetrahedra
            ),
        )


def _averaged(image: Image, most: int) -> Image:
    """Return a picture whose pixels are the means of squares of at most ``most`` pixels, which fill it without a rest.

    To reduce the picture by any factor takes half the time then.
    """
    height, width = image.shape[:2]
    edge = max((edge for edge in range(2, most + 1) if not height % edge and not width % edge), default=1)
    if edge == 1:
        return image
    return np.asarray(cv2.resize(image, (width // edge, height // edge), interpolation=cv2.INTER_AREA), np.uint8)


def _moved(found: Found, by: npt.NDArray[np.intp]) -> Found:
    """Convert findings in a part of the picture to pixels of the whole picture."""
    return Found(
        tuple(UpperFace(face.corners + by, face.score) for face in found.faces),
        tuple(
            Tetrahedron(one.base + by, None if one.apex is None else one.apex + by, one.score)
            for one in found.tetrahedra
        ),
    )


def whole_faces(fine: Found, coarse: Found) -> Found:
    """Correct the findings of a close search by a coarser one, in which the letters on a face are too small to find.

    If the close search mistook pieces of a face for faces, or missed the face, use the coarse search's face.
    """
    faces = list(fine.faces)
    for large in sorted(coarse.faces, key=lambda face: -face.score):
        size = abs(area(large.corners))
        within = [face for face in faces if inside(face.corners.mean(axis=0), large.corners)]
        if len(within) == 1 and abs(area(within[0].corners)) > WHOLE_SHARE * size:
            continue
        around = [face for face in faces if inside(large.corners.mean(axis=0), face.corners) and face not in within]
        if around or any(abs(area(face.corners)) > WHOLE_SHARE * size for face in within):
            continue
        faces = [face for face in faces if face not in within] + [large]
    return Found(tuple(faces), fine.tetrahedra or coarse.tetrahedra)


def from_maps(maps: Maps, sides: Collection[int] = (4,)) -> Found:
    """Return the dice in the maps (probabilities, shape (6, h, w)), with corners in cells."""
    faces = [
        _face(maps, blob, sides)
        for blob in regions(np.where(maps[CORE] > maps[TETRAHEDRON], maps[CORE], 0), sides)
        if np.count_nonzero(blob.cells) >= LEAST_CELLS
    ]
    tetrahedra = [
        _tetrahedron(maps, blob.whole(maps[TETRAHEDRON]))
        for blob in blobs(np.where(maps[TETRAHEDRON] > maps[FACE], maps[TETRAHEDRON], 0) > DIE_CELL_CHANCE)
        if np.count_nonzero(blob.cells) >= 2 * LEAST_CELLS
    ]
    return Found(tuple(face for face in faces if face is not None), tuple(one for one in tetrahedra if one is not None))


def _to_pixels(cells: Points, stretch: Points) -> Points:
    """Convert cells to pixels of the picture: cell (0, 0) covers its upper left `CELL_PIXELS` pixels."""
    pixels: Points = (cells + 0.5) * stretch - 0.5
    return pixels


def _face(maps: Maps, blob: Blob, sides: Collection[int]) -> UpperFace | None:
    room = max(blob.cells.shape)  # an outline may reach beyond the cells
    core = _best_polygon(np.pad(blob.cells, room), sides)
    if core is None or not is_convex(core):
        return None
    # the corner net finds the corners; peaks of the corner map would sometimes lead it to corners of other faces
    corners = clockwise(grow(core, 1 / CORE_SHRINK)) + np.array([blob.left - room, blob.top - room])
    return UpperFace(corners, float(blob.of(maps[CORE])[blob.cells > 0].mean()))


def _best_polygon(region: npt.NDArray[np.uint8], sides: Collection[int]) -> Points | None:
    """Return the outline that fits a region: the simplest one, unless another fits better by `PLAINER_FIT`."""
    best: Points | None = None
    fit = -1.0
    for corners in _outlines(region, sides):
        if (value := _overlap(corners, region)) > fit + (PLAINER_FIT if best is not None else 0.0):
            best, fit = corners, value
    return best


def _outlines(region: npt.NDArray[np.uint8], sides: Collection[int]) -> Iterator[Points]:
    for number in sorted(sides):
        if number == 4:  # noqa: PLR2004
            yield fit_rectangle(region)  # suits cubes nearly from above, even if parts of the region are missing
        fitted = fit_polygon(region, number)
        if fitted is not None:
            yield fitted


def _peak_near(heat: Maps, place: Points, radius: float) -> Points:
    """Return the centre of the heat within a radius, or the place itself if there is hardly any heat."""
    x0, y0 = np.maximum(np.floor(place - radius).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(place + radius).astype(int) + 1, [heat.shape[1], heat.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return place
    window = heat[y0:y1, x0:x1]
    top = np.unravel_index(int(window.argmax()), window.shape)
    if window[top] < 0.25:  # noqa: PLR2004
        return place
    x, y = np.arange(x0, x1), np.arange(y0, y1)
    near = np.exp(-((x - x0 - top[1]) ** 2)[None] / 4.5 - ((y - y0 - top[0]) ** 2)[:, None] / 4.5)
    weight = near * window**2
    total = weight.sum()
    return np.array([(weight.sum(axis=0) * x).sum() / total, (weight.sum(axis=1) * y).sum() / total])


def _peaks(heat: Maps, around: npt.NDArray[np.uint8], least: float = 0.2, most: int = 6) -> list[Points]:
    """Return the strongest peaks of a heat map within a region, strongest first, with subcell accuracy."""
    top = (heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))) & (heat > least) & (around > 0)
    places = np.argwhere(top)
    order = np.argsort(-heat[top])[:most]
    return [_peak_near(heat, np.array([x, y], np.float64), 1.5) for y, x in places[order]]


def _tetrahedron(maps: Maps, region: npt.NDArray[np.uint8]) -> Tetrahedron | None:
    shape = fit_polygon(region, 3)
    if shape is None:
        return None
    reach = max(3, int(0.12 * np.sqrt(np.count_nonzero(region))))
    around = cv2.dilate(region, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)).astype(np.uint8)
    corners = _peaks(maps[BASE], around)
    base = clockwise(shape)
    best = 0.55 * _overlap(base, region)  # the outline's own corners are only a fallback
    for three in combinations(corners, 3):
        candidate = clockwise(np.array(three))
        heat = np.mean([_heat_at(maps[BASE], corner) for corner in candidate])
        value = _overlap(candidate, region) * (0.5 + 0.5 * float(heat))
        if value > best:
            base, best = candidate, value
    tips = _peaks(maps[APEX], around, most=1)
    return Tetrahedron(base, tips[0] if tips else None, float(maps[TETRAHEDRON][region > 0].mean()))


def _heat_at(heat: Maps, place: Points) -> float:
    x, y = np.clip(np.round(place).astype(int), 0, [heat.shape[1] - 1, heat.shape[0] - 1])
    return float(heat[y, x])


def _overlap(corners: Points, region: npt.NDArray[np.uint8]) -> float:
    """Return intersection over union of a polygon and a region."""
    drawn = np.zeros_like(region)
    cv2.fillConvexPoly(drawn, np.round(corners * 16).astype(np.int32), 1, shift=4)
    return float(int(np.count_nonzero(drawn & region)) / max(1, int(np.count_nonzero(drawn | region))))
