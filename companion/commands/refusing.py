"""How a command ends where something refuses what was asked: with one sentence, and without a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """End the command with the text of any of these errors that the block raises."""
    try:
        yield
    except errors as why:
        raise click.ClickException(str(why)) from why


def refuse_filled(folder: Path) -> None:
    """Refuse to write into a folder that holds something.

    Raises:
        click.ClickException: it does.
    """
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"Expected a new or empty folder, but {folder} holds something: name another one.")
