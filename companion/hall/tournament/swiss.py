"""Swiss pairings: score groups, no repeated pairings, first throws balanced. It is not FIDE's Dutch system.

Each round is the cheapest perfect matching of all players (`networkx`, maximum weight matching by blossoms). What
counts more is so much dearer that no sum of what counts less can outweigh it:

1. nobody is without an opponent twice,
2. nobody meets the same opponent again,
3. nobody throws first three times more often than second, or the other way,
4. opponents have the same points, or differ little; who is without an opponent has few,
5. first and second throws are balanced further,
6. the upper half of a score group meets the lower half, in order.

So the first two hold whenever they can hold at all in this round.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.hall.tournament.records import Pairing, Tournament

NO_OPPONENT: Final = 0
"""Whom a player meets who has no opponent."""

MOST_FIRSTS: Final = 2
"""How many more first than second throws a player may have, or the other way."""


@dataclass(frozen=True)
class _Standing:
    """What pairing needs to know of the players who take part."""

    scores: Mapping[int, int]
    places: Mapping[int, tuple[int, int]]
    firsts: Counter[int] = field(default_factory=Counter)
    met: Counter[frozenset[int]] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)


def draw(tournament: Tournament) -> list[Pairing]:
    """Return the pairings of the next round; the same tournament always gives the same.

    The player who has thrown first less often throws first; of equals the higher ranked does so at odd boards.
    """
    import networkx as nx  # noqa: PLC0415  (nothing else of the hall needs it)

    standing = _standing(tournament)
    players = sorted(standing.scores, key=lambda one: (-standing.scores[one], one))
    nodes = [*players, *([NO_OPPONENT] if len(players) % 2 else [])]
    units = _units(len(nodes), tournament.round + 1)
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    costs = {
        (one, other): sum(unit * cost for unit, cost in zip(units, _cost(standing, one, other), strict=True))
        for place, one in enumerate(nodes)
        for other in nodes[place + 1 :]
    }
    most = max(costs.values(), default=0) + 1
    for (one, other), cost in costs.items():
        graph.add_edge(one, other, weight=most - cost)
    order = {player: place for place, player in enumerate(nodes)}
    pairs = [sorted(pair, key=order.__getitem__) for pair in nx.max_weight_matching(graph, maxcardinality=True)]
    pairs.sort(key=lambda pair: (pair[1] == NO_OPPONENT, order[pair[0]]))
    return [_pairing(standing, tournament.round + 1, board, one, other) for board, (one, other) in enumerate(pairs, 1)]


def _standing(tournament: Tournament) -> _Standing:
    scores = tournament.scores()
    here = {one.number: scores[one.number] for one in tournament.entrants if not one.gone}
    groups: dict[int, list[int]] = {}
    for player in sorted(here):
        groups.setdefault(here[player], []).append(player)
    places = {player: (place, len(group)) for group in groups.values() for place, player in enumerate(group)}
    standing = _Standing(here, places)
    for one in tournament.pairings:
        if one.second is None:
            standing.byes[one.first] += 1
        else:
            standing.met[frozenset((one.first, one.second))] += 1
            standing.firsts[one.first] += 1
            standing.firsts[one.second] -= 1
    return standing


def _units(nodes: int, rounds: int) -> tuple[int, int, int, int, int, int]:
    """Return what one of each kind of cost is worth: more than all of the lesser kinds in a whole round together."""
    pairs = nodes // 2
    balance = pairs * nodes + 1
    score = balance * (pairs * 2 * (rounds + 2) ** 2 + 1)
    beyond = score * (pairs * (2 * rounds) ** 2 + 1)
    repeated = beyond * (pairs + 1)
    return repeated * (pairs * rounds + 1), repeated, beyond, score, balance, 1


def _cost(standing: _Standing, one: int, other: int) -> tuple[int, int, int, int, int, int]:
    """Return how much stands against a pair, of each kind; ``one`` is the higher ranked."""
    if other == NO_OPPONENT:
        place, size = standing.places[one]
        return standing.byes[one], 0, 0, standing.scores[one] ** 2, 0, size - 1 - place
    difference = standing.scores[one] - standing.scores[other]
    (upper, size), (lower, _) = standing.places[one], standing.places[other]
    halves = abs(lower - upper - size // 2) if difference == 0 else 0
    less, more = sorted((standing.firsts[one], standing.firsts[other]))
    after = abs(less + 1), abs(more - 1)  # the player who has thrown first less often does so now
    balance = after[0] ** 2 + after[1] ** 2
    return 0, standing.met[frozenset((one, other))], int(max(after) > MOST_FIRSTS), difference**2, balance, halves


def _pairing(standing: _Standing, number: int, board: int, one: int, other: int) -> Pairing:
    if other == NO_OPPONENT:
        return Pairing(number, board, one, None)
    more, less = standing.firsts[one], standing.firsts[other]
    swapped = more > less if more != less else board % 2 == 0
    return Pairing(number, board, other, one) if swapped else Pairing(number, board, one, other)
