"""Who leads a tournament, and what decides between players with the same points."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.hall.tournament.records import Entrant, TieBreak, Tournament

HALF_POINT: Final = 0.5


@dataclass(frozen=True)
class StandingsLine:
    """One line of the standings. Players whom nothing distinguishes share a ``rank``.

    ``points`` and ``tie_breaks``: as people write them, a win being 1.
    """

    rank: int
    entrant: Entrant
    points: float
    tie_breaks: tuple[float, ...]


def standings(tournament: Tournament) -> list[StandingsLine]:
    """Return the standings after everything that is decided."""
    scores = tournament.scores()
    values = {
        one.number: (
            scores[one.number] * HALF_POINT,
            *(_TIE_BREAKS[name](tournament, scores, one.number) for name in tournament.tie_breaks),
        )
        for one in tournament.entrants
    }
    order = sorted(tournament.entrants, key=lambda one: ([-value for value in values[one.number]], one.number))
    ranks: dict[int, int] = {}
    for place, one in enumerate(order):
        before = order[place - 1] if place else None
        same = before is not None and values[before.number] == values[one.number]
        ranks[one.number] = ranks[before.number] if same and before is not None else place + 1
    return [StandingsLine(ranks[one.number], one, values[one.number][0], values[one.number][1:]) for one in order]


def _met(tournament: Tournament, player: int) -> list[tuple[int, int]]:
    """Return whom a player has met in decided pairings, and the halves of points from each."""
    return [
        (opponent, points) for one, opponent, points in tournament.meetings() if one == player and opponent is not None
    ]


def buchholz(tournament: Tournament, scores: dict[int, int], player: int) -> float:
    """Return the sum of the points of all opponents; a round without an opponent adds nothing."""
    return sum(scores[opponent] for opponent, _ in _met(tournament, player)) * HALF_POINT


def median_buchholz(tournament: Tournament, scores: dict[int, int], player: int) -> float:
    """Return Buchholz without the opponents with the most and with the fewest points."""
    return sum(sorted(scores[opponent] for opponent, _ in _met(tournament, player))[1:-1]) * HALF_POINT


def sonneborn_berger(tournament: Tournament, scores: dict[int, int], player: int) -> float:
    """Return the points of the opponents who were beaten, and half of those with whom it was a draw."""
    return sum(scores[opponent] * points for opponent, points in _met(tournament, player)) * HALF_POINT * HALF_POINT


def direct_encounter(tournament: Tournament, scores: dict[int, int], player: int) -> float:
    """Return the points against those with the same points, if all of these have met one another; else 0."""
    equal = {other for other, score in scores.items() if score == scores[player]}
    for one in equal:
        if not equal - {one} <= {opponent for opponent, _ in _met(tournament, one)}:
            return 0.0
    return sum(points for opponent, points in _met(tournament, player) if opponent in equal) * HALF_POINT


def games_won(tournament: Tournament, scores: dict[int, int], player: int) -> float:
    """Return the games won within the pairings, a draw as half of one."""
    del scores
    won = 0
    for one in tournament.pairings:
        if one.games is not None and player in (one.first, one.second):
            won += one.games[0 if one.first == player else 1]
    return won * HALF_POINT


_TIE_BREAKS: Final[dict[TieBreak, Callable[[Tournament, dict[int, int], int], float]]] = {
    "buchholz": buchholz,
    "median_buchholz": median_buchholz,
    "sonneborn_berger": sonneborn_berger,
    "direct_encounter": direct_encounter,
    "games_won": games_won,
}
