"""What the board reader's nets tell while a board is calibrated: where its field lies, and where men stand.

The nets only propose: a person agrees to an outline, and colours are learnt from men whose sites were read for certain.
"""

from typing import Final

import numpy as np

from calibration.board.colours import EMPTY
from companion.vision.board_readings import SiteReading
from companion.vision.boards.frame import HARMONIOUS
from companion.vision.boards.layout import BAR, Layout, UnknownBoardError, layout
from companion.vision.boards.pose import BoardPose, Points
from companion.vision.boards.reader import BoardReader
from companion.vision.dice.nets import WeightsError
from companion.vision.readings import Image

CERTAIN_SIDE_CHANCE: Final = 0.97
"""From this chance on it is certain enough whose man it is: a few wrong places do not move a median."""


class BoardEye:
    """Looks at pictures of one kind of board. Loads its nets when they are first used; not for two threads at once."""

    def __init__(self, known: Layout) -> None:
        self._layout = known
        self._reader = BoardReader(known)

    def propose(self, image: Image) -> Points | None:
        """Return the field's corners (4, 2) in pixels, clockwise from the top left, or None where no board is found."""
        found = self._reader.find(image)
        return None if found is None else np.asarray(found.corners, np.float64)

    def agrees(self, image: Image, corners: Points) -> bool:
        """Tell whether the columns that are seen begin and end along an outline, (4, 2) in pixels.

        True, too, where none are seen: a person may know better. Columns are all alike, so an outline that is off by a
        whole one looks right at a glance.
        """
        return self._reader.known(image, corners).harmony >= HARMONIOUS

    def men(self, image: Image, pose: BoardPose) -> dict[str, list[tuple[float, float]]]:
        """Return places of the field (u, v) where men of each side stand, and ``empty`` ones; only what is certain.

        How many men there are need not be. Of the men on a point only the outermost is named: he touches the field's
        edge, and his place is known.
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
        corners = pose.corners
        across, down, back, up = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        radius = (1 - bar) / 24 * float((across + back) / (down + up))
        return u, radius if v == 0 else 1 - radius


def _side(site: SiteReading) -> str | None:
    """Return whose men stand on a site, however many, or ``empty``; None where that is not certain."""
    chances: dict[str, float] = {}
    for men, chance in site.candidates:
        side = EMPTY if men is None else men.colour if men.also is None else ""
        chances[side] = chances.get(side, 0.0) + chance
    best = max(chances, key=lambda one: chances[one], default="")
    return best if best and site.status != "hidden" and chances[best] >= CERTAIN_SIDE_CHANCE else None


def eye(board: str) -> BoardEye | None:
    """Return what looks at this board, None where no net knows it."""
    try:
        return BoardEye(layout(board))
    except (UnknownBoardError, WeightsError):
        return None
