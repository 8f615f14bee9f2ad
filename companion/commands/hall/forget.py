"""``companion hall forget``: delete a match from the hall's book."""

from pathlib import Path

import click

from companion.commands.refusing import refusing


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
