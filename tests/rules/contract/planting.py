"""Faults that the tests of a room plant into the JSON of a sound position."""

from collections.abc import Iterator
from copy import deepcopy

from companion.rules.game import Position
from tests.rules.contract.cases import room


def planted(position: Position) -> Iterator[tuple[str, Position]]:
    """Give the words that must name each fault, with the position that has it.

    ``PLANTED`` of the room's ``planted`` holds (words, change); a change that gives None is none of this game's.
    """
    for words, change in room(position.game.slug, "planted").PLANTED:
        data = change(deepcopy(position.to_json()))
        if data is not None:
            yield words, position.game.from_json(data)
