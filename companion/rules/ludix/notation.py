"""Notation of throws, choices and positions: the text that a player types and the JSON that a journal keeps.

A throw is its four symbols in any order, ``L X V I`` or ``lxvi``; the dice take them in this order. A choice is the
numeral and what follows, ``LXVI stop`` or ``XLIV again``; ``stop`` or ``again`` alone means the highest numeral.
"""

from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import IllegalChoiceError, PositionFormatError
from companion.rules.game import Choice
from companion.rules.known_words import check_words
from companion.rules.ludix.choices import THENS, Formed
from companion.rules.ludix.numerals import DICE, dice, symbols
from companion.rules.ludix.state import LudixState
from companion.rules.whole_numbers import whole_number

EXAMPLE = "L X V I"
"""A throw as a player may type it."""


def parse(state: LudixState, typed: str) -> Throw | Choice:
    """Read what a player typed in a position.

    Raises:
        ThrowError: the text is not four symbols of the dice.
        IllegalChoiceError: the text is not a choice, although the position awaits one or the text begins one.
    """
    words = typed.replace(",", " ").split()
    for then in THENS:
        if words and words[-1].lower() == then:
            return _choice(state, Formed("".join(words[:-1]).upper(), then))
    if state.cast is not None and len(words) != len(dice()):
        raise IllegalChoiceError(
            Sentence(
                "Expected a numeral with stop or again, like {best} stop, but got '{typed}'.",
                best=state.best.text,
                typed=typed,
            ),
            state,
        )
    shown = "".join(words).upper()
    if len(shown) != len(dice()) or not set(shown) <= symbols().keys():
        known = ", ".join(symbols())
        raise ThrowError(
            Sentence(
                "Expected {count} symbols of {known}, like {example}, but got '{typed}'.",
                count=len(dice()),
                known=known,
                example=EXAMPLE,
                typed=typed,
            )
        )
    return Throw.of(DICE, dict(zip(dice(), shown, strict=True)))


def _choice(state: LudixState, choice: Formed) -> Formed:
    if choice.numeral:
        return choice
    if state.cast is None:
        raise IllegalChoiceError(
            Sentence(
                "Expected the four symbols that were thrown, like {example}, but got '{then}': there is no throw yet "
                "to form a numeral from.",
                example=EXAMPLE,
                then=choice.then,
            ),
            state,
        )
    return Formed(state.best.text, choice.then)


def move_from_json(data: Mapping[str, Any]) -> Throw | Choice:
    """Read the JSON form of a throw or choice.

    Raises:
        ThrowError, IllegalChoiceError: the data is neither.
    """
    if "set" in data:
        return Throw.from_json(dict(data))
    match data:
        case {"numeral": str(numeral), "then": ("stop" | "again") as then}:
            return Formed(numeral, then)
    raise IllegalChoiceError(f'Expected {{"numeral": "LXVI", "then": "stop"}} or "again", but got {data!r}.')


def position_to_json(state: LudixState) -> dict[str, Any]:
    """Return a position as plain data.

    ``turns`` counts the finished turns of all players, and ``scores`` holds the noted points. ``formed`` holds the
    numerals of the current turn that are at stake, and ``throw`` the dice that wait for a choice, or null.
    """
    return {
        "game": state.variant.slug,
        "players": state.seats,
        "options": dict(state.settings),
        "turn": state.turn,
        "turns": state.turns,
        "scores": {str(number): points for number, points in state.scores().items()},
        "formed": list(state.formed),
        "throw": None if state.cast is None else state.cast.to_json(),
    }


def read_position(slug: str, data: Mapping[str, Any]) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Return the players, the options and the other fields of a position from its JSON.

    Without ``turns``, it assumes as few finished turns as the noted points and ``turn`` allow.

    Raises:
        PositionFormatError, ThrowError: the data does not have the form that `position_to_json` writes.
    """
    match data:
        case {"game": str(game), "players": int(players), "scores": dict(noted)} if game == slug:
            pass
        case _:
            raise PositionFormatError(
                f'Expected an object with "game": "{slug}", "players" and "scores", but got {str(data)[:200]!r}.'
            )
    check_words(data, ("game", "players", "options", "scores", "turn", "turns", "formed", "throw"), "a position")
    if len(noted) != players or list(noted) != [str(number) for number in range(1, players + 1)]:
        raise PositionFormatError(
            f'Expected "scores" to hold the points of players 1 to {players} in this order, but it is {noted!r}.'
        )
    points = tuple(whole_number(noted, number, 0) for number in noted)
    had_turns = max((number for number, noted_ in enumerate(points, 1) if noted_), default=0)
    turn = whole_number(data, "turn", had_turns % players + 1 if players > 0 else 1)
    turns = whole_number(data, "turns", turn - 1 if turn > had_turns else turn - 1 + players)
    rest = {"turn": turn, "turns": turns, "points": points, "formed": _formed(data), "cast": _cast(data)}
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise PositionFormatError(f'Expected "options" to be an object, but it is {options!r}.')
    return players, options, rest


def _formed(data: Mapping[str, Any]) -> tuple[str, ...]:
    formed = data.get("formed", [])
    if not isinstance(formed, list) or not all(isinstance(text, str) for text in formed):
        raise PositionFormatError(f'Expected "formed" to be a list of numerals, like ["XXII"], but it is {formed!r}.')
    return tuple(formed)


def _cast(data: Mapping[str, Any]) -> Throw | None:
    cast = data.get("throw")
    if cast is None:
        return None
    if not isinstance(cast, dict):
        raise PositionFormatError(f'Expected "throw" to be a throw or null, but it is {cast!r}.')
    check_words(cast, ("set", "faces"), "a throw")
    return Throw.from_json(cast)
