"""Positions set up in a line: ``stand("tables/zeno", "f7 i1", "z15 hand1", 2, 5)``."""

from typing import Any

from companion.rules.options import OptionValue
from companion.rules.registry import game
from companion.rules.tables import TablesPosition


def men(text: str) -> dict[str, int]:
    """Read ``"f7 hand1 off2"``."""
    words = [(word.rstrip("0123456789"), word) for word in text.split()]
    return {site: int(word.removeprefix(site)) for site, word in words}


def stand(slug: str, first: str, second: str, *dice: int, turn: int = 1, **more: Any) -> TablesPosition:
    """Set a position up: men of both sides and the dice to be played; other keys of the JSON by name."""
    data: dict[str, Any] = {"game": slug, "turn": turn, "men": {"1": men(first), "2": men(second)}, "dice": list(dice)}
    position = game(slug).from_json(data | more)
    assert isinstance(position, TablesPosition)
    assert [str(fault) for fault in position.faults()] == []
    return position


def begun(slug: str, players: int = 2, **options: OptionValue) -> TablesPosition:
    """Start a game."""
    position = game(slug).start(players, **options)
    assert isinstance(position, TablesPosition)
    return position


def typed(position: TablesPosition, *texts: str) -> TablesPosition:
    """Play what would be typed."""
    for text in texts:
        position = position.after(position.parse(text))
    return position


def legal(position: TablesPosition) -> list[str]:
    """Return the legal choices as they would be typed, in their order."""
    return [position.text(choice) for choice in position.legal()]
