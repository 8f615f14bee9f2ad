"""Surrounding: when a man has no way out, and who can set him free (Durnil & Guardia 5.6; Mebben, D)."""

from collections.abc import Iterator

from companion.rules.rithmomachia.men import Men
from companion.rules.rithmomachia.numbers import assault
from companion.rules.rithmomachia.rule_set import RithmoRules, Way


def open_way(rules: RithmoRules, men: Men, square: int, besieger: int) -> Way | None:
    """Return a way of the man here that nothing stops, or None if he is surrounded.

    If his own men stop him as well (option), the besieger must still stop at least one way. Otherwise this returns the
    first way, which none of the besieger's men stops.
    """
    man = men[square]
    assert man is not None, "a man is besieged"
    ways = rules.ways(man)[square]
    for way in ways:
        if not _stopped(rules, men, way, besieger):
            return way
    if rules.own_men_stop and not any(_has(men, way, besieger) for way in ways):
        return ways[0] if ways else None
    return None


def _has(men: Men, way: Way, owner: int) -> bool:
    return any((man := men[stop]) is not None and man.owner == owner for stop in way.stops)


def _stopped(rules: RithmoRules, men: Men, way: Way, besieger: int) -> bool:
    end = men[way.end]
    if end is not None and (rules.own_men_stop or end.owner == besieger):
        return True
    for square in way.path:
        man = men[square]
        if man is not None and (rules.own_men_stop or man.owner == besieger):
            return True
    return False


def is_last_stop(rules: RithmoRules, men: Men, square: int, mover: int) -> bool:
    """Whether a surrounded man would not be surrounded without the man that moved."""
    besieger = men[mover]
    assert besieger is not None, "a man moved there"
    return open_way(rules, lifted(men, mover), square, besieger.owner) is not None


def lifted(men: Men, square: int) -> Men:
    """Return the men without the one here."""
    return (*men[:square], None, *men[square + 1 :])


def carried(men: Men, start: int, end: int) -> Men:
    """Return the men after one of them moves."""
    there = list(men)
    there[start], there[end] = None, men[start]
    return tuple(there)


def free_ways(rules: RithmoRules, men: Men, square: int) -> Iterator[Way]:
    """Yield every way that the man here can go."""
    man = men[square]
    assert man is not None, "a man stands here"
    for way in rules.ways(man)[square]:
        if men[way.end] is None and all(men[passed] is None for passed in way.path):
            yield way


def relief(rules: RithmoRules, men: Men, besieged: int) -> tuple[int, int] | None:
    """Return who could set a besieged man free, as his square and the square to move to (or to stay on), or None.

    Another man of his side may clear a way by moving off it. Or one other man may take an enemy without whom the
    besieged man could move. He takes by meeting or assault, from where he stands or after one move (Mebben, D: "set
    free by one piece").
    """
    man = men[besieged]
    assert man is not None, "a man is besieged"
    side = man.owner
    stops = {stop for way in rules.ways(man)[besieged] for stop in way.stops}
    helpers = [place for place, other in enumerate(men) if other and other.owner == side and place != besieged]
    in_the_way = _besiegers(rules, men, besieged, side)
    for helper in helpers:
        if not rules.by_mover and any(takes_alone(rules, men, helper, target) for target in in_the_way):
            return helper, helper
        for way in free_ways(rules, men, helper):
            there = carried(men, helper, way.end)
            if helper in stops and next(free_ways(rules, there, besieged), None):
                return helper, way.end
            targets = _besiegers(rules, there, besieged, side)
            if any(takes_alone(rules, there, way.end, target) for target in targets):
                return helper, way.end
    return None


def _besiegers(rules: RithmoRules, men: Men, besieged: int, side: int) -> set[int]:
    """Return the enemies without whom the besieged man would have a move."""
    man = men[besieged]
    assert man is not None, "a man is besieged"
    found: set[int] = set()
    for way in rules.ways(man)[besieged]:
        standing = [(stop, other) for stop in way.stops if (other := men[stop]) is not None]
        if len(standing) == 1 and standing[0][1].owner != side:
            found.add(standing[0][0])
    return found


def takes_alone(rules: RithmoRules, men: Men, taker: int, target: int) -> bool:
    """Whether one man could take another whole by meeting or assault from where he stands."""
    one, other = men[taker], men[target]
    assert one is not None, "a man takes"
    assert other is not None, "a man is taken"
    between = rules.board.between(taker, target)
    if between is None or any(men[square] is not None for square in between):
        return False
    steps = len(between) + 1
    hop = (rules.board.diagonal(taker, target), steps)
    return any(
        (hop in aspect.reach and aspect.number == other.number)
        or (hop in aspect.assault and _assaults(rules, aspect.number, other.number, steps))
        for aspect in rules.taking(one, other)
    )


def _assaults(rules: RithmoRules, number: int, wanted: int, steps: int) -> bool:
    distance = steps + rules.offset
    return distance >= rules.least_factor and assault(number, wanted, distance) is not None
