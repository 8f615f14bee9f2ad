"""What no move may add or take away: men change their place and their owner, but they are never more or fewer."""

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

from companion.rules.game import Position


def conserved(position: Position) -> Counter[Hashable]:
    """Count what stays the same throughout a game, from the position's JSON; nothing for games without men."""
    data = position.to_json()
    room = position.game.slug.partition("/")[0]
    if room == "tables":
        return Counter({side: sum(_counts(men)) for side, men in data["men"].items()})
    if room == "rithmomachia":
        return Counter(_men(data, ""))
    return Counter()


def _counts(men: dict[str, Any]) -> Iterator[int]:
    """Give the men of a side on every place; ``hit`` only says how those in hand came there, lists how others lie."""
    for place, count in men.items():
        if place != "hit" and isinstance(count, int):
            yield count


def _men(data: Any, colour: str) -> Iterator[Hashable]:
    """Give every single man, those of a pyramid each, as he began: colour, shape and number."""
    if isinstance(data, list):
        for entry in data:
            yield from _men(entry, colour)
    elif isinstance(data, dict) and {"shape", "number"} <= data.keys():
        began = str(data.get("began") or data.get("colour") or colour)
        if "parts" in data:
            yield from _men(data["parts"], began)
        else:
            yield began, data["shape"], data["number"]
    elif isinstance(data, dict):
        for name, entry in data.items():
            if name != "lifted":  # where men stood that were captured in this turn and are told elsewhere
                yield from _men(entry, colour)
