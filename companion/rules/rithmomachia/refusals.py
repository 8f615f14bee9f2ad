"""Which rule forbids a choice, in one sentence; None if none does. What a wrong claim gets wrong is said in `disputes`."""

from typing import TYPE_CHECKING

from companion.rules.rithmomachia import disputes, siege
from companion.rules.rithmomachia.choices import Claim, Delivery, Done, Move, Return
from companion.rules.rithmomachia.men import COLOURS
from companion.rules.sentence import Sentence, player

if TYPE_CHECKING:
    from companion.rules.rithmomachia.position import RithmoPosition


def refusal(position: "RithmoPosition", choice: object) -> Sentence | None:
    """Say which rule forbids this choice while the game goes on, or return None if it is allowed."""
    if isinstance(choice, Move):
        return _move(position, choice)
    if isinstance(choice, Return):
        return _return(position, choice)
    if isinstance(choice, Done):
        if position.phase == "claims":
            return None
        return Sentence("{player} has not moved yet, so nothing can be done with.", player=player(position.turn))
    if isinstance(choice, Claim):
        return None if choice in position.claims else disputes.wrong(position, choice)
    if isinstance(choice, Delivery):
        return _delivery(position, choice)
    return Sentence("This game knows no choice {choice}.", choice=str(choice))


def _square(position: "RithmoPosition", site: str) -> int | Sentence:
    square = position.law.board.numbered.get(site)
    if square is None:
        last = position.law.board.names[-1]
        return Sentence("The board has the squares a1 to {last}, but not {site}.", last=last, site=site)
    return square


def _in_time(position: "RithmoPosition") -> Sentence | None:
    if position.phase == "claims":
        return Sentence("The move is made: say what is taken, or be done.")
    return None


def _move(position: "RithmoPosition", move: Move) -> Sentence | None:
    said = _in_time(position)
    if said is not None:
        return said
    start, end = _square(position, move.start), _square(position, move.end)
    if isinstance(start, Sentence):
        return start
    if isinstance(end, Sentence):
        return end
    man = position.men[start]
    if man is None:
        return Sentence("Nothing stands on {site}.", site=move.start)
    if man.owner != position.turn:
        return Sentence(
            "The {man} on {site} is not {player}'s.", man=str(man), site=move.start, player=_whose(position)
        )
    there = position.men[end]
    way = next((way for way in position.law.ways(man)[start] if way.end == end), None)
    if way is None:
        return Sentence(
            "The {man} cannot go from {start} to {end}: {shapes}.",
            man=str(man),
            start=move.start,
            end=move.end,
            shapes=_goes(position, start),
        )
    if there is not None:
        return Sentence("The {man} stands on {site}; a man moves to an empty square.", man=str(there), site=move.end)
    blocked = next((passed for passed in way.path if position.men[passed] is not None), None)
    if blocked is not None:
        return Sentence("The way is blocked at {site}.", site=position.law.board.names[blocked])
    return None


def _goes(position: "RithmoPosition", square: int) -> Sentence:
    man = position.men[square]
    assert man is not None, "a man stands there"
    ends = [position.law.board.names[way.end] for way in siege.free_ways(position.law, position.men, square)]
    if not ends:
        return Sentence("it has no way at all")
    return Sentence("its ways lead to {ends}", ends=", ".join(ends))


def _whose(position: "RithmoPosition") -> Sentence:
    return player(position.turn)


def _return(position: "RithmoPosition", choice: Return) -> Sentence | None:
    said = _in_time(position)
    if said is not None:
        return said
    if position.law["returns"] == "none":
        return Sentence("In this game men taken do not come back, as was agreed.")
    if position.in_hand(choice.shape, choice.number) is None:
        held = ", ".join(f"{man.shape} {man.number}" for man in position.held(position.turn)) or "nothing"
        return Sentence(
            "{player} does not hold a {shape} {number}, but {held}.",
            player=_whose(position),
            shape=choice.shape,
            number=choice.number,
            held=held,
        )
    square = _square(position, choice.site)
    if isinstance(square, Sentence):
        return square
    if square not in position.law.entering(position.turn):
        return Sentence("A man comes back on the own half, and {site} is not on it.", site=choice.site)
    there = position.men[square]
    if there is not None:
        return Sentence(
            "A man comes back on an empty square; on {site} stands the {man}.", site=choice.site, man=str(there)
        )
    return None


def _delivery(position: "RithmoPosition", choice: Delivery) -> Sentence | None:
    said = _in_time(position)
    if said is not None:
        return said
    if not position.law["innocent_delivery"] or position.law["claims"] == "automatic":
        return Sentence("This game has no innocent delivery.")
    last = position.last
    if last is None:
        return Sentence("No move was made just now that could have delivered a man.")
    square = _square(position, choice.target.site)
    if isinstance(square, Sentence):
        return square
    man = position.men[square]
    if man is None or man.owner == position.turn:
        return Sentence("No man of {colour} stands on {site}.", colour=COLOURS[position.actor], site=choice.target.site)
    if not position.law.regular(*last):
        return Sentence(
            "The man on {site} came by its irregular move, so nothing could be taken.",
            site=position.law.board.names[last[1]],
        )
    if choice in position.deliveries:
        return None
    return Sentence(
        "In the last turn {target} could have taken nothing that was not claimed.", target=str(choice.target)
    )
