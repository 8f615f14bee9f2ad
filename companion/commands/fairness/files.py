"""The files of the fairness laboratory's commands: their text, and the dice whose throws they hold."""

import gc
import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.rules.strict_json import StrictJsonError, read_json

if TYPE_CHECKING:
    from companion.fairness.account import CountedThrow, DieAccount
    from companion.fairness.outcomes import Outcomes
    from companion.fairness.reader_errors import ReaderErrors
    from companion.fairness.record import Record
    from companion.fairness.tables.wholeness import WholeTable
    from companion.rules.die import Die


def text_of(file: Path) -> str:
    """Return the text of a file unchanged, with its line ends: a name in it may contain one.

    Spreadsheets write UTF-8 with a mark at its beginning, UTF-16, or what Windows used before.

    Raises:
        OSError: the file cannot be read.
        click.ClickException: it is no text.
    """
    content = file.read_bytes()
    try:
        return content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else _encoding(content))
    except UnicodeDecodeError as why:
        raise click.ClickException(
            f"{file}: Expected a text file in UTF-8 (CSV or JSON), but byte {why.start + 1} is not valid: save it as "
            f"UTF-8."
        ) from why


def _encoding(content: bytes) -> str:
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "cp1252" if b"\0" not in content else "utf-8-sig"
    return "utf-8-sig"


def printable(name: str) -> str:
    """Return a name with a question mark for each letter that cannot be printed."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def accounts_of(
    file: Path, set_name: str, die: "Die", outcomes: "Outcomes", *, together: int = 1, several: bool = False
) -> "list[DieAccount]":
    """Return the dice whose throws a file holds, named as the file is.

    ``together``: how many dice that nobody can distinguish fell in each throw. ``several``: the file may hold several
    dice, which its column ``die`` names.

    Raises:
        OSError: the file cannot be read.
        click.ClickException: it makes no sense.
    """
    from companion.fairness.account import DieAccount, counts_of
    from companion.fairness.record import read_record, read_records
    from companion.fairness.report.sequence import is_sequence, read_table
    from companion.fairness.tables.lines import RecordError

    text = text_of(file)
    with _uncollected():
        try:
            if is_sequence(text):
                table = read_table(text, outcomes)
                counts = counts_of(table.throws, outcomes)
                return [DieAccount(file.stem, set_name, die, outcomes, counts, table.throws, faults=table.faults)]
            records = read_records(text, outcomes, die) if several else {"": read_record(text, outcomes, die)}
        except RecordError as why:
            raise click.ClickException(f"{file}: {why}") from why
        return [
            DieAccount(
                printable(name or file.stem),
                set_name,
                die,
                outcomes,
                record.counts,
                None if table is None else table.throws,
                understood=record.understood,
                faults=() if table is None else table.faults,
                unread_counted=record.unread if record.places is None else 0,
            )
            for name, record in records.items()
            for table in [_table_of(record, together)]
        ]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no cycles of objects: a million rows hold none, and the search takes as long as reading them."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _table_of(record: "Record", together: int) -> "WholeTable | None":
    """Return the throws of a file in their order and whether they are whole, None if it has only counts."""
    from companion.fairness.tables.wholeness import checked

    throws = _thrown_of(record, together)
    return None if throws is None else checked(throws)


def _thrown_of(record: "Record", together: int) -> "list[CountedThrow] | None":
    """Return the throws of a file in their order, None if it has only counts."""
    from companion.fairness.account import CountedThrow

    if record.places is None:
        return None
    sessions, hands = (record.groups.get(name) or [""] * len(record.places) for name in ("session", "hand"))
    return [
        CountedThrow(number, place, "file", suspected=likely, session=session, hand=hand, together=together)
        for number, place, likely, session, hand in zip(
            record.numbers, record.places, record.suspected, sessions, hands, strict=True
        )
    ]


def reader_of(file: Path, outcomes: "Outcomes") -> "ReaderErrors":
    """Return how the reader read known faces, as a file tells it: a measurement alone, or a report that holds one.

    Raises:
        OSError: the file cannot be read.
        click.ClickException: it is neither.
    """
    from companion.fairness.reader_errors import ReaderError
    from companion.fairness.reader_file import read_reader

    try:
        return read_reader(_measurement(text_of(file)), outcomes)
    except ReaderError as why:
        raise click.ClickException(f"{file}: {why}") from why


def _measurement(text: str) -> str:
    """Return the reader's measurement in a report's JSON, or the text itself if it is no report."""
    from companion.fairness.report.as_json import FORM

    try:
        data = read_json(text)
    except StrictJsonError:
        return text  # the caller's parser says what is wrong
    return json.dumps(data.get("reader")) if isinstance(data, dict) and data.get("form") == FORM else text
