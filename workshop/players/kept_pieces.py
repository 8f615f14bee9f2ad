"""Pieces of a long work that are kept in a file, so that a work that was stopped goes on where it was."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from companion.parallel.parts import Done, Piece, Result, Workers

log = logging.getLogger(__name__)

KEY: Final = 16
"""Letters of a piece's name in the file."""

TEXT: Final = frozenset({".py", ".toml", ".npz"})
"""The endings of a program's texts and data."""

COMPANION: Final = Path(__file__).parents[2] / "companion"


class KeptPieces:
    """Workers that do only the pieces whose results a file does not have, and add each to it when it is done.

    The file has a line of JSON for each piece, named by a digest of the task, of the piece and of the program's text:
    what another program found is not taken. Results are JSON, with NumPy's arrays as lists; floats come back exactly.
    """

    def __init__(self, workers: Workers, file: Path, program: Iterable[Path]) -> None:
        """``program``: the files of the program on which results depend, beside the task and the piece.

        Raises:
            OSError: a file cannot be read.
        """
        self._workers = workers
        self._file = file
        self._program = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(program))).hexdigest()
        self._results: dict[str, Any] = dict(_lines(file))

    @property
    def number(self) -> int:
        """How many pieces are done at the same time."""
        return self._workers.number

    def __enter__(self) -> Self:
        self._workers.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.__exit__(kind, error, trace)

    def run(self, task: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Done[Result]:
        """Do a task, whose `repr` says all of it, for each piece; those that are kept come first.

        Raises:
            OSError: the file cannot be written.
        """
        keys = [hashlib.sha256(f"{self._program} {task!r} {piece!r}".encode()).hexdigest()[:KEY] for piece in pieces]
        places = {place for place, key in enumerate(keys) if key in self._results}
        for place in sorted(places):
            yield place, self._results[keys[place]]
        left = [place for place in range(len(pieces)) if place not in places]
        if places and left:
            log.info("%d of %d pieces are done already", len(places), len(pieces))
        if not left:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as opened:
            for done, result in self._workers.run(task, [pieces[place] for place in left]):
                key = keys[left[done]]
                opened.write(f"\n{json.dumps([key, result], default=_array)}")  # a torn line before it stays alone
                opened.flush()
                self._results[key] = result
                yield left[done], result


def kept(workers: Workers, file: Path | None, *program: Path) -> Workers:
    """Return workers that keep their pieces in a file, if one is given.

    ``program``: the files and folders on which results depend; a folder stands for its program texts and data.

    Raises:
        OSError: a file cannot be read.
    """
    if file is None:
        return workers
    folders = [one for path in program if path.is_dir() for one in path.rglob("*") if one.suffix in TEXT]
    return KeptPieces(workers, file, [*folders, *(path for path in program if path.is_file())])


def _lines(file: Path) -> Iterable[tuple[str, Any]]:
    """Yield what a file keeps; a line that was torn when the work was stopped is left out."""
    if not file.exists():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            key, result = json.loads(line)
        except ValueError:
            continue
        yield key, result


def _array(value: Any) -> Any:
    return value.tolist()
