"""The workers of a Dask cluster. Dask moves the pieces of a worker that died to others.

Its workers need this program in the same version: another one might compute something else.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Final, Self

from companion.parallel.parts import Done, Piece, Result
from companion.program import program_version, sources_digest
from companion.rules.errors import GameError

SOURCES: Final = ("companion.fairness", "companion.odds", "companion.players", "companion.rules")
"""What computes something: plays games, counts positions, throws dice."""

SCHEDULER_WAIT_SECONDS: Final = 20.0
"""Seconds to wait for the scheduler, and then for its first worker."""


class ClusterError(GameError):
    """The cluster cannot do the work."""


class Cluster:
    """The workers of a scheduler, as a context.

    Args:
        address: of the scheduler, as ``tcp://host:8786``.
        wait: seconds to wait for it; by default `SCHEDULER_WAIT_SECONDS`.
        wait_for_worker: seconds to wait then for its first worker; by default as long.

    Raises:
        ClusterError: Dask is not installed, no scheduler answers there, or it has no worker.
    """

    def __init__(self, address: str, wait: float | None = None, *, wait_for_worker: float | None = None) -> None:
        try:
            from distributed import Client  # noqa: PLC0415  (an extra that most tables do not have)
        except ImportError as missing:
            raise ClusterError(
                "Work on a cluster needs Dask, which is not installed: pip install 'alea-companion[cluster]'."
            ) from missing
        self.address = address
        wait = SCHEDULER_WAIT_SECONDS if wait is None else wait
        try:
            self._client = Client(address, timeout=wait, set_as_default=False)
        except (OSError, ValueError, ImportError) as trouble:
            raise ClusterError(
                f"Expected a Dask scheduler at {address!r} (such as tcp://127.0.0.1:8786), but none answered there: "
                "start it with 'dask scheduler', and workers with 'dask worker ADDRESS'."
            ) from trouble
        try:
            self._client.wait_for_workers(1, timeout=wait if wait_for_worker is None else wait_for_worker)
        except TimeoutError as trouble:
            self.close()
            raise ClusterError(
                f"The scheduler at {address} has no worker: start some with 'dask worker {address}'."
            ) from trouble
        self.number = max(1, self.workers())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def workers(self) -> int:
        """Return how many threads of workers there are now."""
        return sum(self._client.nthreads().values())

    def close(self) -> None:
        """Leave the cluster; what it has not done yet is dropped."""
        with suppress(OSError, TimeoutError):
            self._client.close()

    def run(self, task: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Done[Result]:
        """Do a task for each piece.

        Raises:
            ClusterError: the scheduler went away, a piece killed several workers, or a worker has another version.
        """
        from distributed import CancelledError, KilledWorker, as_completed  # noqa: PLC0415

        futures = self._client.map(partial(_result_with_digest, task), pieces, pure=False)
        places = {future.key: place for place, future in enumerate(futures)}
        try:
            for future in as_completed(futures, loop=self._client.loop):
                sources, result = future.result()
                if sources != sources_digest(*SOURCES):
                    raise ClusterError(
                        f"A worker at {self.address} has other sources than this program ({program_version()}), and "
                        "might compute something else: install the same version everywhere."
                    )
                yield places[future.key], result
        except KilledWorker as trouble:
            raise ClusterError(f"The same piece of the work ended several workers at {self.address}.") from trouble
        except ModuleNotFoundError as trouble:
            raise ClusterError(
                f"A worker at {self.address} lacks a package ({trouble}): install this program there, too."
            ) from trouble
        except (CancelledError, OSError) as trouble:
            raise ClusterError(
                f"The scheduler at {self.address} went away before the work was done: start it again, and then this."
            ) from trouble


def _result_with_digest(task: Callable[[Piece], Result], piece: Piece) -> tuple[str, Result]:
    return sources_digest(*SOURCES), task(piece)
