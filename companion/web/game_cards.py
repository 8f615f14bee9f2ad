"""The games for a visitor to choose from: by family, each with its story, a picture of its board and a few facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from companion.data_file import data_of
from companion.drawings.picture import Shape, picture_of
from companion.odds.usual_lengths import offered_length
from companion.referee.game_facts import Fact, camera_fact, dice_fact, players_fact
from companion.referee.readable import board_to_read, dice_to_read
from companion.rules.game import Game
from companion.rules.registry import games

FACTS = "game_facts.toml"


@dataclass(frozen=True)
class Card:
    """A game as a visitor sees it before choosing it."""

    game: Game
    length: Mapping[str, Any] | None
    facts: tuple[Fact, ...]
    men: Sequence[Shape]
    height: int
    program_moves_men: bool
    ways: Mapping[str, Mapping[str, Any]]
    """The ways to begin it with one tap, *alone*, *two* and with the *camera*, each with what the page then sends."""
    dice: bool
    camera: str | None
    """The set of dice that a camera reads for it; None if it reads none."""


@dataclass(frozen=True)
class FamilyCard:
    """A family of games, named by the first part of their slugs."""

    name: str
    cards: tuple[Card, ...]


@cache
def families() -> tuple[FamilyCard, ...]:
    """Return every game in its family; families and games are in the order of registration."""
    found: dict[str, list[Card]] = {}
    for game in games().values():
        found.setdefault(game.slug.partition("/")[0], []).append(_card(game))
    return tuple(FamilyCard(name, tuple(cards)) for name, cards in found.items())


def card(slug: str) -> Card:
    """Return the card of a game."""
    return next(one for family in families() for one in family.cards if one.game.slug == slug)


@cache
def grounds() -> Mapping[str, tuple[int, Sequence[Shape]]]:
    """Return the height and shapes of the empty board of every game, by the board's name."""
    boards = {game.board.name: (game.board, picture_of(game)) for game in games().values()}
    return {name: (picture.height(board), picture.ground(board)) for name, (board, picture) in boards.items()}


def _card(game: Game) -> Card:
    start = game.start(game.least_players)
    awaits, read = start.awaits, dice_to_read(start)
    length = offered_length(game)
    return Card(
        game,
        None if length is None else length.sentence().to_json(),
        (
            players_fact(game),
            dice_fact(game),
            camera_fact(game),
        ),
        picture_of(game).men(start),
        picture_of(game).height(game.board),
        game.chooses and bool(game.board.sites),
        _ways(game, awaits.player, dice=bool(awaits.dice), read=read is not None),
        bool(awaits.dice),
        None if read is None else read[0],
    )


def _ways(game: Game, first: int, *, dice: bool, read: bool) -> dict[str, dict[str, Any]]:
    """Return the ways to begin a game; without a camera the program throws, and people tap the moves in.

    ``first``: the player who begins, who is never the program.
    """
    seats = game.least_players
    options = {one.name: one.offered for one in game.options if one.offered not in (None, one.default)}
    begun = {"game": game.slug, "players": [""] * seats, "options": options}
    here = {**begun, "dice_by": "program" if dice else "tapped", "men_by": "tapped"}
    found: dict[str, dict[str, Any]] = {"two": here}
    if game.program_plays:
        found = {"alone": {**here, "programs": [seat for seat in range(1, seats + 1) if seat != first]}, **found}
    if read or board_to_read(game) is not None:
        found["camera"] = {**begun, "dice_by": "camera" if read else here["dice_by"]}
    return found


MIDDLING = "medium"
"""The level of a game that ``game_facts.toml`` gives no other."""


@dataclass(frozen=True)
class GameKind:
    """What the list of games is sorted out by; ``level`` and ``origin`` are words of ``game_facts.toml``.

    ``minutes``: how long a game lasts, None if nobody knows; ``first``: whether its family is best begun with it.
    """

    level: str
    origin: str
    minutes: int | None
    first: bool


@cache
def kinds() -> Mapping[str, GameKind]:
    """Return the kind of each game by its slug."""
    facts = data_of(__package__, FACTS)
    levels = {slug: level for level, slugs in facts["levels"].items() for slug in slugs}
    origins = {slug: origin for origin, slugs in facts["origins"].items() for slug in slugs}
    found = {}
    for family in families():
        for card in family.cards:
            slug, length = card.game.slug, offered_length(card.game)
            minutes = None if length is None else round(length.minutes)
            found[slug] = GameKind(
                levels.get(slug, MIDDLING),
                origins.get(slug, ""),
                minutes,
                family.cards[0] is card and len(family.cards) > 1,
            )
    return found


def levels() -> tuple[str, ...]:
    """Return the levels of difficulty, the easiest first."""
    easy, hard = data_of(__package__, FACTS)["levels"]
    return (easy, MIDDLING, hard)


def origins() -> tuple[str, ...]:
    """Return the origins of games, the oldest first."""
    return tuple(data_of(__package__, FACTS)["origins"])
