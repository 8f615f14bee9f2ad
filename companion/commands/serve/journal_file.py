"""Where a command keeps its journal if nobody names a file."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def journal_file(given: Path | None, sample: str | None, name: str) -> Iterator[Path]:
    """Yield the journal's file: the named one, a temporary one for a sample, else the user's own, called ``name``."""
    if given is not None:
        given.parent.mkdir(parents=True, exist_ok=True)
        yield given
    elif sample is not None:
        with tempfile.TemporaryDirectory(prefix="companion-sample-") as folder:
            yield Path(folder) / name
    else:
        from platformdirs import user_data_path

        yield user_data_path("alea-companion", appauthor=False, ensure_exists=True) / name
