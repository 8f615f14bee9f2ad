"""``companion problems``: make problems from games that the program plays with itself."""

from pathlib import Path

import click

from companion.commands.workers import jobs, progress, scheduler, workers

SHARES = {"all": 28, "take": 80, "win": 45, "best": 60, "point": 32, "only": 35, "risk": 25, "odds": 20}
"""How many of each kind there are in proportion."""


@click.command(short_help="Make problems: positions with one thing to find.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("-n", "count", type=click.IntRange(min=1), default=300, show_default=True, help="How many in the file.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="The seed of all games.")
@jobs
@scheduler
def command(file: Path, count: int, seed: int, jobs: int | None, scheduler: str | None) -> None:
    """Add problems to FILE until it has COUNT of them, of every kind in its share.

    A run that was stopped goes on where it stopped. `python -m bench.games.problems FILE` then checks each answer.
    """
    from companion.commands.common_options import refusals
    from companion.problems.problem import KINDS
    from workshop.problems.making import make

    total = sum(SHARES.values())
    wanted = {kind: -(-SHARES[kind] * count // total) for kind in KINDS}
    with refusals(), workers(jobs, scheduler) as hands, progress(sum(wanted.values())) as done:
        have = make(file, wanted, seed, hands, done)
    click.echo(", ".join(f"{kind}: {number}" for kind, number in have.items()))
