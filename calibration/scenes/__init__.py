"""Draws dice as a camera would see them, with labels: the material for training and for the sample frames."""

from calibration.scenes.fonts import Font, NoFontsError, find_fonts, missing_packages
from calibration.scenes.patches import Patch, render_face_patch, render_tetrahedron_patch, render_tetrahedron_patches

__all__ = [
    "Font",
    "NoFontsError",
    "Patch",
    "find_fonts",
    "missing_packages",
    "render_face_patch",
    "render_tetrahedron_patch",
    "render_tetrahedron_patches",
]
