"""The measures of the kit: the calibration sheet, men, dice and tokens. The figures are in data files."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

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
    return CharucoPlan(**_read("companion.vision.boards", "kit_charuco.toml"))


@cache
def sizes() -> dict[str, Any]:
    """Return the sizes and colours of everything except boards: ``sizes.toml``."""
    return _read("calibration.kit", "sizes.toml")


def _read(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
