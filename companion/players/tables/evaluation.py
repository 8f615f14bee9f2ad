"""The chance of the side that is to throw: the log of the odds is a sum of what the features show, weighed by hand."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import Layout
from companion.players.tables.boards import Boards
from companion.players.tables.features import NAMES, Features

Floats = npt.NDArray[np.float32]

RACE, LEAD = 1.6, 2.0
"""The weights of the race and of the points held."""

OF_A_SIDE: Mapping[str, float] = {
    "hand": -3.0,
    "walled": -2.5,
    "shut_in": -2.5,
    "off": 1.0,
    "home": 0.5,
    "stacked": -0.5,
    "pairs": -4.0,
}
"""The weights of what the side that is to throw has; what the other side has counts against it."""

OWN_RISK, FOE_RISK = -0.6, 1.2
"""The weights of men that can be hit: those of the side that is to throw can still be moved away."""


def weights() -> Floats:
    """Return the weight of each feature, in the order of `NAMES`."""
    named = {"race": RACE, "lead": LEAD, "own_risk": OWN_RISK, "foe_risk": FOE_RISK}
    for name, weight in OF_A_SIDE.items():
        named |= {f"own_{name}": weight, f"foe_{name}": -weight}
    return np.array([named.get(name, 0.0) for name in NAMES], np.float32)


class Evaluation:
    """Evaluates boards of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.features = Features(layout)
        self.weights = weights()

    def chances(self, boards: Boards) -> Floats:
        """Return for each board the chance to win of its own side, which is to throw; boards that go on."""
        odds = self.features.rows(boards) @ self.weights
        found: Floats = (1 / (1 + np.exp(-odds))).astype(np.float32)
        return found
