"""``companion hall collect``: write the hall's book."""

import signal
import threading
from pathlib import Path

import click

from companion.commands.refusing import refusing


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--book", metavar="WHERE", help="The book: a file, or postgresql://...; by default as FILE says.")
@click.option(
    "--journal",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Write this journal of the table named in FILE into the book, and end. This needs no broker.",
)
def collect(file: Path, book: str | None, journal: Path | None) -> None:
    """Write what the tables of a hall publish into the hall's book, until interrupted.

    FILE holds the settings: the hall, the broker, the book. Nothing is written twice.
    """
    from dataclasses import replace

    from companion.commands.serve.hall import hall_settings

    settings = hall_settings(file, of_table=journal is not None)
    assert settings is not None
    # only now, because these need the extra
    from companion.hall.book.database import BookError, Database
    from companion.hall.collector import Collector, collect_journal
    from companion.ledger.entries import JournalError

    if book is not None:
        settings = replace(settings, book=book)
    with refusing(BookError, JournalError):
        if journal is not None:
            count = collect_journal(settings, journal)
            click.echo(f"The book now has the {count} events of {journal.name}.")
            return
        with Database(settings.book):
            pass  # what is wrong with the book is said at once, not waited for
    ending = threading.Event()
    for ends in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ends, lambda *_: ending.set())
    click.echo(f"The book of {settings.hall} is being written; Ctrl+C ends it.")
    Collector(settings, ending).run()
