"""Tell squares that look like the bare squares around them: print, a shadow or a joint may look like a man's foot."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.vision.boards.layout import Layout
from companion.vision.boards.lessons.lesson import FAINT_LIGHT, LEAST_USUAL, Light, light_of
from companion.vision.boards.men import Canvas, FoundMan
from companion.vision.readings import Image

REACH_SQUARES: Final = 0.3
"""How far from the middle of a square it is compared, in squares."""

NEIGHBOURS_COMPARED: Final = 6
"""A square is compared with this many bare ones of its colour, the nearest."""

FEWEST_NEIGHBOURS: Final = 3
"""Fewer bare squares of a colour do not show how one looks."""

UNKNOWN_DIFFERENCE: Final = 99.0
"""A square of which nobody knows how it looks when it is bare differs by so much: its look says nothing."""

MOST_LIGHT_FACTOR: Final = 1.25
"""Neighbouring squares are lit by at most this factor more or less."""

SURE_MAN_CHANCE: Final = 0.99
LOW_QUANTILE: Final = 0.1
MEN_STAND_OUT: Final = (1.0, 3.0)
"""A man differs from bare squares by more than the men who are seen for sure: than this quantile of them, within these
limits, in units of what bare squares differ from each other."""

LOOK_STEEPNESS: Final = 10.0
MOST_LOG_ODDS: Final = 6.0
"""A square that differs by less says that nobody stands there: in log odds, the logarithm of the ratio times
``LOOK_STEEPNESS``, at most ``MOST_LOG_ODDS``. That one differs does not tell of a man: a shadow may lie there."""


def doubted(
    men: Sequence[FoundMan], flat: Image, layout: Layout, canvas: Canvas, hidden: Collection[str]
) -> list[FoundMan]:
    """Return the men found on squares, those less likely whose squares look bare.

    ``flat``: the straightened board; ``hidden``: the squares on which something lies.
    """
    fields = [canvas.to_field(man.x, man.y) for man in men]
    places = [layout.site_at(min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)) for u, v in fields]
    differs = _differing(flat, layout, canvas, set(layout.sites) - set(places) - set(hidden))
    seen = [differs[place] for man, place in zip(men, places, strict=True) if place and man.chance > SURE_MAN_CHANCE]
    least = float(np.clip(np.quantile(seen, LOW_QUANTILE), *MEN_STAND_OUT)) if seen else MEN_STAND_OUT[0]
    told = {site: np.clip(LOOK_STEEPNESS * np.log(off / least), -MOST_LOG_ODDS, 0.0) for site, off in differs.items()}
    return [
        replace(man, chance=1 / (1 + (1 / man.chance - 1) * float(np.exp(-told[place])))) if place else man
        for man, place in zip(men, places, strict=True)
    ]


def _differing(flat: Image, layout: Layout, canvas: Canvas, bare: Collection[str]) -> dict[str, float]:
    """Return by how much each square differs from bare ones, in units of what these do; or `UNKNOWN_DIFFERENCE`."""
    light = light_of(flat)
    squares = np.array([layout.place(site) for site in layout.sites]) * (layout.columns, layout.rows)
    size = np.array((canvas.field_width / layout.columns, canvas.field_height / layout.rows)) / 2
    middles = (np.array((canvas.left, canvas.top)) / 2 + squares * size).astype(int)
    wide, high = (REACH_SQUARES * size).astype(int)
    windows = np.stack([light[y - high : y + high + 1, x - wide : x + wide + 1] for x, y in middles])
    known = np.array([site in bare for site in layout.sites])
    away = np.abs(squares[:, None] - squares).sum(axis=2).round()
    away[~((away > 0) & (away % 2 == 0) & known)] = np.inf  # of squares of another colour, and of those with men
    near = np.argsort(away, axis=1, kind="stable")[:, :NEIGHBOURS_COMPARED]
    there = np.isfinite(np.take_along_axis(away, near, axis=1))
    telling = there.sum(axis=1) >= FEWEST_NEIGHBOURS
    differs = np.full(len(squares), np.nan)
    off = np.where(there, _differ(windows, windows[near]), np.nan)
    differs[telling] = np.nanmedian(off[telling], axis=1)
    told = differs[known & telling]
    usual = max(float(np.median(told)), LEAST_USUAL) if len(told) else 1.0
    shares = np.nan_to_num(np.maximum(differs / usual, LEAST_USUAL), nan=UNKNOWN_DIFFERENCE)
    return dict(zip(layout.sites, shares.tolist(), strict=True))


def _differ(windows: Light, others: Light) -> Light:
    """Return by how much windows (n x h x w x 3) differ from others (n x m x h x w x 3), evenly lit (n x m)."""
    bright = others.mean(axis=(2, 3))
    gain = np.clip(
        (windows.mean(axis=(1, 2))[:, None] + FAINT_LIGHT) / (bright + FAINT_LIGHT),
        1 / MOST_LIGHT_FACTOR,
        MOST_LIGHT_FACTOR,
    )
    off = np.abs(windows[:, None] - others * gain[:, :, None, None]).mean(axis=(2, 3, 4))
    return np.asarray(off / (bright.mean(axis=2) + FAINT_LIGHT / 3), np.float32)
