"""The seating of a match, found from the start position of this very game."""

from collections.abc import Mapping
from typing import Final

from companion.referee.board.evidence import Evidence
from companion.referee.board.explain import MARGIN, MOST_HIDDEN
from companion.referee.board.results import AskSeating, Blind, Seated
from companion.referee.board.seating import Lies, Seating, seatings
from companion.referee.board.standing import Stand, look, sites_of
from companion.referee.board.words import differences
from companion.rules.game import Position
from companion.rules.sentence import Sentence
from companion.vision.board_readings import BoardReading

MOST_WRONG: Final = 0.25
"""Seatings under which a larger share of the men stands wrongly are not offered."""


def find_seating(
    start: Position,
    reading: BoardReading,
    owners: Mapping[str, int] | None = None,
    lies: Lies | None = None,
) -> Seated | AskSeating | Blind:
    """Return how the board lies and whose each colour is, if one seating alone explains the start; else ask.

    ``owners`` and ``lies`` are what the people at the table have said already: whose a colour is, and how the board
    lies. Where men begin in hand the empty board tells nothing, and all must be said; so must the colours of tokens.
    """
    if reading.status != "read":
        return Blind(Sentence("{reason}", reason=reading.reason or "The board is not seen."))
    game, expected, sites = start.game, look(start), sites_of(start.game)
    known = dict(owners or {})
    possible = [
        _with(seating, known)
        for seating in seatings(game)
        if (lies is None or seating.lies == lies)
        and all(seating.owners.get(colour, owner) == owner for colour, owner in known.items())
    ]
    judged = [(Evidence(reading, seating, expected, sites, None), seating) for seating in possible]
    if judged and len(judged[0][0].hidden) > MOST_HIDDEN * len(sites):
        return Blind(Sentence("Too much of the board is covered."), tuple(sorted(judged[0][0].hidden)))
    scored = sorted(
        (
            (sum(evidence.weight(site, expected.get(site)) for site in sites), evidence, seating)
            for evidence, seating in judged
        ),
        key=lambda entry: -entry[0],
    )
    if not scored:
        return AskSeating(Sentence("No seating fits what was said: how does the board lie?"), ())
    best, evidence, seating = scored[0]
    wrong = sorted(evidence.contradictions(expected))
    men = sum(isinstance(stand, Stand) for stand in expected.values())
    if len(wrong) > MOST_WRONG * men:
        said = Sentence("The men do not stand as {game} begins.", game=game.title)
        return AskSeating(said, (), differences(evidence, expected, wrong))
    close = tuple(seating for score, _, seating in scored if score >= best - MARGIN)
    if len(close) > 1 or (not seating.colours):
        return AskSeating(Sentence("How does the board lie, and whose is each colour?"), close)
    if wrong:
        said = Sentence(
            "Not every man stands as {game} begins: look at {sites}.", game=game.title, sites=", ".join(wrong)
        )
        return AskSeating(said, close, differences(evidence, expected, wrong))
    return Seated(seating)


def _with(seating: Seating, owners: Mapping[str, int]) -> Seating:
    """Return a seating of tokens with the colours that were said."""
    return seating if seating.colours else Seating(seating.game, seating.lies, tuple(owners.items()))
