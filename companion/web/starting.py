"""What the start page offers: a short match against the program, something to watch, and the families of games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from companion.live.table import LiveTable
from companion.odds.usual_lengths import usual_length
from companion.web.game_cards import Card, families
from companion.web.names import named


@dataclass(frozen=True)
class PicturedFamily:
    """A family of games with its picture, a file within ``static``; None if nobody has drawn one."""

    name: str
    cards: tuple[Card, ...]
    picture: str | None


@dataclass(frozen=True)
class Beginning:
    """What one can begin with.

    ``quick``: the shortest game of dice alone that the program plays, about ``minutes`` long; ``shown``: the shortest
    that it plays with men, to be watched. ``sample``: of a sample's table, the number of its match if another is open,
    0 if that match is open already; None for any other table. ``open``: the name of an open match of the visitor's own.
    """

    quick: Card
    minutes: int
    shown: Card
    sample: int | None
    open: str | None
    families: Sequence[PicturedFamily]


def beginning(table: LiveTable) -> Beginning:
    """Return what the start page offers at this table now."""
    state = table.snapshot().data
    match = state.get("match")
    own = match is not None and not match["demo"] and not (state.get("sample") and match["watched"])
    goes_on = own and not state.get("outcome")
    quick = _shortest(lambda card: card.dice and not card.game.board.sites)
    return Beginning(
        quick,
        max(5, round(_minutes(quick) / 5) * 5),
        _shortest(lambda card: card.program_moves_men),
        _of_sample(table, state) if state.get("sample") else None,
        named(match["name"]) if match is not None and goes_on else None,
        _pictured(),
    )


def _of_sample(table: LiveTable, state: Mapping[str, Any]) -> int:
    match = state.get("match")
    if match and match["watched"]:
        return 0
    newest_first = (line for place in range(table.match_count()) for line in table.matches(place, 1))
    return next((line["id"] for line in newest_first if line["sample"] and not line["over"]), 0)


@cache
def _pictured() -> tuple[PicturedFamily, ...]:
    return tuple(PicturedFamily(family.name, family.cards, family_picture(family.name)) for family in families())


def family_picture(name: str) -> str | None:
    """Return the picture of a family of games, a file within ``static``; None if nobody has drawn one."""
    file = f"families/{name}.svg"
    return file if (files(__package__) / "static" / file).is_file() else None


def _shortest(fits: Callable[[Card], bool]) -> Card:
    return min(
        (card for family in families() for card in family.cards if card.game.program_plays and fits(card)), key=_minutes
    )


def _minutes(card: Card) -> float:
    length = usual_length(card.game.slug)
    return float("inf") if length is None else length.minutes
