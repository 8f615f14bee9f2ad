"""What a table remembers of its dice, as its owner sees it: plain values that any thread may read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Listing, Sentence
from companion.rules.dice import DiceSet
from companion.vision.dice.memory.course import FaceKey, faces_of
from companion.vision.dice.memory.exemplars import NOTHING, Exemplar, Exemplars

DOUBTED_THROWS: Final = 3
"""How many throws a doubt names."""


TAUGHT: Final = "teaching"
"""Where a match stands in the name of a throw, for what somebody taught outside a match."""


@dataclass(frozen=True)
class FaceRemembered:
    """A face that the table knows: its text, its newest picture as JPEG, and how many exemplars there are.

    ``named``: whether a person named one of them.
    """

    key: FaceKey
    text: str
    picture: bytes
    number: int
    named: bool


@dataclass(frozen=True)
class DiceRemembered:
    """What is known of one set: its faces, ``of`` how many, and a sentence for each exemplar that is doubted."""

    set_name: str
    faces: tuple[FaceRemembered, ...]
    of: int
    doubts: tuple[Sentence, ...]


@dataclass(frozen=True)
class Remembered:
    """What the table remembers now. ``on``: whether it learns; ``trouble``: what was wrong with a file, or is."""

    on: bool
    dice: tuple[DiceRemembered, ...] = ()
    trouble: Sentence | None = None


def source_of(match: int, event: int) -> str:
    """Return the name of a throw in the memory."""
    return f"{match}/{event}"


def source_taught(begun: float, answer: int) -> str:
    """Return the name of a taught face in the memory; ``begun``: when the course began, in seconds since 1970."""
    return f"{TAUGHT}/{begun:.3f}-{answer}"


def dice_remembered(dice: DiceSet | str, exemplars: Exemplars) -> DiceRemembered:
    """Return what is known of a set, or of the one of this name. An exemplar that is doubted makes no face known."""
    pairs = exemplars.contradictions()
    doubted = {id(one) for one, _ in pairs}
    kept: dict[FaceKey, list[Exemplar]] = {}
    for one in exemplars:
        if id(one) not in doubted:
            kept.setdefault((one.outline, one.bag), []).append(one)
    texts = {key: " / ".join(same) for key, same in faces_of(dice).items()}
    faces = tuple(
        FaceRemembered(key, text, kept[key][-1].picture, len(kept[key]), any(one.named for one in kept[key]))
        for key, text in texts.items()
        if key in kept
    )
    doubts = tuple(_doubt(texts, one, like) for one, like in pairs if like)
    return DiceRemembered(dice if isinstance(dice, str) else dice.name, faces, len(texts), doubts)


def _doubt(texts: dict[FaceKey, str], one: Exemplar, like: Sequence[Exemplar]) -> Sentence:
    """Say what contradicts an exemplar; ``like``: those of another text that it looks like, the likest first."""
    mine, rival = (texts.get((one.outline, bag), bag) for bag in (one.bag, like[0].bag))
    throws = list(dict.fromkeys(other.source for other in like if other.bag == like[0].bag))[:DOUBTED_THROWS]
    here, there = _throw(one.source), Listing([_throw(name) for name in throws])
    if NOTHING in (one.bag, like[0].bag):
        return Sentence("What was learnt from {here} contradicts {there}: is it a die or not?", here=here, there=there)
    if one.named:
        return Sentence(
            "You said {said} in {here}, but it looks like the {other} of {there}.",
            said=mine,
            here=here,
            other=rival,
            there=there,
        )
    return Sentence(
        "{said} was read in {here}, but it looks like the {other} of {there}.",
        said=mine,
        here=here,
        other=rival,
        there=there,
    )


def _throw(source: str) -> Sentence:
    match, _, event = source.partition("/")
    if match == TAUGHT:
        return Sentence("the teaching")
    return Sentence("match {match}, event {event}", match=match, event=event)
