"""Notation of throws, choices and positions of a tables game: what a player types, and the JSON a journal keeps.

A throw is its numbers, ``2 5 6``. A step is ``k-q``, ``hand-c`` or ``x-off``, one man with one die. If two dice could
make the same step, the text names the die, ``x-off/5``; it may always name it. ``turn 1`` turns the die with the one.
``leave`` leaves dice that the other side passed on.
"""

import re
from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Listing, Sentence
from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import IllegalChoiceError
from companion.rules.game import Choice, Position
from companion.rules.tables.choices import Leave, Step, TurnDie
from companion.rules.tables.points import POINTS
from companion.rules.tables.rulings import DICE_SET
from companion.rules.tables.state import TablesState

_STEP = re.compile(r"(hand|[a-z])\s*-\s*(off|[a-z])(?:\s*/\s*(\d))?", re.IGNORECASE)
_TURN = re.compile(r"turn\s*(\d)", re.IGNORECASE)


def text(position: TablesState, move: Throw | Choice) -> str:
    """Return the text form of a throw or choice in a position."""
    if not isinstance(move, Step):
        return str(move)
    plain = str(move)
    return plain if _dice_for(position, plain) == [move.die] else f"{plain}/{move.die}"


def _dice_for(position: TablesState, plain: str) -> list[int]:
    """Return the dice that make a step with this text: those still to play, or any dice if none of those does."""
    makes = position.course.dice_of.get(plain, [])
    return [die for die in makes if die in position.dice] or makes


def parse(position: TablesState, typed: str, at: Position) -> Throw | Choice:
    """Read what a player typed in a position; ``at`` is the position that an error carries.

    Raises:
        ThrowError: a throw of other dice than this game's.
        IllegalChoiceError: neither throw nor choice, or a step that must name its die.
    """
    words = " ".join(typed.replace(",", " ").split())
    if re.fullmatch(r"[\d ]+", words):
        return Throw.parse(DICE_SET, words, position.rules.thrown)
    if turn := _TURN.fullmatch(words):
        return TurnDie(int(turn[1]))
    if words.lower() == str(Leave()):
        return Leave()
    if step := _STEP.fullmatch(words.lower()):
        origin, to, die = step.groups()
        if all(place in {HAND, OFF} or place in POINTS for place in (origin, to)):
            return Step(origin, to, int(die)) if die else _without_die(position, origin, to, at)
    raise IllegalChoiceError(
        Sentence("Expected a throw like 2 5 6 or a step like k-q, hand-c or x-off, but got '{typed}'.", typed=typed)
    )


def _without_die(position: TablesState, origin: str, to: str, at: Position) -> Step:
    plain = f"{origin}-{to}"
    dice = _dice_for(position, plain)
    if not dice:
        return Step(origin, to, 0)
    if len(dice) > 1:
        choices = Listing((f"{plain}/{die}" for die in dice), "or")
        raise IllegalChoiceError(
            Sentence("Expected a move that names its die, {choices}, but got '{plain}'.", choices=choices, plain=plain),
            at,
        )
    return Step(origin, to, dice[0])


def move_from_json(data: Mapping[str, Any]) -> Throw | Choice:
    """Read the JSON form of a throw or choice.

    Raises:
        ThrowError, IllegalChoiceError: the data is neither.
    """
    match data:
        case {"from": str(origin), "to": str(to), "die": int(die)}:
            return Step(origin, to, die)
        case {"choice": "leave"}:
            return Leave()
        case {"turn_die": int(die)}:
            return TurnDie(die)
        case {"set": _}:
            throw = Throw.from_json(dict(data))
            if throw.set_name != DICE_SET:
                raise ThrowError(
                    Sentence(
                        "Expected a throw of the {expected} dice, but these are {set} dice.",
                        expected=DICE_SET,
                        set=throw.set_name,
                    )
                )
            return throw
    raise IllegalChoiceError(f'Expected {{"from": "k", "to": "q", "die": 6}} or a throw, but got {dict(data)!r}.')


def position_to_json(position: TablesState) -> dict[str, Any]:
    """Return a position as plain data; it has the fields of `TurnState` only where they are not the defaults."""
    rules, aside = position.rules, position.aside
    data: dict[str, Any] = {
        "game": f"tables/{rules.variant.slug}",
        "players": rules.players,
        "options": dict(rules.settings),
        "turn": position.turn,
        "men": {str(side): men_to_json(position, side) for side in (1, 2)},
        "dice": list(position.dice),
    }
    for name, nothing in aside._field_defaults.items():
        value = getattr(aside, name)
        if value != nothing:
            data[name] = list(value) if isinstance(value, tuple) else value
    return data


def men_to_json(position: TablesState, side: int) -> dict[str, Any]:
    """Return where a side's men are: points, ``hand``, ``off`` and whatever else the variant counts."""
    course, men = position.rules.courses[side - 1], position.men[side - 1]
    found: dict[str, Any] = dict(course.unpack(men))
    found[HAND] = course.in_hand(men)
    found[OFF] = course.off(men)
    found.update(course.further(men))
    return found


def seen_from_above(position: TablesState) -> Mapping[str, Any]:
    """Return `occupancy` with one man for those that lie on each other."""
    found = dict(occupancy(position))
    for side, course, men in zip(("1", "2"), position.rules.courses, position.men, strict=True):
        if stacked := course.stacked(men):
            found |= {point: {side: 1} for point in stacked if side in found.get(point, ())}
    return found


def occupancy(position: TablesState) -> Mapping[str, Any]:
    """Return how many men of each side are at each occupied place; only hand and off can have men of both sides."""
    found: dict[str, dict[str, int]] = {}
    for side in (1, 2):
        course, men = position.rules.courses[side - 1], position.men[side - 1]
        everywhere = {**course.unpack(men), HAND: course.in_hand(men), OFF: course.off(men)}
        for place, count in everywhere.items():
            if count:
                found.setdefault(place, {})[str(side)] = count
    order = {place: index for index, place in enumerate((*POINTS, HAND, OFF))}
    return dict(sorted(found.items(), key=lambda entry: order[entry[0]]))
