"""What one die can show, how often a fair one would show it, and which groups of faces the bet watches."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.rules.die import PIP, Die

Floats = npt.NDArray[np.float64]


class OutcomesError(ValueError):
    """No test is possible for such a die."""


@dataclass(frozen=True)
class Contrast:
    """A group of outcomes whose common share the bet watches, named before the first throw.

    ``kind``: ``face`` (one outcome), ``axis`` (two opposite faces: a shaved die is thin there), ``corner`` (three faces
    of a cube that meet: a heavy corner lies at the bottom), ``cap`` (five faces of an icosahedron that meet) or
    ``caps`` (those about two opposite corners: such a die is flat or long). ``outcomes`` are places in
    `Outcomes.labels`.
    """

    kind: str
    outcomes: tuple[int, ...]


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a die: their ``labels``, how many ``faces`` of the die show each, and the contrasts.

    ``pips``: how many pips each outcome has, if all marks of the die are pips and not all numbers alike; else empty.
    """

    labels: tuple[str, ...]
    faces: tuple[int, ...]
    contrasts: tuple[Contrast, ...]
    pips: tuple[int, ...] = ()

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
    (``X/1``, ``X/2``), for a camera that has learnt to distinguish them: then the test also notices one twin that takes
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
    caps = _caps(die)
    groups += [Contrast("cap", five) for five in _expressible(caps, texts, place_of)]
    groups += [Contrast("caps", ten) for ten in _expressible(_opposite(caps, die), texts, place_of)]
    known: dict[tuple[int, ...], Contrast] = {}
    for group in groups:
        known.setdefault(tuple(sorted(group.outcomes)), group)
    faces = tuple(texts.count(label) for label in labels)
    return Outcomes(labels, faces, tuple(known.values()), _pips(die, texts, labels))


def _caps(die: Die) -> list[tuple[int, ...]]:
    """Return the faces about each corner of an icosahedron (each 5 places), if they lie as is usual; else nothing.

    Nothing is lost if this die's faces lie in another way: the bet against it is as fair, and only less sharp.
    """
    places = {face.text: place for place, face in enumerate(die.faces)}
    opposite = {frozenset(pair) for pair in die.opposite}
    usual = _usual_corners()
    count = len({label for corner in usual for label in corner})
    lie_so = len(places) == len(die.faces) == count and all(
        frozenset((places.get(str(number), -1), places.get(str(count + 1 - number), -1))) in opposite
        for number in range(1, count + 1)
    )
    if die.shape != "icosahedron" or not lie_so:
        return []
    return [tuple(sorted(places[label] for label in corner)) for corner in usual]


@cache
def _usual_corners() -> tuple[tuple[str, ...], ...]:
    corners = data_of(__package__, "icosahedron.toml")["corners"]
    return tuple(tuple(str(number) for number in corner) for corner in corners)


def _opposite(caps: list[tuple[int, ...]], die: Die) -> list[tuple[int, ...]]:
    """Return the faces about each two opposite corners."""
    across = {face: other for pair in die.opposite for face, other in (pair, pair[::-1])}
    return list(dict.fromkeys(tuple(sorted({*cap, *(across[face] for face in cap)})) for cap in caps))


def _pips(die: Die, texts: list[str], labels: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many pips each outcome has; nothing if another mark is on the die, or the same number on each face."""
    if any(set(face.marks) - {PIP} for face in die.faces):
        return ()
    pips = tuple(len(die.faces[texts.index(label)].marks) for label in labels)
    return pips if len(set(pips)) > 1 else ()


def _expressible(
    groups: Iterable[tuple[int, ...]], texts: list[str], place_of: dict[str, int]
) -> list[tuple[int, ...]]:
    """Return groups of faces as groups of outcomes; keep only groups that include all twins of each face."""
    found = []
    for group in groups:
        outcomes = sorted({place_of[texts[face]] for face in group})
        whole = sum(texts.count(texts[face]) for face in {texts.index(texts[face]) for face in group})
        if whole == len(group) and len(outcomes) < len(place_of):
            found.append(tuple(outcomes))
    return found
