"""Where series of throws are stored: in a file of their own beside the journal of matches."""

from pathlib import Path
from typing import Final

from companion.fairness.series.events import CODEC, SeriesEvent
from companion.language.sentence import Sentence
from companion.ledger.entries import JournalError
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger
from companion.ledger.rescue import open_ledger

SERIES_SCHEMA: Final = 1
APPLICATION_ID: Final = 0x416C654C  # "AleL" in the file's header


class UnknownSeriesError(JournalError):
    """The file has no series of this number."""


def _unknown(path: Path, series: int) -> UnknownSeriesError:
    return UnknownSeriesError(Sentence("The journal {path} has no series {series}.", path=str(path), series=series))


def _moved_on(series: int) -> Sentence:
    return Sentence("Series {series} has changed since you opened it: open the list again.", series=series)


def _unreadable(series: int, number: int, why: Sentence) -> Sentence:
    return Sentence(
        "Event {number} of series {series} cannot be read ({why}): begin a new series.",
        number=number,
        series=series,
        why=why,
    )


SERIES: Final = LedgerKind(
    APPLICATION_ID, SERIES_SCHEMA, "series", CODEC.to_json, CODEC.from_json, _unknown, _moved_on, _unreadable
)
"""What the ledger of series holds."""


class SeriesLedger(Ledger[SeriesEvent]):
    """An open file of series. One thread writes; another may open it for reading only."""

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        """Open the file; create a writable one if there is none.

        Raises:
            DamagedJournalError, NotAJournalError, NewerJournalError, JournalError: the file stays as it is.
        """
        super().__init__(path, SERIES, writable=writable)


class _SeriesWords:
    """The sentences about a ledger of series."""

    def changed(self, chain: int, number: int) -> Sentence:
        return Sentence(
            "In the journal, event {event} of series {series} is not the one that was written: the file has been "
            "changed.",
            series=chain,
            event=number,
        )

    def rescued(self, events: int, chains: int, left: int, file: str) -> Sentence:
        return Sentence(
            "The journal was damaged: {saved} events of {series} series were saved, {left} more could be read but do "
            "not follow from them; the damaged file is kept as {file}.",
            saved=events,
            series=chains,
            left=left,
            file=file,
        )

    def lost(self, chain: int, after: int, lost: int) -> Sentence:
        return Sentence("{lost} of series {series}, after event {event}", series=chain, event=after, lost=lost)


def open_series_ledger(path: Path) -> SeriesLedger:
    """Open the file of series; if it is damaged, open a new one with everything that is readable.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file stays as it is.
    """
    ledger = open_ledger(path, SeriesLedger, _SeriesWords())
    ledger.notice = ledger.notice or ledger.unreadable()
    return ledger
