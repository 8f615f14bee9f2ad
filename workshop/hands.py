"""The hands for training and for choosing: fonts of role ``train``, and lists of more that draw nothing else."""

from pathlib import Path
from typing import Final

import numpy as np

from workshop.scenes.fonts import Font, Role, find_fonts, listed

HANDS: Final = Path(__file__).parent / "training" / "hands.toml"
"""The list of fonts that only train."""

CHOOSING: Final = Path(__file__).parent / "training" / "choosing" / "hands.toml"
"""The list of fonts that only choose when to ask: with few hands, one odd mark of one hand would decide for all."""

BOOK_HANDS: Final = Path(__file__).with_name("book_hands.toml")
"""The list of book hands. Each family has one role: it trains, it chooses when to ask, or it measures only."""

FONT_SHARE: Final = 0.12
"""Share of the training fonts' packages that is kept for validation: fonts new to the nets choose the thresholds."""

TEACHES: Final = frozenset({"fonts-blankenburg"})
"""Packages that always train: Fraktur, whose I is unlike any other hand's and looks like an E."""


def split_fonts(seed: int) -> tuple[tuple[Font, ...], tuple[Font, ...]]:
    """Return the training fonts and the validation fonts; a package is never divided."""
    fonts = find_fonts("train")
    packages = sorted({font.package for font in fonts})
    order = np.random.default_rng(seed).permutation(len(packages))
    aside = {packages[i] for i in order[: max(1, round(FONT_SHARE * len(packages)))]} - TEACHES
    teach = tuple(font for font in fonts if font.package not in aside)
    return teach, tuple(font for font in fonts if font.package in aside)


def more_hands() -> tuple[Font, ...]:
    """Return the installed fonts of `HANDS` and the book hands for training."""
    return (*_there(HANDS), *book_hands("train"))


def choosing_hands(seed: int) -> tuple[Font, ...]:
    """Return the hands of the validation pictures: the validation fonts, those of `CHOOSING`, and book hands."""
    return (*split_fonts(seed)[1], *_there(CHOOSING), *book_hands("choosing"))


def book_hands(role: Role) -> tuple[Font, ...]:
    """Return the installed book hands of a role."""
    return tuple(font for font in _there(BOOK_HANDS) if font.role == role)


def _there(fonts: Path) -> tuple[Font, ...]:
    return tuple(source.font for source in listed(fonts) if source.font.path.is_file())
