"""The chance of the side that is to throw: the log of the odds is a weighted sum of what the features show.

Weights by hand serve every variant. For variants in which weights that were learnt from games of the program against
itself win more, ``weights.toml`` has these; `workshop.players` writes it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.odds.tables.layout import TrackLayout
from companion.players.tables.boards import Boards
from companion.players.tables.features import NAMES, LayoutFeatures
from companion.players.tables.network import Network, inputs, networks

Floats = npt.NDArray[np.float32]

HEATS = "heats.toml"

AT_A_TIME = 4096
"""The most boards that are evaluated together: what their features take is a few megabytes, not a hundred."""

MOST_ODDS = 16.0
"""The log of the odds beyond which floats of 32 bits do not tell a chance from 1."""

RACE, LEAD = 1.6, 2.0
"""The weights of the race and of the points held, by hand."""

OF_A_SIDE: Mapping[str, float] = {
    "hand": -3.0,
    "walled": -2.5,
    "shut_in": -2.5,
    "off": 1.0,
    "home": 0.5,
    "stacked": -0.5,
    "pairs": -4.0,
}
"""The weights, by hand, of what the side that is to throw has; what the other side has counts against it."""

OWN_RISK, FOE_RISK = -0.6, 1.2
"""The weights, by hand, of men that can be hit: those of the side that is to throw can still be moved away."""


def by_hand() -> Floats:
    """Return the weight of each feature by hand, in the order of `NAMES`."""
    named = {"race": RACE, "lead": LEAD, "own_risk": OWN_RISK, "foe_risk": FOE_RISK}
    for name, weight in OF_A_SIDE.items():
        named |= {f"own_{name}": weight, f"foe_{name}": -weight}
    return in_order(named)


def in_order(named: Mapping[str, float]) -> Floats:
    """Return weights by the names of their features in the order of `NAMES`; 0 for those that are not named.

    Raises:
        ValueError: there is no such feature.
    """
    if unknown := named.keys() - set(NAMES):
        raise ValueError(f"Expected the names of features, but got {', '.join(sorted(unknown))}.")
    return np.array([named.get(name, 0.0) for name in NAMES], np.float32)


def card() -> Mapping[str, Any]:
    """Return what was learnt, by the variant's name: the weights, and what they took."""
    return data_of(__package__, "weights.toml")


def weights_of(slug: str) -> Floats:
    """Return the weights for a variant, in the order of `NAMES`: those that were learnt, else those by hand."""
    learnt = card().get(slug)
    return by_hand() if learnt is None or "weights" not in learnt else in_order(learnt["weights"])


def judge_of(slug: str) -> Floats | Network:
    """Return what evaluates a variant: the network that was learnt, else the weights."""
    return networks().get(slug, weights_of(slug))


def heats() -> Mapping[str, Any]:
    """Return the heats that were measured, by the variant's name, and what the master wins there."""
    return data_of(__package__, HEATS)


def heat_of(slug: str) -> float:
    """Return how many times higher the temperatures of a variant are than usual: as measured, else as learnt.

    Learnt is how far the chances of a variant's turns lie apart, beside those that the weights by hand give them.
    """
    heat = heats().get(slug) or card().get(slug, {})
    return float(heat.get("heat", 1.0))


class Evaluation:
    """Evaluates boards of one layout: by the weights of the features, in the order of `NAMES`, or by a network."""

    def __init__(self, layout: TrackLayout, judge: Floats | Network) -> None:
        self.features = LayoutFeatures(layout)
        self.judge = judge

    def chances(self, boards: Boards) -> Floats:
        """Return for each board the chance to win of its own side, which is to throw; boards that go on.

        No chance is 0 or 1: these are for games that are over.
        """
        if len(boards) > AT_A_TIME:
            parts = np.split(np.arange(len(boards)), range(AT_A_TIME, len(boards), AT_A_TIME))
            return np.concatenate([self.chances(boards.take(part)) for part in parts])
        own, foe = self.features.both(boards)
        if isinstance(self.judge, Network):
            odds = self.judge.odds(inputs(self.features, boards, own, foe))
        else:
            odds = self.features.of_sides(own, foe) @ self.judge
        found: Floats = (1 / (1 + np.exp(-np.clip(odds, -MOST_ODDS, MOST_ODDS)))).astype(np.float32)
        return found
