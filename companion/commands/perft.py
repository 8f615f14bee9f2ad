"""``companion perft``: count a game's sequences of throws and choices, and its positions, level by level."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
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
from companion.rules.game import Position
from companion.rules.options import OptionValue


@click.command(short_help="Count the positions that a game can reach, level by level.")
@click.argument("slug")
@click.option(
    "--depth", type=click.IntRange(min=0), required=True, help="How many throws and choices one after another."
)
@position_file
@click.option(
    "--throw", "typed", help='Dice thrown first, as they are typed in play ("2 5 6"); this throw is not counted.'
)
@players
@options
@as_json
def command(
    *,
    slug: str,
    depth: int,
    file: TextIO | None,
    typed: str | None,
    players: int,
    options: dict[str, OptionValue],
    as_json: bool,
) -> None:
    """Count what can happen in the game SLUG from its first position, or from the one in a file.

    Counted are sequences of DEPTH throws and choices: a choice is one thing that a hand does, not a whole turn, and
    dice that are not the same die make different throws even where they show the same. Beside them stand how many
    different positions the sequences reach, and how many of these are the end of the game.
    """
    game = the_game(slug)
    with refusals():
        start = game.start(players, **options) if file is None else read_position(game, file)
        throw = None if typed is None else thrown(start, typed)
    first = start if throw is None else start.after(throw)
    levels = []
    for level, reached in enumerate(_levels(first, depth)):
        over = sum(position.outcome is not None for position in reached)
        counts = {"depth": level, "sequences": reached.total(), "positions": len(reached), "over": over}
        levels.append(counts)
        if not as_json:
            ended = f", {over} of them the end of the game" if over else ""
            click.echo(f"{level}: {counts['sequences']} sequences, {counts['positions']} positions{ended}")
    if as_json:
        text = None if throw is None else start.text(throw)
        show_json({"game": slug, "players": start.players, "throw": text, "levels": levels})


def _levels(start: Position, depth: int) -> Iterator[Counter[Position]]:
    """Yield each level's positions with the number of sequences that lead there; visit equal positions once."""
    reached: Counter[Position] = Counter({start: 1})
    yield reached
    for _ in range(depth):
        following: Counter[Position] = Counter()
        for position, sequences in reached.items():
            for move in chain(position.throws(), position.legal()):
                following[position.after(move)] += sequences
        reached = following
        yield reached
