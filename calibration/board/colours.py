"""The colours of the two sides and of the empty board, learnt from men at known places, such as a game's start."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from companion.language.sentence import Sentence, SentenceError
from companion.rules.appearance_words import colour
from companion.vision.boards.pose import BoardPose
from companion.vision.boards.quality import colours_at
from companion.vision.readings import Image

EMPTY: Final = "empty"
"""The name for places of the field without men."""

Start = Mapping[str, Sequence[tuple[float, float]]]
"""The places in the field of each side's men, and the ``empty`` places."""

LEAST_DIFFERENCE_LAB: Final = 18.0
"""The difference in CIE Lab below which two colours are too alike to learn from: men are not where they should be."""

_FLAT_WIDTH: Final = 720


class ColoursError(SentenceError, ValueError):
    """This picture does not show the colours well enough; ``sentence`` says why and what to do."""


def learn_colours(image: Image, pose: BoardPose, start: Start, radius: float = 0.012) -> dict[str, Any]:
    """Return for each name of ``start`` its colour in CIE Lab, how much it varies, and from how many places.

    ``radius``: of the discs to sample, in parts of the field's width: well inside a man.

    Raises:
        ColoursError: there are not two sides, or they look alike.
    """
    sides = [name for name, places in start.items() if name != EMPTY and places]
    if len(sides) != 2:
        raise ColoursError(
            Sentence("Expected men of two sides on the board, but got {count}: set up the start.", count=len(sides))
        )
    height = max(64, round(_FLAT_WIDTH * pose.proportion))
    flat = pose.flat(image, _FLAT_WIDTH, height)
    learnt: dict[str, Any] = {}
    for name, places in start.items():
        seen = colours_at(flat, places, radius * _FLAT_WIDTH)
        if len(seen):
            middle = np.median(seen, axis=0)
            spread = np.median(np.abs(seen - middle), axis=0) * 1.4826  # a robust standard deviation
            learnt[name] = {
                "lab": [round(float(value), 2) for value in middle],
                "spread": [round(float(value), 2) for value in spread],
                "places": len(seen),
            }
    one, other = sides
    distance = float(np.linalg.norm(np.subtract(learnt[one]["lab"], learnt[other]["lab"])))
    if distance < LEAST_DIFFERENCE_LAB:
        raise ColoursError(
            Sentence(
                "The {one} and the {other} men look alike: set up the start exactly, with no hand over the board, or "
                "give more light.",
                one=colour(one),
                other=colour(other),
            )
        )
    return learnt
