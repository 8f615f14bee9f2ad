"""The hint at the prompt: the best turn, why it is good, and what others lose."""

from collections.abc import Sequence

import click

from companion.commands.play.prompt_session import Sitting
from companion.rules.game import Choice

LISTED = 3
"""How many turns are listed."""

REASONS = 2
"""How many reasons are told."""


def hint(sitting: Sitting) -> None:
    """Print the best turn with its reasons and what other turns lose; then what the game itself teaches."""
    position = sitting.now
    if position.awaits.kind == "choice":
        _tell(sitting)
    told = position.teaching()
    for sentence in told:
        sitting.print_sentence(sentence)
    if position.awaits.kind != "choice" and not told:
        click.echo("There is nothing to choose now: throw the dice.")


def _tell(sitting: Sitting) -> None:
    from companion.odds.opponents import can_play, chooses
    from companion.players.thinking import player_of, reasons, strongest, weigh

    position = sitting.now
    if not can_play(position.game) or not chooses(position.game):
        click.echo("There is no better and worse here.")
        return
    weighed = weigh(position, strongest().budget)
    best = weighed[0]
    kind = "exactly" if player_of(position.game).exact(position) else "about"
    click.echo(f"Best is {_typed(sitting, best.choices)}: it wins in {kind} {100 * best.chance:.0f} of 100 games.")
    for reason in reasons(position, weighed, best)[:REASONS]:
        sitting.print_sentence(reason.sentence)
    others = [one for one in weighed[1:] if one.chance < best.chance][: LISTED - 1]
    for other in others:
        lost = 100 * (best.chance - other.chance)
        click.echo(f"  {_typed(sitting, other.choices)} loses {lost:.1f} of 100 games more.")


def _typed(sitting: Sitting, choices: Sequence[Choice]) -> str:
    """Return a turn as a player types it here."""
    position, found = sitting.now, []
    for choice in choices:
        found.append(position.text(choice))
        position = position.after(choice)
    return ", ".join(found)
