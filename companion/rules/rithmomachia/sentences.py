"""The referee's sentence on every choice: where a man went, what was taken, and its arithmetic."""

from collections.abc import Sequence
from typing import Any

from companion.language.sentence import N_, Sentence, player
from companion.rules.appearance_words import shape
from companion.rules.game import Choice
from companion.rules.results import Account
from companion.rules.rithmomachia import ending, transitions
from companion.rules.rithmomachia.choices import Claim, Delivery, Move, Place, Return
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.notation import man_to_json
from companion.rules.rithmomachia.state import RithmoState
from companion.rules.rithmomachia.words import grade_sentence, kind_sentence, man_sentence


def account(position: RithmoState, choice: Choice) -> Account:
    """Return the account of a legal choice in a position."""
    after = transitions.applied(position, choice)
    sentence, sites, details = _account_parts(position, choice)
    news = _news(position, choice, details)
    fresh = [triumph for triumph in after.triumphs if triumph not in position.triumphs]
    for triumph in fresh:
        sentence = Sentence(
            "{said} A triumph, {grade}: {numbers}.",
            said=sentence,
            grade=grade_sentence(triumph.grade),
            numbers=", ".join(map(str, triumph.numbers)),
        )
    if fresh:
        news = Sentence("{player} has a triumph.", player=player(position.turn))
        details["triumphs"] = [{"grade": triumph.grade, "numbers": list(triumph.numbers)} for triumph in fresh]
    end = ending.outcome(after)
    if end is not None:
        sentence = Sentence("{said} {why}", said=sentence, why=end.why)
    return Account(sentence, tuple(sites), {"player": position.turn} | details, news, silent=details["kind"] == "done")


def _news(position: RithmoState, choice: Choice, details: dict[str, Any]) -> Sentence | None:
    """Return what was taken, if anything was: the arithmetic stands in the sentence."""
    who, taken = player(position.turn), details.get("taken")
    if not taken:
        return None
    if isinstance(choice, Claim | Delivery):
        return Sentence("{player} takes the {man}.", player=who, man=man_sentence(_man(position, choice.target)))
    return Sentence("{player} takes {count} men.", player=who, count=len(taken))


def _account_parts(position: RithmoState, choice: Choice) -> tuple[Sentence, Sequence[str], dict[str, Any]]:
    who = player(position.turn)
    if isinstance(choice, Move):
        return _moved(position, choice)
    if isinstance(choice, Claim):
        return _taken(position, choice, position.claims[choice])
    if isinstance(choice, Delivery):
        claims = position.deliveries[choice]
        proof = position.overlooked[claims[0]]
        sentence, sites, details = _taken(position, choice, proof)
        sentence = Sentence(
            "{said} It could have taken {target} by {kind}.",
            said=sentence,
            target=str(claims[0].target),
            kind=kind_sentence(claims[0].kind),
        )
        return sentence, sites, details | {"overlooked": [str(claim) for claim in claims]}
    if isinstance(choice, Return):
        sentence = Sentence(
            "{player} brings the {shape} {number} back to {site}.",
            player=who,
            shape=shape(choice.shape),
            number=choice.number,
            site=choice.site,
        )
        return sentence, [choice.site], {"kind": "return", "shape": choice.shape, "number": choice.number}
    return Sentence("{player} finishes the turn.", player=who), [], {"kind": "done"}


def _moved(position: RithmoState, move: Move) -> tuple[Sentence, Sequence[str], dict[str, Any]]:
    numbered = position.rules.board.numbered
    start, end = numbered[move.start], numbered[move.end]
    regular = position.rules.regular(start, end)
    template = N_("The {man} goes from {start} to {end}.") if regular else N_("The {man} leaps from {start} to {end}.")
    man = position.men[start]
    assert man is not None, "a man moves"
    sentence = Sentence.of(template, man=man_sentence(man), start=move.start, end=move.end)
    details: dict[str, Any] = {"kind": "move", "regular": regular, "taken": []}
    if not (regular and position.rules["claims"] == "automatic"):
        return sentence, [move.start, move.end], details
    moved = transitions.carried_out(position, move)
    sites = [move.start, move.end]
    for claim in transitions.all_at_once(moved):
        one, changed, _ = _taken(moved, claim, moved.claims[claim])
        sentence = Sentence("{said} {taken}", said=sentence, taken=one)
        sites += [site for site in changed if site not in sites]
        details["taken"].append(claim.to_json() | {"arithmetic": moved.claims[claim]})
    return sentence, sites, details


def _man(position: RithmoState, place: Place) -> Man:
    man = position.men[position.rules.board.numbered[place.site]]
    assert man is not None, "a man is taken"
    return man.part(place.part) if place.part else man


def _taken(
    position: RithmoState, choice: Claim | Delivery, proof: str
) -> tuple[Sentence, Sequence[str], dict[str, Any]]:
    kind = choice.kind if isinstance(choice, Claim) else "delivery"
    man = _man(position, choice.target)
    parts = {
        "player": player(position.turn),
        "man": man_sentence(man),
        "site": choice.target.site,
        "kind": kind_sentence(kind),
    }
    if proof:
        sentence = Sentence("{player} takes the {man} on {site} by {kind}: {proof}.", **parts, proof=proof)
    else:
        sentence = Sentence("{player} takes the {man} on {site} by {kind}.", **parts)
    details = {"kind": "capture", "by": kind, "taken": [choice.to_json()], "arithmetic": proof, "man": man_to_json(man)}
    return sentence, [choice.target.site], details
