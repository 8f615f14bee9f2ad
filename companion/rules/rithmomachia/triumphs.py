"""The triumphs of the Italian game: noted as they happen, because lesser ones do not end it."""

from companion.rules.rithmomachia import harmonies
from companion.rules.rithmomachia.choices import PROGRESSION, Claim
from companion.rules.rithmomachia.squares import enemy
from companion.rules.rithmomachia.state import RithmoState, State, Triumph


def king_stands(position: RithmoState, owner: int) -> bool:
    """Whether a player's king, or what is left of it, is on the board."""
    return any(man is not None and man.is_pyramid and man.owner == owner for man in position.men)


def of_proportion(position: RithmoState, claim: Claim) -> tuple[int, ...] | None:
    """Return the numbers of a capture that is a triumph by itself, or None; call this before carrying it out."""
    rules = position.rules
    if claim.kind != PROGRESSION or not rules.has_kings or not rules["proportion_triumph"]:
        return None
    if king_stands(position, enemy(position.turn)):
        return None
    found = []
    for place in (claim.target, *claim.takers):
        man = position.judged_on[rules.board.numbered[place.site]]
        assert man is not None, "a man takes or is taken"
        found.append(place.part or man.number)
    return tuple(sorted(found))


def noted(position: State, proportion: tuple[int, ...] | None = None) -> State:
    """Return the position with the new triumphs of a move or capture noted, each set of numbers once.

    ``proportion``: the numbers of a capture that is a triumph by itself.
    """
    rules, player = position.rules, position.actor
    if not rules.has_kings or king_stands(position, enemy(player)):
        return position
    made = {harmony.numbers: harmony.grade for harmony in harmonies.completed(position, 0)}
    if proportion is not None:
        made.setdefault(proportion, 0)
    known = {triumph.numbers for triumph in position.triumphs if triumph.player == player}
    fresh = [Triumph(player, rules.grades[grade], numbers) for numbers, grade in made.items() if numbers not in known]
    # player 1's before player 2's, each in the order in which they happened, as the JSON form keeps them
    listed = sorted((*position.triumphs, *fresh), key=lambda triumph: triumph.player)
    return position.changed(triumphs=tuple(listed)) if fresh else position
