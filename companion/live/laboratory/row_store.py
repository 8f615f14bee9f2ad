"""The rows of throws that look alike, kept in a file beside the series: a restart loses neither rows nor names."""

import json
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from companion.vision.dice.atlas.throws import DieCut
    from companion.vision.dice.groups.crops import Crop

log = logging.getLogger(__name__)

FORM: Final = """
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS throws (
    series INTEGER, picture TEXT, net TEXT, corners INTEGER, descriptors BLOB, guess TEXT,
    PRIMARY KEY (series, picture)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS solids (
    series INTEGER, picture TEXT, place TEXT, PRIMARY KEY (series, picture)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (series INTEGER PRIMARY KEY, state TEXT);
"""
"""What was cut out of each throw, whose picture lies beside the series under this hash: what the net saw of an upper
face, and where it lay, or a solid whose whole surface is compared. And how far the rows are."""

BUSY_SECONDS: Final = 5.0


@dataclass(frozen=True)
class RowsState:
    """How far the rows of a series are.

    ``learnt``: the numbers of the throws of which the rows are made; ``rows``: the numbers of each row's throws;
    ``answers``: by a row's place what a person said that it shows, None to leave it out. All are empty before the
    throws are sorted.
    """

    learnt: tuple[int, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()
    answers: Mapping[int, str | None] = field(default_factory=dict)


class RowStore:
    """A file of rows. If it cannot be written, counting goes on, and the rows last as long as the program runs.

    Only the writer uses it.
    """

    def __init__(self, path: Path) -> None:
        """``path``: the file; it is made when something is to be kept."""
        self._path = path

    def keep(self, series: int, picture: str, crop: "Crop | DieCut") -> None:
        """Keep what was cut out of a throw whose picture has this hash."""
        from companion.vision.dice.atlas.throws import DieCut  # noqa: PLC0415  (nets load slowly)
        from companion.vision.dice.nets import mark_net  # noqa: PLC0415  (likewise)

        if isinstance(crop, DieCut):
            place: Any = [crop.inside, astuple(crop.spot), crop.size]
        else:
            place = crop.outline.tolist()
        self._write("INSERT OR REPLACE INTO solids VALUES (?, ?, ?)", (series, picture, json.dumps(place)))
        if isinstance(crop, DieCut):
            return
        descriptors = np.asarray(crop.descriptors, np.float32)
        self._write(
            "INSERT OR REPLACE INTO throws VALUES (?, ?, ?, ?, ?, ?)",
            (series, picture, mark_net(), len(descriptors), descriptors.tobytes(), json.dumps(crop.guess)),
        )

    def crop(self, series: int, picture: str, jpeg: bytes | None) -> "Crop | DieCut | None":
        """Return a throw that was kept; None if it was not, its picture is gone, or another net saw it."""
        from companion.vision.dice.atlas.place import Spot  # noqa: PLC0415  (nets load slowly)
        from companion.vision.dice.atlas.throws import DieCut  # noqa: PLC0415  (likewise)
        from companion.vision.dice.groups.crops import Crop  # noqa: PLC0415  (likewise)
        from companion.vision.dice.nets import mark_net  # noqa: PLC0415  (likewise)
        from companion.vision.images import decode_image  # noqa: PLC0415  (likewise)
        from companion.vision.picture_header import BadFrameError  # noqa: PLC0415  (likewise)

        asked = "SELECT corners, descriptors, guess FROM throws WHERE series = ? AND picture = ? AND net = ?"
        found = self._read(asked, (series, picture, mark_net()))
        solid = self._read("SELECT place FROM solids WHERE series = ? AND picture = ?", (series, picture))
        if jpeg is None:
            return None
        try:
            if found is None and solid is not None:
                (x, y), spot, (width, height) = json.loads(solid[0])
                return DieCut(decode_image(jpeg), (float(x), float(y)), Spot(*map(float, spot)), (width, height))
            if found is None:
                return None
            corners, described, guess = found
            descriptors = np.frombuffer(described, np.float32).reshape(corners, -1)
            guesses = tuple((str(text), float(chance)) for text, chance in json.loads(guess))
            outline = np.array([] if solid is None else json.loads(solid[0]), np.float64).reshape(-1, 2)
            return Crop(decode_image(jpeg), descriptors, guesses, outline)
        except (ValueError, TypeError, BadFrameError) as why:
            log.warning("a kept throw cannot be read: %s", why)
            return None

    def save(self, series: int, state: RowsState) -> None:
        """Keep how far the rows of a series are."""
        data = {"learnt": state.learnt, "rows": state.rows, "answers": list(state.answers.items())}
        self._write("INSERT OR REPLACE INTO rows VALUES (?, ?)", (series, json.dumps(data)))

    def state(self, series: int) -> RowsState | None:
        """Return how far the rows of a series are; None for a series that was not counted by likeness."""
        found = self._read("SELECT state FROM rows WHERE series = ?", (series,))
        if found is None:
            return None
        try:
            data = json.loads(found[0])
            return RowsState(
                tuple(map(int, data["learnt"])),
                tuple(tuple(map(int, row)) for row in data["rows"]),
                {int(row): None if label is None else str(label) for row, label in data["answers"]},
            )
        except (ValueError, TypeError, KeyError) as why:
            log.warning("the rows of series %s start again: %s", series, why)
            return RowsState()

    def remove(self, series: int) -> None:
        """Delete what is kept of a series."""
        if self._path.exists():
            for table in ("throws", "solids", "rows"):
                self._write(f"DELETE FROM {table} WHERE series = ?", (series,))  # noqa: S608 (the tables of this file)

    def _write(self, statement: str, values: Sequence[Any]) -> None:
        try:
            with closing(self._open()) as file, file:
                file.executescript(FORM)
                file.execute(statement, values)
        except sqlite3.Error as why:
            log.warning("the rows of throws are not kept for now: %s", why)

    def _read(self, statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
        if not self._path.exists():
            return None
        try:
            with closing(self._open()) as file:
                found = file.execute(statement, values).fetchone()
        except sqlite3.Error as why:
            log.warning("the kept rows of throws cannot be read: %s", why)
            return None
        return None if found is None else tuple(found)

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=BUSY_SECONDS)
