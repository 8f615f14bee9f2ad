"""``companion games``: the list of games, or one of them with its story, dice and rulings."""

from typing import Any

import click

from companion.commands.common_options import as_json, show_json, the_game
from companion.rules.dice import dice_set
from companion.rules.game import Game
from companion.rules.options import Option


@click.command(short_help="List the games, or describe one.")
@click.argument("slug", required=False)
@as_json
def command(slug: str | None, *, as_json: bool) -> None:
    """List the games, or describe the one called SLUG."""
    from companion.odds.usual_lengths import lengths_by, usual_length
    from companion.rules.registry import games

    if slug is None:
        listed = list(games().values())
        if as_json:
            show_json([_brief(game) for game in listed])
            return
        rows = [(game.slug, game.title, game.counted_players, _dice(game)) for game in listed]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
            click.echo("  ".join([*cells, row[-1]]))
        return
    game = the_game(slug)
    if as_json:
        show_json(_game_json(game))
        return
    length = usual_length(game.slug)
    lasts = "" if length is None else f"; between two {length.sentence()}"
    head = f"{game.title} ({game.slug}), {game.counted_players}, {_dice(game)}{lasts}"
    click.echo(click.wrap_text(head, 100) + "\n")
    click.echo(click.wrap_text(str(game.story), 100))
    if game.interpretation is not None:
        click.echo("\n" + click.wrap_text(f"Read here: {game.interpretation}", 100))
    start = game.start(game.least_players)
    click.echo("\nHow it begins:")
    for line in start.drawn().splitlines():
        click.echo(f"    {line}".rstrip())
    click.echo(click.wrap_text(str(start.awaits.sentence), 100, initial_indent="  - ", subsequent_indent="    "))
    click.echo("\nHow it is played:")
    for step in game.how_to_play:
        click.echo(click.wrap_text(str(step), 100, initial_indent="  - ", subsequent_indent="    "))
    click.echo("\n" + click.wrap_text(f"Source: {game.source}", 100))
    click.echo("\nOptions, the default first:" if game.options else "\nIts rules have no options.")
    for option in game.options:
        click.echo(f"\n  {option.name} = {_values(option)}")
        click.echo(click.wrap_text(str(option.meaning), 100, initial_indent="    ", subsequent_indent="    "))
        for value, lasts_then in lengths_by(game, option).items():
            click.echo(f"    {value}: {lasts_then.sentence()}")


def _dice(game: Game) -> str:
    """Return what the first throw needs; a dice set has the name of its file."""
    waits = game.start(game.least_players).awaits
    if not waits.dice:
        return "no dice"
    if dice_set(waits.dice_sets[0]).die(waits.dice[0]).shape == "wheel":
        return "a pointer"
    number = f"{len(waits.dice)} dice" if len(waits.dice) > 1 else "1 die"
    return f"{number} ({' or '.join(waits.dice_sets)})"


def _values(option: Option) -> str:
    if option.values is not None:
        return " | ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in option.values)
    return f"{option.default} ({option.least} to {option.most})"


def _brief(game: Game) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "players": [game.least_players, game.most_players],
    }


def _game_json(game: Game) -> dict[str, Any]:
    awaits = game.start(game.least_players).awaits
    return _brief(game) | {
        "player_counts": list(game.player_counts),
        "story": str(game.story),
        "reading": None if game.interpretation is None else str(game.interpretation),
        "how_to_play": [str(step) for step in game.how_to_play],
        "source": game.source,
        "rules_hash": game.rules_hash,
        "dice_sets": list(awaits.dice_sets),
        "dice": list(awaits.dice),
        "boards": [
            {"name": board.name, "sites": {site.name: [site.x, site.y] for site in board.sites}}
            for board in game.boards
        ],
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "values": None if option.values is None else list(option.values),
                "least": option.least,
                "most": option.most,
                "meaning": str(option.meaning),
            }
            for option in game.options
        ],
    }
