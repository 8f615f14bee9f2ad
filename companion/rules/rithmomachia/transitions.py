"""The position that each choice leads to. Every function returns the class of position that it gets."""

from companion.rules.game import Choice
from companion.rules.rithmomachia import harmonies, siege
from companion.rules.rithmomachia.choices import PROGRESSION, Claim, Delivery, Done, Move, Place, Return
from companion.rules.rithmomachia.men import with_man
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


def applied(position: State, choice: Choice) -> State:
    """Return the position after a choice that is known to be legal."""
    if isinstance(choice, Move):
        return _moved(position, choice)
    if isinstance(choice, Claim):
        return _claimed(position, choice)
    if isinstance(choice, Delivery):
        return next_turn(_taken(position, choice))
    if isinstance(choice, Return):
        return _brought_back(position, choice)
    assert isinstance(choice, Done), "there are no other choices"
    after = next_turn(position)
    if position.last is None or not position.rules.can_deliver:
        return after
    return after.changed(last=position.last, lifted=position.lifted)


def next_turn(position: State) -> State:
    """Return the position with the other player to move and nothing left to claim or deliver."""
    return position.changed(turn=enemy(position.turn), phase="move", last=None, lifted=())


def _moved(position: State, move: Move) -> State:
    there = carried_out(position, move)
    regular = there.last is not None and there.rules.regular(*there.last)
    if regular and there.rules["claims"] == "automatic":
        for claim in all_at_once(there):
            there = _claimed(there, claim)
    there = noted(there)
    if regular and there.rules["claims"] == "claimed":
        return there
    return there.changed(turn=enemy(there.turn), phase="move")


def carried_out(position: State, move: Move) -> State:
    """Return the position right after a move, before anybody claims its captures or anything else is decided."""
    numbered = position.rules.board.numbered
    start, end = numbered[move.start], numbered[move.end]
    men = siege.carried(position.men, start, end)
    return position.changed(men=men, phase="claims", last=(start, end), lifted=())


def all_at_once(position: RithmoState) -> tuple[Claim, ...]:
    """Return one claim for each man that can be taken now, or for each part of a pyramid that cannot be taken whole.

    If several captures take the same man, a progression goes before the others because it can be a triumph.
    """
    chosen: dict[Place, Claim] = {}
    for claim in sorted(position.claims, key=lambda claim: claim.kind != PROGRESSION):
        chosen.setdefault(claim.target, claim)
    return tuple(
        claim
        for target, claim in sorted(chosen.items(), key=lambda item: item[0])
        if not target.part or Place(target.site) not in chosen
    )


def _claimed(position: State, claim: Claim) -> State:
    return noted(_taken(position, claim), of_proportion(position, claim))


def _taken(position: State, choice: Claim | Delivery) -> State:
    """Return the position with the target lifted from the board; the turn still goes on."""
    square = position.rules.board.numbered[choice.target.site]
    part = choice.target.part
    man = position.men[square]
    assert man is not None, "a man is taken"
    there = list(position.men)
    there[square] = man.without(part) if part else None
    taken = man.part(part) if part else man
    lifted = position.lifted if position.phase == "claims" else ()
    if position.rules["several"] == "as-it-stood" and all(known != square for known, _ in lifted):
        lifted = tuple(sorted((*lifted, (square, man))))
    hands, removed = position.hands, position.removed
    if man.is_pyramid and position.rules.has_kings:
        removed = with_man(removed, position.turn, taken)
    else:
        hands = with_man(hands, position.turn, taken)
    last = position.last if position.phase == "claims" else None
    return position.changed(men=tuple(there), phase="claims", hands=hands, last=last, lifted=lifted, removed=removed)


def _brought_back(position: State, choice: Return) -> State:
    man = position.in_hand(choice.shape, choice.number)
    assert man is not None, "the man is held"
    turn, rules = position.turn, position.rules
    hand = list(position.held(turn))
    hand.remove(man)
    hands = (tuple(hand), position.hands[1]) if turn == 1 else (position.hands[0], tuple(hand))
    there = list(position.men)
    there[rules.board.numbered[choice.site]] = man.turned(turn)
    returned = position.returned
    if rules["returned_points"] == "counted":
        returned = with_man(returned, turn, man)
    return next_turn(position).changed(men=tuple(there), hands=hands, returned=returned)
