"""Boards of virtues: only throws decide, so tokens follow; the referee waits for those not on the board yet."""

from dataclasses import replace
from typing import Final

from companion.language.sentence import Listing, Sentence, player
from companion.referee.board.evidence import EXPLAINED_CHANCE, Evidence
from companion.referee.board.results import (
    AskMove,
    AskSeating,
    Blind,
    Candidate,
    Decision,
    GoOn,
    Mismatch,
    Seated,
    Unchanged,
)
from companion.referee.board.seating import TOKEN_COLOURS, Seating
from companion.referee.board.standing import Stand, expected_board, sites_of
from companion.referee.board.words import differences, missing_tokens
from companion.rules.appearance_words import colour as colour_word
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading

LIKELIER_THAN_NOT: Final = 0.5


def tokens(position: Position, evidence: Evidence) -> Decision:
    """Return whether the tokens stand on the virtues as the players have won them.

    A missing token must still be put down; one too many, or another player's, is a mismatch. If a won token is covered
    or unclear, table and match do not agree before it was seen once.
    """
    wrong = sorted(evidence.contradictions(evidence.agreed))
    if not wrong:
        return _as_won(position, evidence)
    game = position.game
    missing: dict[str, int] = {}
    for site in wrong:
        expected = evidence.agreed.get(site)
        if not isinstance(expected, Stand) or evidence.chance(site, None) < EXPLAINED_CHANCE:
            return Mismatch(_mismatch_sentence(position, evidence, site), differences(evidence, evidence.agreed, wrong))
        missing[site] = expected.owner
    sentence = missing_tokens(missing, {site: game.called_in_sentence(site) for site in missing})
    return GoOn(sentence, Candidate((), position, 0.0, whole=False))


def _as_won(position: Position, evidence: Evidence) -> Decision:
    """Decide where nothing contradicts the virtues won."""
    newly = [site for site in evidence.agreed if not evidence.agreed_before(site)]
    covered = tuple(site for site in newly if site in evidence.hidden)
    if covered:
        names = Listing((position.game.called_in_sentence(site) for site in covered), "comma")
        return Blind(Sentence("The camera must see {sites} first.", sites=names), covered)
    unclear = [site for site in newly if evidence.chance(site, evidence.agreed.get(site)) < LIKELIER_THAN_NOT]
    if unclear:
        expected = evidence.agreed[unclear[0]]
        assert isinstance(expected, Stand)
        sentence = Sentence(
            "Is there a token of {player} on {site}? The camera cannot tell: lay it in the middle of its circle.",
            player=player(expected.owner),
            site=position.game.called_in_sentence(unclear[0]),
        )
        return AskMove(sentence, (), differences(evidence, evidence.agreed, unclear))
    doubtful = tuple(
        site for site in evidence.sites if evidence.chance(site, evidence.agreed.get(site)) < LIKELIER_THAN_NOT
    )
    return Unchanged(doubtful=doubtful)


def usual_seating(position: Position) -> Seating:
    """Return the seating of the printed tokens: their colours in the players' order."""
    return _seating(position, {owner: TOKEN_COLOURS[owner - 1] for owner in range(1, position.players + 1)})


def _seating(position: Position, colours: dict[int, str]) -> Seating:
    return Seating(position.game.slug, "as named", tuple((colour, owner) for owner, colour in sorted(colours.items())))


def seat_tokens(position: Position, reading: BoardReading) -> Seated | AskSeating:
    """Return whose each colour is: as printed, if nothing on the board contradicts that; else ask."""
    usual = usual_seating(position)
    evidence = Evidence(reading, usual, expected_board(position), sites_of(position.game), None)
    wrong = _astray(evidence)
    if not wrong:
        return Seated(usual)
    other = seat_again(position, reading, usual)
    if other is not None:
        return other
    names = Listing((position.game.called_in_sentence(site) for site in wrong), "comma")
    sentence = Sentence("The tokens do not match the virtues won: look at {sites}.", sites=names)
    return AskSeating(sentence, (), differences(evidence, evidence.agreed, wrong))


def seat_again(position: Position, reading: BoardReading, seating: Seating) -> AskSeating | None:
    """Ask whose an unknown colour is, if it lies on virtues of one player only and that player's colour lies nowhere.

    So the program learns tokens of any make when the first of them is put down. None where that explains nothing.
    """
    expected, sites = expected_board(position), sites_of(position.game)
    seen = Evidence(reading, seating, expected, sites, None)
    wrong = _astray(seen)
    if not wrong:
        return None
    lying = {site: men.colour for site in sites if (men := seen.seen(site)) is not None}
    colours = {owner: colour for colour, owner in seating.colours}
    for colour in dict.fromkeys(lying.values()):
        whose = {stand.owner for site, one in lying.items() if one == colour and (stand := _stand(seen, site))}
        if colour in seating.owners or len(whose) != 1:
            continue
        (owner,) = whose
        if colours.get(owner) not in lying.values():
            colours[owner] = colour
    other = replace(_seating(position, colours), lies=seating.lies)
    if other == seating or _astray(Evidence(reading, other, expected, sites, None)):
        return None
    return AskSeating(Sentence("Who plays which colour?"), (other,), differences(seen, expected, wrong))


def _stand(evidence: Evidence, site: str) -> Stand | None:
    expected = evidence.agreed.get(site)
    return expected if isinstance(expected, Stand) else None


def _astray(evidence: Evidence) -> list[str]:
    """Return the sites where something lies that should not, in the order of their names."""
    wrong = evidence.contradictions(evidence.agreed)
    return sorted(site for site in wrong if evidence.chance(site, None) < EXPLAINED_CHANCE)


def _mismatch_sentence(position: Position, evidence: Evidence, site: str) -> Sentence:
    name, expected, seen = position.game.called_in_sentence(site), evidence.agreed.get(site), evidence.seen(site)
    colour = colour_word(seen.colour if seen is not None else "unknown")
    if isinstance(expected, Stand):
        return Sentence(
            "There is a {colour} token on {site}, but that virtue belongs to {player}.",
            site=name,
            colour=colour,
            player=player(expected.owner),
        )
    return Sentence("There is a {colour} token on {site}, but nobody has won that virtue.", site=name, colour=colour)
