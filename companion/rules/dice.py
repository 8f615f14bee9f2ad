"""Dice, sets of dice and throws: what can lie on the table. The sets themselves are data files."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Literal

Shape = Literal["cube", "tetrahedron", "wheel"]
"""A wheel is a pointer spun over sectors, its faces: no die that a camera could read."""


class UnknownDiceSetError(ValueError):
    """There is no dice set of this name."""


class ThrowError(ValueError):
    """A throw names a die or face that the set does not have, or not the dice that were asked for."""


@dataclass(frozen=True)
class Face:
    """One face: its ``text`` (``"EIOU"``, ``"4"``, ``"X"``), the number it shows and its single marks.

    Two faces of a die may bear the same text: they are two faces to be thrown, but one and the same in a `Throw`.
    """

    text: str
    value: int
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Die:
    """One die of a set. ``counts`` says which face is the outcome: the upper or the hidden lower one.

    ``opposite`` pairs the faces that lie opposite each other, as places in ``faces``; empty where it is not recorded.
    """

    name: str
    shape: Shape
    counts: Literal["up", "down"]
    faces: tuple[Face, ...]
    opposite: tuple[tuple[int, int], ...] = ()

    def face(self, text: str) -> Face:
        """Return the face with this text.

        Letters may come in any order (``"UIOE"`` is ``"EIOU"``) where that names one face only.

        Raises:
            ThrowError: this die has no such face.
        """
        exact = [face for face in self.faces if face.text == text]
        alike = exact or [face for face in self.faces if sorted(face.text) == sorted(text.upper())]
        if not alike:
            known = ", ".join(face.text for face in self.faces)
            raise ThrowError(f"Die {self.name} has the faces {known}, but {text!r} was given.")
        return alike[0]


@dataclass(frozen=True)
class DiceSet:
    """Dice that are thrown together, e.g. Wibold's three letter cubes and the tetrahedron."""

    name: str
    title: str
    source: str
    dice: tuple[Die, ...]

    def die(self, name: str) -> Die:
        """Return the die of this name.

        Raises:
            ThrowError: the set has no such die.
        """
        for die in self.dice:
            if die.name == name:
                return die
        known = ", ".join(die.name for die in self.dice)
        raise ThrowError(f"The {self.name} set has the dice {known}, but die {name!r} was given.")


@dataclass(frozen=True)
class Throw:
    """Which face each die shows: ``(("1", "A"), ("2", "IO"), ("3", "AEI"), ("consonants", "MNPR"))``.

    The order of the dice is kept as the set names them, so equal throws are equal values.
    """

    set_name: str
    shown: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, set_name: str, shown: dict[str, str]) -> "Throw":
        """Make a throw of a named set, checked against the set's dice and faces.

        Raises:
            ThrowError: a die or face is not of this set.
        """
        dice = dice_set(set_name)
        for name in shown:
            dice.die(name)
        return cls(
            set_name,
            tuple((die.name, die.face(shown[die.name]).text) for die in dice.dice if die.name in shown),
        )

    @classmethod
    def parse(cls, set_name: str, text: str, dice: Iterable[str] | None = None) -> "Throw":
        """Read the text form: face texts in the order of the dice, ``"A IO AEI MNPR"``.

        ``dice`` names the dice that were thrown, by default the whole set.

        Raises:
            ThrowError: the number of faces is not the number of dice, or a face is unknown.
        """
        names = list(dice) if dice is not None else [die.name for die in dice_set(set_name).dice]
        words = text.replace(",", " ").split()
        if len(words) != len(names):
            raise ThrowError(f"Expected {len(names)} faces ({', '.join(names)}), but {text!r} has {len(words)}.")
        return cls.of(set_name, dict(zip(names, words, strict=True)))

    def __str__(self) -> str:
        return " ".join(face for _, face in self.shown)

    def __iter__(self) -> Iterator[tuple[Die, Face]]:
        """Give each die with the face it shows."""
        dice = dice_set(self.set_name)
        for name, text in self.shown:
            die = dice.die(name)
            yield die, die.face(text)

    def face(self, die: str) -> str | None:
        """Return the text of the face that this die shows, or None if it was not thrown."""
        return dict(self.shown).get(die)

    def to_json(self) -> dict[str, Any]:
        """Return ``{"set": ..., "faces": {die: face}}``."""
        return {"set": self.set_name, "faces": dict(self.shown)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Throw":
        """Read what `to_json` wrote, checked.

        Raises:
            ThrowError: not of that form, or unknown dice or faces.
        """
        match data:
            case {"set": str(name), "faces": dict(faces)}:
                return cls.of(name, {str(die): str(face) for die, face in faces.items()})
        raise ThrowError(f'Expected {{"set": name, "faces": {{die: face}}}}, but got {data!r}.')


def dice_sets() -> tuple[str, ...]:
    """Return the names of the dice sets that come with the program."""
    folder = files(__package__) / "dice_sets"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


@cache
def dice_set(name: str) -> DiceSet:
    """Load one dice set by name.

    Raises:
        UnknownDiceSetError: no such set.
    """
    if name not in dice_sets():
        raise UnknownDiceSetError(f"The dice sets are {', '.join(dice_sets())}, but {name!r} was asked for.")
    text = (files(__package__) / "dice_sets" / f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    worth = data.get("values", {})
    return DiceSet(name, data["title"], data["source"], tuple(_die(entry, worth) for entry in data["dice"]))


@cache
def all_throws(set_name: str, dice: tuple[str, ...]) -> tuple[Throw, ...]:
    """Return every throw of these dice of a set, each as likely as the next (faces that look alike counted apart)."""
    faces = [dice_set(set_name).die(name).faces for name in dice]
    return tuple(
        Throw(set_name, tuple((name, face.text) for name, face in zip(dice, shown, strict=True)))
        for shown in product(*faces)
    )


def _die(entry: dict[str, Any], worth: Mapping[str, int]) -> Die:
    if entry["shape"] == "wheel":
        sectors = tuple(Face(text, number, (text,)) for number, text in enumerate(entry["faces"], 1))
        return Die(entry["name"], entry["shape"], "up", sectors)
    faces = tuple(Face(text, _value(text, worth), _marks(text)) for text in map(str, entry["faces"]))
    opposite = tuple((int(one), int(other)) for one, other in entry.get("opposite", ()))
    return Die(entry["name"], entry["shape"], entry.get("counts", "up"), faces, opposite)


def _value(text: str, worth: Mapping[str, int]) -> int:
    """Return what the set says its marks are worth; otherwise the number written, or how many letters there are."""
    if text in worth:
        return worth[text]
    return int(text) if text.isdigit() else len(text)


def _marks(text: str) -> tuple[str, ...]:
    return (text,) if text.isdigit() else tuple(text)
