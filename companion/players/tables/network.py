"""A small network beside the weighted sum of features: it sees every point, and how features go together.

For variants in which it wins more than the weighted sum alone, ``networks.npz`` holds what was learnt;
`workshop.players.networks` writes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from companion.players.tables.boards import Boards
from companion.players.tables.features import PAIR_OF_MEN, LayoutFeatures, Placed

Floats = npt.NDArray[np.float32]

FILE = "networks.npz"

FULL_POINT_MEN = 4
"""A point with so many men above two counts one; a side with so many hit men counts two."""


def inputs(features: LayoutFeatures, boards: Boards, own: Placed, foe: Placed) -> Floats:
    """Return what the network sees of boards (columns, inputs): the features, then the points of either side.

    Each point counts three times: whether one man stands there, whether two or more do, and how many more, in units of
    `FULL_POINT_MEN`. After the points of a side come whether it has men in hand, and how many of these were hit, in
    halves of `FULL_POINT_MEN`. ``own`` and ``foe`` are `LayoutFeatures.both` of the boards.
    """
    parts = [features.of_sides(own, foe)]
    for (placed, _), hit in zip((own, foe), boards.hit, strict=True):
        points = placed[:, 1 : features.length + 1]
        parts += [
            (points == 1).astype(np.float32),
            (points >= PAIR_OF_MEN).astype(np.float32),
            (np.maximum(points - PAIR_OF_MEN, 0) / np.float32(FULL_POINT_MEN)).astype(np.float32),
            (placed[:, :1] > 0).astype(np.float32),
            hit[:, None].astype(np.float32) * np.float32(PAIR_OF_MEN / FULL_POINT_MEN),
        ]
    return np.concatenate(parts, axis=1)


@dataclass(frozen=True)
class Network:
    """One hidden layer of units that pass on what is above zero, and a weighted sum of all inputs beside it.

    ``into``: weights (inputs, units) and ``bias`` (units) of the hidden layer; ``out`` (units): the weights of the
    units; ``beside`` (inputs): the weights of the inputs; ``base`` (1): what is added.
    """

    into: Floats
    bias: Floats
    out: Floats
    beside: Floats
    base: Floats

    def odds(self, seen: Floats) -> Floats:
        """Return for each row of inputs the log of the odds of the side that is to throw."""
        found: Floats = self.hidden(seen) @ self.out + seen @ self.beside + self.base
        return found

    def hidden(self, seen: Floats) -> Floats:
        """Return what the units of the hidden layer pass on (rows, units)."""
        units: Floats = np.maximum(seen @ self.into + self.bias, 0)
        return units

    def arrays(self) -> dict[str, Floats]:
        """Return the weights by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@cache
def networks() -> Mapping[str, Network]:
    """Return the networks that were learnt, by the variant's name."""
    found: dict[str, dict[str, Floats]] = {}
    with (files(__package__) / FILE).open("rb") as file, np.load(file) as arrays:
        for key in arrays.files:
            slug, name = key.split(":")
            found.setdefault(slug, {})[name] = arrays[key].astype(np.float32)
    return {slug: Network(**weights) for slug, weights in found.items()}
