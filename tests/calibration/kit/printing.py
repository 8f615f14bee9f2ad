"""Pages of the kit as a printer and a camera would give them: rendered, measured in millimetres of the sheet."""

from dataclasses import dataclass

import cv2
import numpy as np
import pypdfium2

from calibration.kit.catalogue import PARTS
from calibration.kit.paper import PAPERS, WHITE_MARGIN_MM, PaperName
from companion.vision.readings import Image

DPI = 200
MILLIMETRE = DPI / 25.4
"""Pixels in a millimetre."""


@dataclass(frozen=True, eq=False)
class Printed:
    """A rendered sheet: grey, uint8, DPI pixels to the inch."""

    image: Image

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        return self.image.shape[1] / MILLIMETRE, self.image.shape[0] / MILLIMETRE

    def cut(self, corners: np.ndarray[tuple[int, ...], np.dtype[np.float64]], edge: int) -> Image:
        """Return a square of the sheet's room, given by its corners in millimetres, as edge x edge pixels."""
        pixels = ((corners + WHITE_MARGIN_MM) * MILLIMETRE).astype(np.float32)
        flat = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]], np.float32)
        turn = cv2.getPerspectiveTransform(pixels, flat)
        return np.asarray(cv2.warpPerspective(self.image, turn, (edge, edge), flags=cv2.INTER_AREA), np.uint8)


def print_part(name: str, paper: PaperName = "a4") -> list[Printed]:
    """Return a part's sheets."""
    document = pypdfium2.PdfDocument(PARTS[name].pdf(PAPERS[paper]))
    try:
        pages = []
        for page in document:
            pages.append(Printed(np.array(page.render(scale=DPI / 72, grayscale=True).to_numpy())))
            page.close()
        return pages
    finally:
        document.close()


def peaks(dark: np.ndarray[tuple[int, ...], np.dtype[np.float64]], least: float) -> list[float]:
    """Return the middles of the dark strokes along a line, in pixels, weighed by how dark each pixel is."""
    inside = np.flatnonzero(dark > least)
    strokes = np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1)
    return [float((stroke + 0.5) @ dark[stroke] / dark[stroke].sum()) for stroke in strokes if len(stroke)]
