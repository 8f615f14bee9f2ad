"""The expensive tests of a series, asked in a thread of their own beside the throwing."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from companion.desk.series.judging import findings
from companion.fairness.dependence import Finding, moments
from companion.fairness.series.fold import Series

log = logging.getLogger(__name__)


class Questions:
    """Asks what is dear to ask, in a thread of its own, at the moments when it is to be asked."""

    def __init__(self, ready: Callable[[], None]) -> None:
        """``ready`` is called, from the other thread, when there is an answer."""
        self._ready = ready
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="questions of dice")
        self._asked: dict[int, tuple[int, int, int]] = {}
        self._found: dict[int, Future[list[Finding]]] = {}
        self._last: dict[int, list[Finding]] = {}

    def of(self, series: Series, die: int) -> list[Finding]:
        """Return what has been found so far; what was not asked yet is asked now and told later."""
        throws = int(series.counted[die].counts.sum())
        looks = len(moments(throws))
        key = (series.id, looks, series.shifts[die])
        if looks and self._asked.get(die) != key and (die not in self._found or self._found[die].done()):
            if self._asked.get(die, (0,))[0] != series.id:
                self._last.pop(die, None)
            self._asked[die] = key
            read = [throw for throw in series.of(die) if throw.outcome is not None]
            kinds = len(series.dice[die].outcomes.labels)
            job = self._found[die] = self._pool.submit(findings, read, kinds)
            job.add_done_callback(lambda _: self._ready())
        done = self._found.get(die)
        if done is not None and done.done() and self._asked.get(die, (0,))[0] == series.id:
            try:
                self._last[die] = done.result()
            except Exception:
                log.exception("a question about the throws failed")
                self._last[die] = []
        return self._last.get(die, []) if self._asked.get(die, (0,))[0] == series.id else []

    def stop(self) -> None:
        """Ask nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
