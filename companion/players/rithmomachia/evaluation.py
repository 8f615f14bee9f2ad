"""What a position of Rithmomachia is worth: men and points taken, and the way to each victory that the rules know.

The log of the odds to win is a weighted sum of what each side has. Where weights that were learnt from games of the
program against itself win more than those by hand, ``weights.toml`` has them, and what they took:
`workshop.players.rithmomachia` writes it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import inf, log
from typing import Any, NamedTuple

from companion.data_file import data_of
from companion.players.rithmomachia.fours import FourPlan, fours_of
from companion.players.rithmomachia.harmony import TOO_FAR, Side, harmonies
from companion.players.rithmomachia.hunt import DONE, Hunt, hunt
from companion.players.rithmomachia.threats import Placed, threats
from companion.rules.registry import game
from companion.rules.rithmomachia import ending, numbers
from companion.rules.rithmomachia.choices import Return
from companion.rules.rithmomachia.men import BLACK, WHITE, Man, array, whole_pyramid
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RithmoRules, kind_of


def by_harmony(rules: RithmoRules) -> bool:
    """Whether a harmony in the enemy's half can win by these rules."""
    return rules.has_kings or _wanted(rules) != "none"


def least_grade(rules: RithmoRules) -> int:
    """Return the least grade of harmony that wins the game or, with kings, ends it, where one does; 0 is three men."""
    return rules.grades.index(str(rules["ends"]) if rules.has_kings else _wanted(rules))


def _wanted(rules: RithmoRules) -> str:
    return str(rules["goal"] if "goal" in rules.rulings else rules["major"])


def taken_share(position: RithmoPosition, player: int) -> float:
    """Return how much of a minor victory the men taken are, from 0 to 1."""
    rules = position.rules
    minor = str(rules["minor"])
    if minor == "none":
        return 0.0
    men = ending.counted(position, player)
    if minor in ("de-corpore", "men"):
        return min(1.0, len(men) / int(rules["men_to_take"]))
    if minor == "digits":
        return min(1.0, sum(len(str(man.number)) for man in men) / int(rules["digits_to_take"]))
    return min(1.0, sum(man.number for man in men) / int(rules["points"]))


def share_of(rules: RithmoRules, man: Man) -> float:
    """Return how much of a minor victory one man is, from 0 to 1."""
    minor = str(rules["minor"])
    if minor == "none":
        return 0.0
    if minor in ("de-corpore", "men"):
        return 1 / int(rules["men_to_take"])
    if minor == "digits":
        return min(1.0, len(str(man.number)) / int(rules["digits_to_take"]))
    return min(1.0, man.number / int(rules["points"]))


WON_LOG_ODDS = 30.0
"""The worth of a won game, as a log of the odds."""

_HAND: Mapping[str, Mapping[str, float]] = data_of(__package__, "by_hand.toml")
BY_HAND: Mapping[str, float] = _HAND["usual"]
WITH_KINGS: Mapping[str, float] = {**BY_HAND, **_HAND["with_kings"]}
"""The weights by hand; the file says what each measures. The second are those where triumphs wait for the king."""

MOST_FAR, MOST_PAIRS, MOST_TRIPLES, MOST_HARMONY = 6, 10, 9, 2.0
"""More than so many do not count."""

APPROACH_PER_MOVE = 0.75
"""What one move more makes of the worth of an enemy to be taken."""

MOST_MOVES, MOST_FOR_FOUR = 12, 24
"""A harmony of three men, or of four, that needs more moves is not on the way."""

MOST_THREATS = (6.0, 30.0)
"""The most that counts of what could be taken soon, and later."""

NAMES = tuple(BY_HAND)

ADVANCED, THREATS = 6, len(MOST_THREATS)
"""So many measures tell how far a side is on the way to a harmony; the last so many are threats."""

Weights = tuple[float, ...]
"""The weight of each measure, in the order of `NAMES`."""

Measures = list[float]
"""What a side has, in the order of `NAMES`."""


def card() -> Mapping[str, Any]:
    """Return what was learnt, by the rule set's name: the weights, and what they took."""
    return data_of(__package__, "weights.toml")


def by_hand(slug: str) -> Mapping[str, float]:
    """Return the weights by hand for a rule set."""
    return WITH_KINGS if kind_of(slug) == "italian" else BY_HAND


@cache
def weights_of(slug: str) -> Weights:
    """Return the weights for a rule set: those that were learnt, else those by hand."""
    learnt: Mapping[str, float] = card().get(kind_of(slug), {}).get("weights", by_hand(slug))
    return tuple(float(learnt[name]) for name in NAMES)


def prepared(position: RithmoPosition) -> Iterator[None]:
    """Make the tables that a worth needs, part by part, so that a search can be stopped between them."""
    table = threats(position.rules)
    for man in position.men:
        if man is not None:
            table.number(man)
            yield


def worth(position: RithmoPosition, weights: Weights, low: float = -inf, high: float = inf) -> float:
    """Return the worth of a position that goes on for the player to act, as the log of the odds to win.

    If it is not between ``low`` and ``high``, the answer may be any number beyond the same bound, between it and the
    worth: to count threats takes longest, and is left out where they cannot matter.
    """
    sides = _sides(position)
    placed = _placed(position.rules, sides)
    found = _weighed(_standing(position, sides, placed), weights)
    sign = 1 if position.turn == WHITE else -1
    most = sum(abs(weight) * limit for weight, limit in zip(weights[-THREATS:], MOST_THREATS, strict=True))
    if sign * found - most >= high:
        return sign * found - most
    if sign * found + most <= low:
        return sign * found + most
    return sign * (found + _weighed(_threatened(position, sides, placed), weights[-THREATS:]))


def _weighed(measured: tuple[Measures, Measures], weights: Weights) -> float:
    return sum(weight * (one - other) for weight, one, other in zip(weights, *measured, strict=False))


def measures(position: RithmoPosition) -> tuple[Measures, Measures]:
    """Return what white and what black has."""
    sides = _sides(position)
    placed = _placed(position.rules, sides)
    standing, threatened = _standing(position, sides, placed), _threatened(position, sides, placed)
    return standing[0] + threatened[0], standing[1] + threatened[1]


def _sides(position: RithmoPosition) -> tuple[Side, Side]:
    found: tuple[list[tuple[int, Man]], list[tuple[int, Man]]] = [], []
    for square, man in enumerate(position.men):
        if man is not None:
            found[man.owner - 1].append((square, man))
    return found


def _placed(rules: RithmoRules, sides: tuple[Side, Side]) -> tuple[Placed, Placed]:
    number = threats(rules).number
    one, other = (Placed.of([number(man) for _, man in side], [square for square, _ in side]) for side in sides)
    return one, other


def _standing(
    position: RithmoPosition, sides: tuple[Side, Side], placed: tuple[Placed, Placed]
) -> tuple[Measures, Measures]:
    """Return all measures but the threats."""
    rules = position.rules
    ground = _ground(rules)
    found = []
    for player, side in zip((WHITE, BLACK), sides, strict=True):
        share = taken_share(position, player)
        logs, parts = -_at_start(player), 0
        for _, man in side:
            logs += _log(man.number)
            parts += len(man.parts)
        king = parts / len(whole_pyramid(player)) if ground.kings else 0.0
        held = len(position.held(player)) if ground.returns else 0
        others = sides[2 - player]
        away = _away(rules, placed[player - 1], placed[2 - player])
        hunted = hunt(rules, side, others, away) if ground.kings else DONE
        way = [0.0] * ADVANCED
        if ground.harmonies and hunted is DONE:
            way = _advanced(position, player, side) if ground.fours is None else _squared(position, player, sides, away)
        reach = _reach(rules, others, away, hunted)
        gained = [now - before for now, before in zip(reach, _reach_at_start(rules, player), strict=True)]
        found.append([share, share * share, len(side), logs, float(parts > 0), king, held, *way, *gained])
    return found[0], found[1]


def nearest_harmony(position: RithmoPosition, player: int) -> tuple[int, tuple[int, int, int]] | None:
    """Return how many moves three men of a player need to a harmony that would win, and their numbers; None if none."""
    sides = _sides(position)
    if not (_ground(position.rules).near and _can_harmonise(position.rules, sides[2 - player])):
        return None
    return harmonies(position.rules, player).nearest(sides[player - 1])


def _can_harmonise(rules: RithmoRules, foes: Side) -> bool:
    """Whether harmonies count against a side; with kings they do only when its king is gone."""
    ground = _ground(rules)
    return ground.harmonies and not (ground.kings and any(man.parts for _, man in foes))


def _advanced(position: RithmoPosition, player: int, side: Side) -> Measures:
    """Return how far a side is on the way to a harmony."""
    rules = position.rules
    ground = _ground(rules)
    forward, there = 0, []
    for square, man in side:
        gone, far = ground.ahead[player - 1][square]
        forward += gone
        if far:
            there.append(man.number)
    pairs, triples = _harmonies(there, {man.number for _, man in side}) if len(there) > 1 else (0, 0)
    near = harmonies(rules, player).nearness(side) if ground.near else 0.0
    nearest = max(0, MOST_MOVES - harmonies(rules, player).least_moves(position.men, side)) if ground.near else 0
    counted = min(len(there), MOST_FAR), min(pairs, MOST_PAIRS), min(triples, MOST_TRIPLES)
    return [forward, *counted, min(near, MOST_HARMONY), nearest]


def _squared(position: RithmoPosition, player: int, sides: tuple[Side, Side], away: Sequence[int]) -> Measures:
    """Return how far a side is on the way to a harmony of four, in the place of `_advanced`."""
    moves = min((plan.moves for plan in _plans(position, player, sides, away)), default=MOST_FOR_FOUR)
    return [*[0.0] * (ADVANCED - 1), max(0, MOST_FOR_FOUR - moves)]


def _plans(position: RithmoPosition, player: int, sides: tuple[Side, Side], away: Sequence[int]) -> Sequence[FourPlan]:
    least = _ground(position.rules).fours
    assert least is not None, "four men are asked for"
    return fours_of(position.rules, player, least).plans(position, sides[player - 1], sides[2 - player], away)


def helpful_returns(position: RithmoPosition) -> Sequence[Return]:
    """Return how the player to act brings men back on the shortest ways to a harmony of four that ends the game."""
    rules, player = position.rules, position.turn
    sides = _sides(position)
    least = _ground(rules).fours
    if least is None or not position.held(player) or not _can_harmonise(rules, sides[2 - player]):
        return ()
    placed = _placed(rules, sides)
    plans = _plans(position, player, sides, _away(rules, placed[player - 1], placed[2 - player]))
    return tuple(fours_of(rules, player, least).returns(position, plans))


def _threatened(
    position: RithmoPosition, sides: tuple[Side, Side], placed: tuple[Placed, Placed]
) -> tuple[Measures, Measures]:
    """Return what each side could take by its next move, and by the one after it."""
    rules, table = position.rules, threats(position.rules)
    found = []
    for own, others, men in ((0, 1, sides[1]), (1, 0, sides[0])):
        taken = table.of(position.men, placed[own], placed[others])
        gains = (sum(_gain(rules, men[place][1]) for place in places) for places in taken)
        found.append([min(gain, most) for gain, most in zip(gains, MOST_THREATS, strict=True)])
    return found[0], found[1]


@cache
def _gain(rules: RithmoRules, man: Man) -> float:
    """Return what it is worth to take a man, or a usual part of a pyramid, by the weights by hand."""
    parts = max(1, len(man.parts))
    gain = BY_HAND["share"] * share_of(rules, man) + BY_HAND["logs"] * _log(man.number)
    return (gain + BY_HAND["king"] * (man.is_pyramid and rules.has_kings)) / parts


class _Ground(NamedTuple):
    """What measures depend on: for white and black, how many ranks each square is ahead, and if in the enemy's half.

    ``fours``: the least grade of harmony that ends the game, if it takes four men and a king that is gone.
    """

    kings: bool
    harmonies: bool
    near: bool
    fours: int | None
    returns: bool
    ahead: tuple[tuple[tuple[int, bool], ...], tuple[tuple[int, bool], ...]]


@cache
def _ground(rules: RithmoRules) -> _Ground:
    board = rules.board
    ahead = (
        tuple((rank, square in board.half(BLACK)) for square, (_, rank) in enumerate(board.places)),
        tuple((board.ranks - 1 - rank, square in board.half(WHITE)) for square, (_, rank) in enumerate(board.places)),
    )
    near = by_harmony(rules) and least_grade(rules) == 0
    fours = least_grade(rules) if rules.has_kings and not near else None
    return _Ground(rules.has_kings, by_harmony(rules), near, fours, rules["returns"] != "none", ahead)


def _away(rules: RithmoRules, own: Placed, others: Placed) -> list[int]:
    """Return for each of the others the moves to a place from which a man takes him."""
    return threats(rules).moves_to(own, others) if len(own.kinds) else [TOO_FAR] * len(others.kinds)


def _reach(rules: RithmoRules, foes: Side, away: Sequence[int], hunted: Hunt) -> Sequence[float]:
    """Return what the enemies are worth to a side, the less the farther it is from taking them, and of its hunt."""
    approach = sum(APPROACH_PER_MOVE**moves * _gain(rules, man) for moves, (_, man) in zip(away, foes, strict=True))
    return approach, hunted.share if rules.has_kings else 0.0


@cache
def _reach_at_start(rules: RithmoRules, player: int) -> Sequence[float]:
    """Return the same where the game begins: the two armies are unlike, and an even game shall count as one."""
    start = game(rules.slug).start(2, **dict(rules.settings))
    assert isinstance(start, RithmoPosition), "these rules belong to a game of this family"
    sides = _sides(start)
    placed = _placed(rules, sides)
    side, others = sides[player - 1], sides[2 - player]
    away = _away(rules, placed[player - 1], placed[2 - player])
    return _reach(rules, others, away, hunt(rules, side, others, away) if rules.has_kings else DONE)


@cache
def _at_start(player: int) -> float:
    """Return the logarithms of the numbers of the men with whom a player begins."""
    return sum(_log(man.number) for rank in array(player) for man in rank if man is not None)


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
