"""Decide which colour a token has: compare it with known colours under the same light, and keep the doubt."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.vision.boards.tokens.print_light import INK_REFLECTANCE, PrintLight, coded, lab_of

Points = npt.NDArray[np.float64]

COLOUR_DEVIATION: Final = 7.0
"""The standard deviation of a token's colour from the plan's, in CIELAB: printers, papers and light differ."""

LIGHTNESS_WEIGHT: Final = 0.6
"""The weight of differences of lightness: shade and gloss change it, and hardly the hue."""

UNKNOWN_COLOUR_SPREADS: Final = 3.5
"""A colour that is this many spreads away from all known ones is as likely another one."""

CHANNEL_NOISE: Final = 0.7 / 255
"""The error of the median over a token in each channel, as a fraction of the full range of a picture's bytes."""


@dataclass(frozen=True)
class Palette:
    """Colours by ``names``; ``lab`` (n, 3): how they look on white paper in even light."""

    names: tuple[str, ...]
    lab: Points


@cache
def palette() -> Palette:
    """Return all colours that the reader distinguishes: those of the kit, then the further ones."""
    data = data_of(__package__, "token_colours.toml")
    named = {name: value for part in ("kit", "further") for name, value in data[part].items()}
    # as printed: no ink is darker than printed black
    light = INK_REFLECTANCE + (1 - INK_REFLECTANCE) * np.array(
        [coded(_bytes(value)) for value in named.values()], np.float32
    )
    return Palette(tuple(named), np.asarray(lab_of(light), np.float64))


def _bytes(value: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(value.removeprefix("#"))
    return red, green, blue


def named(albedo: Points, light: PrintLight, place: Points) -> tuple[tuple[tuple[str, float], ...], float]:
    """Return the chance of each colour for a token, likeliest first, and the chance that it is no known colour.

    ``albedo``: (3,) the token's reflectance in red, green and blue, white paper having 1; ``place``: (2,) where it
    lies, in millimetres. Dim or coloured light leaves more doubt: what noise may change counts as spread.
    """
    known = palette()
    seen = np.asarray(lab_of(np.asarray(albedo, np.float32)), np.float64)
    weigh = np.array([LIGHTNESS_WEIGHT, 1.0, 1.0])
    noisy = 0.0
    falls = light.at(place[None])[0]
    for channel in range(3):
        moved = albedo.copy()
        moved[channel] += _wobble(float(albedo[channel] * falls[channel] + light.veil[channel])) / falls[channel]
        change = (np.asarray(lab_of(np.asarray(moved, np.float32)), np.float64) - seen) * weigh
        noisy += float((change**2).sum())
    spread = np.sqrt(COLOUR_DEVIATION**2 + noisy)
    far = np.linalg.norm((known.lab - seen) * weigh, axis=1) / spread
    odds = np.exp(-0.5 * far**2)
    strange = float(np.exp(-0.5 * UNKNOWN_COLOUR_SPREADS**2))
    whole = float(odds.sum()) + strange
    order = np.argsort(-odds)
    return tuple((known.names[int(n)], float(odds[n]) / whole) for n in order), strange / whole


def _wobble(shown: float) -> float:
    """Return how much noise changes linear light that a byte shows: in the dark, a byte is a small step."""
    code = 12.92 * shown if shown <= 0.0031308 else 1.055 * shown ** (1 / 2.4) - 0.055  # noqa: PLR2004 (sRGB)
    slope = 1 / 12.92 if code <= 0.04045 else 2.4 / 1.055 * ((code + 0.055) / 1.055) ** 1.4  # noqa: PLR2004 (sRGB)
    return CHANNEL_NOISE * slope
