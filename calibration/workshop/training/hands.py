"""The hands that teach: the fonts of role ``train``, and more that draw nothing but the training's material."""

from pathlib import Path
from typing import Final

import numpy as np

from calibration.workshop.scenes.fonts import Font, find_fonts, listed

HANDS: Final = Path(__file__).with_name("hands.toml")
"""The list of the fonts that only teach."""

FONT_SHARE: Final = 0.12
"""The share of the training fonts' packages that is set aside: fonts the nets never saw choose the thresholds."""

TEACHES: Final = frozenset({"fonts-blankenburg"})
"""Packages that are never set aside: Fraktur, whose I is like nobody else's and looks to all others like an E."""


def split_fonts(seed: int) -> tuple[tuple[Font, ...], tuple[Font, ...]]:
    """Return the training fonts as those that teach and those that validate; a package is not divided."""
    fonts = find_fonts("train")
    packages = sorted({font.package for font in fonts})
    order = np.random.default_rng(seed).permutation(len(packages))
    aside = {packages[i] for i in order[: max(1, round(FONT_SHARE * len(packages)))]} - TEACHES
    teach = tuple(font for font in fonts if font.package not in aside)
    return teach, tuple(font for font in fonts if font.package in aside)


def more_hands() -> tuple[Font, ...]:
    """Return those of `HANDS` that are there; none of them is ever set aside."""
    return tuple(source.font for source in listed(HANDS) if source.font.path.is_file())
