"""Every valid capture in a position, with its arithmetic written out.

For all captures but the siege, the search follows the eight lines from the target; on each line, only the first man
can take it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from companion.rules.rithmomachia import numbers, siege
from companion.rules.rithmomachia.choices import (
    AMBUSH,
    ASSAULT,
    ENCOUNTER,
    POWER,
    PROGRESSION,
    SIEGE,
    Claim,
    Place,
)
from companion.rules.rithmomachia.men import Man, Men
from companion.rules.rithmomachia.rule_set import Aspect, Hop, RithmoRules, numbers_of
from companion.rules.rithmomachia.squares import enemy

LEAST_EXPONENT = 2


class Taker(NamedTuple):
    """A number that reaches a target: the square, the part of the pyramid there (0: the whole man), the number."""

    square: int
    part: int
    number: int


class Hops(NamedTuple):
    """The hops over which a man has to do with a target: he reaches it, to take it with others; he takes it alone."""

    reach: frozenset[Hop]
    alone: frozenset[Hop]


@cache
def hops(rules: RithmoRules, man: Man, taken: Man) -> Hops:
    """Return over which hops a man reaches a target, and over which he takes it, or a part of it, alone."""
    aspects = rules.taking(man, taken)
    reach = frozenset(hop for aspect in aspects for hop in aspect.reach)
    every = {(diagonal, steps) for diagonal in (False, True) for steps in range(1, rules.board.ranks)} | reach
    alone = {
        hop
        for hop in every
        if any(True for _, number in numbers_of(taken) for _ in _alone(rules, aspects, hop, number))
    }
    return Hops(reach, frozenset(alone))


def captures(rules: RithmoRules, men: Men, player: int, mover: int | None) -> dict[Claim, str]:
    """Return every capture that a player has, each with the arithmetic that proves it (a siege: the empty text).

    ``mover``: only captures with the man on this square; None: with any man.
    """
    targets = _targets(rules, men, player, mover)
    found: dict[Claim, str] = {}
    for target in targets:
        found.update(by_number(rules, men, player, target, mover))
    if SIEGE in rules.captures:
        near = rules.crosses(mover) if mover is not None else range(rules.board.count)
        for target in surrounded(rules, men, player, near, mover):
            found[Claim(Place(rules.board.names[target]), SIEGE)] = ""
    return found


def _targets(rules: RithmoRules, men: Men, player: int, mover: int | None) -> list[int]:
    if mover is None:
        return [square for square, man in enumerate(men) if man is not None and man.owner != player]
    return [square for square, _, _ in in_line(rules, men, mover, enemy(player))]


def in_line(rules: RithmoRules, men: Men, square: int, owner: int) -> list[tuple[int, bool, int]]:
    """Return a player's men who stand first on a line from a square, as (square, diagonal, steps)."""
    found: list[tuple[int, bool, int]] = []
    for diagonal, line in rules.board.rays[square]:
        for steps, seen in enumerate(line, 1):
            man = men[seen]
            if man is not None:
                if man.owner == owner:
                    found.append((seen, diagonal, steps))
                break
    return found


def by_number(rules: RithmoRules, men: Men, player: int, target: int, mover: int | None) -> Iterator[tuple[Claim, str]]:
    """Yield every capture of the man on one square but the siege, with its arithmetic; ``mover`` as in `captures`."""
    taken = men[target]
    assert taken is not None, "a man is taken"
    in_sight = _in_sight(rules, men, player, target, mover)
    if not in_sight:
        return
    wanted = numbers_of(taken)
    name = rules.board.names[target]
    reaching: list[list[Taker]] = []
    for square, diagonal, steps in in_sight:
        man = men[square]
        assert man is not None, "a man is in line"
        hop = (diagonal, steps)
        takers = [
            Taker(square, aspect.part, aspect.number) for aspect in rules.taking(man, taken) if hop in aspect.reach
        ]
        if takers:
            reaching.append(takers)
        if mover is None or square == mover:
            aspects = rules.taking(man, taken)
            for part, number in wanted:
                for taker, kind, proof in _alone(rules, aspects, hop, number):
                    yield Claim(Place(name, part), kind, (Place(rules.board.names[square], taker),)), proof
    if len(reaching) > 1 and (mover is None or any(takers[0].square == mover for takers in reaching)):
        for part, number in wanted:
            yield from _helped(rules, reaching, mover, Place(name, part), number)


def _in_sight(rules: RithmoRules, men: Men, player: int, target: int, mover: int | None) -> list[tuple[int, bool, int]]:
    """Return the player's men in line with a target, sorted, or none, as mostly, if they cannot take it."""
    taken = men[target]
    assert taken is not None, "a man is taken"
    found = in_line(rules, men, target, player)
    reaching, alone = 0, False
    for square, diagonal, steps in found:
        man = men[square]
        assert man is not None, "a man is in line"
        reach, takes = hops(rules, man, taken)
        reaching += (diagonal, steps) in reach
        alone = alone or ((diagonal, steps) in takes and mover in (None, square))
    return sorted(found) if alone or reaching > 1 else []


def _alone(rules: RithmoRules, aspects: Iterable[Aspect], hop: Hop, wanted: int) -> Iterator[tuple[int, str, str]]:
    """Yield what one man takes by himself: the part that takes, the kind of capture, the proof."""
    distance = hop[1] + rules.offset
    for part, number, reach, assault in aspects:
        if number == wanted and hop in reach and ENCOUNTER in rules.captures:
            yield part, ENCOUNTER, f"{wanted} = {wanted}"
        if hop not in assault:
            continue
        if distance >= rules.least_factor:
            proof = numbers.assault(number, wanted, distance)
            if proof is not None:
                yield part, ASSAULT, proof
        if distance >= LEAST_EXPONENT and POWER in rules.captures:
            proof = numbers.power(number, wanted, distance)
            if proof is not None:
                yield part, POWER, proof


def _helped(
    rules: RithmoRules, reaching: Sequence[Sequence[Taker]], mover: int | None, target: Place, wanted: int
) -> Iterator[tuple[Claim, str]]:
    """Yield what two or more men take together: ambush, progression."""
    for count in range(2, min(len(reaching), rules.most_ambushers) + 1):
        for group in combinations(reaching, count):
            if mover is not None and all(takers[0].square != mover for takers in group):
                continue
            for takers in product(*group):
                made = [taker.number for taker in takers]
                proof = numbers.together(made, wanted, all_four=rules.all_four)
                if proof is not None and AMBUSH in rules.captures:
                    yield Claim(target, AMBUSH, places(rules, takers)), proof
                if count == 2 and PROGRESSION in rules.captures and numbers.progression([*made, wanted]):  # noqa: PLR2004 -- three men
                    yield Claim(target, PROGRESSION, places(rules, takers)), numbers.written([*made, wanted])


def places(rules: RithmoRules, takers: Iterable[Taker]) -> tuple[Place, ...]:
    """Return the takers as a claim names them, in the order of their squares."""
    return tuple(Place(rules.board.names[taker.square], taker.part) for taker in takers)


def surrounded(rules: RithmoRules, men: Men, player: int, near: Iterable[int], mover: int | None) -> Iterator[int]:
    """Yield the squares, of those that are ``near``, on which a player can take a man by siege."""
    for square in near:
        man = men[square]
        if man is None or man.owner == player or siege.open_way(rules, men, square, player) is not None:
            continue
        if mover is not None and not siege.is_last_stop(rules, men, square, mover):
            continue
        if rules["relief"] and siege.relief(rules, men, square) is not None:
            continue
        yield square
