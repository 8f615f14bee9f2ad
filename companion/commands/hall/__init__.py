"""``companion hall``: a table's place in a hall of tables, the broker's access list, and the hall's book."""

import shlex
from pathlib import Path

import click

from companion.commands.hall.collect import collect
from companion.commands.hall.serve import serve
from companion.commands.hall.service import service
from companion.commands.refusing import refusing
from companion.whole_file import write_whole


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


@command.command()
@FILE
def init(file: Path) -> None:
    """Write FILE, the settings of a table in a hall; an existing file is kept."""
    from companion.hall.settings import BEGINNING

    if file.exists():
        raise click.ClickException(f"{file} already exists and is kept.")
    write_whole(file, BEGINNING.encode())
    click.echo(f"{file} was written. Name your table there, then: companion hall check {shlex.quote(str(file))}")


@command.command()
@FILE
def check(file: Path) -> None:
    """Check the settings in FILE, of a table or of the desk, and print one sentence per fault."""
    from companion.commands.serve.hall import hall_settings
    from companion.hall.acl import BOOK
    from companion.hall.settings import open_doors

    settings = hall_settings(file, of_table=False)
    assert settings is not None
    of_table = settings.table != BOOK
    whose = f"table {settings.table}" if of_table else "the desk and the book"
    click.echo(f"The settings are in order: {whose} of the hall {settings.hall}.")
    if not of_table:
        click.echo('They name no table: those of a table need one more line, such as table = "north".')
    for warning in open_doors(settings, of_table=of_table):
        click.echo(f"Warning: {warning}", err=True)


@command.command()
@click.argument("hall")
@click.option("--table", "tables", multiple=True, required=True, metavar="NAME", help="A table of the hall.")
@click.option("--prefix", default="homeassistant", show_default=True, help="Of Home Assistant's discovery.")
def acl(hall: str, tables: tuple[str, ...], prefix: str) -> None:
    """Print Mosquitto's access list for HALL: a table writes only its own topics."""
    from companion.hall.acl import ASSISTANT, BOOK, OWNER, access_list
    from companion.hall.settings import NAME

    for name in (hall, *tables, prefix):
        if not NAME.fullmatch(name):
            raise click.ClickException(f"Expected 1 to 40 small letters, digits, - and _, but got {name!r}.")
    if taken := {ASSISTANT, BOOK, OWNER} & {*tables}:
        raise click.ClickException(f"Expected a table name other than {', '.join(taken)}: users have these names.")
    click.echo(access_list(hall, tables, prefix), nl=False)


command.add_command(collect)
command.add_command(forget)
command.add_command(serve)
command.add_command(service)
