"""How Ludix ends: when, and who wins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.language.sentence import Listing, Sentence, player
from companion.rules.game import Outcome

if TYPE_CHECKING:
    from companion.rules.ludix.position import LudixPosition


def target(position: "LudixPosition") -> int:
    """Return the points at which the game comes to its end."""
    return int(position.options["target"])


def reached(position: "LudixPosition") -> bool:
    """Return whether anybody has noted points enough for the target."""
    return max(position.points) >= target(position)


def last_turn(position: "LudixPosition") -> bool:
    """Return whether whoever is to play has the last turn: the target is reached, the end is not."""
    return reached(position) and not over(position)


def over(position: "LudixPosition") -> bool:
    """Return whether the game has ended."""
    if not reached(position):
        return False
    match position.options["ending"]:
        case "round":
            return position.turn == 1
        case "others":
            # whoever reached the target first is the first whose turn would come again
            return position.own >= target(position)
    return True


def outcome(position: "LudixPosition") -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return standing(position) if over(position) else None


def standing(position: "LudixPosition") -> Outcome:
    """Return how the game ends if it ends here: the highest score wins, and equal ones share the win."""
    most = max(position.points)
    winners = tuple(number for number, points in position.scores().items() if points == most)
    if len(winners) == 1:
        said = Sentence(
            "{winner} has the highest score, {points} points, and wins.", winner=player(*winners), points=most
        )
    else:
        said = Sentence("{winners} have {points} points each and share the win.", winners=listed(winners), points=most)
    return Outcome(winners, said, {"points": {str(number): points for number, points in position.scores().items()}})


def listed(numbers: Sequence[int]) -> Listing:
    """Return several players in one part of a sentence."""
    return Listing(map(player, numbers))


def must_stop(position: "LudixPosition", stake: int) -> bool:
    """Return whether whoever is to play may not throw again with this much at stake."""
    if position.options["going_on"] == "free" or reached(position):
        return False
    return position.own + stake >= target(position)


def without_turn(position: "LudixPosition") -> "LudixPosition":
    """Return the position with the turn handed on and nothing noted."""
    return replace(position, turn=position.turn % position.seats + 1, turns=position.turns + 1, formed=(), cast=None)
