"""``companion hall``: what a hall of tables with a broker begins with, its desk, and its book."""

import shlex
import signal
import sys
import threading
from pathlib import Path

import click

from companion.commands.hall.serve import serve
from companion.commands.refusing import refuse_filled, refusing


@click.command(short_help="Print the systemd unit of a permanent desk.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--collect", is_flag=True, help="The unit of the book alone (`companion hall collect`), without a page.")
@click.option("--user", default="alea", show_default=True, help="The account that it runs under.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def service(file: Path, *, collect: bool, user: str, options: tuple[str, ...]) -> None:
    """Print a systemd unit that starts the desk of FILE's hall with the computer and keeps it running.

    OPTIONS, after --, are those of `companion hall serve`, e.g. -- --host 0.0.0.0, or of `companion hall collect`.
    """
    from companion.web.serving.units import hall_unit

    click.echo(hall_unit(Path(sys.argv[0]).resolve(), file.resolve(), user, options, serves=not collect), nl=False)


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

    from companion.commands.serve.hall import hall_settings, refuse_code

    settings = hall_settings(file, of_table=journal is not None)
    assert settings is not None
    if journal is None:
        refuse_code(settings)
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
            pass  # what is wrong with the book is reported at once, not waited for
    ending = threading.Event()
    for ends in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ends, lambda *_: ending.set())
    click.echo(f"The book of {settings.hall} is being written; Ctrl+C ends it.")
    Collector(settings, ending).run()


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("table")
@click.argument("first")
def forget(file: Path, table: str, first: str) -> None:
    """Delete a match of TABLE from the book that FILE names, for good; FIRST is the hash of its first event."""
    from companion.commands.serve.hall import hall_settings
    from companion.hall.book.book import Book
    from companion.hall.book.database import BookError, Database

    settings = hall_settings(file, of_table=False)
    assert settings is not None
    with refusing(BookError), Database(settings.book) as database:
        gone = Book(database, settings.hall).forget(table, first)
    if not gone:
        raise click.ClickException(f"The book has no match of {table} that begins with {first:.64}.")
    click.echo("The match has been deleted from the book.")


FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group()
def command() -> None:
    """Join a table to a hall, keep the hall's book, and watch all tables."""


@command.command(short_help="Write all files of a hall with a broker.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("tables", nargs=-1, required=True)
@click.option("--host", metavar="ADDRESS", help="The broker's address or name; by default this computer's address.")
@click.option("--book", metavar="WHERE", help="A new hall's book: a file, by default hall.db, or postgresql://...")
def init(folder: Path, tables: tuple[str, ...], host: str | None, book: str | None) -> None:
    """Write into FOLDER what a hall with a broker needs: settings and passwords of TABLES and desk, Mosquitto's files.

    The hall is called like the folder. Called again, it adds tables and keeps what is there.
    """
    from companion.hall.beginning import BROKER, INSTALLED, write_hall
    from companion.hall.settings import HallSettingsError
    from companion.web.addresses import outside_addresses

    with refusing(HallSettingsError, OSError):
        named, at = write_hall(folder, tables, host=host, own=host or outside_addresses()[0], book=book)
    where = shlex.quote(str(folder))
    click.echo(f"{len(named)} tables reach the hall {folder.resolve().name} over the broker at {at}. On its computer:")
    click.echo(
        f"    sudo install -o mosquitto -m 600 {where}/{BROKER}/* {INSTALLED}/ && sudo systemctl restart mosquitto"
    )
    click.echo(f"The desk:\n    companion hall serve {where}/book/hall.toml")
    click.echo(f"Each table, which needs its folder alone:\n    companion serve --hall {where}/{named[0]}/hall.toml")


@command.command()
@FILE
def check(file: Path) -> None:
    """Check the settings in FILE, of a table or of the desk, and print one sentence per fault."""
    from companion.commands.serve.hall import hall_settings
    from companion.hall.acl import BOOK, OWNER
    from companion.hall.settings import open_doors

    settings = hall_settings(file, of_table=False)
    assert settings is not None
    of_table = settings.table != BOOK
    whose = f"table {settings.table}" if of_table else "the desk and the book"
    click.echo(f"The settings are in order: {whose} of the hall {settings.hall}.")
    if not of_table and settings.broker.user not in (BOOK, OWNER):
        click.echo('They name no table: those of a table need one more line, such as table = "north".')
    for warning in open_doors(settings, of_table=of_table):
        click.echo(f"Warning: {warning}", err=True)


@command.command(name="export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The settings of a hall with a broker, or of its desk; without them, the hall of `companion hall serve`.",
)
@click.option("--name", default="hall", show_default=True, help="The name of a hall without --file.")
@click.option("--names", is_flag=True, help="Also the players' names, and what people typed.")
def export(folder: Path, file: Path | None, *, name: str, names: bool) -> None:
    """Write the hall's whole book into FOLDER: tables as CSV, and a description of every column."""
    from companion.commands.hall.serve import own_hall
    from companion.commands.serve.hall import hall_settings
    from companion.hall.book.database import BookError, Database
    from companion.hall.book.export import TABLES
    from companion.hall.book.export import export as write

    settings = own_hall(name, None)[1] if file is None else hall_settings(file, of_table=False)
    assert settings is not None
    refuse_filled(folder)
    with refusing(BookError, OSError), Database(settings.book) as database:
        counts = write(database, settings.hall, folder, names=names)
    click.echo(", ".join(f"{table.name}: {counts[table.name]}" for table in TABLES) + f"; in {folder}.")


command.add_command(collect)
command.add_command(forget)
command.add_command(serve)
command.add_command(service)
