"""What the desk needs of the rows in which throws of one die stand that look alike, for a person to name."""

from collections.abc import Sequence
from typing import Final, Protocol

from companion.desk.shapes.series import RowsShape
from companion.fairness.series.events import Corrected, Learnt, Thrown
from companion.fairness.series.fold import Series
from companion.language.sentence import Sentence
from companion.referee.refused import RefusedError

IN_A_ROW: Final = "named by a person in a row of throws that look alike"
"""The reason that a series keeps for such a name."""

NO_ROWS: Final = Sentence("This series is not counted in rows: answer the question about each throw.")


class KeptRows(Protocol):
    """The rows of all series, as a file keeps them. Only the writer uses it."""

    def remove(self, series: int) -> None:
        """Delete what is kept of a series."""


class Rows:
    """Throws of one die that are sorted by likeness and named in rows. Only the writer uses it.

    Here no series is counted so; what sorts throws overrides everything.
    """

    def begin(self, series: Series) -> None:
        """Count a series that has just begun by likeness, if it is of one die whose upper face a camera sees."""

    def resume(self, series: Series) -> None:
        """Count a series on by likeness if it was counted so."""

    def counts(self, series: Series | None) -> bool:
        """Whether this series is counted by likeness."""
        del series
        return False

    def follow(self, series: Series | None) -> Sequence[Thrown | Learnt]:
        """Take up what was thrown and what was sorted; return what is to be recorded."""
        del series
        return []

    def recorded(self) -> None:
        """Read further throws by the rows, now that the series has what they taught."""

    def sort(self, series: Series) -> None:
        """Sort now what was thrown so far.

        Raises:
            RefusedError: there are too few throws, or none that is doubtful.
        """
        del series
        raise RefusedError(NO_ROWS)

    def name(self, series: Series, row: int, label: str | None) -> Sequence[Corrected | Learnt]:
        """Take what a person says that a row shows, None to leave it out; return what is to be recorded.

        Raises:
            RefusedError: there is no such row to be named.
        """
        del series, row, label
        raise RefusedError(NO_ROWS)

    def to_page(self, series: Series | None) -> RowsShape | None:
        """Return what the page shows of the rows; None for a series that is not counted by likeness."""
        del series
        return None

    def sentence(self, series: Series | None) -> Sentence | None:
        """Return what to say beside the throws, None where the usual sentence fits."""
        del series
        return None

    def picture(self, name: str) -> bytes | None:
        """Return the JPEG of a throw as a row shows it, by its hash, or None. Any thread may call it."""
        del name
        return None

    def stop(self) -> None:
        """Start nothing more."""


UNSORTED: Final = Rows()
