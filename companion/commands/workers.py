"""Who does a command's long work: this computer's cores, or a cluster; and how far it has come."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from companion.parallel.parts import Workers

jobs = click.option("--jobs", type=click.IntRange(min=1), help="Number of parallel processes; by default one per core.")
scheduler = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Use the workers of this Dask scheduler, such as tcp://127.0.0.1:8786.",
)


@contextmanager
def workers(jobs: int | None, scheduler: str | None) -> Iterator[Workers]:
    """Enter the workers that the options name.

    Raises:
        ClusterError: there is no such cluster.
    """
    if scheduler is None:
        from companion.parallel.cores import Cores

        with Cores(jobs) as cores:
            yield cores
        return
    if jobs is not None:
        raise click.UsageError("--jobs is for this computer's cores; with --scheduler the cluster's workers decide.")
    from companion.parallel.cluster import Cluster

    with Cluster(scheduler) as cluster:
        yield cluster


@contextmanager
def progress(count: int) -> Iterator[Callable[[int], object]]:
    """Show on the terminal, if there is one, how much of the work is done; yield what is called after each step."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=count, file=sys.stderr, hidden=hidden, show_pos=True) as bar:
        yield bar.update
