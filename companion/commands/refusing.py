"""How a command ends where something refuses what was asked: with one sentence, and without a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """End the command with the text of any of these errors that the block raises."""
    try:
        yield
    except errors as why:
        raise click.ClickException(str(why)) from why
