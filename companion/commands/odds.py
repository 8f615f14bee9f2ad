"""``companion odds``: a game's exact odds, and each player's chance to win."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from companion.commands.common_options import as_json, options, players, refusals, show_json
from companion.rules.options import OptionValue

BAR_CHARACTERS = 40
"""The length of the histogram's longest bar, in characters."""


@click.command(short_help="Show a game's exact odds.")
@click.argument("slug")
@players
@options
@click.option("--games", type=click.IntRange(min=1), help="Number of games simulated for the chances to win.")
@click.option("--seed", default=1, show_default=True, help="The seed of the simulated dice.")
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
    """Show the odds of the game SLUG.

    For the games of virtues: exact tables and lengths, and simulated chances to win with their errors. For Ludix: every
    throw, and the play that wins most often between two, both exact.
    """
    from companion.odds.report import ODDS_GAMES, distribution, odds

    with refusals():
        lengths = distribution(slug, options) if whole else ()
        if lengths is None:
            raise click.UsageError("--distribution is for the games of virtues; the length of Ludix is not computed.")
        known = odds(slug, players, options, games=games or ODDS_GAMES, seed=seed)
        if whole:
            known["distribution"] = list(lengths)
    if as_json:
        show_json(known)
        return
    for line in _ludix_lines(known) if "best_play" in known else _lines(known):
        click.echo(line)


def _lines(known: Mapping[str, Any]) -> Iterator[str]:
    yield f"{known['title']}: of {known['total']} equally likely throws"
    yield ""
    entries = [f"{name:<14}{weight:>4}" for name, weight in [*known["prizes"].items(), ("nothing", known["null"])]]
    rows = -(-len(entries) // 4)
    for row in range(rows):
        yield "   ".join(entries[row::rows]).rstrip()
    yield ""
    yield f"Throws until all are acquired: mean {known['mean']:.4f}, standard deviation {known['deviation']:.3f}"
    yield "Percentiles: " + ", ".join(f"{share} {throws}" for share, throws in known["percentiles"].items())
    for name, paces in known["hours"].items():
        hours = ", ".join(f"{hours:.1f} at {float(pace):g} throws a minute" for pace, hours in paces.items())
        yield f"Hours ({name}): {hours}"
    yield ""
    yield "Expected virtues after n throws (exact)"
    yield ", ".join(f"{throws}: {acquired:.2f}" for throws, acquired in known["curve"])
    yield ""
    yield "Length       exact  simulated"
    most = max(bar["exact"] for bar in known["histogram"])
    for bar in known["histogram"]:
        until = bar["to"] if bar["to"] is not None else "more"
        drawn = "#" * round(BAR_CHARACTERS * bar["exact"] / most)
        simulated = "     -" if bar["simulated"] is None else f"{bar['simulated']:6.2%}"
        yield f"{bar['from']:>5}-{until:<5} {bar['exact']:6.2%}  {simulated}  {drawn}".rstrip()
    yield ""
    yield from win_lines(known["simulated"])


def win_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield the chances to win: one line for each player, and one for a shared win."""
    yield f"Of {results['games']} simulated games with {results['players']} players (standard error in brackets)"
    for number, win in results["wins"].items():
        alone = f"{win['chance']:.2%} ({win['error']:.2%})"
        yield f"Player {number} wins alone {alone}, with {results['scores'][number]:.2f} virtues on average"
    yield f"The win is shared {results['tie']['chance']:.2%} ({results['tie']['error']:.2%})"


def _ludix_lines(known: Mapping[str, Any]) -> Iterator[str]:
    yield f"{known['title']}: of {known['total']} equally likely throws"
    yield ""
    for kind in known["throws"]:
        if kind["numerals"]:
            formed = ", ".join(f"{formed['numeral']} {formed['value']}" for formed in kind["numerals"])
            yield f"{kind['symbols']}{kind['ways']:>4}   {formed}"
    yield ""
    null = known["null"]
    yield f"No numeral: {null['ways']}, a chance of {null['fraction']} or {null['chance']:.2%}"
    failing = [f"{k['symbols']}{k['ways']:>4} ({k['rightful']})" for k in known["throws"] if not k["numerals"]]
    rows = -(-len(failing) // 5)
    for row in range(rows):
        yield "".join(f"{entry:<18}" for entry in failing[row::rows]).rstrip()
    yield ""
    yield f"A throw brings {known['mean']:.3f} points on average, counting no numeral as zero."
    rule = f"throw again while the turn holds at most {known['simple_rule']}"
    yield f"For points alone: {rule} ({known['mean']:.3f} / {null['chance']:.5f} = {known['threshold']:.2f})."
    yield ""
    if known["best_play"] is None:
        yield known["best_play_missing"]
    else:
        yield from _best_play_lines(known["best_play"])


def _best_play_lines(play: Mapping[str, Any]) -> Iterator[str]:
    target, step = play["target"], play["hold"]["step"]
    yield f"The best play of two to {target}, exact to {play['tolerance']:g}; a shared win counts one half"
    yield f"The first player wins {play['wins']['1']:.2%}, the second {play['wins']['2']:.2%}."
    if play["ending"] == "round":
        yield "In a last turn: throw until you are ahead; a tie is not worth stopping for."
    yield ""
    yield "Stop when the turn holds so much, by your points (down) and the other's (across). goal: only with enough for"
    yield f"{target}, goal+2: for {target + 2}. *: with some higher stakes, throw again anyway; --json lists them."
    for seat in ("first", "second"):
        yield ""
        yield f"The {seat} player of the round"
        yield from _hold_lines(play["hold"][seat], target, range(0, target, step))
    yield ""
    yield "What it gains, in games won out of 100"
    chance = {(match["first"], match["second"]): match["chance"] for match in play["matches"]}
    for rule, name in (("simple", "the simple rule"), ("heeding", "the simple rule, heeding the end")):
        first, second = chance["best", rule], 1 - chance[rule, "best"]
        even = chance[rule, rule]
        yield f"against {name}:"
        gain = {seat: f"gained {100 * gained:.2f}" for seat, gained in play["gain"][rule].items()}
        yield f"  beginning {100 * first:.2f} instead of {100 * even:.2f}, {gain['first']}"
        yield f"  second    {100 * second:.2f} instead of {100 * (1 - even):.2f}, {gain['second']}"


def _hold_lines(holdings: Sequence[Mapping[str, Any]], target: int, points: Sequence[int]) -> Iterator[str]:
    cells = {(known["own"], known["other"]): _hold_cell(known, target) for known in holdings}
    yield "     " + "".join(f"{other:>9}" for other in points)
    for own in points:
        yield f"{own:>5}" + "".join(f"{cells[own, other]:>9}" for other in points)


def _hold_cell(known: Mapping[str, Any], target: int) -> str:
    beyond = known["own"] + known["hold"] - target
    goal = "goal" if beyond == 0 else f"goal+{beyond}"
    return (goal if beyond >= 0 else str(known["hold"])) + ("*" if known["again"] else "")
