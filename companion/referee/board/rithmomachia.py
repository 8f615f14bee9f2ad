"""How to follow men of Rithmomachia: captures come after a move, and a hand may lift a man before it moves one."""

from collections.abc import Sequence
from itertools import islice

from companion.language.sentence import Sentence
from companion.referee.board.evidence import EXPLAINED_CHANCE, Evidence
from companion.referee.board.following import Following, refused
from companion.referee.board.move_search import touched
from companion.referee.board.standing import Stand, expected_board
from companion.referee.board.words import man
from companion.rules.game import Choice, Position
from companion.rules.rithmomachia import RithmoPosition
from companion.rules.rithmomachia.choices import AMBUSH, ENCOUNTER, SIEGE, Claim, Move, Place


class _RithmoFollowing(Following[RithmoPosition]):
    def lifted(self, position: RithmoPosition, evidence: Evidence) -> bool:
        """Whether a move, with its captures, would take every man now missing, if nothing else has changed."""
        return bool(lifted_first(position, evidence))

    def why_not(self, position: RithmoPosition, evidence: Evidence) -> Sentence | None:
        """Name the rule that forbids what is seen, if one man's way or one capture explains it; else None."""
        return why_not(position, evidence)


FOLLOWING = _RithmoFollowing()


def _done(position: Position) -> Choice | None:
    """Return the choice that ends a turn in which men can still be taken, if this is one."""
    return next((choice for choice in position.legal() if touched(choice) == ()), None)


def lifted_first(position: Position, evidence: Evidence, most: int = 400) -> tuple[Choice, ...]:
    """Return a move, with its captures, that would take every man now missing, if nothing else has changed.

    A hand often lifts the man it takes before it puts its own man down.
    """
    gone = evidence.contradictions(evidence.agreed)
    if not gone or any(evidence.chance(site, None) < EXPLAINED_CHANCE for site in gone):
        return ()
    here = position.after(done) if (done := _done(position)) is not None else position
    for move in islice(here.legal(), most):
        sites = touched(move)
        if not sites or len(sites) < 2 or gone & {*sites}:  # noqa: PLR2004 - from where to where
            continue
        reached = here.after(move)
        claims = {sites[0]: claim for claim in reached.legal() if (sites := touched(claim)) and len(sites) == 1}
        if claims.keys() >= gone:
            return (move, *(claims[site] for site in gone))
    return ()


def why_not(position: RithmoPosition, evidence: Evidence) -> Sentence | None:
    """Name the rule that forbids what is seen, if one man's way or one capture explains it; else None."""
    gone: list[str] = []
    come: list[str] = []
    for site in sorted(evidence.contradictions(evidence.agreed)):
        (gone if evidence.seen(site) is None else come).append(site)
    for start in gone:
        if (end := _where_to(evidence, start, come)) is not None:
            others = [site for site in (*gone, *come) if site not in (start, end)]
            if (sentence := _moved(position, evidence, Move(start, end), others)) is not None:
                return sentence
    if gone and not come:
        return _lifted(position, evidence, gone[0])
    return None


def _where_to(evidence: Evidence, start: str, come: Sequence[str]) -> str | None:
    """Return the site on which the man who left ``start`` now stands, if there is one."""
    was = evidence.agreed.get(start)
    return next((site for site in come if evidence.chance(site, was) >= EXPLAINED_CHANCE), None)


def _moved(position: RithmoPosition, evidence: Evidence, move: Move, others: Sequence[str]) -> Sentence | None:
    here = position
    if here.phase == "claims" and here.refusal(move) is not None:
        # a move now means that the other player is done
        here = here.next_turn()
    if (sentence := here.why_not(move)) is not None:
        return sentence
    after = here.after(move)
    lifted = [site for site in others if evidence.seen(site) is None]
    expected = expected_board(after)
    stays = next((site for site in lifted if evidence.contradicts(site, expected.get(site))), None)
    return _lifted(after, evidence, stays) if stays is not None else None


def _lifted(position: RithmoPosition, evidence: Evidence, site: str) -> Sentence | None:
    """Say that no capture takes the man lifted from a site, and why the likeliest capture does not."""
    stood = evidence.agreed.get(site)
    if not isinstance(stood, Stand):
        return None
    if any(claim.target.site == site and not claim.target.part for claim in position.claims):
        return None
    named = man(evidence.seating.men(stood), first=True)
    if not position.may_claim:
        return Sentence("{man} was lifted from {site}, but nobody has moved to take him.", man=named, site=site)
    takers = (Place(position.rules.board.names[position.last[1]]),) if position.last is not None else ()
    kind = ENCOUNTER if takers else SIEGE if SIEGE in position.rules.captures else AMBUSH
    why = refused(position, Claim(Place(site), kind, takers))
    if why is None:
        return Sentence("{man} was lifted from {site}, but no capture takes him.", man=named, site=site)
    return Sentence("{man} was lifted from {site}, but no capture takes him: {why}", man=named, site=site, why=why)
