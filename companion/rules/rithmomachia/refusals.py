"""Which rule forbids a choice, in one sentence; None if no rule does. For claims, it calls `disputes`."""

from companion.language.sentence import Listing, Sentence, player
from companion.rules.appearance_words import shape
from companion.rules.rithmomachia import disputes, siege
from companion.rules.rithmomachia.choices import Claim, Delivery, Done, Move, Return
from companion.rules.rithmomachia.state import RithmoState
from companion.rules.rithmomachia.words import man_sentence, no_square, part_sentence, side


def refusal(position: RithmoState, choice: object) -> Sentence | None:
    """Say which rule forbids this choice while the game goes on, or return None if it is allowed."""
    match choice:
        case Claim():
            return None if choice in position.claims else disputes.dispute(position, choice)
        case Done():
            return None if position.phase == "claims" else Sentence("Move first; only then can the turn end.")
        case Move() | Return() | Delivery():
            return _whole_turn(position, choice)
        case _:
            return Sentence("This game has no choice {choice}.", choice=str(choice))


def _whole_turn(position: RithmoState, choice: Move | Return | Delivery) -> Sentence | None:
    """Say which rule forbids a choice that begins a turn."""
    if position.phase == "claims":
        return Sentence("The move is made: say what is taken, or finish the turn.")
    if isinstance(choice, Move):
        return _places(position, choice.start, choice.end) or _move(position, choice)
    if isinstance(choice, Return):
        return _places(position, choice.site) or _return(position, choice)
    return _places(position, choice.target.site) or _delivery(position, choice)


def _places(position: RithmoState, *sites: str) -> Sentence | None:
    for site in sites:
        if site not in position.rules.board.numbered:
            return no_square(position.rules.board.names[-1], site)
    return None


def _move(position: RithmoState, move: Move) -> Sentence | None:
    numbered = position.rules.board.numbered
    start, end = numbered[move.start], numbered[move.end]
    man, there = position.men[start], position.men[end]
    if man is None:
        return Sentence("Nothing stands on {site}.", site=move.start)
    if man.owner != position.turn:
        who = player(position.turn)
        return Sentence("The {man} on {site} is not {player}'s.", man=man_sentence(man), site=move.start, player=who)
    way = next((way for way in position.rules.ways(man)[start] if way.end == end), None)
    if way is None:
        ways = _goes(position, start)
        return Sentence(
            "The {man} cannot go from {start} to {end}: {ways}.",
            man=man_sentence(man),
            start=move.start,
            end=move.end,
            ways=ways,
        )
    if there is not None:
        return Sentence(
            "The {man} stands on {site}; a man moves to an empty square.", man=man_sentence(there), site=move.end
        )
    blocked = next((passed for passed in way.path if position.men[passed] is not None), None)
    if blocked is None:
        return None
    return Sentence("The way is blocked at {site}.", site=position.rules.board.names[blocked])


def _goes(position: RithmoState, square: int) -> Sentence:
    ends = [position.rules.board.names[way.end] for way in siege.free_ways(position.rules, position.men, square)]
    if not ends:
        return Sentence("it cannot move at all")
    return Sentence("it can only move to {ends}", ends=", ".join(ends))


def _return(position: RithmoState, choice: Return) -> Sentence | None:
    if position.rules["returns"] == "none":
        return Sentence("In this game captured men do not come back, as agreed.")
    if position.in_hand(choice.shape, choice.number) is None:
        return Sentence(
            "{player} does not hold a {shape} {number}; {player} holds {held}.",
            player=player(position.turn),
            shape=shape(choice.shape),
            number=choice.number,
            held=Listing(map(part_sentence, position.held(position.turn)), "comma") or Sentence("nothing"),
        )
    square = position.rules.board.numbered[choice.site]
    there = position.men[square]
    if square not in position.rules.entering(position.turn):
        return Sentence("A man comes back on the player's own half, and {site} is not on it.", site=choice.site)
    if there is None:
        return None
    return Sentence(
        "A man comes back on an empty square, but the {man} stands on {site}.",
        site=choice.site,
        man=man_sentence(there),
    )


def _delivery(position: RithmoState, choice: Delivery) -> Sentence | None:
    if choice in position.deliveries:
        return None
    if not position.rules["innocent_delivery"] or position.rules["claims"] == "automatic":
        return Sentence("This game has no innocent delivery.")
    last, board = position.last, position.rules.board
    if last is None:
        return Sentence("The last move could not have delivered a man.")
    man = position.men[board.numbered[choice.target.site]]
    if man is None or man.owner == position.turn:
        return Sentence("No man of {colour} stands on {site}.", colour=side(position.actor), site=choice.target.site)
    if not position.rules.regular(*last):
        return Sentence(
            "The man on {site} made an irregular move, so nothing could be taken.", site=board.names[last[1]]
        )
    return Sentence("{target} missed no capture in the last turn.", target=str(choice.target))
