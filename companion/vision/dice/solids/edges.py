"""The evidence in a picture for an edge of a solid, at each place and in each direction."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.vision.dice.geometry import Points
from companion.vision.dice.solids.model import Batch, Numbers, SeenSolids, Solid
from companion.vision.readings import Image

DATA: Final = "solid_edges.toml"

PATCH_SIDE: Final = 112
"""Height and width of the patch around a die, in pixels."""

EDGE_DIRECTIONS: Final = 8
"""How many directions across an edge the tables distinguish, over half a turn."""

CHANGE_STRENGTHS: Final = 10
CHANGE_SHARES: Final = 5
"""How many strengths of a change the tables distinguish, and how many shares of it in the direction across the edge."""

OUTLINE_KIND: Final = 0
CREASE_KIND: Final = 1
"""The kinds of edges: an outline has the table beyond it, a crease lies between two visible faces."""

EDGE_ENDS: Final = 0.08
"""The share of an edge left out at each end, because corners are rounded."""

RINGS: Final = (0.0, 0.25, 0.5, 0.75)
"""Distances from a face's middle (1: its edge) of the places tested for marks. Marks stand in the middle, not at the
rim."""

OUTSIDE_LOG_ODDS: Final = -1.0
"""The log odds for places at the rim of the patch and beyond it."""

Logs = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Level:
    """The resolution of the evidence: the blur before and after computing changes, in pixels of the patch."""

    name: str
    before: float
    after: float


COARSE: Final = Level("coarse", 1.3, 1.7)
FINE: Final = Level("fine", 0.9, 0.0)


@dataclass(frozen=True, eq=False)
class Patch:
    """A square part of the picture: its pixels are those of the picture times ``scale``, then moved by ``shift``."""

    scale: float
    shift: Points

    @classmethod
    def around(cls, place: Points, scale: float) -> "Patch":
        """Return the patch whose middle is a place of the picture."""
        return cls(scale, PATCH_SIDE / 2 - place * scale)


def shrunk(image: Image, place: Points, reach: float, scale: float) -> tuple[Image, Patch]:
    """Return the part of the picture within ``reach`` of a place (pixels), shrunk by averaging, and its patch."""
    height, width = image.shape[:2]
    low = np.clip(np.floor(place - reach).astype(int), 0, [width - 2, height - 2])
    high = np.clip(np.ceil(place + reach).astype(int) + 1, low + 2, [width, height])
    piece = image[low[1] : high[1], low[0] : high[0]]
    if scale >= 1:
        return piece, Patch(1.0, -low.astype(np.float64))
    # a size in whole pixels with the same scale in both directions; the remainder at the end is not needed
    size = np.maximum(2, np.floor((high - low) * scale)).astype(int)
    used = np.minimum(np.rint(size / scale).astype(int), high - low)
    small = cv2.resize(piece[: used[1], : used[0]], (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), Patch(scale, -(low - 0.5) * scale - 0.5)


@dataclass(frozen=True, eq=False)
class Lines:
    """Points along the edges of solids, and the kinds of the edges. ``n`` poses, ``e`` edges, ``s`` points on each.

    ``points``: (n, e, s, 2); ``across``: (n, e, 2), unit vectors; ``lengths``: (n, e), pixels; ``kinds``: (n, e),
    `OUTLINE_KIND`, `CREASE_KIND`, or less than 0 for hidden edges; ``along``: (s), the points' positions between the
    ends.
    """

    points: Batch
    across: Batch
    lengths: Batch
    kinds: Numbers
    along: Batch

    @classmethod
    def of(cls, solid: Solid, seen: SeenSolids, number: int) -> "Lines":
        """Return this number of points on every edge."""
        one, other = seen.pixels[:, solid.edges[:, 0]], seen.pixels[:, solid.edges[:, 1]]
        along = EDGE_ENDS + (1 - 2 * EDGE_ENDS) * (np.arange(number) + 0.5) / number
        way = other - one
        points = one[:, :, None] + way[:, :, None] * along[:, None]
        lengths = np.hypot(way[..., 0], way[..., 1])
        across = np.stack([-way[..., 1], way[..., 0]], axis=2) / np.maximum(lengths, 1e-6)[..., None]
        shown = seen.faces[:, solid.beside[:, 0]].astype(np.intp) + seen.faces[:, solid.beside[:, 1]]
        return cls(points, across, lengths, shown - 1, along)

    @property
    def weights(self) -> Batch:
        """Return the weight of each edge: its length, 0 if it is hidden, (n, e)."""
        return np.asarray(np.where(self.kinds >= 0, self.lengths, 0.0))


class EdgeEvidence:
    """The evidence of a patch for edges: natural logarithms of odds, learnt from drawings."""

    def __init__(self, image: Image, patch: Patch, level: Level) -> None:
        products = changes(image, patch, level)
        logs = tables()[level.name][:, cells(products)]
        for rim in (logs[..., 0, :], logs[..., -1, :], logs[..., 0], logs[..., -1]):
            rim[:] = OUTSIDE_LOG_ODDS
        self._strengths = strengths(products[0] + products[2])
        self._logs: Logs = np.ascontiguousarray(logs).reshape(-1)

    def at(self, points: Batch, across: Batch, kinds: Numbers) -> Logs:
        """Return the log odds that edges of these kinds lie at these points; the last axis of ``points`` is x, y.

        ``across`` and ``kinds`` have the leading axes of ``points``.
        """
        way = (
            np.rint(np.arctan2(across[..., 1], across[..., 0]) * (EDGE_DIRECTIONS / np.pi)).astype(np.int32)
            % EDGE_DIRECTIONS
        )
        first = (np.maximum(kinds, 0).astype(np.int32) * EDGE_DIRECTIONS + way) * (PATCH_SIDE * PATCH_SIDE)
        places = np.clip(np.rint(points), 0, PATCH_SIDE - 1).astype(np.int32)
        cell = places[..., 1] * PATCH_SIDE + places[..., 0]
        return self._logs[cell + first.reshape(*first.shape, *(1,) * (cell.ndim - first.ndim))]

    def of_faces(self, solid: Solid, seen: SeenSolids) -> Batch:
        """Return the log odds that the faces have marks in their middle and none at their rims, (n, faces).

        The value of each face is the mean over its places, and 0 for hidden faces.
        """
        places = np.rint(on_faces(solid, seen)).astype(np.int32)
        outside = ((places < 0) | (places >= PATCH_SIDE)).any(axis=-1)
        places = np.clip(places, 0, PATCH_SIDE - 1)
        found = marks_table()[ring_of(solid), self._strengths[places[..., 1], places[..., 0]]]
        found[outside] = OUTSIDE_LOG_ODDS
        return np.asarray(np.where(seen.faces, found.mean(axis=2), 0.0), np.float64)


def on_faces(solid: Solid, seen: SeenSolids) -> Batch:
    """Return places on all faces in pixels, (n, faces, places, 2): their middles, and `RINGS` around them."""
    corners = seen.pixels[:, solid.rings]
    weights = _shares(solid.rings.shape[1])
    return np.asarray(np.einsum("pk,nfkx->nfpx", weights, corners), np.float64)


@cache
def _shares(corners: int) -> Points:
    """Return the weight of each corner for each place on a face, (places, corners)."""
    one = np.eye(corners)
    rim = np.vstack([one, (one + np.roll(one, 1, axis=0)) / 2])
    even = np.full((1, corners), 1 / corners)
    return np.vstack([even, *(even + reach * (rim - even) for reach in RINGS[1:])])


def ring_of(solid: Solid) -> Numbers:
    """Return the index in `RINGS` of each place of `on_faces`."""
    around = 2 * solid.rings.shape[1]
    return np.repeat(np.arange(len(RINGS)), [1, *[around] * (len(RINGS) - 1)])


def strengths(total: npt.NDArray[np.float32]) -> Numbers:
    """Return the table's step of strength for the change of colour at each place."""
    return np.asarray(_steps(total, total), np.intp)


def changes(image: Image, patch: Patch, level: Level) -> npt.NDArray[np.float32]:
    """Return the structure tensor of the colours: xx, xy and yy, (3, `PATCH_SIDE`, `PATCH_SIDE`).

    The products of their gradients are sums over the three channels.
    """
    warp = np.array([[patch.scale, 0, patch.shift[0]], [0, patch.scale, patch.shift[1]]])
    if patch.scale < 0.7:  # noqa: PLR2004 (below this, linear interpolation would skip pixels)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 / patch.scale), np.uint8)
    flat = cv2.warpAffine(
        image, warp, (PATCH_SIDE, PATCH_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    soft = cv2.GaussianBlur(flat.astype(np.float32), (0, 0), level.before)
    right = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    pairs = ((right, right), (right, down), (down, down))
    products = [cv2.transform(one * other, np.ones((1, 3), np.float32)) for one, other in pairs]
    if level.after:
        products = [cv2.GaussianBlur(one, (0, 0), level.after) for one in products]
    return np.asarray(np.stack(products), np.float32)


def cells(products: npt.NDArray[np.float32]) -> Numbers:
    """Return the column of the table for each direction and place, (`EDGE_DIRECTIONS`, `PATCH_SIDE`, `PATCH_SIDE`).

    The strength of a change is relative to the patch's median, because grain and camera noise differ from die to die.
    """
    angles = np.arange(EDGE_DIRECTIONS) * np.pi / EDGE_DIRECTIONS
    cos, sin = np.cos(angles), np.sin(angles)
    ways = np.stack([cos * cos, 2 * cos * sin, sin * sin], axis=1).astype(np.float32)
    total = (products[0] + products[2]).reshape(-1)
    across = np.maximum(ways @ products.reshape(3, -1), np.float32(0))
    share = np.minimum((across * (CHANGE_SHARES / (total + np.float32(1e-6)))).astype(np.int32), CHANGE_SHARES - 1)
    cell = _steps(across, total) * CHANGE_SHARES + share
    return np.asarray(cell.reshape(EDGE_DIRECTIONS, *products.shape[1:]), np.intp)


def _steps(change: npt.NDArray[np.float32], total: npt.NDArray[np.float32]) -> npt.NDArray[np.int32]:
    """Return the table's step for each change, relative to all changes of the patch: each step is twice the last."""
    usual = float(np.median(total)) + 0.05
    doublings = cv2.log(change + np.float32(1e-6)) * np.float32(0.5 / np.log(2))
    steps = np.clip(np.rint(doublings + np.float32(4 - 0.5 * np.log2(usual))), 0, CHANGE_STRENGTHS - 1)
    return np.asarray(steps, np.int32)


@cache
def marks_table() -> Logs:
    """Return the log odds by ring of a face and by strength, (`RINGS`, `CHANGE_STRENGTHS`)."""
    data = data_of(__package__, DATA)
    return np.array(data["marks"]["rings"], np.float32).reshape(len(RINGS), CHANGE_STRENGTHS)


@cache
def tables() -> dict[str, Logs]:
    """Return for each level the log odds by kind of edge and by cell, (2, `CHANGE_STRENGTHS` * `CHANGE_SHARES`)."""
    data = data_of(__package__, DATA)
    return {name: np.array([data[name]["outline"], data[name]["crease"]], np.float32) for name in ("coarse", "fine")}
