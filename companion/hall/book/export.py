"""The whole book as tables for a spreadsheet or R, with a description of every column (Frictionless Data Package)."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from companion.hall.book.database import Database
from companion.rules.strict_json import read_json
from companion.spreadsheet import as_csv
from companion.whole_file import write_whole

MATCHES_AT_ONCE: Final = 200
"""Matches, or series, whose events are read at a time: a book over years does not fit into memory."""

PERSONAL: Final = ("reason", "title")
"""What people typed in an event, beside their names."""

Kind = Literal["string", "integer", "number", "boolean"]
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Column:
    """One column of a table, as its description names it."""

    name: str
    type: Kind
    description: str


@dataclass(frozen=True)
class BookTable:
    """One table of the export.

    ``columns``: in the order of the rows that ``sql`` selects; it selects those of chains from one number to another
    where it takes these; ``of``: the table of the book whose numbers these are, "" where all rows come at once.
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    sql: str
    of: Literal["", "matches", "series"] = ""


TABLES: Final = msgspec.toml.decode(
    (files(__package__) / "export.toml").read_bytes(), type=dict[Literal["table"], tuple[BookTable, ...]]
)["table"]
"""In the order of their files."""


def export(database: Database, hall: str, folder: Path, *, names: bool) -> Counter[str]:
    """Write the tables and their description into a folder; return how many rows each table has.

    ``names``: with the players' names and what people typed; without, both are left out wherever they stand.

    Raises:
        BookError: the book cannot be read.
        OSError: a file cannot be written.
    """
    counts: Counter[str] = Counter()

    def pieces(table: BookTable) -> Iterator[bytes]:
        clean = _cleaner(table, names=names)
        yield as_csv([[column.name for column in table.columns]]).encode()
        for rows in _rows(database, hall, table):
            counts[table.name] += len(rows)
            yield as_csv(map(clean, rows)).encode()

    for table in TABLES:
        write_whole(folder / f"{table.name}.csv", pieces(table), folders=True)
    text = json.dumps(description(hall), indent=2, ensure_ascii=False)
    write_whole(folder / "datapackage.json", f"{text}\n".encode())
    return counts


def description(hall: str) -> dict[str, Any]:
    """Return the description of the tables, in the form of a Data Package with a Table Schema for each."""
    return {
        "profile": "tabular-data-package",
        "name": f"alea-hall-{hall}",
        "resources": [
            {
                "profile": "tabular-data-resource",
                "name": table.name,
                "path": f"{table.name}.csv",
                "description": table.description,
                "encoding": "utf-8",
                "schema": {
                    "fields": [
                        {"name": one.name, "type": one.type, "description": one.description} for one in table.columns
                    ]
                },
            }
            for table in TABLES
        ],
    }


def _rows(database: Database, hall: str, table: BookTable) -> Iterator[list[Row]]:
    """Yield the rows of a table, so many at once as fit into memory."""
    if not table.of:
        yield database.rows(table.sql, hall)
        return
    last = int(database.rows(f"SELECT COALESCE(MAX(id), 0) FROM {table.of}")[0][0])  # noqa: S608  (a word of our own)
    for after in range(0, last, MATCHES_AT_ONCE):
        yield database.rows(table.sql, hall, after, after + MATCHES_AT_ONCE)


def _cleaner(table: BookTable, *, names: bool) -> Callable[[Row], Row]:
    """Return what makes a row of the file of one of the book."""
    places = {column.name: place for place, column in enumerate(table.columns)}

    def cleaned(row: Row) -> Row:
        values = list(row)
        if "program" in places:
            values[places["program"]] = bool(values[places["program"]])
        if not names and "name" in places:
            values[places["name"]] = ""
        if not names and "body" in places:
            values[places["body"]] = without_names(str(values[places["body"]]))
        return tuple(values)

    return cleaned


def without_names(body: str) -> str:
    """Return an event's JSON without the players' names and without what people typed; one that is none is empty."""
    try:
        event = read_json(body)
    except ValueError:
        return ""
    if not isinstance(event, dict):
        return ""
    kept = {name: "" if name in (*PERSONAL, "name") else value for name, value in event.items()}
    if isinstance(event.get("players"), list):
        kept["players"] = [str(number) for number in range(1, len(event["players"]) + 1)]
    return json.dumps(kept, ensure_ascii=False)
