"""What each side could take now and by its next move, with the arithmetic; players once looked it up in tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.language.sentence import Sentence, player
from companion.rules.rithmomachia import ending, legal, transitions
from companion.rules.rithmomachia.choices import Claim, Delivery, Move
from companion.rules.rithmomachia.men import COLOURS
from companion.rules.rithmomachia.state import RithmoState
from companion.rules.rithmomachia.words import claim_sentence


@dataclass(frozen=True)
class Prospect:
    """One capture that a player could claim: after this move, or at once if ``move`` is None. A siege has no proof."""

    player: int
    move: Move | None
    claim: Claim | Delivery
    proof: str


def prospects(position: RithmoState) -> tuple[Prospect, ...]:
    """Return what can be taken now, then what each side could take by its next move, the side to act first."""
    if ending.outcome(position) is not None:
        return ()
    now = [Prospect(position.turn, None, claim, proof) for claim, proof in position.claims.items()]
    delivered = [
        Prospect(position.turn, None, delivery, position.overlooked[claims[0]])
        for delivery, claims in position.deliveries.items()
    ]
    sides = (position.turn, *(number for number in COLOURS if number != position.turn))
    return (*now, *delivered, *(found for side in sides for found in _by_moving(position, side)))


def _by_moving(position: RithmoState, side: int) -> Iterator[Prospect]:
    there = position.changed(turn=side, phase="move", last=None, lifted=())
    if ending.outcome(there) is not None:
        return
    for move in legal.moves(there):
        moved = transitions.carried_out(there, move)
        for claim, proof in moved.claims.items():
            yield Prospect(side, move, claim, proof)


def sentences(position: RithmoState) -> Sequence[Sentence]:
    """Return the prospects as sentences."""
    return tuple(_sentence(prospect) for prospect in prospects(position))


def _sentence(prospect: Prospect) -> Sentence:
    who = player(prospect.player)
    proof = prospect.proof or Sentence("no way out")
    if prospect.move is None:
        return Sentence("{player} {claim}: {proof}.", player=who, claim=claim_sentence(prospect.claim), proof=proof)
    return Sentence(
        "{player} by {move} {claim}: {proof}.",
        player=who,
        move=str(prospect.move),
        claim=claim_sentence(prospect.claim),
        proof=proof,
    )
