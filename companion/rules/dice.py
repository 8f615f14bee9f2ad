"""Dice sets and throws. Each set is a data file: one that comes with the program, or an owner's."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.dice_file import DiceSetFileError, parse_dice_set, read_dice_set
from companion.rules.die import MOST_PIPS, PIP, UNDERLINE, DiceSet, Die, Face, Shape, ThrowError

__all__ = [
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

    The dice keep the order of the set, so equal throws are equal values.
    """

    set_name: str
    shown: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, set_name: str, shown: dict[str, str]) -> "Throw":
        """Make a throw of a named set and check its dice and faces.

        Raises:
            ThrowError: there is no such set, or the set has no such die or face.
        """
        return _throw(set_name, tuple(shown.items()))

    @classmethod
    def parse(cls, set_name: str, text: str, dice: Iterable[str] | None = None) -> "Throw":
        """Read the text form: face texts in the order of the dice, ``"A IO AEI MNPR"``.

        ``dice`` names the thrown dice, by default the whole set. If every face is one character, spaces are optional:
        ``"256"``.

        Raises:
            ThrowError: the numbers of faces and dice differ, or a face is unknown.
        """
        names = list(dice) if dice is not None else [die.name for die in dice_set(set_name).dice]
        words = text.replace(",", " ").split()
        if len(words) != len(names):
            words = _one_by_one(words, [dice_set(set_name).die(name) for name in names])
        if len(words) != len(names):
            raise ThrowError(
                Sentence(
                    "Expected {count} faces, like {example}, but got {got} in '{typed}'.",
                    count=len(names),
                    example=_example(set_name, names),
                    typed=text,
                    got=len(words),
                )
            )
        return cls.of(set_name, dict(zip(names, words, strict=True)))

    def __str__(self) -> str:
        return " ".join(face for _, face in self.shown)

    def __iter__(self) -> Iterator[tuple[Die, Face]]:
        """Yield each die with the face that it shows."""
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
        """Read and check what `to_json` wrote.

        Raises:
            ThrowError: the data has another form, or unknown dice or faces.
        """
        match data:
            case {"set": str(name), "faces": dict(faces)}:
                return cls.of(name, {str(die): str(face) for die, face in faces.items()})
        raise ThrowError(f'Expected {{"set": name, "faces": {{die: face}}}}, but got {data!r}.')


def _example(set_name: str, names: Sequence[str]) -> str:
    """Return faces that these dice can show, as they are typed."""
    each = [dice_set(set_name).die(name).faces for name in names]
    return " ".join(faces[(2 * place + 1) % len(faces)].text for place, faces in enumerate(each))


@lru_cache(maxsize=4096)
def _throw(set_name: str, shown: tuple[tuple[str, str], ...]) -> Throw:
    """Return a checked throw; cached, because a journal repeats the same few throws."""
    try:
        dice = dice_set(set_name)
    except UnknownDiceSetError as why:
        raise ThrowError(str(why)) from why
    faces = dict(shown)
    for name in faces:
        dice.die(name)
    return Throw(set_name, tuple((die.name, die.face(faces[die.name]).text) for die in dice.dice if die.name in faces))


def _one_by_one(words: list[str], dice: list[Die]) -> list[str]:
    """Return the single characters if there is one for each die and every face has only one; else the words."""
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
        UnknownDiceSetError: there is no such set.
    """
    if name not in dice_sets():
        raise UnknownDiceSetError(f"The dice sets are {', '.join(dice_sets())}, not {name!r}.")
    content = (files(__package__) / "dice_sets" / f"{name}.toml").read_bytes()
    return parse_dice_set(name, content, f"{name}.toml")


def load_dice_set(path: Path) -> DiceSet:
    """Load and fully check an owner's dice set from a file; the file's name is the set's name.

    Raises:
        DiceSetFileError: the file cannot be read or has a fault. Or it shares its name with a set that comes with the
            program but has other dice, so games would confuse the two.
    """
    own = read_dice_set(path)
    if own.name in dice_sets() and replace(dice_set(own.name), title=own.title, source=own.source) != own:
        raise DiceSetFileError(
            f"Expected the dice of the {own.name} set that comes with the program in {path.name}, but they are others: "
            "give the file another name."
        )
    return own


def find_dice_set(name_or_path: str) -> DiceSet:
    """Return the dice set of this name: one that comes with the program, or a file ending in ``.toml``.

    Raises:
        UnknownDiceSetError: this is neither the name of a set nor of such a file.
        DiceSetFileError: the file cannot be read or has a fault.
    """
    if name_or_path.endswith(".toml"):
        return load_dice_set(Path(name_or_path))
    if name_or_path not in dice_sets():
        raise UnknownDiceSetError(
            f"There is no dice set {name_or_path[:80]!r}: "
            f"there are {', '.join(dice_sets())}, and files that end in .toml."
        )
    return dice_set(name_or_path)


@cache
def all_throws(set_name: str, dice: tuple[str, ...]) -> tuple[Throw, ...]:
    """Return every throw of these dice of a set, all equally likely; faces that look alike count separately."""
    faces = [dice_set(set_name).die(name).faces for name in dice]
    return tuple(
        Throw(set_name, tuple((name, face.text) for name, face in zip(dice, shown, strict=True)))
        for shown in product(*faces)
    )
