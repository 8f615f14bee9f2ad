"""What is wrong with a claim, in one sentence: the square, the man, the way, the distance or the arithmetic."""

from collections.abc import Sequence

from companion.language.sentence import Sentence, player
from companion.rules.rithmomachia import numbers, siege
from companion.rules.rithmomachia.captures import LEAST_EXPONENT
from companion.rules.rithmomachia.choices import AMBUSH, ASSAULT, ENCOUNTER, POWER, PROGRESSION, SIEGE, Claim, Place
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.rule_set import Aspect, numbers_of
from companion.rules.rithmomachia.squares import enemy
from companion.rules.rithmomachia.state import RithmoState
from companion.rules.rithmomachia.words import claim_sentence, kind_sentence, man_sentence, side

NAMED = {
    "between": Sentence("empty squares between them"),
    "steps": Sentence("steps from one to the other"),
    "inclusive": Sentence("squares, both men's own among them"),
}
NEEDED = {ENCOUNTER: 1, ASSAULT: 1, POWER: 1, PROGRESSION: 2, SIEGE: 0}


def dispute(position: RithmoState, claim: Claim) -> Sentence:
    """Say what is wrong with a claim that is not valid here."""
    sentence = _out_of_time(position, claim) or _target(position, claim) or _takers(position, claim)
    if sentence is None and claim.kind == SIEGE:
        sentence = _siege(position, claim)
    if sentence is None:
        sentence = _ways(position, claim) or _arithmetic(position, claim)
    return sentence or Sentence("{claim} is not possible here.", claim=claim_sentence(claim))


def _out_of_time(position: RithmoState, claim: Claim) -> Sentence | None:
    if claim.kind not in position.rules.captures:
        return Sentence("This game has no capture by {kind}.", kind=kind_sentence(claim.kind))
    if position.may_claim:
        return None
    last = position.last
    names = position.rules.board.names
    if (
        last is not None
        and not position.rules.regular(*last)
        and names[last[1]] in {taker.site for taker in claim.takers}
    ):
        return Sentence("The man on {site} made an irregular move, so it takes nothing.", site=names[last[1]])
    return Sentence("{player} moves first, and says after the move what it takes.", player=player(position.turn))


def _man(position: RithmoState, place: Place) -> Man | None:
    square = position.rules.board.numbered.get(place.site)
    return None if square is None else position.judged_on[square]


def _target(position: RithmoState, claim: Claim) -> Sentence | None:
    place = claim.target
    man = _man(position, place)
    if man is None:
        return Sentence("Nothing stands on {site}.", site=place.site)
    if man.owner == position.turn:
        return Sentence(
            "The {man} on {site} is {player}'s own.",
            man=man_sentence(man),
            site=place.site,
            player=player(position.turn),
        )
    if all(place.part != part for part, _ in numbers_of(man)):
        return Sentence(
            "The {man} on {site} has no part {part}.", man=man_sentence(man), site=place.site, part=place.part
        )
    if place.part and claim.kind == SIEGE:
        return Sentence("A siege takes the whole pyramid.")
    if position.phase == "claims" and not position.stands(place):
        return Sentence("{target} has already been taken.", target=str(place))
    return None


def _takers(position: RithmoState, claim: Claim) -> Sentence | None:
    """Say what is wrong with the men named as takers: how many, which, in which order."""
    wrong = _how_many(position, claim)
    for taker in claim.takers:
        wrong = wrong or _taker(position, taker)
    if wrong is not None:
        return wrong
    sites = [taker.site for taker in claim.takers]
    if len(set(sites)) < len(sites):
        return Sentence("Each man helps once: {sites}.", sites=", ".join(sites))
    if sites != sorted(sites, key=position.rules.board.numbered.__getitem__):
        return Sentence("Name the takers in the order of their squares, not as {sites}.", sites=", ".join(sites))
    mover = position.must_take
    if mover is not None and claim.kind != SIEGE and position.rules.board.names[mover] not in sites:
        return Sentence(
            "Only the man that moved, the one on {site}, may take, alone or with help.",
            site=position.rules.board.names[mover],
        )
    return None


def _how_many(position: RithmoState, claim: Claim) -> Sentence | None:
    named = len(claim.takers)
    if claim.kind == AMBUSH:
        most = position.rules.most_ambushers
        if 1 < named <= most:
            return None
        men = Sentence("two") if most == 2 else Sentence("two or more")  # noqa: PLR2004 -- two men
        return Sentence("An ambush is made by {men} men, but {count} are named.", men=men, count=named)
    needed = NEEDED[claim.kind]
    if named == needed:
        return None
    if needed == 0:
        return Sentence("A siege needs no takers, but {count} are named.", count=named)
    men = Sentence("one man") if needed == 1 else Sentence("two men")
    return Sentence(
        "A capture by {kind} is made by {men}, but {count} are named.",
        kind=kind_sentence(claim.kind),
        men=men,
        count=named,
    )


def _taker(position: RithmoState, taker: Place) -> Sentence | None:
    man = _man(position, taker)
    if man is None or man.owner != position.turn:
        return Sentence("No man of {colour} stands on {site}.", colour=side(position.turn), site=taker.site)
    if any(aspect.part == taker.part for aspect in position.rules.aspects(man)):
        return None
    if taker.part:
        return Sentence(
            "The {man} on {site} has no part {part}.", man=man_sentence(man), site=taker.site, part=taker.part
        )
    return Sentence("The pyramid on {site} has lost a part, so it does not take as a whole.", site=taker.site)


def _aspects(position: RithmoState, claim: Claim) -> list[tuple[Place, Aspect]]:
    target = _man(position, claim.target)
    assert target is not None, "a man is to be taken"
    found = []
    for taker in claim.takers:
        man = _man(position, taker)
        assert man is not None, "a man takes"
        found.append((taker, next(a for a in position.rules.taking(man, target) if a.part == taker.part)))
    return found


def _ways(position: RithmoState, claim: Claim) -> Sentence | None:
    """Say which taker is not in line, is blocked, or stands at a wrong distance."""
    rules = position.rules
    target = rules.board.numbered[claim.target.site]
    for taker, aspect in _aspects(position, claim):
        square = rules.board.numbered[taker.site]
        between = rules.board.between(square, target)
        if between is None:
            return Sentence("{taker} and {target} are not in line.", taker=taker.site, target=claim.target.site)
        blocked = next((passed for passed in between if position.judged_on[passed] is not None), None)
        hop = (rules.board.diagonal(square, target), len(between) + 1)
        if claim.kind in (ASSAULT, POWER):
            if hop not in aspect.assault:
                return Sentence(
                    "{taker} does not assault {target} this way.", taker=str(taker), target=claim.target.site
                )
        elif hop not in aspect.reach:
            return Sentence(
                "{taker} cannot reach {target} by one regular move.", taker=str(taker), target=claim.target.site
            )
        if blocked is not None:
            return Sentence("The way is blocked at {site}.", site=rules.board.names[blocked])
    return None


def _arithmetic(position: RithmoState, claim: Claim) -> Sentence | None:
    target = _man(position, claim.target)
    assert target is not None, "a man is to be taken"
    wanted = claim.target.part or target.number
    made = [aspect.number for _, aspect in _aspects(position, claim)]
    if claim.kind == ENCOUNTER:
        return Sentence("{number} is not {wanted}.", number=made[0], wanted=wanted)
    if claim.kind == PROGRESSION:
        return Sentence(
            "{numbers} are not an arithmetic, geometric or harmonic progression.",
            numbers=", ".join(map(str, sorted([*made, wanted]))),
        )
    if claim.kind == AMBUSH:
        return _ambush(made, wanted, all_four=position.rules.all_four)
    return _counted(position, claim, made[0], wanted)


def _ambush(made: Sequence[int], wanted: int, *, all_four: bool) -> Sentence:
    if len(made) == 2:  # noqa: PLR2004 -- two men
        results = ", ".join(text for text, _ in numbers.results(*made, all_four=all_four))
        return Sentence("{results}; none is {wanted}.", results=results, wanted=wanted)
    return Sentence(
        "Neither the sum of {numbers} nor one of them minus the others is {wanted}.",
        numbers=", ".join(map(str, made)),
        wanted=wanted,
    )


def _counted(position: RithmoState, claim: Claim, number: int, wanted: int) -> Sentence:
    """Say what is wrong with an assault or power: the distance that would work, or the arithmetic at this distance."""
    rules = position.rules
    between = rules.board.between(*(rules.board.numbered[place.site] for place in (claim.takers[0], claim.target)))
    assert between is not None, "they are in line"
    distance = len(between) + 1 + rules.offset
    named = NAMED[str(rules["distances"])]
    least = rules.least_factor if claim.kind == ASSAULT else LEAST_EXPONENT
    prove = numbers.assault if claim.kind == ASSAULT else numbers.power
    for other in range(least, rules.board.ranks + 1):
        proof = prove(number, wanted, other)
        if proof is not None and other != distance:
            return Sentence(
                "{proof} would need {other} {named}, but there are {distance}.",
                proof=proof,
                other=other,
                named=named,
                distance=distance,
            )
    if distance < least:
        return Sentence(
            "The distance, {named}, is {distance}; for {kind} it must be at least {least}.",
            distance=distance,
            named=named,
            kind=kind_sentence(claim.kind),
            least=least,
        )
    if claim.kind == ASSAULT:
        return Sentence(
            "{number} x {distance} = {product} and {wanted} x {distance} = {other}: neither turns {number} into "
            "{wanted}.",
            number=number,
            distance=distance,
            product=number * distance,
            wanted=wanted,
            other=wanted * distance,
        )
    return Sentence(
        "{number} to the power {distance} is {high} and {wanted} to the power {distance} is {other}: neither fits.",
        number=number,
        distance=distance,
        high=number**distance,
        wanted=wanted,
        other=wanted**distance,
    )


def _siege(position: RithmoState, claim: Claim) -> Sentence | None:
    rules, men = position.rules, position.judged_on
    square = rules.board.numbered[claim.target.site]
    way = siege.open_way(rules, men, square, position.turn)
    if way is not None:
        return Sentence(
            "{site} is not surrounded: no man of {player} blocks its way to {end}.",
            site=claim.target.site,
            player=player(position.turn),
            end=rules.board.names[way.end],
        )
    mover = position.must_take
    if mover is not None and not siege.is_last_stop(rules, men, square, mover):
        return Sentence(
            "{site} was surrounded without the man that moved to {mover}, so it is not taken now.",
            site=claim.target.site,
            mover=rules.board.names[mover],
        )
    helped = siege.relief(rules, men, square) if rules["relief"] else None
    if helped is None:
        return None
    helper, end = (rules.board.names[place] for place in helped)
    if helper == end:
        return Sentence(
            "{helper} could set {site} free by taking one of the men who besiege it.",
            helper=helper,
            site=claim.target.site,
        )
    return Sentence(
        "{player} could set {site} free by {helper}-{end}.",
        player=player(enemy(position.turn)),
        site=claim.target.site,
        helper=helper,
        end=end,
    )
