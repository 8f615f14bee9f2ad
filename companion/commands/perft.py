"""``companion perft``: how many sequences of throws and choices a game has, level by level, and how many positions."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import click

from companion.commands.given import as_json, options, players, refusals, show_json, the_game
from companion.rules.game import OptionValue, Position


@click.command(short_help="Count the positions that a game can reach, level by level.")
@click.argument("slug")
@click.argument("depth", type=click.IntRange(min=0))
@players
@options
@as_json
def command(slug: str, depth: int, players: int, options: dict[str, OptionValue], *, as_json: bool) -> None:
    """Count all sequences of DEPTH throws and choices in the game SLUG, and the different positions they reach."""
    game = the_game(slug)
    with refusals():
        start = game.start(players, **options)
    levels = []
    for level, reached in enumerate(_levels(start, depth)):
        counts = {"depth": level, "sequences": reached.total(), "positions": len(reached)}
        levels.append(counts)
        if not as_json:
            click.echo(f"{level}: {counts['sequences']} sequences, {counts['positions']} positions")
    if as_json:
        show_json({"game": slug, "players": players, "levels": levels})


def _levels(start: Position, depth: int) -> Iterator[Counter[Position]]:
    """Give each level's positions with the number of sequences that lead there; equal positions are visited once."""
    reached: Counter[Position] = Counter({start: 1})
    yield reached
    for _ in range(depth):
        following: Counter[Position] = Counter()
        for position, sequences in reached.items():
            for move in chain(position.throws(), position.legal()):
                following[position.after(move)] += sequences
        reached = following
        yield reached
