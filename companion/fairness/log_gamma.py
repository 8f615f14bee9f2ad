"""The logarithm of the gamma function for whole arrays: NumPy lacks it, and most sums of this package need it."""

import math
from typing import Any, Final

import numpy as np

from companion.fairness.outcomes import Floats

STIRLING_FROM: Final = 8.0
"""A smaller argument is first moved up by this many steps; from here on Stirling's series is exact to 1e-14."""

SERIES: Final = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360)
"""Stirling's series, coefficients of 1/x, 1/x^3, ... (Abramowitz and Stegun 6.1.41)."""


def log_gamma(x: Any) -> Floats:
    """Return log Gamma of positive numbers, an array of their shape (float64), to a few units of the last place."""
    x = np.asarray(x, np.float64)
    small = x < STIRLING_FROM
    moved = np.where(small, x + STIRLING_FROM, x)
    inverse = 1 / moved
    square = inverse * inverse
    rest = np.full_like(moved, SERIES[-1])
    for coefficient in SERIES[-2::-1]:
        rest = rest * square + coefficient
    found = np.asarray((moved - 0.5) * np.log(moved) - moved + 0.5 * math.log(2 * math.pi) + rest * inverse)
    if small.any():
        steps = x[small]
        product = steps.copy()
        for step in range(1, int(STIRLING_FROM)):
            product *= steps + step
        found[small] -= np.log(product)
    return found


def log_rising(start: Any, steps: Any) -> Floats:
    """Return log of start (start + 1) ... (start + steps - 1); both broadcast against each other."""
    return np.asarray(log_gamma(np.asarray(start, np.float64) + steps) - log_gamma(start))


def digamma(x: Any) -> Floats:
    """Return the derivative of log Gamma of positive numbers, an array of their shape (float64)."""
    x = np.asarray(x, np.float64)
    small = x < STIRLING_FROM
    moved = np.where(small, x + STIRLING_FROM, x)
    square = 1 / (moved * moved)
    rest = np.zeros_like(moved)
    for power in range(len(SERIES), 0, -1):
        rest = (rest + (2 * power - 1) * SERIES[power - 1]) * square
    found = np.asarray(np.log(moved) - 0.5 / moved - rest)
    if small.any():
        found[small] -= (1 / (x[small][..., None] + np.arange(STIRLING_FROM))).sum(axis=-1)
    return found
