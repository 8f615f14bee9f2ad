"""Read a position from JSON: players can set up any position, even one with faults."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.board import HAND, OFF
from companion.rules.errors import OptionError, PositionFormatError
from companion.rules.game import Game
from companion.rules.known_words import check_words
from companion.rules.options import OptionValue
from companion.rules.tables.courses.course import LARGEST_COUNT, Course
from companion.rules.tables.points import POINTS
from companion.rules.tables.position import TablesPosition
from companion.rules.tables.rulings import TablesRules
from companion.rules.tables.state import PLAIN, TurnState
from companion.rules.whole_numbers import is_whole, whole_number

WORDS = ("game", "players", "options", "turn", "men", "dice", *PLAIN._fields)
"""What a position has; `notation.position_to_json` writes it."""

Judged = Callable[[int, Mapping[str, OptionValue]], TablesRules]
"""Returns the rules for a number of players with these options."""


def position_from_json(game: Game, judged: Judged, data: Mapping[str, Any]) -> TablesPosition:
    """Read a position of a game; ``judged`` returns its rules.

    Raises:
        PositionFormatError: the data does not have the form that `notation.position_to_json` writes.
    """
    match data:
        case {"game": game.slug, "men": {"1": dict(ours), "2": dict(theirs)}}:
            pass
        case _:
            raise PositionFormatError(
                f'Expected an object with "game": "{game.slug}" and "men": {{"1": ..., "2": ...}}, '
                f"but got {str(data)[:200]!r}."
            )
    options = data.get("options", {})
    check_words(options, (option.name for option in game.options), '"options"')
    players = whole_number(data, "players", 2)
    try:
        found = judged(players, dict(options))
    except (OptionError, TypeError, ValueError) as problem:
        raise PositionFormatError(f"This is not a position of {game.title}: {problem}") from problem
    inside = dict.fromkeys(found.courses[0].further_keys, '"men", with the men of a side')
    check_words(data, WORDS, "a position", inside)
    check_words(data["men"], ("1", "2"), '"men"')
    men = (_men(found, found.courses[0], ours), _men(found, found.courses[1], theirs))
    turn = whole_number(data, "turn", 1)
    if not 1 <= turn <= players:
        raise PositionFormatError(f'Expected "turn" to be 1 to {players}, but it is {turn}.')
    dice = data.get("dice", [])
    if not isinstance(dice, list) or not all(map(is_whole, dice)):
        raise PositionFormatError(f'Expected "dice" to be a list of numbers, but it is {dice!r}.')
    return TablesPosition(found, turn, men, tuple(sorted(dice)), _aside(data, players))


def _men(judged: TablesRules, course: Course, given: Mapping[str, Any]) -> int:
    """Return a side's men, packed; without "off", the men that are named nowhere are off."""
    known = {*course.track, HAND, OFF, *course.further_keys}
    points = [*(point for point in POINTS if point in course.track), *sorted(known - set(POINTS))]
    check_words(given, points, "the men of a side")
    standing = {point: _count(given, point) for point in course.track}
    hand = _count(given, HAND)
    off = _count(given, OFF, max(0, judged.men - hand - sum(standing.values())))
    return course.pack(standing, hand, off) + course.pack_further(given)


def _count(given: Mapping[str, Any], place: str, otherwise: int = 0) -> int:
    count = whole_number(given, place, otherwise)
    if not 0 <= count <= LARGEST_COUNT:
        raise PositionFormatError(f"Expected 0 to {LARGEST_COUNT} men at {place}, but {count} came.")
    return count


def _aside(data: Mapping[str, Any], players: int) -> TurnState:
    found: dict[str, Any] = {}
    most = {"resume": players, "lost": 2, "won": 2, "slaps": LARGEST_COUNT}
    for name, nothing in PLAIN._asdict().items():
        value = data.get(name, nothing)
        if name == "battle":
            if value is not None:
                if not isinstance(value, list) or not all(map(is_whole, value)) or len(value) > 1:
                    raise PositionFormatError(f'Expected "battle" to be [] or [sum], but it is {value!r}.')
                value = tuple(value)
        elif isinstance(nothing, bool):
            if not isinstance(value, bool):
                raise PositionFormatError(f'Expected "{name}" to be true or false, but it is {value!r}.')
        elif not is_whole(value) or not 0 <= value <= most[name]:
            raise PositionFormatError(f'Expected "{name}" to be 0 to {most[name]}, but it is {value!r}.')
        found[name] = value
    return TurnState(**found)
