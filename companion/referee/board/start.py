"""The seating of a match, found from the start position of its own game."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from companion.language.sentence import Sentence, sentence_of
from companion.referee.board.decide import MARGIN_LOG_ODDS, MOST_HIDDEN
from companion.referee.board.evidence import Evidence
from companion.referee.board.results import AskSeating, Blind, Seated
from companion.referee.board.seating import Seating, seatings
from companion.referee.board.standing import PYRAMID, ExpectedBoard, Stand, expected_board, sites_of
from companion.referee.board.tokens import seat_tokens
from companion.referee.board.words import differences
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading, Men

SURELY_THERE: Final = 0.8
"""Where the place of the board is in doubt, each site must look as at the start of the game with this chance."""

MOST_WRONG: Final = 0.25
"""A seating is not offered if a larger share of the men stands wrong under it."""


def find_seating(start: Position, reading: BoardReading) -> Seated | AskSeating | Blind:
    """Return how the board lies and whose each colour is, if only one seating explains the start; else ask.

    If men begin in hand, the empty board shows nothing, and people must say everything. Tokens count as the printed
    ones, of which each player has one colour, unless something on the board contradicts that.

    The place of the board may be in doubt. If men are seen everywhere they should be, and nowhere else, it lies there.
    """
    if reading.status != "read" and not _all_in_place(start, reading):
        return Blind(sentence_of(reading.reason) if reading.reason else Sentence("The camera does not see the board."))
    game, expected, sites = start.game, expected_board(start), sites_of(start.game)
    judged = [
        Evidence(_of_army(reading, seating, expected), seating, expected, sites, None) for seating in seatings(game)
    ]
    if len(judged[0].hidden) > MOST_HIDDEN * len(sites):
        return Blind(Sentence("Too much of the board is covered."), tuple(sorted(judged[0].hidden)))
    if game.board.holds_tokens:
        return seat_tokens(start, reading)
    return _best(start, judged)


def _of_army(reading: BoardReading, seating: Seating, expected: ExpectedBoard) -> BoardReading:
    """Return a reading in which no man is one whom his side does not have where the game begins: he is misread.

    What was thought of such a man goes to the other men who were thought of there; without any, the site stays as read.
    """
    stands = [stand for stand in expected.values() if isinstance(stand, Stand) and stand.shape]
    army = {(stand.owner, stand.shape, stand.number) for stand in stands}
    army |= {(stand.owner, *stand.top) for stand in stands if stand.top is not None}
    sites = dict(reading.sites)
    for name, site in reading.sites.items() if army else ():
        men = {one: chance for one, chance in site.candidates if one is not None}
        possible = {one: chance for one, chance in men.items() if _is_in(army, one, seating)}
        whole = sum(possible.values())
        if len(possible) < len(men) and whole > 0:
            shares = {one: min(1.0, chance * sum(men.values()) / whole) for one, chance in possible.items()}
            found = [*shares.items(), *((None, chance) for one, chance in site.candidates if one is None)]
            found.sort(key=lambda entry: -entry[1])
            sites[name] = replace(site, candidates=tuple(found), status="ask" if site.status == "read" else site.status)
    return replace(reading, sites=sites)


def _is_in(army: Collection[tuple[int, str, int]], men: Men, seating: Seating) -> bool:
    owner = seating.owners.get(men.colour, 0)
    return men.shape == PYRAMID or (owner, men.shape, men.number) in army


def _all_in_place(start: Position, reading: BoardReading) -> bool:
    """Whether a reading of a board whose place is in doubt shows exactly how the game begins, with men on the board."""
    expected, sites = expected_board(start), sites_of(start.game)
    if start.game.board.holds_tokens or not any(isinstance(stand, Stand) for stand in expected.values()):
        return False
    judged = [Evidence(reading, seating, expected, sites, None) for seating in seatings(start.game)]
    return any(
        not evidence.hidden and all(evidence.chance(site, expected.get(site)) >= SURELY_THERE for site in sites)
        for evidence in judged
    )


def _best(start: Position, judged: Sequence[Evidence]) -> Seated | AskSeating:
    """Return the seating that explains the start best, unless another explains it about as well; else ask."""
    game, expected, sites = start.game, judged[0].agreed, judged[0].sites
    scores = {evidence: sum(evidence.weight(site, expected.get(site)) for site in sites) for evidence in judged}
    best = max(judged, key=lambda evidence: scores[evidence])
    wrong = sorted(best.contradictions(expected) - _left_over(best))
    close = tuple(evidence.seating for evidence in judged if scores[evidence] >= scores[best] - MARGIN_LOG_ODDS)
    if wrong:
        men = sum(isinstance(stand, Stand) for stand in expected.values())
        if any(best.sure(site) for site in wrong):
            sentence = Sentence(
                "The men are not in the starting position of {game}: look at {sites}.",
                game=game.title,
                sites=", ".join(wrong),
            )
        else:
            sentence = Sentence(
                "The camera cannot read {sites} surely: do the men stand there as {game} begins?",
                game=game.title,
                sites=", ".join(wrong),
            )
        return AskSeating(sentence, close if len(wrong) <= MOST_WRONG * men else (), differences(best, expected, wrong))
    if len(close) > 1 or not best.seating.colours:
        return AskSeating(Sentence("How is the board placed, and who plays which colour?"), close)
    return Seated(best.seating)


def _left_over(evidence: Evidence) -> frozenset[str]:
    """Return the sites whose man cannot be read surely, but can only be the one who should stand there.

    He is of the right side and shape, and all other men of that side and shape are read where they should stand: of a
    set of men with numbers, only this one is left.
    """
    unread: dict[tuple[int, str | None], list[str]] = {}
    for site in evidence.contradictions(evidence.agreed):
        stand, seen = evidence.agreed.get(site), evidence.seen(site)
        if evidence.sure(site) or not isinstance(stand, Stand) or not stand.shape or seen is None:
            return frozenset()
        if evidence.seating.owners.get(seen.colour) != stand.owner or seen.shape != stand.shape:
            return frozenset()
        unread.setdefault((stand.owner, stand.shape), []).append(site)
    return frozenset(site for sites in unread.values() if len(sites) == 1 for site in sites)
