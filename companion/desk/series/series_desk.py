"""The laboratory's desk: the open series and its file. Every change to either goes through here, from one thread."""

from collections.abc import Callable, Sequence

from companion.desk.kept import KeptDesk
from companion.fairness.series.events import Ended, Resumed, SeriesEvent, SeriesStarted
from companion.fairness.series.fold import NoSeriesError, Series
from companion.fairness.series.ledger import SeriesLedger
from companion.language.sentence import Sentence
from companion.ledger.entries import JournalError, JournalWriteError
from companion.referee.refused import RefusedError, refusing


class SeriesDesk(KeptDesk):
    """Holds one series at a time. Every change is durable in the file before the series here shows it."""

    def __init__(self, ledger: SeriesLedger, clock: Callable[[], float]) -> None:
        """``clock``: seconds since 1970."""
        super().__init__(ledger, clock)
        self.ledger = ledger
        self.series: Series | None = None
        self.turns = 0  # counts openings and deletions of series: then lists are out of date

    def require_series(self) -> Series:
        """Return the open series.

        Raises:
            RefusedError: none is open.
        """
        if self.series is None:
            raise RefusedError(Sentence("No series is open: begin a new one or open an earlier one."))
        return self.series

    def record(self, events: Sequence[SeriesEvent], actor: str) -> list[int]:
        """Make events of the open series durable, all or none, then fold them in; return their numbers.

        Raises:
            RefusedError: no series is open.
            UnwrittenError: the file could not be written and nothing happened.
        """
        series = self.require_series()
        with self.writing():
            entries = self.ledger.append(series.id, events, self._clock(), actor)
        for entry in entries:
            series.take(entry)
        return [entry.number for entry in entries]

    def begin(self, started: SeriesStarted, actor: str) -> Series:
        """Start a new series; lay an open one aside, so that it can be taken up again.

        Raises:
            UnwrittenError: the file could not be written.
        """
        self.put_away(actor)
        with self.writing():
            number = self.ledger.open_chain(started, self._clock(), actor)
            self.series = Series(self.ledger.events(number))
        self.turns += 1
        return self.series

    def open(self, number: int, actor: str) -> Series:
        """Take a series up again; lay an open one aside.

        Raises:
            RefusedError: there is no such series, or it cannot be read.
        """
        if self.series is None or self.series.id != number:
            series = self._folded(number)
            self.put_away(actor)
            self.series = series
            self.turns += 1
        if self.series.ended:
            self.record([Resumed()], actor)
        return self.series

    def reopen_last(self) -> None:
        """Open the series last written to, as it was left, unless it was laid aside. Writes nothing."""
        for number in self.ledger.latest()[:1]:
            try:
                series = self._folded(number)
            except RefusedError as why:
                self.trouble = self.trouble or why.sentence
                return
            self.series = None if series.ended else series

    def put_away(self, actor: str) -> None:
        """Lay the open series aside, if one is open."""
        if self.series is not None:
            self.record([Ended()], actor)
            self.turns += 1
        self.series = None

    def delete(self, number: int) -> tuple[Series, bool]:
        """Delete a series that is not open from the file, for good.

        Returns the series as it was, and whether nothing of it is left on the disk; if something is, closing the file
        removes it.

        Raises:
            RefusedError: it is open, or there is no such series.
            UnwrittenError: the file could not be written.
        """
        if self.series is not None and self.series.id == number:
            raise RefusedError(Sentence("This series is open: set it aside before you delete it."))
        series = self._folded(number)
        with refusing(JournalError), self.writing(JournalWriteError):
            done = self.ledger.forget(number, self.ledger.events(number, series.events - 1)[-1].hash)
        self.turns += 1
        return series, done

    def _folded(self, number: int) -> Series:
        with refusing(JournalError, NoSeriesError):
            return Series(self.ledger.events(number))
