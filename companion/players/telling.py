"""The chances that people are shown: an evaluation's, drawn towards even where games showed it to be too sure.

A player compares turns by its own chances; what they are off by changes no order. Who reads "wins in about 96 of 100
games" takes the number at its word, so hints and analyses say what such positions won.
"""

from collections.abc import Mapping
from typing import Any

from companion.data_file import data_of

SCALES = "scales.toml"

LEAST_CHANCE = 1e-6
"""Chances nearer to 0 or 1 count as so far away: beyond it no games tell how true an evaluation is."""


def scales() -> Mapping[str, Any]:
    """Return what was measured, by the game's name: ``scale`` with its 95 % interval, ``low`` to ``high``."""
    return data_of(__package__, SCALES)


def scale_of(slug: str) -> float:
    """Return by what a game's log of the odds is multiplied: as measured, or 1 where games do not contradict 1."""
    measured = scales().get(slug)
    if measured is None or measured["low"] <= 1 <= measured["high"]:
        return 1.0
    return float(measured["scale"])


def calibrated(slug: str, chance: float) -> float:
    """Return the chance to win that people are shown for a chance of the game's evaluation, both from 0 to 1.

    0 and 1 stay what they are: an evaluation names them only where the game is over.
    """
    scale = scale_of(slug)
    if scale == 1 or chance in (0, 1):
        return chance
    held = min(1 - LEAST_CHANCE, max(LEAST_CHANCE, chance))
    odds: float = (held / (1 - held)) ** scale
    return odds / (1 + odds)
