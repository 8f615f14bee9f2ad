"""Pairings at tables: who is invited where, and which matches of the book are theirs."""

from collections.abc import Sequence
from typing import Any, Final

from companion.hall.book.database import Database
from companion.hall.book.given import given_now
from companion.hall.book.outcomes import MatchEnd, read_ended
from companion.hall.topics import Given, Invitation, by_number
from companion.hall.tournament.records import DRAW, LOSS, WIN, Halves, Pairing, Tournament, TournamentError
from companion.language.sentence import Sentence
from companion.rules.strict_json import read_json

PLAYERS_INVITED: Final = 2


def invite(database: Database, tournament: Tournament, one: Pairing, table: str | None) -> None:
    """Invite the players of a pairing to a table, or to none; an earlier invitation there that is not played ends.

    Raises:
        TournamentError: the pairing is decided, or the hall has no such table.
        BookError: it was not written.
    """
    if one.decided:
        raise TournamentError(Sentence("This pairing already has its result."))
    with database.transaction():
        hall = database.rows("SELECT hall FROM tournaments WHERE id = %s", tournament.id)[0][0]
        if table is not None:
            if not database.rows("SELECT 1 FROM tables WHERE hall = %s AND name = %s", hall, table):
                raise TournamentError(Sentence("The hall has no table {table}.", table=table))
            database.rows(
                "UPDATE pairings SET at_table = NULL, invited = NULL WHERE at_table = %s AND first_games IS NULL"
                " AND tournament IN (SELECT id FROM tournaments WHERE hall = %s)",
                table,
                hall,
            )
        newest = int(database.rows("SELECT COALESCE(MAX(id), 0) FROM matches")[0][0])
        database.rows(
            "UPDATE pairings SET at_table = %s, invited = %s WHERE tournament = %s AND round = %s AND board = %s",
            table,
            None if table is None else newest,
            tournament.id,
            one.round,
            one.board,
        )


def free_tables(database: Database, hall: str) -> list[str]:
    """Return the tables that are online and to which nobody is invited now, by their names' numbers.

    Raises:
        BookError: the book cannot be read.
    """
    rows = database.rows(
        "SELECT t.name FROM tables t WHERE t.hall = %s AND t.status = 'online' AND NOT EXISTS"
        " (SELECT 1 FROM pairings p JOIN tournaments c ON c.id = p.tournament"
        "  WHERE c.hall = t.hall AND p.at_table = t.name AND p.first_games IS NULL)",
        hall,
    )
    return sorted((str(name) for (name,) in rows), key=by_number)


def invitations(database: Database, hall: str) -> dict[str, Invitation | Given | None]:
    """Return for every table of the hall who is invited there now, else the game that all tables are given.

    Raises:
        BookError: the book cannot be read.
    """
    given = given_now(database, hall)
    found: dict[str, Invitation | Given | None] = {
        str(row[0]): given for row in database.rows("SELECT name FROM tables WHERE hall = %s", hall)
    }
    rows = database.rows(
        "SELECT p.at_table, t.name, p.round, t.game, t.best_of, one.name, other.name, t.id, p.board, p.invited"
        " FROM pairings p"
        " JOIN tournaments t ON t.id = p.tournament"
        " JOIN entrants one ON one.tournament = t.id AND one.number = p.first"
        " JOIN entrants other ON other.tournament = t.id AND other.number = p.second"
        " WHERE t.hall = %s AND p.at_table IS NOT NULL AND p.first_games IS NULL",
        hall,
    )
    for table, name, number, game, best_of, first, second, tournament, board, invited in rows:
        named = _id(tournament, number, board, invited)
        found[table] = Invitation(name, number, game, best_of, (first, second), named)
    return found


def _id(tournament: int, number: int, board: int, invited: int) -> str:
    """Return what names an invitation: the pairing, and the newest match of the book when it was invited."""
    return f"{tournament}.{number}.{board}.{invited}"


def take_results(database: Database, tournament: Tournament) -> None:
    """Write the results of pairings of the last round from the matches that were played at their tables.

    What a person typed stays. A match that a correction has changed changes the result, as long as its round lasts.

    Raises:
        BookError: the book cannot be read or written.
    """
    for one in tournament.of_round(tournament.round):
        if one.table is None or one.second is None or one.typed:
            continue
        games = so_far(database, tournament, one)
        decided = max(games) > tournament.best_of or sum(games) == WIN * tournament.best_of
        if (games if decided else None) != one.games:
            with database.transaction():
                database.rows(
                    "UPDATE pairings SET first_games = %s, second_games = %s"
                    " WHERE tournament = %s AND round = %s AND board = %s AND typed = 0",
                    *(games if decided else (None, None)),
                    tournament.id,
                    one.round,
                    one.board,
                )


def so_far(database: Database, tournament: Tournament, one: Pairing) -> Halves:
    """Return what the players of a pairing have won at their table until now, in halves of games.

    A match that says which invitation it follows counts for that one alone, however late it comes. One that says none,
    because the players did not begin it on the page that greets them, counts if it came after this invitation, and
    before the next one at that table, and bears their names.

    Raises:
        BookError: the book cannot be read.
    """
    rows = database.rows(
        "SELECT m.id, m.outcome, p.invited,"
        " (SELECT e.body FROM events e WHERE e.match = m.id AND e.number = 1),"
        " (SELECT COUNT(*) FROM pairings later JOIN tournaments l ON l.id = later.tournament"
        "  WHERE l.hall = c.hall AND later.at_table = p.at_table AND later.invited > p.invited"
        "  AND later.invited < m.id)"
        " FROM matches m JOIN tables t ON t.id = m.of_table"
        " JOIN pairings p ON p.tournament = %s AND p.round = %s AND p.board = %s"
        " JOIN tournaments c ON c.id = p.tournament AND c.hall = t.hall"
        " WHERE t.name = p.at_table AND m.id > p.invited AND m.outcome IS NOT NULL AND (c.game = '' OR m.game = c.game)"
        " ORDER BY m.id",
        tournament.id,
        one.round,
        one.board,
    )
    first, second = 0, 0
    assert one.second is not None
    names = tournament.entrant(one.first).name, tournament.entrant(one.second).name
    for match, outcome, invited, started, later in rows:
        followed = "" if started is None else str(read_json(started).get("invitation", ""))
        if followed:
            named = _id(tournament.id, one.round, one.board, invited)
            seats = (1, 2) if followed == named else (2, 1) if followed == f"-{named}" else None
        else:
            seats = None if later else _seats(_players(database, match), names)
        if seats is None or max(first, second) > tournament.best_of:
            continue
        won = _won(read_ended(outcome), seats)
        first, second = first + won, second + WIN - won
    return first, second


def _players(database: Database, match: int) -> list[tuple[Any, ...]]:
    return database.rows("SELECT name, program FROM players WHERE match = %s ORDER BY number", match)


def _seats(players: Sequence[tuple[Any, ...]], names: tuple[str, str]) -> tuple[int, int] | None:
    """Return the seats of the two, from 1; None if the match is not theirs, or the table keeps names to itself."""
    if len(players) != PLAYERS_INVITED or any(program for _, program in players):
        return None
    called = [str(name or "").casefold() for name, _ in players]
    wanted = [name.casefold() for name in names]
    return (1, 2) if called == wanted else (2, 1) if called[::-1] == wanted else None


def _won(ended: MatchEnd, seats: tuple[int, int]) -> int:
    """Return the halves of a game that the first of the two has won."""
    first, second = (seat in ended.winners for seat in seats)
    return DRAW if first == second else WIN if first else LOSS
