"""The measures of the kit: the calibration sheet, men, dice and tokens. The figures are in data files."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from companion.data_file import data_of

if TYPE_CHECKING:
    import cv2


@dataclass(frozen=True)
class CharucoPlan:
    """The calibration sheet: ``columns`` x ``rows`` squares, the edges of square and marker in millimetres."""

    dictionary: str
    columns: int
    rows: int
    square: float
    marker: float

    def board(self) -> "cv2.aruco.CharucoBoard":
        """Return the sheet as an OpenCV board, lengths in millimetres."""
        import cv2  # noqa: PLC0415  (30 MB that only markers need)

        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.dictionary))
        return cv2.aruco.CharucoBoard((self.columns, self.rows), self.square, self.marker, dictionary)


@cache
def charuco_plan() -> CharucoPlan:
    """Return the calibration sheet's measures."""
    return CharucoPlan(**data_of("companion.vision.boards", "kit_charuco.toml"))


def sizes() -> Mapping[str, Any]:
    """Return the sizes and colours of everything except boards: ``sizes.toml``."""
    return data_of("calibration.kit", "sizes.toml")
