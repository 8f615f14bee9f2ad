"""How the tables of a hall are now and what they played last, as the book has it."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec

from companion.hall.book.database import Database
from companion.hall.book.outcomes import read_ended
from companion.hall.topics import by_number
from companion.rules.registry import games
from companion.rules.strict_json import read_json

NEWEST_RESULTS: Final = 12
"""How many results are shown."""

Word = Annotated[str, msgspec.Meta(max_length=200)]
Address = Annotated[str, msgspec.Meta(max_length=300, pattern=r"^(https?://[\w.:-]+(/[\w/.-]*)?)?$")]
Some = Annotated[list[int], msgspec.Meta(max_length=20)]


class TableReport(msgspec.Struct, frozen=True):
    """What a table tells of itself, as far as the organiser sees it; see `companion.hall.table_seen.state_of`."""

    state: Word | None = None
    screen: Word = "table"
    game: Word | None = None
    match: int | None = None
    paused: bool = False
    over: bool = False
    winners: Some = []
    throws: int = 0
    scores: Some = []
    waits_for: int | None = None
    asks: Word | None = None
    camera: Word = "none"
    board: Word = "none"
    lights: Word = "none"
    journal: Word = "ok"
    watch: Address = ""
    players: Annotated[list[Word], msgspec.Meta(max_length=20)] = []


def read_report(text: str | None) -> TableReport | None:
    """Return a table's state from its message, None if nothing came or it is not understood."""
    if not text:
        return None
    try:
        return msgspec.convert(read_json(text), TableReport)
    except ValueError:
        return None


def tables_now(database: Database, hall: str) -> list[dict[str, Any]]:
    """Return every table of the hall by name, as the page shows it.

    Raises:
        BookError: the book cannot be read.
    """
    rows = database.rows("SELECT name, status, state FROM tables WHERE hall = %s", hall)
    rows.sort(key=lambda row: by_number(row[0]))
    return [_table(name, status, read_report(state)) for name, status, state in rows]


def _table(name: str, status: str | None, report: TableReport | None) -> dict[str, Any]:
    online = status == "online"
    if report is None:
        sign = "unknown" if online else "offline"
        return {"name": name, "sign": sign, "game": None, "throws": 0, "players": [], "trouble": [], "watch": ""}
    parts = ("camera", "board", "lights", "journal")
    return {
        "name": name,
        "sign": _sign(report, online=online),
        "game": _title(report.game),
        "throws": report.throws,
        "players": [
            {
                "number": number,
                "name": report.players[number - 1] if number <= len(report.players) else "",
                "score": score,
                "waits": report.waits_for == number and not report.over,
                "won": report.over and number in report.winners,
            }
            for number, score in enumerate(report.scores, start=1)
        ],
        "watch": report.watch if online and report.match is not None else "",
        "trouble": [part for part in parts if getattr(report, part) == "trouble"],
    }


def _sign(report: TableReport, *, online: bool) -> str:
    """Return the one word that says how a table is; what needs the organiser goes first."""
    signs = (
        ("offline", not online),
        ("journal", report.journal == "trouble"),
        ("asks_board", report.asks == "board"),
        ("asks_dice", report.asks == "dice" or report.state == "PROPOSED"),
        ("mismatch", report.state == "MISMATCH"),
        ("blind", report.state == "BLIND"),
        ("closed", report.screen == "closed"),
        ("attract", report.screen == "attract"),
        ("free", report.match is None),
        ("over", report.over),
        ("paused", report.paused),
    )
    return next((sign for sign, true in signs if true), "plays")


def _title(slug: str | None) -> str | None:
    """Return a game's title in English, which the page translates; the name itself of a game that is not known here."""
    known = games().get(slug or "")
    return slug if known is None else known.title


def results_now(database: Database, hall: str) -> list[dict[str, Any]]:
    """Return the matches that ended last, the newest first.

    Raises:
        BookError: the book cannot be read.
    """
    rows = database.rows(
        "SELECT m.id, t.name, m.game, m.outcome, m.ended FROM matches m JOIN tables t ON t.id = m.of_table"
        " WHERE t.hall = %s AND m.outcome IS NOT NULL ORDER BY m.ended DESC, m.id DESC LIMIT %s",
        hall,
        NEWEST_RESULTS,
    )
    return [
        {
            "table": table,
            "game": _title(game),
            "ended": ended,
            "players": _players(_names(database, match), read_ended(outcome).winners, read_ended(outcome).scores),
        }
        for match, table, game, outcome, ended in rows
    ]


def _names(database: Database, match: int) -> list[str]:
    rows = database.rows("SELECT name FROM players WHERE match = %s ORDER BY number", match)
    return [row[0] or "" for row in rows]


def _players(names: Sequence[str], winners: Sequence[int], scores: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "name": names[number - 1] if number <= len(names) else "",
            "score": score,
            "won": number in winners,
        }
        for number, score in enumerate(scores, start=1)
    ]
