"""Where series of throws are stored: in a file of their own beside the journal of matches."""

from typing import Final

from companion.fairness.series.events import CODEC, SeriesEvent
from companion.language.sentence import N_
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger

SERIES_SCHEMA: Final = 1
APPLICATION_ID: Final = 0x416C654C  # "AleL" in the file's header


class SeriesLedger(Ledger[SeriesEvent]):
    """An open file of series. One thread writes; another may open it for reading only."""

    kind = LedgerKind(
        APPLICATION_ID,
        SERIES_SCHEMA,
        "series",
        CODEC.to_json,
        CODEC.from_json,
        unknown=N_("The journal {path} has no series {series}."),
        moved_on=N_("Series {series} has changed since you opened it: open the list again."),
        unreadable=N_("Event {number} of series {series} cannot be read ({why}): begin a new series."),
        changed=N_(
            "In the journal, event {event} of series {series} is not the one that was written: the file has been "
            "changed."
        ),
        rescued=N_(
            "The journal was damaged: {saved} events of {series} series were saved, {left} more could be read but do "
            "not follow from them; the damaged file is kept as {file}."
        ),
        chains="series",
        lost=N_("{lost} of series {series}, after event {event}"),
    )
