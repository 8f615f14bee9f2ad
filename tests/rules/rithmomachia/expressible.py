"""Every choice that a hand could mean: all that numbers or shapes make plausible, and of the rest some of each kind."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from companion.rules.board import Site
from companion.rules.game import Choice, Position
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import Claim, Delivery, Done, Move, Place, Return

FILES = "abcdefgh"
EACH = 23
"""Of choices that nothing makes plausible, one of so many is tried."""

STEPS = ([0, 1], [1, 1], [0, 2], [2, 2], [0, 3], [3, 3], [1, 2], [1, 3])
"""All that any man goes in any of the games."""

Numbered = tuple[Place, int]
Claimed = tuple[Place, str, tuple[Place, ...]]


def expressible(position: Position) -> Iterator[Choice]:
    """Give them without asking the engine what is legal: plausible is what the arithmetic or the steps allow."""
    assert isinstance(position, RithmoPosition)
    yield from (Done(), Move("a1", "z9"), Return("circle", 2, "a1"), Return("hexagon", 7, "d4"))
    yield from _moves(position)
    yield from _returns(position)
    men = {**position.to_json()["men"], **position.to_json()["lifted"]}
    own = [(site, man) for site, man in men.items() if man["colour"] == ("white", "black")[position.turn - 1]]
    enemies = [(site, man) for site, man in men.items() if (site, man) not in own]
    yield from (Delivery(place) for place, _ in _places(enemies))
    yield from (Delivery(Place(site)) for site, _ in own[::6])
    yield from _thinned(_claims(_places(own), _places(enemies)))
    yield from (Claim(Place(site), "siege") for site in men)
    yield from _of_many(own, _places(enemies))
    if own and enemies:
        one, other = own[0][0], enemies[0][0]
        yield from (Claim(Place(other), kind, (Place(one),)) for kind in ("ambush", "magic", "siege"))
        yield from (
            Claim(Place(site, part), "encounter", (Place(one),)) for site, part in ((one, 0), (other, 3), ("d9", 0))
        )
        yield Claim(Place(other), "ambush", (Place(one), Place(one)))
        yield Claim(Place(other), "ambush", tuple(Place(site) for site, _ in own[1::-1]))


def _coordinates(site: str) -> tuple[int, int]:
    return FILES.index(site[0]), int(site[1:])


def _moves(position: RithmoPosition) -> Iterator[Move]:
    sites = [(site.name, _coordinates(site.name)) for site in _board(position)]
    own = ("white", "black")[position.turn - 1]
    for number, (start, man) in enumerate(position.occupancy().items()):
        file, rank = _coordinates(start)
        for other, (end, (across, along)) in enumerate(sites):
            far = sorted((abs(across - file), abs(along - rank)))
            if (man["colour"] == own and far in STEPS) or (other + number) % (4 * EACH) == 0:
                yield Move(start, end)


def _board(position: RithmoPosition) -> Sequence[Site]:
    boards = {len(board.sites): board.sites for board in position.game.boards}
    return boards[8 * int(position.options["ranks"])]


def _returns(position: RithmoPosition) -> Iterator[Return]:
    sites = [site.name for site in _board(position)]
    for hand in position.to_json()["captured"].values():
        for man in hand:
            yield from (Return(man["shape"], man["number"], site) for site in sites)


def _places(men: Iterable[tuple[str, dict[str, object]]]) -> list[Numbered]:
    """Give every man with his number, and each part of a pyramid with its own."""
    found: list[Numbered] = []
    for site, man in men:
        found.append((Place(site), int(str(man["number"]))))
        parts = man.get("parts", [])
        assert isinstance(parts, list)
        found += [(Place(site, part["number"]), part["number"]) for part in parts]
    return found


def _claims(own: Sequence[Numbered], enemies: Sequence[Numbered]) -> Iterator[tuple[bool, Claimed]]:
    """Give claims of one and two men, each with whether its numbers can be right at any distance."""
    pairs = [sorted(pair, key=lambda numbered: _coordinates(numbered[0].site)) for pair in combinations(own, 2)]
    for target, wanted in enemies:
        for place, number in own:
            low, high = sorted((number, wanted))
            yield low == high, (target, "encounter", (place,))
            yield high % low == 0, (target, "assault", (place,))
            yield any(low**exponent == high for exponent in range(2, 17)), (target, "power", (place,))
        for (place, number), (helper, other) in pairs:
            if place.site != helper.site:
                low, middle, high = sorted((number, other, wanted))
                ambush = low + middle == high or low * middle == high
                yield ambush, (target, "ambush", (place, helper))
                equal = 2 * middle == low + high or middle**2 == low * high or middle * (low + high) == 2 * low * high
                yield equal, (target, "progression", (place, helper))


def _thinned(claims: Iterable[tuple[bool, Claimed]]) -> Iterator[Claim]:
    for number, (plausible, claimed) in enumerate(claims):
        if plausible or number % (4 * EACH) == 0:
            yield Claim(*claimed)


def _of_many(own: Sequence[tuple[str, dict[str, object]]], enemies: Sequence[Numbered]) -> Iterator[Claim]:
    """Give ambushes of three and more who stand near the target, if their numbers can be right."""
    for target, wanted in enemies:
        file, rank = _coordinates(target.site)
        near = []
        for site, man in own:
            down, along = abs(_coordinates(site)[0] - file), abs(_coordinates(site)[1] - rank)
            if max(down, along) <= 3 and (0 in (down, along) or down == along):
                near.append(_places([(site, man)]))
        near.sort(key=lambda places: _coordinates(places[0][0].site))
        for count in range(3, len(near) + 1):
            for group in combinations(near, count):
                for takers in product(*group):
                    numbers = [number for _, number in takers]
                    if any(sum(numbers) in (wanted, 2 * number - wanted) for number in numbers):
                        yield Claim(target, "ambush", tuple(place for place, _ in takers))
