"""Backgammon as a layout of games side by side: none of our sources has it, but there are players to compare with."""

from dataclasses import replace

import numpy as np

from companion.odds.tables.layout import TrackLayout, laid_out

START = {1: 2, 12: 5, 17: 3, 19: 5}
"""Men by the points of a side's own way, on which it bears off past the 24th."""


def backgammon() -> TrackLayout:
    """Return the layout: Todas Tablas with equal dice played twice each, from the start that is usual today.

    Its turns are those of backgammon: as many dice as possible must be played, else the higher; men that were hit enter
    first. There is no cube, and either side may throw equal dice at first.
    """
    layout = laid_out("tables/todas-tablas", 2, {"doubles_twice": True})
    start = np.zeros_like(layout.start)
    for place, men in START.items():
        start[:, place] = men
    return replace(layout, start=start, slaps=False)
