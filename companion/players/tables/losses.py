"""Which men a throw may hit: how many of the equally likely throws hit at all, and on which point each is hit."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from companion.language.sentence import Listing, Sentence, player
from companion.odds.tables.layout import NotVectorisedError
from companion.players.tables.ground import ground
from companion.rules.tables import TablesPosition

MOST_POINTS = 4
"""Points that a sentence names, the likeliest losses first."""


class Hitting(NamedTuple):
    """Of ``total`` equally likely throws, those that can hit at all, and those that can hit on each point."""

    any: int
    on: Mapping[str, int]
    total: int


def hitting_throws(position: TablesPosition) -> Hitting | None:
    """Return how many of the equally likely throws let the side that is to throw hit a man, and where.

    None if no throw is due, if the game is decided, or if the search does not know a rule of the game.
    """
    if position.dice or position.over or position.aside.won or position.aside.battle is not None:
        return None
    try:
        laid = ground(position.rules)
    except NotVectorisedError:
        return None
    search, pools = laid.search, laid.layout.pools
    roots, _, throw = search.with_every_throw(laid.board(position))
    hits = np.zeros(search.thrown.size, bool)
    struck = np.zeros(search.thrown.size, np.uint32)  # bits of the points on which each throw can hit
    for layer in search.turning.layers(roots):
        hit = layer.boards.hit[1] > roots.hit[1][layer.turn]
        of = throw[layer.turn[hit]]
        hits[of] = True
        np.bitwise_or.at(struck, of, roots.blots[layer.turn[hit]] & ~layer.boards.blots[hit])
    ways = np.array([(pools.thrown == pool).sum() for pool in search.thrown])
    on = {
        point: int(ways[(struck >> np.uint32(place)) & 1 > 0].sum()) for point, place in position.course.places.items()
    }
    return Hitting(int(ways[hits].sum()), {point: count for point, count in on.items() if count}, len(pools.thrown))


def losses(position: TablesPosition) -> Iterator[Sentence]:
    """Yield for each side that could throw now which of the other's men it can hit, the likeliest first."""
    for side in (1, 2) if position.rules.courses[0].facing else ():
        turn = position.rules.sides.index(side)
        found = hitting_throws(TablesPosition(position.rules, turn, position.men))
        if found is None or not found.any:
            continue
        likeliest = sorted(found.on.items(), key=lambda one: (-one[1], one[0]))[:MOST_POINTS]
        points = [Sentence("on {point} with {ways}", point=point, ways=ways) for point, ways in likeliest]
        yield Sentence(
            "{player} can hit with {ways} of {total} throws: {points}.",
            player=player(turn),
            ways=found.any,
            total=found.total,
            points=Listing(points, "comma"),
        )
