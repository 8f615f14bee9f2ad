"""Draw labelled pictures of dice as a camera would see them, for training and for the sample frames."""

from workshop.scenes.fonts import Font, NoFontsError, find_fonts, missing_packages
from workshop.scenes.patches import (
    Patch,
    random_marks,
    render_face_patch,
    render_tetrahedron_patch,
    render_tetrahedron_patches,
)
from workshop.scenes.render import DieLabel, Rendered, render
from workshop.scenes.scene import (
    HARD,
    RANGES,
    TRAINING,
    TRAY,
    USUAL,
    WIDE,
    Ranges,
    Scene,
    random_bodies,
    random_scene,
)

__all__ = [
    "HARD",
    "RANGES",
    "TRAINING",
    "TRAY",
    "USUAL",
    "WIDE",
    "DieLabel",
    "Font",
    "NoFontsError",
    "Patch",
    "Ranges",
    "Rendered",
    "Scene",
    "find_fonts",
    "missing_packages",
    "random_bodies",
    "random_marks",
    "random_scene",
    "render",
    "render_face_patch",
    "render_tetrahedron_patch",
    "render_tetrahedron_patches",
]
