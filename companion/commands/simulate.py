"""``companion simulate``: many games with random dice, and what they came to."""

import secrets
import time
from typing import Any

import click

from companion.commands.given import as_json, options, players, refusals, show_json
from companion.commands.odds import win_lines
from companion.rules.game import OptionValue


@click.command(short_help="Play many games at random and sum them up.")
@click.argument("slug")
@click.option("-n", "count", type=click.IntRange(min=1), default=10_000, show_default=True, help="How many games.")
@click.option("--seed", type=click.IntRange(min=0), help="Where the dice start; drawn and told if not given.")
@players
@options
@as_json
def command(
    slug: str, count: int, seed: int | None, players: int, options: dict[str, OptionValue], *, as_json: bool
) -> None:
    """Play N games of SLUG to the end with random dice and sum them up."""
    import numpy as np

    from companion.odds.report import results
    from companion.odds.simulation import simulate

    seed = secrets.randbelow(2**32) if seed is None else seed
    started = time.perf_counter()
    with refusals():
        played = simulate(slug, count, np.random.default_rng(seed), players, options)
    seconds = time.perf_counter() - started
    told: dict[str, Any] = {"game": slug, "seed": seed, "options": options, "seconds": seconds} | results(played)
    if as_json:
        show_json(told)
        return
    click.echo(f"Seed {seed}, {seconds:.2f} s")
    if told["deviation"] is not None:
        click.echo(f"Throws: mean {told['mean']:.2f}, standard deviation {told['deviation']:.2f}")
    click.echo("Percentiles: " + ", ".join(f"{share} {throws}" for share, throws in told["percentiles"].items()))
    for line in win_lines(told):
        click.echo(line)
