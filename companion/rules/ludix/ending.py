"""When Ludix ends, and who wins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from companion.language.sentence import Listing, Sentence, player
from companion.rules.ludix.state import LudixState
from companion.rules.results import Outcome

State = TypeVar("State", bound=LudixState)
"""The class of record that a function takes and returns."""


def target(state: LudixState) -> int:
    """Return the number of points that ends the game."""
    return int(state.options["target"])


def reached(state: LudixState) -> bool:
    """Return whether any player's noted points reach the target."""
    return max(state.points) >= target(state)


def last_turn(state: LudixState) -> bool:
    """Return whether the player has the last turn: the target is reached, but the game is not over."""
    return reached(state) and not over(state)


def over(state: LudixState) -> bool:
    """Return whether the game has ended."""
    if not reached(state):
        return False
    match state.options["ending"]:
        case "round":
            return state.turn == 1
        case "others":
            # the first player to reach the target is also the first whose turn would come again
            return state.own >= target(state)
    return True


def outcome(state: LudixState) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    return standing(state) if over(state) else None


def standing(state: LudixState) -> Outcome:
    """Return the outcome if the game ends here: the highest score wins, and equal scores share the win."""
    most = max(state.points)
    winners = tuple(number for number, points in state.scores().items() if points == most)
    if len(winners) == 1:
        sentence = Sentence(
            "{winner} has the highest score, {points} points, and wins.", winner=player(*winners), points=most
        )
    else:
        sentence = Sentence(
            "{winners} have {points} points each and share the win.", winners=listed(winners), points=most
        )
    return Outcome(winners, sentence, {"points": {str(number): points for number, points in state.scores().items()}})


def listed(numbers: Sequence[int]) -> Listing:
    """Return several players as one part of a sentence."""
    return Listing(map(player, numbers))


def must_stop(state: LudixState, stake: int) -> bool:
    """Return whether the player must not throw again with this stake."""
    if state.options["going_on"] == "free" or reached(state):
        return False
    return state.own + stake >= target(state)


def without_turn(state: State) -> State:
    """Return the position with the next player's turn and nothing noted."""
    return replace(state, turn=state.turn % state.seats + 1, turns=state.turns + 1, formed=(), cast=None)
