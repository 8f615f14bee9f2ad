"""What a tournament is made of. Points are counted in halves, as whole numbers: a win has two, a draw one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from companion.language.sentence import SentenceError

System = Literal["swiss", "round_robin"]
TieBreak = Literal["buchholz", "median_buchholz", "sonneborn_berger", "direct_encounter", "games_won"]
TIE_BREAKS: Final[tuple[TieBreak, ...]] = get_args(TieBreak)

WIN, DRAW, LOSS = 2, 1, 0

Halves = tuple[int, int]
"""What two players have, in halves: of games within a pairing, or of points."""


class TournamentError(SentenceError, ValueError):
    """A tournament refuses something; the sentence says why."""


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament. ``number``: the rank in the first list, from 1; ``gone``: takes no further part."""

    number: int
    name: str
    rating: int = 0
    gone: bool = False


@dataclass(frozen=True)
class Pairing:
    """Two players of one round, or one without an opponent (``second`` is None).

    ``first`` throws first in the first game. ``games``: halves of the games that each has won, None while it is not
    decided. ``table``: where they are invited; ``typed``: whether a person wrote down the result; ``reason``: why, if
    that replaced another one; ``drawn``: when the round was drawn, in seconds since 1970, None where an
    older version drew it.
    """

    round: int
    board: int
    first: int
    second: int | None
    games: Halves | None = None
    table: str | None = None
    typed: bool = False
    reason: str = ""
    drawn: float | None = None

    @property
    def bye(self) -> bool:
        """Whether there is no opponent."""
        return self.second is None

    @property
    def decided(self) -> bool:
        """Whether nothing more is to be played."""
        return self.bye or self.games is not None


@dataclass(frozen=True)
class Tournament:
    """A tournament as it stands. ``rounds``: how many there will be; ``best_of``: the most games of a pairing."""

    id: int
    name: str
    system: System
    game: str
    rounds: int
    best_of: int
    tie_breaks: tuple[TieBreak, ...]
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = field(default=())

    @property
    def round(self) -> int:
        """The round that was drawn last, 0 before the first."""
        return max((one.round for one in self.pairings), default=0)

    @property
    def undecided(self) -> int:
        """How many pairings are not decided."""
        return sum(not one.decided for one in self.pairings)

    @property
    def over(self) -> bool:
        """Whether every round is drawn and decided."""
        return self.round == self.rounds and not self.undecided

    def of_round(self, number: int) -> tuple[Pairing, ...]:
        """Return the pairings of a round, by their boards."""
        return tuple(one for one in self.pairings if one.round == number)

    def entrant(self, number: int) -> Entrant:
        """Return a player."""
        return self.entrants[number - 1]

    def points(self, one: Pairing) -> Halves | None:
        """Return the halves of points that a pairing gives; the second is 0 without an opponent, None if undecided.

        Without an opponent a player has a whole point in a Swiss tournament, where this comes once by chance; in a
        round robin it comes to everybody, and gives nothing.
        """
        if one.bye:
            return (WIN if self.system == "swiss" else LOSS, LOSS)
        if one.games is None:
            return None
        first, second = one.games
        return (WIN, LOSS) if first > second else (LOSS, WIN) if second > first else (DRAW, DRAW)

    def meetings(self) -> Iterator[tuple[int, int | None, int]]:
        """Yield player, opponent or None, and halves of points, for both players of every decided pairing."""
        for one in self.pairings:
            points = self.points(one)
            if points is not None:
                yield one.first, one.second, points[0]
                if one.second is not None:
                    yield one.second, one.first, points[1]

    def scores(self) -> dict[int, int]:
        """Return each player's halves of points."""
        scores = {one.number: 0 for one in self.entrants}
        for player, _, points in self.meetings():
            scores[player] += points
        return scores


def final_results(best_of: int) -> tuple[Halves, ...]:
    """Return every result with which a pairing of at most so many games can end, in halves of games.

    It ends when one player has more than half of the games, or when all are played.
    """
    found = [
        (first, second)
        for first in range(2 * best_of + 1)
        for second in range(2 * best_of + 1 - first)
        if (first + second) % 2 == 0
        and (first + second == 2 * best_of or max(first, second) > best_of)
        and _before(first, second, best_of)
    ]
    return tuple(sorted(found, key=lambda halves: halves[1] - halves[0]))


def _before(first: int, second: int, best_of: int) -> bool:
    """Return whether some last game leads here from a score at which the pairing still went on."""
    return any(
        max(first - won, second - (WIN - won)) <= best_of and min(first - won, second - (WIN - won)) >= 0
        for won in (LOSS, DRAW, WIN)
    )
