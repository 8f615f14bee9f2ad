"""What a series came to, to be compared with what another way of folding it comes to."""

from collections.abc import Sequence
from typing import Any

from companion.fairness.series.fold import Series


def folded(series: Series) -> Sequence[Any]:
    """Return all that a fold came to."""
    counted = [
        (one.counts.tolist(), one.audits.tolist(), one.unread, one.corrected, one.audited, one.wrong, one.seen)
        for one in series.counted
    ]
    where = (series.id, series.started, series.session, series.hand, series.ended, series.events, series.last)
    return [where, series.throws, counted, series.photographs, series.question, series.lying]
