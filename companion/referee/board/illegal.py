"""Which rule forbids what was done: the one choice that would explain what is seen, refused in the game's words."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from companion.language.sentence import Sentence, player
from companion.referee.board import tables_search
from companion.referee.board.evidence import EXPLAINED, Evidence
from companion.referee.board.standing import Stand, look
from companion.referee.board.words import man, moved
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import AMBUSH, ENCOUNTER, SIEGE, Claim, Move, Place
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import HAND, OFF, Step, TurnDie


def why_not(position: Position, evidence: Evidence) -> Sentence | None:
    """Name the rule that forbids what is seen, where one man's way or one capture explains it; else None."""
    if isinstance(position, TablesPosition):
        return _tables(position, evidence)
    if isinstance(position, RithmoPosition):
        return _rithmomachia(position, evidence)
    return None


def _tables(position: TablesPosition, evidence: Evidence) -> Sentence | None:
    changed = moved(evidence, sorted(evidence.contradictions(evidence.agreed)))
    owners = {owner for _, owner in changed}
    if position.side not in owners and len(owners) == 1 and not position.over:
        return Sentence("It is the turn of {player}.", player=player(position.turn))
    left = [site for (site, owner), count in changed.items() if count < 0 and owner == position.side]
    come = [site for (site, owner), count in changed.items() if count > 0 and owner == position.side]
    if len(left) <= 1 and len(come) <= 1 and (left or come):
        start, end = (left or [HAND])[0], (come or [OFF])[0]
        if said := _one_man(position, start, end):
            return said
    near = tables_search.search(position, evidence, slack=1).near
    for place in sorted(near, key=lambda near: -near.played):
        if (place.start or place.end) and (said := _one_man(place.position, place.start or HAND, place.end or OFF)):
            return said
    return None


def _one_man(position: TablesPosition, start: str, end: str) -> Sentence | None:
    """Say why one man cannot go from one place to another, with one die or with several one after the other."""
    course = position.course
    places = {HAND: 0, **course.places, OFF: course.length + 1}
    if position.aside.turning:
        return next(
            (
                said
                for number in sorted(set(position.dice))
                if (said := _one_man(position.after(TurnDie(number)), start, end)) is not None
            ),
            None,
        )
    if start not in places or end not in places or not position.dice:
        return _refused(position, Step(start, end, position.dice[0] if position.dice else 1))
    if end == OFF and course.bears and position.own & course.outside:
        return Sentence("Men are borne off only when all of the side are in the last table.")
    points = places[end] - places[start]
    if (end == OFF and points <= max(position.dice)) or points in position.dice or points <= 0:
        die = next((die for die in position.dice if die >= points), position.dice[-1])
        return _refused(position, Step(start, end, die if points > 0 else 1))
    refusals = [
        said
        for dice in _sums(position.dice, points)
        if (said := _one_after_the_other(position, start, dice)) is not None
    ]
    if refusals:
        return refusals[0]
    return Sentence(
        "From {start} to {end} is {points} points, and the dice {dice} do not make that.",
        start=start,
        end=end,
        points=points,
        dice=", ".join(map(str, position.dice)),
    )


def _sums(dice: Sequence[int], points: int) -> Iterator[tuple[int, ...]]:
    for count in range(2, len(dice) + 1):
        yield from dict.fromkeys(some for some in permutations(dice, count) if sum(some) == points)


def _one_after_the_other(position: TablesPosition, start: str, dice: Sequence[int]) -> Sentence | None:
    """Say which of the steps of one man is refused first; None if none is."""
    here: Position = position
    track = position.course.track
    at = -1 if start == HAND else track.index(start)
    for die in dice:
        origin = HAND if at < 0 else track[at]
        at += die
        step = Step(origin, track[at] if at < len(track) else OFF, die)
        if (said := here.why_not(step)) is not None:
            return said
        here = here.after(step)
    return None


def _refused(position: Position, choice: Choice) -> Sentence | None:
    try:
        return position.why_not(choice)
    except (GameError, KeyError, IndexError):
        return None


def _rithmomachia(position: RithmoPosition, evidence: Evidence) -> Sentence | None:
    gone: list[str] = []
    come: list[str] = []
    for site in sorted(evidence.contradictions(evidence.agreed)):
        (gone if evidence.seen(site) is None else come).append(site)
    for start in gone:
        if (end := _where_to(evidence, start, come)) is not None:
            rest = [site for site in (*gone, *come) if site not in (start, end)]
            if (said := _moved(position, evidence, Move(start, end), rest)) is not None:
                return said
    if gone and not come:
        return _lifted(position, evidence, gone[0])
    return None


def _where_to(evidence: Evidence, start: str, come: Sequence[str]) -> str | None:
    """Return the site on which the man who left another now stands, if one is."""
    was = evidence.agreed.get(start)
    return next((site for site in come if evidence.chance(site, was) >= EXPLAINED), None)


def _moved(position: RithmoPosition, evidence: Evidence, move: Move, rest: Sequence[str]) -> Sentence | None:
    here = position
    if here.phase == "claims" and here.refusal(move) is not None:
        # whoever moves now says by it that the other is done
        here = here.next_turn()
    if (said := here.why_not(move)) is not None:
        return said
    after = here.after(move)
    lifted = [site for site in rest if evidence.seen(site) is None]
    expected = look(after)
    stays = next((site for site in lifted if evidence.contradicts(site, expected.get(site))), None)
    return _lifted(after, evidence, stays) if stays is not None else None


def _lifted(position: RithmoPosition, evidence: Evidence, site: str) -> Sentence | None:
    """Say that no capture takes the man who was lifted from a site, and why the likeliest does not."""
    stood = evidence.agreed.get(site)
    if not isinstance(stood, Stand):
        return None
    if any(claim.target.site == site and not claim.target.part for claim in position.claims):
        return None
    named = man(evidence.seating.men(stood), first=True)
    if not position.may_claim:
        return Sentence("{man} was lifted from {site}, but nobody has moved to take him.", man=named, site=site)
    takers = (Place(position.law.board.names[position.last[1]]),) if position.last is not None else ()
    kind = ENCOUNTER if takers else SIEGE if SIEGE in position.law.captures else AMBUSH
    why = _refused(position, Claim(Place(site), kind, takers))
    if why is None:
        return Sentence("{man} was lifted from {site}, but no capture takes him.", man=named, site=site)
    return Sentence("{man} was lifted from {site}, but no capture takes him: {why}", man=named, site=site, why=why)
