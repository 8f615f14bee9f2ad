"""What the board reader's nets see during a calibration: where the field lies, and where men are.

The nets only propose: a person confirms an outline, and colours are learnt from men on sites that were read for
certain.
"""

from typing import Final

import numpy as np

from calibration.board.colours import EMPTY
from companion.vision.board_readings import SiteReading
from companion.vision.boards.field.frame import LEAST_AGREEMENT
from companion.vision.boards.layout import BAR, Layout, UnknownBoardError, layout
from companion.vision.boards.pose import BoardPose, Points
from companion.vision.boards.reader import BoardReader
from companion.vision.dice.nets import WeightsError
from companion.vision.readings import Image

CERTAIN_SIDE_CHANCE: Final = 0.97
"""From this chance on it is certain enough whose man it is: a few wrong places do not change a median."""


class BoardEye:
    """Looks at pictures of one kind of board. Loads its nets at the first use; not for two threads at once."""

    def __init__(self, known: Layout) -> None:
        self._layout = known
        self._reader = BoardReader(known)

    def propose(self, image: Image) -> Points | None:
        """Return the field's corners (4, 2) in pixels, clockwise from the top left, or None if it finds no board."""
        found = self._reader.find(image)
        return None if found is None else np.asarray(found.corners, np.float64)

    def agrees(self, image: Image, corners: Points) -> bool:
        """Tell whether the visible columns begin and end along an outline, (4, 2) in pixels.

        Also True if no columns are visible: a person may know better. All columns look alike, so an outline that is off
        by a whole column looks right at a glance.
        """
        return self._reader.known(image, corners).harmony >= LEAST_AGREEMENT

    def men(self, image: Image, pose: BoardPose) -> dict[str, list[tuple[float, float]]]:
        """Return certain places of the field (u, v) with men of each side, and ``empty`` ones.

        The number of men need not be certain. On a point only the outermost man is listed: it touches the field's edge,
        so its place is known.
        """
        field = self._reader.known(image, pose.corners)
        found: dict[str, list[tuple[float, float]]] = {}
        for name, site in self._reader.read(image, field).sites.items():
            side = _side(site)
            if side is not None and name != BAR:
                found.setdefault(side, []).append(self._place(name, field.bar, pose))
        return found

    def _place(self, site: str, bar: float, pose: BoardPose) -> tuple[float, float]:
        u, v = self._layout.place(site, bar)
        if not self._layout.is_tables:
            return u, v
        radius = (1 - bar) / 24 / pose.proportion
        return u, radius if v == 0 else 1 - radius


def _side(site: SiteReading) -> str | None:
    """Return whose men are on a site, whatever their number, or ``empty``; None if that is not certain."""
    chances: dict[str, float] = {}
    for men, chance in site.candidates:
        side = EMPTY if men is None else men.colour if men.also is None else ""
        chances[side] = chances.get(side, 0.0) + chance
    best = max(chances, key=lambda one: chances[one], default="")
    return best if best and site.status != "hidden" and chances[best] >= CERTAIN_SIDE_CHANCE else None


def eye(board: str) -> BoardEye | None:
    """Return the eye for this board, or None if no net knows it."""
    try:
        return BoardEye(layout(board))
    except (UnknownBoardError, WeightsError):
        return None
