"""``companion simulate``: play many games at random and sum up their results."""

import secrets
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from companion.commands.common_options import as_json, options, players, refusals, show_json, the_game
from companion.commands.odds import win_lines
from companion.commands.workers import jobs, progress, scheduler, workers
from companion.rules.options import OptionValue

if TYPE_CHECKING:
    from companion.odds.many import SimulatedGame
    from companion.parallel.parts import Workers

AT_ONCE, BY_RULES = 10_000, 100


@click.command(short_help="Play many games at random and summarise them.")
@click.argument("slug")
@click.option(
    "-n",
    "count",
    type=click.IntRange(min=1),
    help=f"How many games; by default {AT_ONCE:,} if they are played in one batch, {BY_RULES} by the rules.",
)
@click.option("--seed", type=click.IntRange(min=0), help="The seed of the dice; chosen and printed if not given.")
@click.option("--cap", type=click.IntRange(min=1), help="Number of throws and choices after which a game is abandoned.")
@click.option(
    "--rules",
    "by_rules",
    is_flag=True,
    help="Play one game after another by the rules, even where there is a faster way.",
)
@jobs
@scheduler
@players
@options
@as_json
def command(
    *,
    slug: str,
    count: int | None,
    seed: int | None,
    cap: int | None,
    players: int,
    options: dict[str, OptionValue],
    by_rules: bool,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Play N games of SLUG to the end and summarise them: random dice, and all legal choices equally likely.

    A seed gives the same games on one core, on many, and on a cluster.
    """
    from companion.odds.many import SimulatedGame, own
    from companion.odds.playouts import PLY_CAP

    the_game(slug)
    kind = SimulatedGame(slug, secrets.randbelow(2**32) if seed is None else seed, players, options, cap or PLY_CAP)
    result = None
    with refusals(), workers(jobs, scheduler) as hands:
        if not by_rules and cap is None:
            with progress(count or AT_ONCE) as done:
                result = own(kind, count or AT_ONCE, hands, done)
        lines = _played_lines if result is None else _simulated_lines
        result = result or _played(kind, count, hands, by_rules=by_rules)
    if as_json:
        show_json(result)
        return
    for line in lines(result):
        click.echo(line)


def _played(kind: "SimulatedGame", count: int | None, hands: "Workers", *, by_rules: bool) -> dict[str, Any]:
    """Play many games at once, or by the rules if the game does not support that or ``by_rules`` asks for them."""
    from companion.odds import many
    from companion.odds.playouts import Played, summary

    played: Played | None = None
    why_not = ""
    if not by_rules:
        with progress(count or AT_ONCE) as done:
            played, why_not = many.vectorised(kind, count or AT_ONCE, hands, done)
    at_once = played is not None
    if played is None:
        with progress(count or BY_RULES) as done:
            played = many.by_rules(kind, count or BY_RULES, hands, done)
    result = {"seed": kind.seed, "options": dict(kind.options), "side_by_side": at_once, "why_not": why_not}
    return result | summary(played)


def _played_lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"Seed {result['seed']}, {result['seconds']:.2f} s, {result['decisions_a_second']:,.0f} decisions a second"
    games, players, cap = result["games"], result["players"], result["cap"]
    yield f"{games} random games with {players} players, at most {cap} throws and choices each"
    if result["why_not"]:
        yield str(result["why_not"])
    yield f"Capped: {_percent(result['capped'])}"
    yield f"Throws and choices: {_number(result['length'])}, the longest game {result['longest']}"
    yield "Percentiles: " + ", ".join(f"{share} {length}" for share, length in result["percentiles"].items())
    if result["capped"]["value"] and result["finished_length"]:
        yield f"Throws and choices of the games that ended: {_number(result['finished_length'])}"
    for number, won in result["wins"].items():
        if won["value"] or not result["together"]:
            yield f"Player {number} wins {_percent(won)}"
    for group, won in result["together"].items():
        yield f"Players {group} win together {_percent(won)}"
    if not result["together"]:
        yield f"Shared: {_percent(result['shared'])}"
    if result["nobody"]["value"]:
        yield f"Won by nobody: {_percent(result['nobody'])}"
    yield f"In brackets 95 % intervals; shares: {result['methods']['shares']}, means: {result['methods']['means']}"


def _percent(estimate: Mapping[str, float]) -> str:
    return f"{estimate['value']:.1%} ({estimate['low']:.1%} to {estimate['high']:.1%})"


def _number(estimate: Mapping[str, float | None]) -> str:
    if estimate["low"] is None:
        return f"{estimate['value']:.1f}"
    return f"mean {estimate['value']:.1f} ({estimate['low']:.1f} to {estimate['high']:.1f})"


def _simulated_lines(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"Seed {result['seed']}, {result['seconds']:.2f} s"
    if result["deviation"] is not None:
        yield f"Throws: mean {result['mean']:.2f}, standard deviation {result['deviation']:.2f}"
    yield "Percentiles: " + ", ".join(f"{share} {throws}" for share, throws in result["percentiles"].items())
    yield from win_lines(result)
