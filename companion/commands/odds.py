"""``companion odds``: a game's exact odds, with the chance of each player to win beside them."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from companion.commands.given import as_json, options, players, refusals, show_json
from companion.rules.game import OptionValue

BAR = 40
"""The longest bar of the drawn histogram, in characters."""


@click.command(short_help="Show a game's exact odds.")
@click.argument("slug")
@players
@options
@click.option("--games", type=click.IntRange(min=1), help="Games behind the chances to win.")
@click.option("--seed", default=1, show_default=True, help="Where the simulated dice start.")
@click.option("--distribution", "whole", is_flag=True, help="Add the chance of every length (JSON only).")
@as_json
def command(
    slug: str,
    players: int,
    options: dict[str, OptionValue],
    games: int | None,
    seed: int,
    *,
    whole: bool,
    as_json: bool,
) -> None:
    """Show the odds of the game SLUG: exact tables and lengths, and simulated chances to win with their errors."""
    from companion.odds.report import ODDS_GAMES, distribution, odds

    with refusals():
        told = odds(slug, players, options, games=games or ODDS_GAMES, seed=seed)
        if whole:
            told["distribution"] = list(distribution(slug, options))
    if as_json:
        show_json(told)
        return
    for line in _lines(told):
        click.echo(line)


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"{told['title']}: of {told['total']} equally likely throws"
    yield ""
    entries = [f"{name:<14}{weight:>4}" for name, weight in [*told["prizes"].items(), ("nothing", told["null"])]]
    rows = -(-len(entries) // 4)
    for row in range(rows):
        yield "   ".join(entries[row::rows]).rstrip()
    yield ""
    yield f"Throws until all are acquired: mean {told['mean']:.4f}, standard deviation {told['deviation']:.3f}"
    yield "Percentiles: " + ", ".join(f"{share} {throws}" for share, throws in told["percentiles"].items())
    for name, paces in told["hours"].items():
        hours = ", ".join(f"{hours:.1f} at {float(pace):g} throws a minute" for pace, hours in paces.items())
        yield f"Hours ({name}): {hours}"
    yield ""
    yield "Expected virtues after n throws (exact)"
    yield ", ".join(f"{throws}: {acquired:.2f}" for throws, acquired in told["curve"])
    yield ""
    yield "Length       exact  simulated"
    most = max(bar["exact"] for bar in told["histogram"])
    for bar in told["histogram"]:
        until = bar["to"] if bar["to"] is not None else "more"
        drawn = "#" * round(BAR * bar["exact"] / most)
        simulated = "     -" if bar["simulated"] is None else f"{bar['simulated']:6.2%}"
        yield f"{bar['from']:>5}-{until:<5} {bar['exact']:6.2%}  {simulated}  {drawn}".rstrip()
    yield ""
    yield from win_lines(told["simulated"])


def win_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Give the chances to win, one line for each player and one for a shared win."""
    yield f"Of {results['games']} simulated games with {results['players']} players (standard error in brackets)"
    for number, win in results["wins"].items():
        alone = f"{win['chance']:.2%} ({win['error']:.2%})"
        yield f"Player {number} wins alone {alone}, with {results['scores'][number]:.2f} virtues on average"
    yield f"The win is shared {results['tie']['chance']:.2%} ({results['tie']['error']:.2%})"
