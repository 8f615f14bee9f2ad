"""Notation of throws, choices and positions: the text that a player types and the JSON that a journal keeps.

A throw is its faces in any order, ``A IO AEI MNPR``. The sum game takes three cubes, ``A IO AEI``, or the pips of
ordinary dice, ``1 2 3``. The wheel takes the lot or the name of a virtue, ``1.2.3`` or ``Pax``. A second cast names its
cube, ``2:UAE``; ``UAE`` alone is enough because no two cubes share a face. ``time up`` ends the agreed time.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.dice import Throw, ThrowError, dice_set
from companion.rules.errors import IllegalChoiceError, PositionFormatError
from companion.rules.game import Await, Choice
from companion.rules.known_words import check_words
from companion.rules.ludus_regularis.choices import TIME_UP, TimeUp
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.virtues import by_lot, virtues


def text(waits: Await, move: Throw | Choice) -> str:
    """Return the text form of a throw or choice in a position; ``waits`` is what it waits for."""
    if isinstance(move, Throw) and waits.kind == "recast":
        return " ".join(f"{die}:{face}" for die, face in move.shown)
    return str(move)


def parse(state: LudusState, waits: Await, typed: str) -> Throw | Choice:
    """Read what a player typed in a position; ``waits`` is what it waits for.

    Raises:
        ThrowError: the text is not a throw of the awaited dice.
    """
    words = typed.replace(",", " ").split()
    if " ".join(words).lower() == TIME_UP:
        return TimeUp()
    if "pips" in waits.dice_sets and words and all(word.isdigit() for word in words):
        return Throw.parse("pips", typed)
    if "wheel" in waits.dice_sets:
        return _sector(words, waits.dice)
    if waits.kind == "recast":
        if len(words) != 1:
            raise ThrowError(Sentence("Expected one cube thrown again, like 2:UAE, but got '{typed}'.", typed=typed))
        return _cubes(words, waits.dice)
    if len(words) != len(waits.dice):
        raise ThrowError(
            Sentence(
                "Expected {count} faces, like {example}, but got {got} in '{typed}'.",
                count=len(waits.dice),
                example=_example(state),
                typed=typed,
                got=len(words),
            )
        )
    return _cubes(words, waits.dice)


def _sector(words: Sequence[str], names: Sequence[str]) -> Throw:
    known = {name.lower(): virtue.lot for virtue in virtues() for name in (virtue.english, virtue.latin)}
    typed = " ".join(words)
    lot = known.get(typed.lower(), typed)
    if lot not in by_lot():
        raise ThrowError(
            Sentence(
                "Expected the virtue at which the pointer stopped, like 1.2.3, Pax or Peace, but got '{typed}'.",
                typed=typed,
            )
        )
    return Throw.of("wheel", {names[0]: lot})


def _example(state: LudusState) -> str:
    return "A IO AEI or 1 2 3" if state.variant.by_sum else "A IO AEI MNPR"


def _cubes(words: Sequence[str], names: Sequence[str]) -> Throw:
    """Give each word to the die named before its colon, or to the die that has this face, its letters in any order."""
    shown: dict[str, str] = {}
    for place, word in enumerate(words):
        die, colon, face = word.upper().rpartition(":")
        name = die.lower() if colon else _die_of(face, names, names[place] if len(words) == len(names) else None)
        if name in shown:
            raise ThrowError(
                Sentence(
                    "Die {name} has one upper face, but got both {other} and {face}.",
                    name=name,
                    other=shown[name],
                    face=face,
                )
            )
        if name not in names:
            raise ThrowError(
                Sentence("Expected one of the dice {known}, but got '{name}'.", known=", ".join(names), name=name)
            )
        shown[name] = face
    return Throw.of("wibold", shown)


def _die_of(face: str, names: Sequence[str], here: str | None) -> str:
    dice = [dice_set("wibold").die(name) for name in names]
    for die in dice:
        if any(known.text == face for known in die.faces):
            return die.name
    alike = [die.name for die in dice if any(sorted(known.text) == sorted(face) for known in die.faces)]
    if len(alike) == 1 or here in alike:
        return here if here in alike else alike[0]
    if alike:
        raise ThrowError(
            Sentence(
                "{face} could be on the dice {known}; write the letters as they are on the face.",
                face=face,
                known=", ".join(alike),
            )
        )
    raise ThrowError(Sentence("None of these dice has the letters {face}.", face=face))


def move_from_json(data: Mapping[str, Any]) -> Throw | Choice:
    """Read the JSON form of a throw or choice.

    Raises:
        ThrowError, IllegalChoiceError: the data is neither.
    """
    if "choice" in data:
        if data["choice"] != TIME_UP:
            raise IllegalChoiceError(
                Sentence(
                    "Expected the choice '{expected}', but got '{choice}'.",
                    expected=TIME_UP,
                    choice=str(data["choice"]),
                )
            )
        return TimeUp()
    return Throw.from_json(dict(data))


def position_to_json(state: LudusState) -> dict[str, Any]:
    """Return a position as plain data.

    ``virtues`` holds those that a player has won: ``{"1.2.3": {"player": 1, "throw": 7}}``. ``recast`` is the first
    cast that waits for its second, or null.
    """
    return {
        "game": state.variant.slug,
        "players": state.seats,
        "options": dict(state.settings),
        "turn": state.turn,
        "throws": state.thrown,
        "virtues": {
            virtue.lot: {"player": state.holder(virtue), "throw": state.numbers[virtue.index]}
            for virtue in virtues()
            if state.holder(virtue)
        },
        "recast": state.first_cast.to_json() if state.first_cast is not None else None,
        "time_up": state.called,
    }


def read_virtues(data: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return holders and throw numbers, both parallel to `virtues`, from the ``virtues`` of a position's JSON.

    Raises:
        PositionFormatError: the data has another form.
    """
    holders = [0] * len(virtues())
    numbers = [0] * len(virtues())
    if not isinstance(data, dict):
        raise PositionFormatError(f'Expected "virtues" to be an object, but it is {data!r}.')
    for lot, entry in data.items():
        if lot not in by_lot():
            raise PositionFormatError(f'Expected lots from 1.1.1 to 6.6.6 in "virtues", but {lot!r} came.')
        check_words(entry, ("player", "throw"), lot)
        match entry:
            case {"player": int(holder), "throw": int(number)}:
                index = by_lot()[lot].index
                holders[index], numbers[index] = holder, number
            case _:
                raise PositionFormatError(f'Expected {{"player": 1, "throw": 7}} for {lot}, but {entry!r} came.')
    return tuple(holders), tuple(numbers)
