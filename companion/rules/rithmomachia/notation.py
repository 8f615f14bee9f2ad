"""Notation of choices and positions: the text that a player types and the JSON that a journal keeps.

A move is ``c4-d5``. A capture is ``takes d7 by ambush from b5/9 and c9``: ``b5/9`` is the part 9 of the pyramid on b5.
A shorter form is enough if it names only one capture: ``takes d7 by ambush``, ``takes d7``, ``d7``.
The other choices are ``takes b5 by delivery``, ``return circle 9 to c3`` and ``done``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.language.sentence import Listing, Sentence
from companion.rules.errors import IllegalChoiceError, PositionFormatError
from companion.rules.game import Choice
from companion.rules.known_words import check_words
from companion.rules.rithmomachia.choices import (
    CAPTURES,
    DELIVERY,
    DONE,
    OTHER_NAMES,
    SIEGE,
    Claim,
    Delivery,
    Done,
    Move,
    Place,
    Return,
)
from companion.rules.rithmomachia.men import COLOURS, PLAYERS, PYRAMID, Man, Part, sum_of, whole_pyramid
from companion.rules.rithmomachia.state import RithmoState
from companion.rules.rithmomachia.words import no_square

SITE = r"[a-z]\d{1,2}"
PLACE = rf"{SITE}(?:\s*/\s*\d+)?"
MOVE = re.compile(rf"({SITE})\s*-\s*({SITE})")
CLAIM = re.compile(
    rf"(?:takes\s+)?({PLACE})(?:\s+by\s+([a-z ]+?))?(?:\s+from\s+({PLACE}(?:\s*(?:,|\band\b)\s*{PLACE})*))?"
)
RETURN = re.compile(rf"return\s+([a-z]+)\s+(\d+)\s+to\s+({SITE})")
EXAMPLES = "c4-d5, takes d7 by assault from c4, takes b5 by delivery, return circle 9 to c3, or done"


def parse(position: RithmoState, typed: str) -> Choice:
    """Read what a player typed in a position.

    Raises:
        IllegalChoiceError: the text is no choice of this game, or a short form that names several captures.
    """
    found = meant(position, typed)
    if len(found) > 1:
        ways = "; ".join(map(str, found))
        raise IllegalChoiceError(
            Sentence("'{typed}' can mean several captures: {ways}.", typed=typed, ways=ways), position
        )
    return found[0]


def meant(position: RithmoState, typed: str) -> Sequence[Choice]:
    """Return every choice that a typed text can mean, at least one; only the short form of a capture can mean several.

    Raises:
        IllegalChoiceError: the text is no choice of this game.
    """
    text = " ".join(typed.lower().split())
    if text == DONE:
        return (Done(),)
    if (move := MOVE.fullmatch(text)) is not None:
        return (Move(move[1], move[2]),)
    if (back := RETURN.fullmatch(text)) is not None:
        return (Return(back[1], int(back[2]), back[3]),)
    if (claim := CLAIM.fullmatch(text)) is not None:
        return _claims(position, claim)
    raise IllegalChoiceError(
        Sentence("Expected {examples}, but got '{typed}'.", examples=EXAMPLES, typed=typed), position
    )


def _claims(position: RithmoState, match: re.Match[str]) -> Sequence[Choice]:
    target = _place(match[1])
    kind = None if match[2] is None else OTHER_NAMES.get(match[2], match[2])
    takers = tuple(_place(found) for found in re.findall(PLACE, match[3])) if match[3] else ()
    if kind not in (None, DELIVERY, *CAPTURES):
        raise IllegalChoiceError(
            Sentence(
                "Expected a capture by {known}, but got '{kind}'.",
                known=Listing([*CAPTURES, DELIVERY], "or"),
                kind=kind,
            ),
            position,
        )
    if kind == DELIVERY:
        return (Delivery(target),)
    if takers and kind is not None:
        return (Claim(target, kind, tuple(sorted(takers, key=lambda place: _order(place.site)))),)
    found: list[Choice] = [claim for claim in position.claims if claim.target == target and kind in (None, claim.kind)]
    if kind is None and Delivery(target) in position.deliveries:
        found.append(Delivery(target))
    return found or (_meant_wrongly(position, target, kind),)


def _meant_wrongly(position: RithmoState, target: Place, kind: str | None) -> Choice:
    """Return the claim that a short form of no valid capture must mean, so that `disputes` can say what is wrong."""
    board = position.rules.board
    if target.site not in board.numbered:
        raise IllegalChoiceError(no_square(board.names[-1], target.site), position)
    last = position.last if position.phase == "claims" else None
    if kind == SIEGE:
        return Claim(target, SIEGE)
    if kind is not None and last is not None:
        return Claim(target, kind, (Place(board.names[last[1]]),))
    if kind is not None:
        return Claim(target, kind)
    sentence = Sentence(
        "No capture that can be claimed now takes {target}; to dispute it, say by which capture.", target=str(target)
    )
    if position.may_claim:
        sentence = Sentence(
            "No capture that can be claimed now takes {target}; to dispute it, say by which capture, like {example}.",
            target=str(target),
            example=f"takes {target} by {CAPTURES[0]}",
        )
    raise IllegalChoiceError(sentence, position)


def _place(text: str) -> Place:
    site, _, part = text.replace(" ", "").partition("/")
    return Place(site, int(part or 0))


def _order(site: str) -> tuple[str, int]:
    return site[0], int(site[1:])


def choice_from_json(data: Mapping[str, Any]) -> Choice:
    """Read the JSON form of a choice.

    Raises:
        IllegalChoiceError: the data does not have the form that a choice writes.
    """
    match data:
        case {"choice": "done"}:
            return Done()
        case {"from": str(start), "to": str(end)}:
            return Move(start, end)
        case {"return": {"shape": str(shape), "number": int(number)}, "to": str(site)}:
            return Return(shape, number, site)
        case {"takes": str(target), "by": str(kind), **rest}:
            takers = rest.get("from", [])
            if isinstance(takers, list) and all(_is_place(text) for text in (target, *takers)):
                if kind == DELIVERY:
                    return Delivery(_place(target))
                return Claim(_place(target), OTHER_NAMES.get(kind, kind), tuple(map(_place, takers)))
    raise IllegalChoiceError(
        'Expected {"from": "c4", "to": "d5"}, {"takes": "d7", "by": "assault", "from": ["c4"]}, '
        '{"return": {"shape": "circle", "number": 9}, "to": "c3"} or {"choice": "done"}, '
        f"but {dict(data)!r} came."
    )


def _is_place(text: object) -> bool:
    return isinstance(text, str) and re.fullmatch(PLACE, text) is not None


def seen(man: Man) -> dict[str, Any]:
    """Return a man as a camera sees him: colour, shape, number, and a pyramid's parts."""
    shown: dict[str, Any] = {"colour": COLOURS[man.owner], "shape": man.shape, "number": man.number}
    if man.parts or man.is_pyramid:
        shown["parts"] = [{"shape": part.shape, "number": part.number} for part in man.parts]
    return shown


def man_to_json(man: Man) -> dict[str, Any]:
    """Return a man as JSON, with the colour in which he began if he has another colour now."""
    return seen(man) if man.began == man.owner else seen(man) | {"began": COLOURS[man.began]}


def man_from_json(data: Any) -> Man:
    """Read what `man_to_json` wrote; a complete pyramid's parts are optional.

    Raises:
        PositionFormatError: the data has another form.
    """
    check_words(data, ("colour", "shape", "number", "began", "parts"), "a man")
    match data:
        case {"colour": ("white" | "black") as colour, "shape": str(shape), "number": int(number), **rest} if (
            number > 0
        ):
            began, parts = rest.get("began", colour), rest.get("parts", [])
            if began in PLAYERS and isinstance(parts, list):
                pile = tuple(_part(entry) for entry in parts)
                if shape == PYRAMID and "parts" not in rest and number == sum_of(whole_pyramid(PLAYERS[began])):
                    pile = whole_pyramid(PLAYERS[began])
                return Man(PLAYERS[colour], shape, number, PLAYERS[began], pile)
    raise PositionFormatError(
        f'Expected a man like {{"colour": "white", "shape": "circle", "number": 16}}, but {data!r} came.'
    )


def _part(data: Any) -> Part:
    check_words(data, ("shape", "number"), "a part")
    match data:
        case {"shape": str(shape), "number": int(number)} if number > 0:
            return Part(shape, number)
    raise PositionFormatError(f'Expected a part like {{"shape": "circle", "number": 16}}, but {data!r} came.')


def hands_to_json(hands: Sequence[Sequence[Man]]) -> dict[str, Any]:
    """Return the men of player 1 and player 2 under ``"1"`` and ``"2"``."""
    return {str(number): [man_to_json(man) for man in hand] for number, hand in enumerate(hands, 1)}


def hands_from_json(data: Any, name: str) -> tuple[tuple[Man, ...], tuple[Man, ...]]:
    """Read what `hands_to_json` wrote.

    Raises:
        PositionFormatError: the data has another form.
    """
    if not isinstance(data, dict) or not set(data) <= {"1", "2"}:
        raise PositionFormatError(f'Expected "{name}" like {{"1": [men], "2": [men]}}, but {data!r} came.')
    hands = []
    for number in ("1", "2"):
        listed = data.get(number, [])
        if not isinstance(listed, list):
            raise PositionFormatError(f'Expected a list of men in "{name}", but {listed!r} came.')
        hands.append(tuple(sorted(man_from_json(entry) for entry in listed)))
    return hands[0], hands[1]


def position_to_json(position: RithmoState) -> dict[str, Any]:
    """Return a position as plain data, see docs/games/rithmomachia.md."""
    names = position.rules.board.names
    data: dict[str, Any] = {
        "game": position.variant.slug,
        "options": dict(position.settings),
        "turn": position.turn,
        "phase": position.phase,
        "men": {names[square]: man_to_json(man) for square, man in enumerate(position.men) if man is not None}
        | {site: man_to_json(man) for site, man in position.astray},
        "captured": hands_to_json(position.hands),
        "last": None,
        "lifted": {names[square]: man_to_json(man) for square, man in position.lifted},
    }
    if position.study:
        data["study"] = True
    if position.last is not None:
        data["last"] = {"from": names[position.last[0]], "to": names[position.last[1]]}
    if position.rules.has_kings:
        data["removed"] = hands_to_json(position.removed)
        data["triumphs"] = {
            str(number): [
                {"grade": triumph.grade, "numbers": list(triumph.numbers)}
                for triumph in position.triumphs
                if triumph.player == number
            ]
            for number in (1, 2)
        }
    if position.rules["returned_points"] == "counted":
        data["returned"] = hands_to_json(position.returned)
    return data
