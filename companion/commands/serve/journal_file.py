"""Where a command keeps its journal if nobody names a file."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.whole_file import make_folder


@contextmanager
def journal_file(given: Path | None, sample: str | None, name: str) -> Iterator[Path]:
    """Yield the journal's file: the named one, a temporary one for a sample, else the user's own, called ``name``."""
    if given is not None:
        if not given.parent.is_dir():
            raise click.ClickException(
                f"Expected a folder for the journal, but there is no {given.parent}: make it, or name another file."
            )
        yield given
    elif sample is not None:
        with tempfile.TemporaryDirectory(prefix="companion-sample-") as folder:
            yield Path(folder) / name
    else:
        yield own_journal(name)


def own_journal(name: str) -> Path:
    """Return the user's own journal of this name; its folder is there afterwards."""
    from platformdirs import user_data_path

    own = user_data_path("alea-companion", appauthor=False)
    make_folder(own)
    return own / name
