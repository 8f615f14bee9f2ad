"""The classes by which dice are counted: their shape, their size in the picture, the picture's conditions."""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from typing import Final

from bench.scoring.outcomes import Label, Outcome
from companion.rules.dice import DiceSet, ThrowError, UnknownDiceSetError, dice_set

SIZES: Final = (24, 40, 60, 100, 200, 350)
"""Limits between the size classes, in pixels."""

TENS: Final = 10
"""Conditions that are numbers (degrees of tilt) are sorted into tens."""

UNKNOWN: Final = "unknown"


def kind(outcome: Outcome, dice: DiceSet | None = None) -> str:
    """Return ``"cube"``, ``"tetrahedron"``, ``"tile"`` and so on, by the label, or by the reading where no die lies.

    ``dice``: the set in use, if it does not come with the program.
    """
    one = outcome.truth or outcome.answer or {}
    if one.get("kind") == "tile":
        return "tile"
    try:
        known = dice if dice and dice.name == one.get("set") else dice_set(str(one.get("set")))
        if one.get("die") is not None:
            return known.die(str(one["die"])).shape
    except (ThrowError, UnknownDiceSetError):
        return UNKNOWN
    shapes = {die.shape for die in known.dice}
    return shapes.pop() if len(shapes) == 1 else UNKNOWN


def size(outcome: Outcome) -> str:
    """Return the size class, such as ``"60 to 100"``: by the square root of the outline's area in pixels."""
    one = outcome.truth or {}
    polygon = one.get("polygon") or (outcome.answer or {}).get("polygon")
    if not polygon:
        return UNKNOWN
    edge = sqrt(abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*polygon, polygon[0]]))) / 2)
    if edge < SIZES[0]:
        return f"below {SIZES[0]}"
    return next((f"{low} to {high}" for low, high in pairwise(SIZES) if edge < high), f"from {SIZES[-1]}")


def conditions(label: Label) -> Iterator[tuple[str, str]]:
    """Yield each condition of a labelled picture with its class; a list yields one for each of its elements."""
    for name, value in (label.get("conditions") or {}).items():
        match value:
            case bool() | None:
                yield name, {True: "yes", False: "no", None: "none"}[value]
            case int() | float():
                low = int(value // TENS) * TENS
                yield name, f"{low} to {low + TENS}"
            case list() | tuple():
                for each in sorted({str(one) for one in value}) or ["none"]:
                    yield name, each
            case _:
                yield name, str(value)
