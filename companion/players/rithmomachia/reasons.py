"""Why a turn of Rithmomachia is good: what it takes and prepares, what the other side can take after it, harmonies."""

from collections.abc import Iterator

from companion.language.sentence import Listing, Sentence
from companion.players.player import Reason, Weighed
from companion.players.rithmomachia.evaluation import nearest_harmony
from companion.rules.rithmomachia.choices import Claim, Delivery
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.prospects import prospects
from companion.rules.rithmomachia.words import claim_sentence


def reasons(position: RithmoPosition, picked: Weighed) -> tuple[Reason, ...]:
    """Return what is true of a turn and of the position after it, the strongest reason first."""
    after = position
    taken: list[Reason] = []
    for choice in picked.choices:
        if isinstance(choice, Claim | Delivery):
            proof = after.claims.get(choice, "") if isinstance(choice, Claim) else ""
            sentence = (
                Sentence("It {claim}: {proof}.", claim=claim_sentence(choice), proof=proof)
                if proof
                else Sentence("It {claim}.", claim=claim_sentence(choice))
            )
            taken.append(Reason("takes", sentence, (("claim", str(choice)), ("proof", proof))))
        after = after.applied(choice)
    outcome = after.outcome
    if outcome is not None:
        if position.turn in outcome.winners and not outcome.tie:
            return (Reason("wins", Sentence("It wins the game."), ()), *taken)
        return tuple(taken)
    return (*taken, *_exposed(position, after), *_prepared(position, after), *_nearer(position, after))


def takable(position: RithmoPosition, player: int) -> tuple[str, ...]:
    """Return where the men stand that a player can take at once or by the next move, in the order of the squares."""
    found = {
        prospect.claim.target.site
        for prospect in prospects(position)
        if prospect.player == player and not isinstance(prospect.claim, Delivery)
    }
    return tuple(sorted(found))


def _exposed(before: RithmoPosition, after: RithmoPosition) -> Iterator[Reason]:
    were, are = takable(before, 3 - before.turn), takable(after, 3 - before.turn)
    if are:
        sentence = Sentence("The other side can then take {men}.", men=Listing(are, "and"))
    elif were:
        sentence = Sentence("The other side can then take nothing; now it could take {men}.", men=Listing(were, "and"))
    else:
        return
    yield Reason("exposed", sentence, (("after", " ".join(are)), ("before", " ".join(were))))


def _prepared(before: RithmoPosition, after: RithmoPosition) -> Iterator[Reason]:
    own = takable(after, before.turn)
    if own:
        sentence = Sentence("Your next move could take {men}.", men=Listing(own, "and"))
        yield Reason("prepares", sentence, (("men", " ".join(own)),))


def _nearer(before: RithmoPosition, after: RithmoPosition) -> Iterator[Reason]:
    """Yield which men are nearer to a harmony than any three were before."""
    were, are = nearest_harmony(before, before.turn), nearest_harmony(after, before.turn)
    if were is None or are is None or are[0] >= were[0]:
        return
    (moves, numbers), ahead = are, were[0]
    men = Listing(tuple(str(number) for number in numbers), "and")
    sentence = (
        Sentence(
            "The nearest harmony, of {men}, is then one move away instead of {before}, if nothing is in the way.",
            men=men,
            before=ahead,
        )
        if moves == 1
        else Sentence(
            "The nearest harmony, of {men}, is then {moves} moves away instead of {before}, if nothing is in the way.",
            men=men,
            moves=moves,
            before=ahead,
        )
    )
    yield Reason("harmony", sentence, (("men", " ".join(map(str, numbers))), ("moves", moves), ("before", ahead)))
