"""A file of throws as anybody can see it, as plain JSON: opened as the laboratory opens it, series by series."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from companion.fairness.report.as_json import report_json
from companion.fairness.report.contents import report_of
from companion.fairness.report.sequence import to_csv
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.live.keeping import Keeping
from companion.live.laboratory.laboratory import Laboratory
from tests.golden.comparing import plain

Json = dict[str, Any]

NOW: Final = 1795500000.0
"""When a file is opened and gone on with, in seconds since 1970."""

OF_THE_PROGRAM: Final = ("version", "sources", "python", "numpy")
"""What a report says of the program that computes it, which is another one each time."""

LONG: Final = ("running", "sequence")
"""What a report holds of every throw: that is told once, as its CSV and under ``throws``."""

LATER: Final = ("findings",)
"""What a page is told when a thread has found it out: the report has it too."""


@contextmanager
def laboratory_of(path: Path) -> Iterator[Laboratory]:
    """Open a file of throws as the running laboratory does, without a camera."""
    laboratory = Laboratory(path, keeping=Keeping("all"), clock=lambda: NOW, seed=lambda: 1)
    laboratory.start()
    try:
        yield laboratory
    finally:
        laboratory.stop()


def told_laboratory(laboratory: Laboratory) -> Json:
    """Return what is said of a whole file at its opening, and the series that it lists."""
    shown = laboratory.snapshot().data
    return {
        "journal": plain(shown["health"]["journal"]),
        "sentence": plain(shown["sentence"]),
        "sign": shown["sign"],
        "series": _page(shown["series"]),
        "list": shown["series_list"],
    }


def told_series(laboratory: Laboratory, path: Path, number: int) -> Json:
    """Return all that can be seen of one series.

    ``not_as_written``: events that would be written otherwise than they stand in the file, of which the hash tells the
    rest; ``pictures``: those that are there, by their hashes; ``tables``: the hash of each die's CSV.
    """
    throws, accounts = laboratory.throws(number), laboratory.accounts(number)
    assert throws is not None, f"series {number} cannot be looked at"
    assert accounts is not None
    with SeriesLedger(path, writable=False) as ledger:
        entries = ledger.events(number)
    series = Series(entries)
    named = {one["digest"] for one in throws if one["digest"]} | set(series.photographs.values())
    return {
        "events": len(entries),
        "last_hash": entries[-1].hash,
        "not_as_written": [one.number for one in entries if ledger.kind.written(one.event) != one.body],
        "throws": [list(throws[0]), *(list(one.values()) for one in throws)],
        "folded": told_fold(series),
        "pictures": sorted(name for name in named if _is_there(laboratory, name)),
        "reports": [without_program(report_json(report_of(account))) for account in accounts],
        "tables": [sha256(to_csv(account).encode()).hexdigest() for account in accounts],
    }


def told_fold(series: Series) -> Json:
    """Return what the fold of a series comes to beside its throws."""
    places = range(len(series.dice))
    return {
        "dice": [die.to_json() for die in series.dice],
        "labels": [list(die.outcomes.labels) for die in series.dice],
        "counts": [series.counted[die].counts.tolist() for die in places],
        "audits": [series.counted[die].audits.tolist() for die in places],
        "unread": [series.counted[die].unread for die in places],
        "asked": [[series.counted[die].asked, series.counted[die].lost] for die in places],
        "corrected": [series.counted[die].corrected for die in places],
        "audited": [[series.counted[die].audited, series.counted[die].wrong] for die in places],
        "due": [[throw.number for throw in series.due(die)] for die in places],
        "candidates": [[list(one) for one in throw.candidates] for throw in series.throws],
        "photographs": [[*key, picture] for key, picture in sorted(series.photographs.items())],
        "question": None if series.question is None else series.question.number,
        "lying": [dict(die) for die in series.lying],
        "session": [series.session, series.hand],
        "ended": series.ended,
        "pace": series.pace(),
    }


def resumed(laboratory: Laboratory, number: int) -> Json:
    """Take a series up again and return what the page answers and shows."""
    reply = laboratory.command("resume", {"series": number}, "page")
    return {"ok": reply.ok, "said": str(reply.sentence), "series": _page(laboratory.snapshot().data["series"])}


def without_program(report: Json) -> Json:
    """Return what a report tells but for what is told elsewhere, and for the program that computed it."""
    kept: Json = {name: value for name, value in plain(report).items() if name not in LONG}
    kept["provenance"] = {name: value for name, value in kept["provenance"].items() if name not in OF_THE_PROGRAM}
    return kept


def _page(shown: Json | None) -> Json | None:
    if shown is None:
        return None
    page: Json = plain(shown)
    for die in page["dice"]:
        for name in LATER:
            del die[name]
        del die["verdict"]["sentences"]  # they tell of the findings
    return page


def _is_there(laboratory: Laboratory, name: str) -> bool:
    picture = laboratory.picture(name)
    return picture is not None and sha256(picture).hexdigest() == name
