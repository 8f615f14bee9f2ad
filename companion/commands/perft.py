"""``companion perft``: count a game's sequences of throws and choices, and its positions, level by level."""

from dataclasses import asdict
from typing import TextIO

import click

from companion.commands.common_options import (
    as_json,
    options,
    players,
    position_file,
    read_position,
    refusals,
    show_json,
    the_game,
    thrown,
)
from companion.commands.workers import jobs, scheduler, workers
from companion.rules.options import OptionValue


@click.command(short_help="Count the positions that a game can reach, level by level.")
@click.argument("slug")
@click.option("--depth", type=click.IntRange(min=0), required=True, help="How many throws and choices in a row.")
@position_file
@click.option(
    "--throw", "typed", help='Dice thrown first, as you type them in play ("2 5 6"); this throw is not counted.'
)
@jobs
@scheduler
@players
@options
@as_json
def command(
    *,
    slug: str,
    depth: int,
    file: TextIO | None,
    typed: str | None,
    jobs: int | None,
    scheduler: str | None,
    players: int,
    options: dict[str, OptionValue],
    as_json: bool,
) -> None:
    """Count what can happen in the game SLUG from its first position, or from the one in a file.

    It counts sequences of DEPTH throws and choices: a choice is one thing that a hand does, not a whole turn, and
    different dice make different throws even when they show the same. It also shows how many different positions the
    sequences reach, and how many of these end the game.
    """
    from companion.odds.levels import levels

    game = the_game(slug)
    with refusals():
        start = game.start(players, **options) if file is None else read_position(game, file)
        throw = None if typed is None else thrown(start, typed)
    first = start if throw is None else start.after(throw)
    counted = []
    with refusals(), workers(jobs, scheduler) as hands:
        for level in levels(first, depth, hands):
            counted.append(asdict(level))
            if not as_json:
                ended = f", {level.over} of them the end of the game" if level.over else ""
                click.echo(f"{level.depth}: {level.sequences} sequences, {level.positions} positions{ended}")
    if as_json:
        text = None if throw is None else start.text(throw)
        show_json({"game": slug, "players": start.players, "throw": text, "levels": counted})
