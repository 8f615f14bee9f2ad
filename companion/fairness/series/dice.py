"""The dice of a series: what each can show, with which labels, and which file describes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from companion.fairness.outcomes import Outcomes, OutcomesError, outcomes_of
from companion.language.sentence import Sentence, SentenceError, why_of
from companion.rules.dice import DiceSetFileError, UnknownDiceSetError, dice_set, dice_sets, find_dice_set
from companion.rules.dice_file import parse_dice_set
from companion.rules.die import FACES, DiceSet, Die, ThrowError


def one_line(text: str, most: int) -> str:
    """Return somebody's text as one line without invisible characters, at most ``most`` characters long."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(seen.split())[:most]


class SeriesDiceError(SentenceError, ValueError):
    """No series is possible with such dice."""


@dataclass(frozen=True)
class SeriesDie:
    """One die of a series, or several (``together``) that nobody can distinguish.

    ``text``: the file of an owner's own set; empty for a set that comes with the program.
    """

    name: str
    dice: DiceSet
    die: Die
    twins_apart: bool = False
    together: int = 1
    text: str = ""

    @cached_property
    def outcomes(self) -> Outcomes:
        """What it can show."""
        return outcomes_of(self.die, twins_apart=self.twins_apart)

    @cached_property
    def by_face(self) -> tuple[str, ...]:
        """The label of each face, by the face's place in the die."""
        labels = []
        for place, face in enumerate(self.die.faces):
            same = [other for other, one in enumerate(self.die.faces) if one.text == face.text]
            twins_apart = self.twins_apart and len(same) > 1
            labels.append(f"{face.text}/{same.index(place) + 1}" if twins_apart else face.text)
        return tuple(labels)

    def labels(self, text: str, twin: int | None = None) -> tuple[str, ...]:
        """Return the labels that a face with this text may have.

        Several if twins count separately and ``twin`` is None; none if no face has this text.
        """
        try:
            known = self.die.face(text).text
        except ThrowError:
            return ()
        places = [place for place, face in enumerate(self.die.faces) if face.text == known and twin in (None, place)]
        return tuple(dict.fromkeys(self.by_face[place] for place in places))

    def place(self, label: str) -> int:
        """Return the place of an outcome.

        Raises:
            SeriesDiceError: the die has no such outcome.
        """
        if label not in self.outcomes.labels:
            raise SeriesDiceError(
                Sentence(
                    "Die {name} shows {known}, but got '{label}'.",
                    name=self.name,
                    known=", ".join(self.outcomes.labels),
                    label=one_line(label, 40),
                )
            )
        return self.outcomes.labels.index(label)

    def to_json(self) -> dict[str, Any]:
        """Return the form in which a series keeps it."""
        data: dict[str, Any] = {
            "name": self.name,
            "set": self.dice.name,
            "die": self.die.name,
            "twins_apart": self.twins_apart,
            "together": self.together,
        }
        return data | {"text": self.text} if self.text else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SeriesDie":
        """Read what `to_json` wrote.

        Raises:
            SeriesDiceError: another form, or an unknown set.
        """
        match data:
            case {"name": str(name), "set": str(of), "die": str(which), "twins_apart": bool(twins_apart)}:
                text = str(data.get("text", ""))
                together = data.get("together", 1)
                try:
                    dice = parse_dice_set(of, text.encode(), f"{of}.toml") if text else dice_set(of)
                    found = cls(name, dice, dice.die(which), twins_apart, max(1, int(together)), text)
                    assert found.outcomes
                except (UnknownDiceSetError, DiceSetFileError, ThrowError, OutcomesError, ValueError, TypeError) as why:
                    raise SeriesDiceError(why_of(why)) from why
                return found
        raise SeriesDiceError(Sentence("Expected a die of a series, but got {got}.", got=f"{data!r:.80}"))


@dataclass(frozen=True)
class WantedDie:
    """A die that somebody wants to throw.

    ``set`` may be a file that ends in ``.toml``, or the shape of a die with symbols of its own. ``die``: its name in
    the set. ``name``: what its owner calls it.
    ``twins_apart``: whether faces with the same text count separately. ``together``: how many dice that nobody can
    distinguish. ``by_looks``: a person tells it from the like dice that are thrown with it, by its colour or a mark:
    it is judged by itself, and what a camera sees is asked about.
    """

    set: str
    die: str | None = None
    name: str | None = None
    together: Annotated[int, Meta(ge=1)] = 1
    twins_apart: bool = False
    by_looks: bool = False


def named_dice(asked: Sequence[WantedDie]) -> tuple[SeriesDie, ...]:
    """Return the dice that somebody wants to throw.

    Dice that are alike count together, unless somebody can distinguish them by how they look.

    Raises:
        SeriesDiceError: there is no such die, or two wanted dice are the same one.
    """
    found: list[SeriesDie] = []
    for one in asked:
        die = _named(one, alone=len(asked) == 1)
        same = next((k for k, other in enumerate(found) if (other.dice, other.die) == (die.dice, die.die)), None)
        alike = next((k for k, other in enumerate(found) if other.dice == die.dice and die.dice.alike), None)
        if alike is not None and not one.by_looks:
            other = found[alike]
            name = other.name if other.name == die.name else f"{other.name} + {die.name}"
            found[alike] = SeriesDie(
                name, other.dice, other.die, other.twins_apart, other.together + die.together, other.text
            )
        elif same is not None and not one.by_looks:
            raise SeriesDiceError(Sentence("Die {name} was named twice: name each die once.", name=die.name))
        else:
            found.append(die)
    if not found:
        raise SeriesDiceError(Sentence("Expected at least one die that is to be thrown."))
    if len({die.dice.name for die in found}) > 1:
        raise SeriesDiceError(
            Sentence("Expected dice of one set, but got dice of several: begin a series for each set.")
        )
    if len({die.name for die in found}) < len(found):
        raise SeriesDiceError(Sentence("Every die needs a name of its own."))
    for die in found:
        if die.together > die.dice.most:
            raise SeriesDiceError(
                Sentence(
                    "Expected at most {most} dice of the set {set}, but got {count}.",
                    most=die.dice.most,
                    set=die.dice.name,
                    count=die.together,
                )
            )
    return tuple(found)


def file_of_shape(shape: str) -> str | None:
    """Return the file of a die of this shape whose faces are called A, B, ...; None for anything but a shape."""
    number = {str(known): count for known, count in FACES.items()}.get(shape)
    if number is None:
        return None
    faces = ", ".join(f'"{chr(ord("A") + place)}"' for place in range(number))
    return (
        f'title = "A die with symbols of its own"\nsource = "Its faces are called A, B, ... as a person named them"\n'
        f'[[dice]]\nname = "{shape}"\nshape = "{shape}"\nfaces = [{faces}]\n'
    )


LONGEST_NAME = 40  # characters of a die's name: it must fit on a phone


def _named(asked: WantedDie, *, alone: bool) -> SeriesDie:
    of, which, twins_apart = asked.set, asked.die, asked.twins_apart
    try:
        text = file_of_shape(of)
        dice = find_dice_set(of) if text is None else parse_dice_set(of, text.encode(), f"{of}.toml")
        if not which and not dice.alike and len(dice.dice) > 1:
            raise SeriesDiceError(
                Sentence(
                    "The dice of the set {set} differ: say which one, {named}.",
                    set=of,
                    named=", ".join(f"{of}/{one.name}" for one in dice.dice),
                )
            )
        # the first of several like dice represents each of them
        die = dice.dice[0] if dice.alike or not which else dice.die(which)
        outcomes_of(die, twins_apart=twins_apart)
        if text is None:
            text = Path(of).read_text(encoding="utf-8") if of not in dice_sets() else ""
    except (UnknownDiceSetError, DiceSetFileError, ThrowError, OutcomesError, OSError, UnicodeDecodeError) as why:
        raise SeriesDiceError(why_of(why)) from why
    own = dice.name if len(dice.dice) == 1 or dice.alike else f"{dice.name}/{die.name}" if alone else die.name
    name = one_line(asked.name or "", LONGEST_NAME) or one_line(own, LONGEST_NAME)
    return SeriesDie(name, dice, die, twins_apart, asked.together, text)
