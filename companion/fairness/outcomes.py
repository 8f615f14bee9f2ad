"""What one die can show, how often a fair one would show it, and which groups of faces the bet watches."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from companion.rules.die import Die

Floats = npt.NDArray[np.float64]


class OutcomesError(ValueError):
    """No test is possible for such a die."""


@dataclass(frozen=True)
class Contrast:
    """A group of outcomes whose common share the bet watches, named before the first throw.

    ``kind``: ``face`` (one outcome), ``axis`` (two opposite faces: a shaved die is thin there) or ``corner`` (three
    faces that meet: a heavy corner lies at the bottom). ``outcomes`` are places in `Outcomes.labels`.
    """

    kind: str
    outcomes: tuple[int, ...]


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a die: their ``labels``, how many ``faces`` of the die show each, and the contrasts."""

    labels: tuple[str, ...]
    faces: tuple[int, ...]
    contrasts: tuple[Contrast, ...]

    @property
    def fair(self) -> Floats:
        """The chance of each outcome with a fair die (k): its share of all faces. Sums to 1."""
        return np.array(self.faces, np.float64) / sum(self.faces)

    def share(self, contrast: Contrast) -> float:
        """Return the chance of a contrast with a fair die."""
        return float(self.fair[list(contrast.outcomes)].sum())

    def name(self, contrast: Contrast) -> str:
        """Return the labels of a contrast's outcomes, e.g. ``1+6``."""
        return "+".join(self.labels[place] for place in contrast.outcomes)


def outcomes_of(die: Die, *, twins_apart: bool = False) -> Outcomes:
    """Return the outcomes of a die.

    Faces with the same text are one outcome, with their chances added. With ``twins_apart`` each is its own outcome
    (``X/1``, ``X/2``), for a camera that has learnt to tell them apart: then the test also notices one twin that takes
    the place of the other.

    Raises:
        OutcomesError: every face has the same text.
    """
    texts = [face.text for face in die.faces]
    if twins_apart:
        seen: dict[str, int] = {}
        for place, text in enumerate(texts):
            if texts.count(text) > 1 or text in seen:
                seen[text] = seen.get(text, 0) + 1
                texts[place] = f"{text}/{seen[text]}"
    labels = tuple(dict.fromkeys(texts))
    if len(labels) < 2:  # noqa: PLR2004  one outcome is no chance
        raise OutcomesError(
            f"Expected a die with different faces, but all {len(texts)} of this one bear {labels[0]!r}."
        )
    place_of = {label: place for place, label in enumerate(labels)}
    groups = [Contrast("face", (place,)) for place in range(len(labels))]
    groups += [Contrast("axis", pair) for pair in _expressible(die.opposite, texts, place_of)]
    if die.shape == "cube" and len(die.opposite) == 3:  # noqa: PLR2004  of three faces no two opposite, all meet
        groups += [Contrast("corner", three) for three in _expressible(product(*die.opposite), texts, place_of)]
    known: dict[tuple[int, ...], Contrast] = {}
    for group in groups:
        known.setdefault(tuple(sorted(group.outcomes)), group)
    faces = tuple(texts.count(label) for label in labels)
    return Outcomes(labels, faces, tuple(known.values()))


def _expressible(
    groups: "product[tuple[int, ...]] | tuple[tuple[int, ...], ...]", texts: list[str], place_of: dict[str, int]
) -> list[tuple[int, ...]]:
    """Return groups of faces as groups of outcomes; keep only groups that include all twins of each face."""
    found = []
    for group in groups:
        outcomes = sorted({place_of[texts[face]] for face in group})
        whole = sum(texts.count(texts[face]) for face in {texts.index(texts[face]) for face in group})
        if whole == len(group) and len(outcomes) < len(place_of):
            found.append(tuple(outcomes))
    return found
