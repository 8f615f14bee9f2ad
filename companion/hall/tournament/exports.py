"""Standings and results as files: CSV and JSON for everybody, and TRF, the tournament report file of FIDE."""

import datetime as dt
from dataclasses import replace
from typing import Any, Final

from companion import spreadsheet
from companion.hall.tournament.records import DRAW, WIN, Pairing, Tournament
from companion.hall.tournament.standings import standings

SYSTEMS: Final = {
    "swiss": "Swiss, score groups, no repeated pairings (not FIDE's Dutch system)",
    "round_robin": "Round robin (Berger)",
}

DAYS_FROM: Final = 91
"""How many characters stand before the first round's day, and before its result in a player's line."""


def as_csv(tournament: Tournament) -> str:
    """Return the standings as CSV."""
    rows = [
        [line.rank, line.entrant.number, line.entrant.name, line.entrant.rating or "", line.points, *line.tie_breaks]
        for line in standings(tournament)
    ]
    return spreadsheet.as_csv([["rank", "number", "name", "rating", "points", *tournament.tie_breaks], *rows])


def as_json(tournament: Tournament) -> dict[str, Any]:
    """Return everything of a tournament; points and games are as people write them, a win being 1."""
    return {
        "name": tournament.name,
        "system": SYSTEMS[tournament.system],
        "game": tournament.game,
        "rounds": tournament.rounds,
        "best_of": tournament.best_of,
        "standings": [
            {
                "rank": line.rank,
                "number": line.entrant.number,
                "name": line.entrant.name,
                "rating": line.entrant.rating or None,
                "withdrawn": line.entrant.gone,
                "points": line.points,
                "tie_breaks": dict(zip(tournament.tie_breaks, line.tie_breaks, strict=True)),
            }
            for line in standings(tournament)
        ],
        "pairings": [
            {
                "round": one.round,
                "board": one.board,
                "first": one.first,
                "second": one.second,
                "games": None if one.games is None else [half / WIN for half in one.games],
                "typed": one.typed,
                "reason": one.reason,
                "table": one.table,
            }
            for one in tournament.pairings
        ],
    }


def as_trf(tournament: Tournament, today: dt.date) -> str:
    """Return the tournament as TRF16: one line a player, one result a round. White is who throws first.

    The days are those on which the rounds were drawn; ``today`` stands for rounds of which nobody wrote down the day.

    Of a pairing of several games it has the result alone: the form knows one game a round. A round of which a result
    is missing is left out.
    """
    done = tournament.round - bool(tournament.undecided)
    tournament = replace(tournament, pairings=tuple(one for one in tournament.pairings if one.round <= done))
    days = [_day(tournament.of_round(number), today) for number in range(1, tournament.round + 1)]
    lines = [
        f"012 {tournament.name}",
        f"042 {min(days, default=today):%Y/%m/%d}",
        f"052 {max(days, default=today):%Y/%m/%d}",
        f"062 {len(tournament.entrants)}",
        f"092 {SYSTEMS[tournament.system]}",
        f"XXR {tournament.rounds}",
        f"132{'':{DAYS_FROM - 3}}{''.join(f'{day:%y/%m/%d}  ' for day in days)}".rstrip(),
    ]
    ranks = {line.entrant.number: line for line in standings(tournament)}
    for one in tournament.entrants:
        line = ranks[one.number]
        rating = f"{one.rating}" if one.rating else ""
        about = f"001 {one.number:>4}      {one.name:<33.33} {rating:>4}"
        results = (_round(tournament, one.number, number) for number in range(1, tournament.round + 1))
        lines.append(f"{about}{'':28}{line.points:>4.1f} {line.rank:>4}{''.join(results)}")
    return "\r\n".join(lines) + "\r\n"


def _day(pairings: tuple[Pairing, ...], today: dt.date) -> dt.date:
    drawn = min((one.drawn for one in pairings if one.drawn is not None), default=None)
    return today if drawn is None else dt.datetime.fromtimestamp(drawn).astimezone().date()


def _round(tournament: Tournament, player: int, number: int) -> str:
    found = next((one for one in tournament.of_round(number) if player in (one.first, one.second)), None)
    if found is None:
        return "  0000 - Z"
    if found.second is None:
        return "  0000 - U" if tournament.system == "swiss" else "  0000 - Z"
    white = found.first == player
    opponent, colour = (found.second, "w") if white else (found.first, "b")
    return f"  {opponent:>4} {colour} {_letter(tournament, found, white=white)}"


def _letter(tournament: Tournament, one: Pairing, *, white: bool) -> str:
    points = tournament.points(one)
    assert points is not None
    return {WIN: "1", DRAW: "="}.get(points[0 if white else 1], "0")
