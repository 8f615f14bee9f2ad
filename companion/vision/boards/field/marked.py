"""Use the four printed markers of a board: where to start the search for its field, and whether a field fits them.

They lie at a board's corners, somewhere beside its field, clockwise from the first to the last. If they lie as on a
sheet of the printed kit, they give the field's corners. Around any other board they show only roughly where these are.
"""

from typing import Final

import numpy as np

from companion.vision.boards.field.find import upright
from companion.vision.boards.kit import kit_boards
from companion.vision.boards.layout import LAYOUTS, NUMBERS, Layout
from companion.vision.boards.markers import MarkersSeen
from companion.vision.boards.pose import PoseError, pose_from_markers
from companion.vision.dice.geometry import Points, is_convex, mapped, mapping

LARGEST_MARKER_SHARE: Final = 0.3
"""The largest marker beside a board, as a fraction of the shortest distance from one to the next."""

MOST_UNEQUAL: Final = 3.0
"""The four are of one size: the nearest is seen at most this many times as large as the farthest."""

MOST_INSIDE: Final = 0.3
"""How far the middle of a marker may lie inside of the field, in columns or rows."""

MOST_OUTSIDE: Final = 4.0
"""How far it may lie outside of the field, in columns or rows."""

MOST_ASKEW: Final = 0.8
"""How much the four may differ in how far outside they lie, in columns or rows. Beside a field that slipped by a column
or row, they differ by two."""

TABLES_HEIGHT_COLUMNS: Final = 11.0
"""The approximate height of a tables board, in its columns."""

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def outline(seen: MarkersSeen) -> Points | None:
    """Return the quadrilateral just inside of the four markers (4 x 2 pixels, from the picture's top left clockwise).

    None unless each of the four is seen once and they lie as a person lays them around a board: not on one line,
    crossed, the wrong way round as in a mirror, or of very unlike size.
    """
    if not seen.whole:
        return None
    markers = [seen.markers[number] for number in NUMBERS]
    centres = np.array([marker.centre for marker in markers])
    if not np.isfinite(centres).all() or not is_convex(centres):
        return None
    edges = np.roll(centres, -1, axis=0) - centres
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    sides = np.array([marker.side for marker in markers])
    ways = np.linalg.norm(edges, axis=1)
    if (turns <= 0).any() or sides.max() > min(MOST_UNEQUAL * sides.min(), LARGEST_MARKER_SHARE * ways.min()):
        return None
    middle = centres.mean(axis=0)
    inner = [marker.corners[np.linalg.norm(marker.corners - middle, axis=1).argmin()] for marker in markers]
    return upright(np.array(inner, np.float64))


def kit_corners(seen: MarkersSeen, layout: Layout, size: tuple[int, int]) -> Points | None:
    """Return the field's corners (4 x 2 pixels, from the picture's top left clockwise) by a sheet of the printed kit.

    None where the markers do not lie exactly as on the kit's sheet of this board. ``size``: the picture's width and
    height in pixels.
    """
    if outline(seen) is None:
        return None
    for kit in kit_boards().values():
        if LAYOUTS.get(kit.board) != layout:
            continue
        try:
            pose = pose_from_markers(seen.markers, kit.places(), size)
        except PoseError:
            continue
        corners = upright(pose.corners)
        turned = int(np.linalg.norm(pose.corners - corners[0], axis=1).argmin())
        if not pose.strays and turned % 2 == 0:  # a sheet on its side has its columns where others have rows
            return corners
    return None


def lies_amid(corners: Points, seen: MarkersSeen, layout: Layout) -> bool:
    """Whether the four markers lie equally far outside of a field's corners (4 x 2 pixels), as people lay them.

    They do not around a field that slipped by a column or a row. They may not around a high frame seen at a slant
    either: then they are no evidence.
    """
    if outline(seen) is None:
        return False
    centres = upright(np.array([seen.markers[number].centre for number in NUMBERS]))
    beside = mapped(mapping(corners, _UNIT), centres)
    outward = np.where(_UNIT > 0, beside - 1, -beside)
    outward *= [layout.columns + layout.is_tables, TABLES_HEIGHT_COLUMNS if layout.is_tables else layout.rows]
    return bool(
        outward.min() > -MOST_INSIDE and outward.max() < MOST_OUTSIDE and np.ptp(outward, axis=0).max() < MOST_ASKEW
    )
