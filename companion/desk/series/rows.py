"""What the desk needs of the rows in which throws of one die stand that look alike, for a person to name."""

from collections.abc import Sequence
from typing import Final, Protocol

from companion.fairness.series.events import Corrected, Learnt
from companion.fairness.series.fold import Series
from companion.language.sentence import Sentence

IN_A_ROW: Final = "named by a person in a row of throws that look alike"
"""The reason that a series keeps for such a name."""

NO_ROWS: Final = Sentence("This series is not counted in rows: answer the question about each throw.")


class KeptRows(Protocol):
    """The rows of all series, as a file keeps them. Only the writer uses it."""

    def remove(self, series: int) -> None:
        """Delete what is kept of a series."""


class Rows(Protocol):
    """Throws of one die that are sorted by likeness and named in rows. Only the writer uses it."""

    def begin(self, series: Series) -> None:
        """Count a series that has just begun by likeness, if it is of one die whose upper face a camera sees."""

    def resume(self, series: Series) -> None:
        """Count a series on by likeness if it was counted so."""

    def sort(self, series: Series) -> None:
        """Sort now what was thrown so far.

        Raises:
            RefusedError: there are too few throws, or none that is doubtful.
        """

    def name(self, series: Series, row: int, label: str | None) -> Sequence[Corrected | Learnt]:
        """Take what a person says that a row shows, None to leave it out; return what is to be recorded.

        Raises:
            RefusedError: there is no such row to be named.
        """
