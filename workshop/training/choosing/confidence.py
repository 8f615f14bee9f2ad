"""Proved thresholds: the posterior from which a die may be read without asking."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p, nextafter
from typing import Final

import numpy as np

PROOF: Final = 0.95
"""Probability that a bound holds."""


class TooFewDiceError(ValueError):
    """There are too few dice to prove so rare an error, whatever the threshold."""


@dataclass(frozen=True)
class Threshold:
    """A die is read from ``value`` on. Of ``dice`` judged, ``wrong`` were then read wrongly.

    ``bound``: the share of silent errors is below it, with the wanted proof.
    """

    value: float
    wrong: int
    dice: int
    bound: float


def threshold(
    judged: Sequence[tuple[float, bool]], most: float, *, dice: int | None = None, proof: float = PROOF
) -> Threshold:
    """Return the lowest threshold whose share of silent errors is proved to be at most ``most``.

    ``judged`` holds, for each die that would be read without a threshold, its confidence and whether it is right; a
    reading where no die lies is wrong. ``dice`` is the number of dice, including those missed or asked about for other
    reasons; the default is the number judged. The share is of all dice, as silent errors are reported.

    The bound is Clopper and Pearson's upper bound, not the counted share: 0 wrong of 100 prove 3 %. Thresholds are
    tried from the strictest down until the first that fails, so that trying many does not weaken the proof (the number
    of wrong dice only grows on the way down). The proof holds for dice drawn as these were.

    Raises:
        TooFewDiceError: so few dice would not prove it even without any error.
        ValueError: fewer dice than were judged, or a share not between 0 and 1.
    """
    number = len(judged) if dice is None else dice
    if number < len(judged):
        raise ValueError(f"Expected at least the {len(judged)} dice that were judged, but {number} were given.")
    if not 0 < most < 1:
        raise ValueError(f"Expected a share of silent errors between 0 and 1, but got {most}.")
    if number < dice_to_prove(most, proof):
        raise TooFewDiceError(
            f"Expected at least {dice_to_prove(most, proof)} dice to prove silent errors of at most {most:.3%}, "
            f"but there are {number}: draw more, or ask for less."
        )
    allowed = allowed_errors(number, most, proof)
    wrong = sorted((confidence for confidence, right in judged if not right), reverse=True)
    if len(wrong) <= allowed:
        return Threshold(0.0, len(wrong), number, upper_bound(len(wrong), number, proof))
    bar = wrong[allowed]
    # as strict as the dice allow: no judged die lies between the two values
    value = min((confidence for confidence, _ in judged if confidence > bar), default=nextafter(bar, inf))
    kept = sum(confidence >= value for confidence in wrong)
    return Threshold(value, kept, number, upper_bound(kept, number, proof))


def dice_to_prove(most: float, proof: float = PROOF) -> int:
    """Return how many dice without an error prove that the share of errors is at most ``most``."""
    return int(np.ceil(log(1 - proof) / log1p(-most)))


def upper_bound(wrong: int, dice: int, proof: float = PROOF) -> float:
    """Return the one-sided upper bound of a share (Clopper & Pearson 1934).

    If the share were larger than the bound, so few errors would be luck.

    Raises:
        ValueError: more wrong than there are, or fewer than none.
    """
    if not 0 <= wrong <= dice:
        raise ValueError(f"Expected 0 to {dice} wrong of {dice} dice, but got {wrong}.")
    if wrong == dice:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if sum(_exactly(one, dice, middle) for one in range(wrong + 1)) > 1 - proof:
            low = middle
        else:
            high = middle
    return high


def allowed_errors(dice: int, most: float, proof: float = PROOF) -> int:
    """Return the largest number of errors whose upper bound is at most ``most``; 0 where so few dice prove nothing.

    By definition of the bound, that is the largest number for which as many errors or fewer have a probability of at
    most ``1 - proof`` if the share is ``most``.
    """
    total, wrong = 0.0, -1
    while wrong < dice:
        total += _exactly(wrong + 1, dice, most)
        if total > 1 - proof:
            break
        wrong += 1
    return max(wrong, 0)


def _exactly(hits: int, of: int, share: float) -> float:
    ways = lgamma(of + 1) - lgamma(hits + 1) - lgamma(of - hits + 1)
    return exp(ways + hits * log(share) + (of - hits) * log1p(-share))
