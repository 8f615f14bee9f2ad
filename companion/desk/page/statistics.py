"""What many matches say together: how long they lasted, who won, which virtues were won, and how kind the dice were."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from companion.desk.page.family_page import page_of
from companion.rules.errors import GameError
from companion.rules.registry import games


@dataclass(frozen=True)
class GameCount:
    """Of one game, by its title: the matches, and the throws of those that are over (0 if none is)."""

    title: str
    matches: int
    over: int
    shortest: int
    middle: float
    longest: int


@dataclass(frozen=True)
class PlayerCount:
    """Of one player, by name: the matches that are over, and those won or shared."""

    name: str
    matches: int
    wins: int


@dataclass(frozen=True)
class Luck:
    """Of one match that is over: the prizes that all players won, and how many so many throws win on average."""

    match: int
    name: str
    throws: int
    won: int
    expected: float


@dataclass(frozen=True)
class Statistics:
    """``prizes``: how often each virtue was won, by its lot, most often first."""

    matches: int
    games: Sequence[GameCount]
    players: Sequence[PlayerCount]
    prizes: Sequence[tuple[str, int]]
    luck: Sequence[Luck]


def statistics_of(lines: Iterable[Mapping[str, Any]]) -> Statistics:
    """Return the statistics of matches as the library lists them; demonstrations do not count."""
    counted = [line for line in lines if not line["sample"]]
    over = [line for line in counted if line["over"]]
    return Statistics(
        len(counted),
        _by_game(counted),
        _by_player(over),
        Counter(lot for line in counted for lots in line["prizes"] for lot in lots).most_common(),
        [luck for line in over if (luck := _luck(line)) is not None],
    )


def _by_game(lines: Sequence[Mapping[str, Any]]) -> list[GameCount]:
    counts = []
    for title, matches in Counter(str(line["title"]) for line in lines).most_common():
        throws = [line["throws"] for line in lines if line["title"] == title and line["over"]] or [0]
        over = sum(line["title"] == title and line["over"] for line in lines)
        counts.append(GameCount(title, matches, over, min(throws), median(throws), max(throws)))
    return counts


def _by_player(over: Sequence[Mapping[str, Any]]) -> list[PlayerCount]:
    played = Counter(name for line in over for name in set(line["players"]))
    wins = Counter(name for line in over for name in set(line["winners"]))
    return sorted(
        (PlayerCount(name, matches, wins[name]) for name, matches in played.items()),
        key=lambda one: (-one.wins, -one.matches, one.name),
    )


def _luck(line: Mapping[str, Any]) -> Luck | None:
    game = games().get(line["game"])
    if game is None or not line["throws"]:
        return None
    try:
        expected = page_of(game).expected_prizes(game, line["options"], line["throws"])
    except GameError:
        return None  # an option that this version no longer has
    if expected is None:
        return None
    return Luck(line["id"], line["name"], line["throws"], sum(map(len, line["prizes"])), expected)
