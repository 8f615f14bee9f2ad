"""Boards of virtues: the throw alone decides, so tokens only follow; what is not put down yet is waited for."""

from companion.referee.board.evidence import EXPLAINED, Evidence
from companion.referee.board.results import Candidate, Decision, GoOn, Mismatch, Unchanged
from companion.referee.board.standing import Stand
from companion.referee.board.words import differences, missing_tokens
from companion.rules.game import Position
from companion.rules.sentence import Sentence, player


def tokens(position: Position, evidence: Evidence) -> Decision:
    """Return whether the tokens stand as the game has given the virtues to the players.

    Tokens that are missing are still to be put; one that is too many, or another player's, is a mismatch.
    """
    wrong = sorted(evidence.contradictions(evidence.agreed))
    if not wrong:
        return Unchanged()
    game = position.game
    missing: dict[str, int] = {}
    for site in wrong:
        expected = evidence.agreed.get(site)
        if not isinstance(expected, Stand) or evidence.chance(site, None) < EXPLAINED:
            return Mismatch(_said(position, evidence, site), differences(evidence, evidence.agreed, wrong))
        missing[site] = expected.owner
    said = missing_tokens(missing, {site: game.called(site) for site in missing})
    return GoOn(said, Candidate((), position, 0.0, whole=False))


def _said(position: Position, evidence: Evidence, site: str) -> Sentence:
    name, expected, seen = position.game.called(site), evidence.agreed.get(site), evidence.seen(site)
    colour = seen.colour if seen is not None else ""
    if isinstance(expected, Stand):
        return Sentence(
            "On {site} lies a {colour} token, but it belongs to {player}.",
            site=name,
            colour=colour,
            player=player(expected.owner),
        )
    return Sentence("On {site} lies a {colour} token, but nobody has won it.", site=name, colour=colour)
