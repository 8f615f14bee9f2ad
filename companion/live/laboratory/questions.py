"""Run the expensive tests of a series in a thread of their own, beside the throwing."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from companion.desk.series.judging import findings
from companion.fairness.dependence import Finding, moments
from companion.fairness.series.fold import Series, SeriesThrow

log = logging.getLogger(__name__)


class Questions:
    """Runs the expensive tests in a thread of its own, at the moments when they are due."""

    def __init__(self, ready: Callable[[], None]) -> None:
        """``ready`` is called, from the other thread, when there is an answer."""
        self._ready = ready
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="questions of dice")
        self._asked: dict[int, tuple[int, int, int]] = {}
        self._found: dict[int, Future[list[Finding]]] = {}
        self._last: dict[int, list[Finding]] = {}

    def ask(self, series: Series) -> None:
        """Start the test of each die that is due and was not run yet, one test of a die at a time."""
        for die in range(len(series.dice)):
            moments_so_far = len(moments(int(series.counted[die].counts.sum())))
            key = (series.id, moments_so_far, series.shifts[die])
            asked = self._found.get(die)
            if not moments_so_far or self._asked.get(die) == key or (asked is not None and not asked.done()):
                continue
            self._last[die] = self.of(series, die)  # the old findings stand until there are new ones
            self._asked[die] = key
            of = series.dice[die]
            job = self._found[die] = self._pool.submit(_answered, series.of(die), len(of.outcomes.labels), of.together)
            job.add_done_callback(lambda _: self._ready())

    def of(self, series: Series, die: int) -> list[Finding]:
        """Return the findings so far."""
        if self._asked.get(die, (0,))[0] != series.id:
            return []
        found = self._found[die]
        return found.result() if found.done() and not found.cancelled() else self._last[die]

    def stop(self) -> None:
        """Start no more tests."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _answered(throws: Sequence[SeriesThrow], kinds: int, together: int) -> list[Finding]:
    try:
        return findings(throws, kinds, together)
    except Exception:
        log.exception("a question about the throws failed")
        return []
