"""With how many throws the other side can hit, exactly counted: by every turn of every throw."""

import numpy as np

from companion.odds.tables.layout import NotSideBySideError
from companion.players.tables.ground import ground
from companion.rules.tables import TablesPosition


def hitting_throws(position: TablesPosition) -> tuple[int, int] | None:
    """Return how many of the equally likely throws let the side that is to throw hit a man, and of how many.

    None if no throw is due, if the game is decided, or if the search does not know a rule of the game.
    """
    if position.dice or position.over or position.aside.won or position.aside.battle is not None:
        return None
    try:
        laid = ground(position.rules)
    except NotSideBySideError:
        return None
    pools = laid.layout.pools
    roots, _, throw = laid.search.with_every_throw(laid.board(position))
    hits = np.zeros(laid.search.thrown.size, bool)
    for layer in laid.search.turning.layers(roots):
        hit = layer.boards.hit[1] > roots.hit[1][layer.turn]
        hits[throw[layer.turn[hit]]] = True
    ways = int(np.isin(pools.thrown, laid.search.thrown[hits]).sum())
    return ways, len(pools.thrown)
