"""Dice and dice sets as values: shapes, faces and their marks. This module loads nothing."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from companion.language.sentence import Sentence, SentenceError

Shape = Literal[
    "cube", "tetrahedron", "octahedron", "trapezohedron", "dodecahedron", "icosahedron", "tile", "wheel", "solid"
]
"""A tile lies flat and shows one face. A wheel is a pointer spun over sectors. A solid is a die of any other form.

No camera can read a wheel or a solid: what they show is typed in.
"""

TYPED: Final[frozenset[Shape]] = frozenset(("wheel", "solid"))
"""The shapes that no camera can read."""

FACES: Final[dict[Shape, int]] = {
    "cube": 6,
    "tetrahedron": 4,
    "octahedron": 8,
    "trapezohedron": 10,
    "dodecahedron": 12,
    "icosahedron": 20,
}
"""How many faces a die of each shape has; a tile, a wheel and a solid may have any number."""

PIP: Final = "pip"
UNDERLINE: Final = "_"

MOST_PIPS: Final = 9
MOST_MARKS: Final = 12
"""The most pips (`MOST_PIPS`), and the most marks of any kind, on one face."""


class ThrowError(SentenceError, ValueError):
    """A throw names a die or face that the set lacks, or other dice than expected."""


@dataclass(frozen=True)
class Face:
    """One face: its ``text`` (``"EIOU"``, ``"4"``, ``"X"``), the number it shows and its single marks.

    ``marks`` are what the camera sees, each by its name: ``("E", "I", "O", "U")``, an underlined six ``("6", "_")``,
    four pips ``("pip", "pip", "pip", "pip")``, a drawn sun ``("sun",)``, and none on a blank face, a wheel's sector or
    a solid's face. Any name may stand there; `companion.vision.dice.marks` says which marks the reader knows.
    Two faces of a die may have the same text. The die can show either, but a throw does not distinguish them.
    """

    text: str
    value: int
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Die:
    """One die of a set. ``counts`` says which face is the outcome: the upper or the hidden lower one.

    ``opposite``: the pairs of opposite faces, as indices into ``faces``; empty where nobody recorded them.
    ``upright``: all marks of a face stand upright in the same direction. Pips have no direction. On hand-made dice,
    each letter may be turned differently.
    """

    name: str
    shape: Shape
    counts: Literal["up", "down"]
    faces: tuple[Face, ...]
    opposite: tuple[tuple[int, int], ...] = ()
    upright: bool = True

    @property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """The groups of indices into ``faces`` with the same text, e.g. the two X and the two I of a Ludix die.

        Neither a throw nor any rule distinguishes them. A camera may, by wear and grain, if the reader has learned
        these very dice.
        """
        places: dict[str, list[int]] = {}
        for place, face in enumerate(self.faces):
            places.setdefault(face.text, []).append(place)
        return tuple(tuple(group) for group in places.values() if len(group) > 1)

    def face(self, text: str) -> Face:
        """Return the face with this text.

        Letters may come in any order (``"UIOE"`` is ``"EIOU"``) where that names only one face. Digits may not.

        Raises:
            ThrowError: this die has no such face.
        """
        exact = [face for face in self.faces if face.text == text]
        alike = exact or [face for face in self.faces if _same_letters(face.text, text)]
        if not alike:
            known = ", ".join(face.text for face in self.faces)
            raise ThrowError(
                Sentence("Die {name} has the faces {known}, but got '{text}'.", name=self.name, known=known, text=text)
            )
        return alike[0]


def _same_letters(one: str, other: str) -> bool:
    """Tell whether texts are the same but for the order and case of letters; a number is not its digits turned."""
    one, other = one.upper(), other.upper()
    return one == other or (one.isalpha() and sorted(one) == sorted(other))


@dataclass(frozen=True)
class DiceSet:
    """Dice that are thrown together, e.g. Wibold's three letter cubes and the tetrahedron.

    ``alike``: all dice of the set have the same faces, so a face identifies no die. Then any number of them up to
    ``most`` may lie on the table. Otherwise each die lies there at most once, and ``most`` is the number of dice in
    the set.
    """

    name: str
    title: str
    source: str
    dice: tuple[Die, ...]
    alike: bool
    most: int

    @cached_property
    def shows(self) -> frozenset[tuple[str, str]]:
        """Every pair of a die's name and the text of one of its faces."""
        return frozenset((die.name, face.text) for die in self.dice for face in die.faces)

    def die(self, name: str) -> Die:
        """Return the die of this name.

        Raises:
            ThrowError: the set has no such die.
        """
        for die in self.dice:
            if die.name == name:
                return die
        known = ", ".join(die.name for die in self.dice)
        raise ThrowError(
            Sentence(
                "The {name} set has the dice {known}, but got die '{wrong}'.",
                name=self.name,
                known=known,
                wrong=name,
            )
        )
