"""Whether a reason that a player gives is true, counted again by the rules core alone, without the search."""

from collections import Counter
from itertools import combinations

from companion.players.player import Reason
from companion.players.rithmomachia.harmony import placements
from companion.rules.board import HAND, OFF
from companion.rules.dice import all_throws
from companion.rules.game import Choice
from companion.rules.ludix import LudixPosition
from companion.rules.ludix.numerals import DICE, dice, formed_by, shown_by
from companion.rules.rithmomachia import numbers, transitions
from companion.rules.rithmomachia.choices import Claim, Delivery, Move
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RithmoRules
from companion.rules.tables import TablesPosition


def men(position: TablesPosition, side: int) -> dict[str, int]:
    """Return the men of a side by place, from what the page draws."""
    return {site: there[str(side)] for site, there in position.occupancy().items() if str(side) in there}


def hits_by_every_throw(position: TablesPosition) -> tuple[int, dict[str, int]]:
    """Count the throws of which some turn takes a man of the side that does not throw, and those for each point."""
    victim = 3 - position.side
    before = men(position, victim)
    ways, on = 0, Counter[str]()
    for throw in position.throws():
        hit: set[str] = set()
        for play in position.after(throw).plays():
            assert isinstance(play.position, TablesPosition)
            after = men(play.position, victim)
            if after.get(HAND, 0) > before.get(HAND, 0):
                hit |= {point for point, count in before.items() if count > after.get(point, 0)}
        ways += bool(hit)
        on.update(hit)
    return ways, dict(on)


def of_tables(  # noqa: PLR0911 - one for each kind
    reason: Reason, before: TablesPosition, after: TablesPosition
) -> bool:
    """Whether a reason of tables is true."""
    facts, side = dict(reason.facts), before.side
    own, were = men(after, side), men(before, side)
    foe, foe_were = men(after, 3 - side), men(before, 3 - side)
    match reason.kind:
        case "wins":
            return after.outcome is not None and before.turn in after.outcome.winners
        case "hits":
            gone = [point for point in foe_were if point not in foe and point not in (HAND, OFF)]
            return foe[HAND] - foe_were.get(HAND, 0) == facts["men"] and "".join(gone) == facts["points"]
        case "closes":
            closed = [point for point in own if point not in (HAND, OFF) and own[point] > 1 and were.get(point, 0) < 2]
            return "".join(sorted(closed)) == facts["points"]
        case "open":
            return hits_by_every_throw(after)[0] == facts["ways"] and len(after.throws()) == facts["total"]
        case "off":
            return own[OFF] - were.get(OFF, 0) == facts["count"]
        case "home":
            last = before.rules.courses[side - 1].track[-6:]
            at_home = [sum(there.get(point, 0) for point in last) for there in (own, were)]
            return at_home[0] - at_home[1] == facts["count"]
        case "race":
            return [facts["own"], facts["foe"]] == [
                before.rules.courses[number - 1].pips(after.men[number - 1]) for number in (side, 3 - side)
            ]
    raise AssertionError(f"a kind that nothing checks: {reason.kind}")


def takable_by_trying(position: RithmoPosition, player: int) -> set[str]:
    """Return where the men stand that a player can take at once or by one move, by trying every claim of every move."""
    if position.turn == player:
        now = {claim.target.site for claim in position.claims}
        there = position
    else:
        now, passed = set(), position.passed()
        assert passed is not None
        there = passed
    for move in there.legal():
        if isinstance(move, Move):
            now |= {claim.target.site for claim in transitions.carried_out(there, move).claims}
    return now


def fewest_moves_to_a_harmony(position: RithmoPosition, player: int) -> dict[tuple[int, ...], int]:
    """Return for each three men in progression the moves that they need to a harmony, tried step by step."""
    rules = position.rules
    own = [(square, man) for square, man in enumerate(position.men) if man is not None and man.owner == player]
    found: dict[tuple[int, ...], int] = {}
    for three in combinations(sorted(own, key=lambda placed: placed[1].number), 3):
        risen = tuple(man.number for _, man in three)
        if not numbers.progression(risen):
            continue
        away = [moves_away(rules, man, square) for square, man in three]
        for squares in placements(rules, player).tolist():
            needed = sum(far.get(square, 999) for far, square in zip(away, squares, strict=True))
            found[risen] = min(needed, found.get(risen, needed))
    return found


def moves_away(rules: RithmoRules, man: Man, square: int) -> dict[int, int]:
    """Return how many moves each square is away for a man alone on the board."""
    found, ring = {square: 0}, [square]
    while ring:
        ring = [way.end for one in ring for shape in rules.shapes(man) for way in rules.tables[shape][one]]
        ring = list(dict.fromkeys(end for end in ring if end not in found))
        found |= dict.fromkeys(ring, 1 + max(found.values()))
    return found


def of_rithmomachia(reason: Reason, before: RithmoPosition, after: RithmoPosition, choices: tuple[Choice, ...]) -> bool:
    """Whether a reason of Rithmomachia is true."""
    facts = dict(reason.facts)
    match reason.kind:
        case "wins":
            return after.outcome is not None and after.outcome.winners == (before.turn,)
        case "takes":
            return facts["claim"] in {str(choice) for choice in choices if isinstance(choice, Claim | Delivery)}
        case "exposed":
            return set(str(facts["after"]).split()) == takable_by_trying(after, 3 - before.turn)
        case "prepares":
            return set(str(facts["men"]).split()) == takable_by_trying(after, before.turn)
        case "harmony":
            three = tuple(int(number) for number in str(facts["men"]).split())
            nearest = fewest_moves_to_a_harmony(after, before.turn)
            return (
                nearest[three] == facts["moves"] == min(nearest.values())
                and min(fewest_moves_to_a_harmony(before, before.turn).values()) == facts["before"]
            )
    raise AssertionError(f"a kind that nothing checks: {reason.kind}")


def of_ludix(reason: Reason, before: LudixPosition, after: LudixPosition) -> bool:
    """Whether a reason of Ludix is true."""
    facts = dict(reason.facts)
    throws = list(all_throws(DICE, dice()))
    nothing = sum(not formed_by(shown_by(throw)) for throw in throws)
    gained = after.scores()[before.turn]
    match reason.kind:
        case "fails":
            return facts["ways"] == nothing and facts["stake"] == gained - before.own
        case "makes":
            return facts["ways"] == len(throws) - nothing and facts["stake"] == after.stake
        case "reached":
            return facts["points"] == gained and gained >= int(before.options["target"])
    raise AssertionError(f"a kind that nothing checks: {reason.kind}")
