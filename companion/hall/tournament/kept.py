"""Tournaments in the hall's book: beginning one, drawing its rounds, and writing down results."""

from collections.abc import Sequence
from typing import Any, Final

from companion.hall.book.database import Database
from companion.hall.tournament import invited, round_robin, swiss
from companion.hall.tournament.entering import read_late
from companion.hall.tournament.records import (
    Entrant,
    Halves,
    Pairing,
    System,
    TieBreak,
    Tournament,
    TournamentError,
    final_results,
)
from companion.language.sentence import N_, Sentence

MOST_ROUNDS: Final = 30
TOO_MANY: Final = N_("{count} players can play at most {most} rounds without meeting twice.")

_PAIRINGS: Final = "round, board, first, second, first_games, second_games, at_table, typed, reason, drawn"

MOST_NUMBER: Final = 2**63 - 1
"""The largest number that a column of the book can hold."""


class Tournaments:
    """The tournaments of one hall. For one thread, as its database."""

    def __init__(self, database: Database, hall: str) -> None:
        self._db = database
        self._hall = hall

    def begin(
        self,
        name: str,
        system: System,
        game: str,
        entrants: Sequence[Entrant],
        *,
        rounds: int,
        best_of: int,
        tie_breaks: Sequence[TieBreak],
        at: float,
    ) -> int:
        """Write a new tournament into the book; return its number.

        ``rounds``: how many, 0 for as many as find one winner; a round robin has its own.

        Raises:
            TournamentError: there are more rounds than opponents.
            BookError: it was not written.
        """
        most = round_robin.rounds_for(len(entrants))
        rounds = most if system == "round_robin" else rounds or (len(entrants) - 1).bit_length()
        if rounds > most:
            raise TournamentError(Sentence.of(TOO_MANY, count=len(entrants), most=most))
        with self._db.transaction():
            rows = self._db.rows(
                "INSERT INTO tournaments (hall, name, system, game, rounds, best_of, tie_breaks, began)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) RETURNING id",
                self._hall,
                name,
                system,
                game,
                rounds,
                best_of,
                ",".join(tie_breaks),
                at,
            )
            number = int(rows[0][0])
            self._enter(number, entrants)
        return number

    def _enter(self, number: int, entrants: Sequence[Entrant]) -> None:
        self._db.many(
            "INSERT INTO entrants (tournament, number, name, rating) VALUES (%s, %s, %s, %s)",
            [(number, one.number, one.name, one.rating) for one in entrants],
        )

    def all(self) -> list[Tournament]:
        """Return every tournament, the newest first.

        Raises:
            BookError: the book cannot be read.
        """
        rows = self._db.rows("SELECT id FROM tournaments WHERE hall = %s ORDER BY id DESC", self._hall)
        return [found for row in rows if (found := self.find(row[0])) is not None]

    def find(self, number: int) -> Tournament | None:
        """Return a tournament, None if the hall has none of this number.

        Raises:
            BookError: the book cannot be read.
        """
        if number > MOST_NUMBER:
            return None
        heads = self._db.rows(
            "SELECT name, system, game, rounds, best_of, tie_breaks FROM tournaments WHERE id = %s AND hall = %s",
            number,
            self._hall,
        )
        if not heads:
            return None
        name, system, game, rounds, best_of, tie_breaks = heads[0]
        entrants = self._db.rows(
            "SELECT number, name, rating, gone FROM entrants WHERE tournament = %s ORDER BY number", number
        )
        pairings = self._db.rows(
            f"SELECT {_PAIRINGS} FROM pairings WHERE tournament = %s ORDER BY round, board",  # noqa: S608  (our words)
            number,
        )
        return Tournament(
            number,
            name,
            system,
            game,
            rounds,
            best_of,
            tuple(tie_breaks.split(",")) if tie_breaks else (),
            tuple(Entrant(one, called, rating, bool(gone)) for one, called, rating, gone in entrants),
            tuple(_pairing(row) for row in pairings),
        )

    def draw_round(self, number: int, after: int, at: float) -> None:
        """Draw the round after the round ``after``, 0 for the first; ``at``: when, in seconds since 1970.

        Raises:
            TournamentError: a pairing is undecided, the tournament is over, or somebody else has drawn this round.
            BookError: it was not written.
        """
        with self._db.transaction():
            found = self._found(number)
            if found.round != after:
                raise TournamentError(Sentence("Round {number} has already been drawn.", number=after + 1))
            if found.undecided:
                raise TournamentError(Sentence("Round {number} has pairings without a result.", number=after))
            if after >= found.rounds:
                raise TournamentError(Sentence("The tournament is over: all its rounds are played."))
            gone = frozenset(one.number for one in found.entrants if one.gone)
            if len(found.entrants) - len(gone) < 2:  # noqa: PLR2004  (a pair)
                raise TournamentError(Sentence("Fewer than two players are left."))
            if found.system == "swiss":
                drawn = swiss.draw(found)
            else:
                drawn = round_robin.draw(len(found.entrants), after + 1, gone)
            self._db.many(
                "INSERT INTO pairings (tournament, round, board, first, second, drawn) VALUES (%s, %s, %s, %s, %s, %s)",
                [(number, one.round, one.board, one.first, one.second, at) for one in drawn],
            )

    def type_result(self, number: int, round_number: int, board: int, games: Halves | None, reason: str = "") -> None:
        """Write down the result of a pairing, in halves of games; None takes back what was typed.

        ``reason``: why, which a result needs that replaces another one.

        Raises:
            TournamentError: there is no such pairing, a later round is drawn already, no pairing ends so, or the reason
                is missing.
            BookError: it was not written.
        """
        with self._db.transaction():
            found = self._found(number)
            before = self._pairing(found, round_number, board).games
            if before is not None and games not in (None, before) and not reason.strip():
                raise TournamentError(Sentence("This pairing has a result: say why you change it."))
            if games is not None and games not in final_results(found.best_of):
                raise TournamentError(Sentence("A pairing of {count} games cannot end like that.", count=found.best_of))
            self._db.rows(
                "UPDATE pairings SET first_games = %s, second_games = %s, typed = %s, reason = %s"
                " WHERE tournament = %s AND round = %s AND board = %s",
                *(games or (None, None)),
                int(games is not None),
                "" if before is None or games is None else reason.strip(),
                number,
                round_number,
                board,
            )

    def invite(self, number: int, round_number: int, board: int, table: str | None) -> None:
        """Invite the players of a pairing to a table, or to none.

        Raises:
            TournamentError: there is no such pairing or table, or the pairing is decided.
            BookError: it was not written.
        """
        found = self._found(number)
        invited.invite(self._db, found, self._pairing(found, round_number, board), table)

    def seat(self, number: int) -> int:
        """Invite every pairing of the last round that has no table to a free one, in their order; return how many.

        Raises:
            TournamentError: there is no such tournament.
            BookError: it was not written.
        """
        found = self._found(number)
        waiting = [one for one in found.of_round(found.round) if not one.decided and one.table is None]
        pairs = list(zip(waiting, invited.free_tables(self._db, self._hall), strict=False))
        for one, table in pairs:
            invited.invite(self._db, found, one, table)
        return len(pairs)

    def so_far(self, found: Tournament) -> dict[int, Halves]:
        """Return by board the halves of games that are won in pairings of the last round that go on at a table.

        Raises:
            BookError: the book cannot be read.
        """
        going_on = [one for one in found.of_round(found.round) if one.table is not None and not one.decided]
        games = {one.board: invited.so_far(self._db, found, one) for one in going_on}
        return {board: halves for board, halves in games.items() if any(halves)}

    def withdraw(self, number: int, entrant: int, *, gone: bool) -> None:
        """Let a player take no further part, or come back; pairings that are drawn stay.

        Raises:
            TournamentError: there is no such player.
            BookError: it was not written.
        """
        with self._db.transaction():
            if not 1 <= entrant <= len(self._found(number).entrants):
                raise TournamentError(Sentence("There is no such player."))
            self._db.rows(
                "UPDATE entrants SET gone = %s WHERE tournament = %s AND number = %s", int(gone), number, entrant
            )

    def join_late(self, number: int, text: str) -> None:
        """Let one more player in, who plays from the next round on and has no points until then.

        ``text``: the name, perhaps with a rating, as in a list of players.

        Raises:
            TournamentError: everybody has an opponent already for every round, or the player cannot be entered.
            BookError: it was not written.
        """
        with self._db.transaction():
            found = self._found(number)
            if found.system == "round_robin":
                raise TournamentError(Sentence("In a round robin all rounds are fixed: begin another one."))
            if found.round >= found.rounds:
                raise TournamentError(Sentence("The tournament is over: all its rounds are drawn."))
            self._enter(number, [read_late(text, found.entrants)])

    def _found(self, number: int) -> Tournament:
        found = self.find(number)
        if found is None:
            raise TournamentError(Sentence("There is no such tournament."))
        return found

    @staticmethod
    def _pairing(found: Tournament, round_number: int, board: int) -> Pairing:
        """Return a pairing of the round that is played; earlier ones have led to what was drawn after them."""
        if round_number != found.round:
            raise TournamentError(Sentence("Only the results of the last round can be changed."))
        for one in found.of_round(round_number):
            if one.board == board and not one.bye:
                return one
        raise TournamentError(Sentence("There is no such pairing."))


def _pairing(row: tuple[Any, ...]) -> Pairing:
    number, board, first, second, first_games, second_games, table, typed, reason, drawn = row
    games = None if first_games is None else (first_games, second_games)
    return Pairing(number, board, first, second, games, table, bool(typed), reason, drawn)
