"""How the numbers of a die lie to each other: in which ways its solid can lie, as a table of numbers by face."""

from functools import cache
from typing import Final

import numpy as np

from companion.data_file import data_of
from companion.rules.die import Die
from companion.vision.dice.solids.model import Numbers, Solid, solids

DATA: Final = "numberings.toml"


def lyings(die: Die) -> Numbers | None:
    """Return all ways in which a die may lie, (ways, faces): which of its faces lies at each face of the solid.

    None where no numbering is known of dice with these faces.
    """
    texts = [face.text for face in die.faces]
    fitting = [around for around in _numberings().get(die.shape, ()) if set(around) == set(texts)]
    every = [way for around in fitting for way in _ways(die, around)]
    return np.array([[texts.index(text) for text in way] for way in every]) if every else None


@cache
def _numberings() -> dict[str, list[dict[str, list[str]]]]:
    """Return the known numberings by shape: each number's neighbours, clockwise."""
    return {
        shape: [
            {number: [str(one) for one in near] for number, near in each.items() if isinstance(near, list)}
            for each in every
        ]
        for shape, every in data_of(__package__, DATA).items()
    }


def _ways(die: Die, around: dict[str, list[str]]) -> list[list[str]]:
    """Return the numbers by face of the solid: one way for each number on its first face, and each rotation of that."""
    solid = solids()[die.shape]
    near = _neighbours(solid)
    ways = []
    for first, others in around.items():
        for turn in range(len(others)):
            # of each face its number, and by how much that number's neighbours are turned
            placed, open_faces = {0: (first, turn)}, [0]
            while open_faces:
                face = open_faces.pop()
                number, turned = placed[face]
                for k, beside in enumerate(near[face]):
                    other = around[number][(k + turned) % len(others)]
                    if beside not in placed:
                        placed[beside] = other, around[other].index(number) - near[beside].index(face)
                        open_faces.append(beside)
            ways.append([placed[face][0] for face in range(len(near))])
    return ways


def _neighbours(solid: Solid) -> list[list[int]]:
    """Return for each face those beside it, clockwise as seen from outside."""
    across = {
        (one, other): face
        for face, ring in enumerate(solid.rings.tolist())
        for one, other in zip(ring, ring[1:] + ring[:1], strict=True)
    }
    return [
        [across[other, one] for one, other in zip(ring, ring[1:] + ring[:1], strict=True)]
        for ring in solid.rings.tolist()
    ]
