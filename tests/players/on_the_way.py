"""Positions of every game somewhere in a game played at random, for the tests of players."""

import random

from companion.odds.playouts import random_move
from companion.rules.game import Position
from companion.rules.registry import game, games

SLUGS = [slug for slug in games() if games()[slug].program_plays]
TABLES = [slug for slug in SLUGS if slug.startswith("tables/")]
RITHMOMACHIA = [slug for slug in SLUGS if slug.startswith("rithmomachia/")]


def choosing(slug: str, seed: int, plies: int) -> Position | None:
    """Return a position that awaits a choice after this many plies or later, or None if the game ends before."""
    chance = random.Random(f"{slug} {seed}")
    position = game(slug).start(2)
    for number in range(plies + 20):
        if position.outcome is not None:
            return None
        if number >= plies and position.awaits.kind == "choice":
            return position
        position = position.after(random_move(position, chance))
    return None
