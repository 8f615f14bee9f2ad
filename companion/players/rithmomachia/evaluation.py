"""What a position of Rithmomachia is worth: men and points taken, and the way to each victory that the rules know.

The log of the odds to win is a weighted sum of what each side has. Where weights that were learnt from games of the
program against itself win more than those by hand, ``weights.toml`` has them, and what they took:
`calibration.workshop.players.rithmomachia` writes it.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from math import log
from typing import Any, NamedTuple

from companion.players.rithmomachia.victories import by_harmony, taken_share
from companion.rules.rithmomachia import numbers
from companion.rules.rithmomachia.men import BLACK, WHITE
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RuleSet, kind_of

WON = 30.0
"""The worth of a won game; the sooner it is won, the more."""

BY_HAND: Mapping[str, float] = {
    "share": 5.0,
    "square_of_share": 0.0,
    "men": 0.0,
    "logs": 0.12,
    "pyramid": 0.0,
    "king": 4.0,
    "hand": 0.0,
    "forward": 0.02,
    "far": 0.12,
    "pairs": 0.12,
    "triples": 0.2,
}
"""The weights by hand. ``share``: how much of a minor victory is taken; ``logs``: the logarithms of the numbers of the
men on the board; ``pyramid``, ``king``: whether it is there; ``hand``: men held who can be brought back. Where a
harmony can win: ``forward``, the ranks that men have gone; ``far``, men in the enemy's half; of two of them, ``pairs``
whose harmony a third man could complete, and ``triples`` that he completes there, each counted from all three sides."""

NAMES = tuple(BY_HAND)

MOST_FAR, MOST_PAIRS, MOST_TRIPLES = 6, 10, 9
"""More than so many do not count."""

Weights = tuple[float, ...]
"""The weight of each measure, in the order of `NAMES`."""

Measures = list[float]
"""What a side has, in the order of `NAMES`."""


@cache
def card() -> Mapping[str, Any]:
    """Return what was learnt, by the rule set's name: the weights, and what they took."""
    return tomllib.loads((files("companion.players.rithmomachia") / "weights.toml").read_text(encoding="utf-8"))


@cache
def weights_of(slug: str) -> Weights:
    """Return the weights for a rule set: those that were learnt, else those by hand."""
    learnt: Mapping[str, float] = card().get(kind_of(slug), {}).get("weights", BY_HAND)
    return tuple(float(learnt[name]) for name in NAMES)


def worth(position: RithmoPosition, weights: Weights) -> float:
    """Return the worth of a position that goes on for the player to act, as the log of the odds to win."""
    white, black = measures(position)
    found = 0.0
    for weight, one, other in zip(weights, white, black, strict=True):
        found += weight * (one - other)
    return found if position.turn == WHITE else -found


def measures(position: RithmoPosition) -> tuple[Measures, Measures]:
    """Return what white and what black has."""
    rules = position.rules
    ground = _ground(rules)
    men, logs, pyramids, forward = [0, 0, 0], [0.0, 0.0, 0.0], [0, 0, 0], [0, 0, 0]
    there: tuple[list[int], list[int], list[int]] = [], [], []
    every: tuple[set[int], set[int], set[int]] = set(), set(), set()
    for man, ahead in zip(position.men, ground.ahead, strict=True):
        if man is None:
            continue
        owner, number = man.owner, man.number
        men[owner] += 1
        logs[owner] += _log(number)
        if man.parts:
            pyramids[owner] = 1
        if ground.harmonies:
            gone, far = ahead[owner - 1]
            forward[owner] += gone
            every[owner].add(number)
            if far:
                there[owner].append(number)
    found = []
    for player in (WHITE, BLACK):
        share = taken_share(position, player)
        pairs, triples = _harmonies(there[player], every[player]) if len(there[player]) > 1 else (0, 0)
        found.append(
            [
                share,
                share * share,
                men[player],
                logs[player],
                pyramids[player],
                pyramids[player] if ground.kings else 0,
                len(position.held(player)) if ground.returns else 0,
                forward[player],
                min(len(there[player]), MOST_FAR),
                min(pairs, MOST_PAIRS),
                min(triples, MOST_TRIPLES),
            ]
        )
    return found[0], found[1]


class _Ground(NamedTuple):
    """What measures depend on: for white and black, how many ranks each square is ahead, and if in the enemy's half."""

    kings: bool
    harmonies: bool
    returns: bool
    ahead: tuple[tuple[tuple[int, bool], tuple[int, bool]], ...]


@cache
def _ground(rules: RuleSet) -> _Ground:
    board = rules.board
    ahead = tuple(
        ((rank, square in board.half(BLACK)), (board.ranks - 1 - rank, square in board.half(WHITE)))
        for square, (_, rank) in enumerate(board.places)
    )
    return _Ground(rules.has_kings, by_harmony(rules), rules["returns"] != "none", ahead)


@cache
def _log(number: int) -> float:
    return log(number + 1)


def _harmonies(there: Sequence[int], every: Collection[int]) -> tuple[int, int]:
    """Return the pairs whose harmony some man could complete, and for each pair the men there who do."""
    pairs = triples = 0
    for one, other in combinations(there, 2):
        thirds = completing(min(one, other), max(one, other))
        pairs += any(third in every for third in thirds)
        triples += sum(third in there for third in thirds)
    return pairs, triples


@lru_cache(maxsize=1 << 14)
def completing(low: int, high: int) -> tuple[int, ...]:
    """Return the numbers that are in some progression with two others."""
    return tuple(sorted(set(_thirds(low, high))))


def _thirds(low: int, high: int) -> Iterator[int]:
    candidates = {2 * low - high, 2 * high - low, *range(low + 1, high)} if high - low < 400 else {2 * high - low}  # noqa: PLR2004
    candidates |= {high * high // low, low * low // high}
    if 2 * high != low:
        candidates |= {low * high // abs(2 * low - high)} if 2 * low != high else set()
        candidates |= {low * high // (2 * high - low)}
    for third in candidates:
        if third > 0 and numbers.progression((low, high, third)):
            yield third
