"""Dice sets and throws: what can lie on the table. The sets themselves are data files, ours or an owner's own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.dice_file import DiceSetFileError, parse_dice_set, read_dice_set
from companion.rules.die import MARKS, MOST_PIPS, PIP, UNDERLINE, DiceSet, Die, Face, Shape, ThrowError

__all__ = [
    "MARKS",
    "MOST_PIPS",
    "PIP",
    "UNDERLINE",
    "DiceSet",
    "DiceSetFileError",
    "Die",
    "Face",
    "Shape",
    "Throw",
    "ThrowError",
    "UnknownDiceSetError",
    "all_throws",
    "dice_set",
    "dice_sets",
    "find_dice_set",
    "load_dice_set",
]


class UnknownDiceSetError(ValueError):
    """There is no dice set of this name."""


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
            ThrowError: there is no such set, or a die or face is not of it.
        """
        return _throw(set_name, tuple(shown.items()))

    @classmethod
    def parse(cls, set_name: str, text: str, dice: Iterable[str] | None = None) -> "Throw":
        """Read the text form: face texts in the order of the dice, ``"A IO AEI MNPR"``.

        ``dice`` names the dice that were thrown, by default the whole set. Where every face is one character the
        spaces may be left out: ``"256"``.

        Raises:
            ThrowError: the number of faces is not the number of dice, or a face is unknown.
        """
        names = list(dice) if dice is not None else [die.name for die in dice_set(set_name).dice]
        words = text.replace(",", " ").split()
        if len(words) != len(names):
            words = _one_by_one(words, [dice_set(set_name).die(name) for name in names])
        if len(words) != len(names):
            raise ThrowError(
                Sentence(
                    "Expected {count} faces ({known}), but '{text}' has {got}.",
                    count=len(names),
                    known=", ".join(names),
                    text=text,
                    got=len(words),
                )
            )
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


@lru_cache(maxsize=4096)
def _throw(set_name: str, shown: tuple[tuple[str, str], ...]) -> Throw:
    """Return a throw that was checked; a journal holds the same few over and over."""
    try:
        dice = dice_set(set_name)
    except UnknownDiceSetError as why:
        raise ThrowError(str(why)) from why
    faces = dict(shown)
    for name in faces:
        dice.die(name)
    return Throw(set_name, tuple((die.name, die.face(faces[die.name]).text) for die in dice.dice if die.name in faces))


def _one_by_one(words: list[str], dice: list[Die]) -> list[str]:
    """Return each character as a word if there is one for each of the dice and no face has more; else the words."""
    single = all(len(face.text) == 1 for die in dice for face in die.faces)
    written = "".join(words)
    return list(written) if single and len(written) == len(dice) else words


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
    content = (files(__package__) / "dice_sets" / f"{name}.toml").read_bytes()
    return parse_dice_set(name, content, f"{name}.toml")


def load_dice_set(path: Path) -> DiceSet:
    """Load an owner's own dice set from a file, checked wholly; it is named as the file is.

    Raises:
        DiceSetFileError: the file cannot be read or has a fault, or it has the name of a set that comes with the
            program and other dice: games would take one for the other.
    """
    own = read_dice_set(path)
    if own.name in dice_sets() and replace(dice_set(own.name), title=own.title, source=own.source) != own:
        raise DiceSetFileError(
            f"Expected the dice of the {own.name} set that comes with the program in {path.name}, but they are others: "
            "give the file another name."
        )
    return own


def find_dice_set(name_or_path: str) -> DiceSet:
    """Return the dice set that somebody names: one that comes with the program, or a file ending in ``.toml``.

    Raises:
        UnknownDiceSetError: neither the name of a set nor that of such a file.
        DiceSetFileError: the file cannot be read or has a fault.
    """
    if name_or_path.endswith(".toml"):
        return load_dice_set(Path(name_or_path))
    if name_or_path not in dice_sets():
        raise UnknownDiceSetError(
            f"The dice sets are {', '.join(dice_sets())}, and others are files that end in .toml, but "
            f"{name_or_path[:80]!r} was asked for."
        )
    return dice_set(name_or_path)


@cache
def all_throws(set_name: str, dice: tuple[str, ...]) -> tuple[Throw, ...]:
    """Return every throw of these dice of a set, each as likely as the next (faces that look alike counted apart)."""
    faces = [dice_set(set_name).die(name).faces for name in dice]
    return tuple(
        Throw(set_name, tuple((name, face.text) for name, face in zip(dice, shown, strict=True)))
        for shown in product(*faces)
    )
