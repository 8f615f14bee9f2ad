"""One throw decoded as a whole: each cube shows one of its own faces, and three sides tell the hidden one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from companion.vision.dice.faces import Chances

THIRD_SIDE: Final = 3


@dataclass(frozen=True, eq=False)
class Decoded:
    """What one cube shows: the die and text of the likeliest throw, and the posterior over (die, text)."""

    die: str
    text: str
    chances: tuple[tuple[tuple[str, str], float], ...]

    def letters(self) -> tuple[tuple[str, float], ...]:
        """Return the posterior over texts, likeliest first, those with the same letters as one.

        Of texts with the same letters the likeliest stands for all, or the decoded one if it is among them.
        """
        bags: dict[str, float] = {}
        names: dict[str, tuple[float, str]] = {}
        for (_, text), chance in self.chances:
            bag = "".join(sorted(text))
            bags[bag] = bags.get(bag, 0.0) + chance
            names[bag] = max(names.get(bag, (-1.0, "")), (chance, text))
        own = "".join(sorted(self.text))
        found = [(self.text if bag == own else names[bag][1], chance) for bag, chance in bags.items()]
        return tuple(sorted(found, key=lambda pair: -pair[1]))


def decode_cubes(chances: Chances, faces: Sequence[tuple[str, str]], dice: Sequence[str]) -> list[Decoded]:
    """Decode cubes that lie on the table together.

    ``chances``: for each cube the posterior over ``faces``, the (die, text) of every face of the set.
    ``dice``: the dice that may be there. No die is there twice; with fewer cubes than dice any may be missing.

    Raises:
        ValueError: more cubes than dice.
    """
    cubes = len(chances)
    if cubes > len(dice):
        raise ValueError(f"Expected at most {len(dice)} cubes, but {cubes} were given.")
    own = {die: [i for i, (name, _) in enumerate(faces) if name == die] for die in dice}
    weight = np.array([[chances[cube, own[die]].sum() for die in dice] for cube in range(cubes)]).reshape(cubes, -1)
    belongs = np.zeros_like(weight)
    best: tuple[float, tuple[int, ...]] = (-1.0, ())
    total = 0.0
    for order in permutations(range(len(dice)), cubes):
        value = float(np.prod([weight[cube, die] for cube, die in enumerate(order)]))
        total += value
        for cube, die in enumerate(order):
            belongs[cube, die] += value
        top = float(np.prod([chances[cube, own[dice[die]]].max() for cube, die in enumerate(order)]))
        best = max(best, (top, order))
    decoded = []
    for cube, order_die in enumerate(best[1]):
        posterior = {
            faces[i]: float(chances[cube, i] / max(weight[cube, d], 1e-300) * belongs[cube, d] / max(total, 1e-300))
            for d, die in enumerate(dice)
            for i in own[die]
        }
        named = dice[order_die]
        text = faces[int(own[named][int(chances[cube, own[named]].argmax())])][1]
        decoded.append(Decoded(named, text, tuple(sorted(posterior.items(), key=lambda pair: -pair[1]))))
    return decoded


def decode_alone(chances: Chances, faces: Sequence[tuple[str, str]], dice: Sequence[str]) -> list[Decoded]:
    """Decode cubes each for itself, where there are more than there should be."""
    return [decode_cubes(chances[i : i + 1], faces, dice)[0] for i in range(len(chances))]


def decode_hidden(sides: Chances, texts: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return the posterior of a tetrahedron's hidden text, likeliest first.

    ``sides``: posteriors of the visible sides over ``texts``, shape (k, 4), k up to 3. The visible sides all differ,
    and the hidden one is none of them; a side that was not seen is simply not in the product.

    Raises:
        ValueError: more than three sides.
    """
    if len(sides) > THIRD_SIDE:
        raise ValueError(f"Expected at most 3 visible sides, but {len(sides)} were given.")
    hidden = np.zeros(len(texts))
    for order in permutations(range(len(texts)), len(sides)):
        value = float(np.prod([sides[side, text] for side, text in enumerate(order)]))
        unseen = [text for text in range(len(texts)) if text not in order]
        hidden[unseen] += value / len(unseen)
    hidden /= hidden.sum()
    return tuple(sorted(zip(texts, map(float, hidden), strict=True), key=lambda pair: -pair[1]))
