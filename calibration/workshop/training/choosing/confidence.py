"""Honest probabilities: from which posterior on a die may be read without asking."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p, nextafter
from typing import Final

import numpy as np

PROOF: Final = 0.95
"""How sure a bound is to hold."""


class TooFewDiceError(ValueError):
    """So few dice cannot prove so rare an error, however they are asked about."""


@dataclass(frozen=True)
class Threshold:
    """From ``value`` on a die is read. Of ``dice`` that were judged then ``wrong`` were read and wrong.

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

    ``judged``: confidence and whether it is right, for each die that would be read without a threshold; what is read
    where no die lies is wrong. ``dice``: how many dice there were, those that were missed or asked about for other
    reasons too; by default as many as were judged. The share is of all dice, as silent errors are reported.

    The bound is Clopper and Pearson's upper one, not the share that was counted: 0 wrong of 100 prove 3 %. Thresholds
    are tried from the strictest down and the first that fails ends it, so that trying many does not weaken the proof
    (the number of wrong dice only grows on the way down). It holds for dice drawn as these were.

    Raises:
        TooFewDiceError: even with no error at all so many dice would not prove it.
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
    # as strict as the dice allow: no die that was seen lies between
    value = min((confidence for confidence, _ in judged if confidence > bar), default=nextafter(bar, inf))
    kept = sum(confidence >= value for confidence in wrong)
    return Threshold(value, kept, number, upper_bound(kept, number, proof))


def dice_to_prove(most: float, proof: float = PROOF) -> int:
    """Return how many dice without any error it takes to prove that errors are no more than this share."""
    return int(np.ceil(log(1 - proof) / log1p(-most)))


def upper_bound(wrong: int, dice: int, proof: float = PROOF) -> float:
    """Return the one-sided upper bound of a share (Clopper & Pearson 1934): rarer than so many would be luck.

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
        if _at_most(wrong, dice, middle) > 1 - proof:
            low = middle
        else:
            high = middle
    return high


def allowed_errors(dice: int, most: float, proof: float = PROOF) -> int:
    """Return the largest number wrong whose upper bound is at most ``most``; none where so few dice prove nothing.

    It is so as long as that many or fewer would be seen with a chance of at most ``1 - proof`` if the share were
    ``most``: by that the bound is defined.
    """
    total, wrong = 0.0, -1
    while wrong < dice:
        total += _exactly(wrong + 1, dice, most)
        if total > 1 - proof:
            break
        wrong += 1
    return max(wrong, 0)


def _at_most(hits: int, of: int, share: float) -> float:
    """Return the chance of at most so many hits if each comes with this chance."""
    return sum(_exactly(one, of, share) for one in range(hits + 1))


def _exactly(hits: int, of: int, share: float) -> float:
    ways = lgamma(of + 1) - lgamma(hits + 1) - lgamma(of - hits + 1)
    return exp(ways + hits * log(share) + (of - hits) * log1p(-share))
