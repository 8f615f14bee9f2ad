"""The plain way to play each game, quick and without looking ahead: to play games through, and to compare with."""

import random
from collections.abc import Mapping
from typing import TypeVar

from companion.odds.ludix.policy import solved, turn
from companion.odds.ludix.race import PolicyError, RaceTurn
from companion.odds.ludix.throws import most_to_go_on
from companion.rules.board import HAND, OFF
from companion.rules.errors import GameOverError
from companion.rules.game import Choice, Position
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.choices import AGAIN, STOP
from companion.rules.ludix.ending import last_turn
from companion.rules.rithmomachia.choices import Claim, Delivery, Move
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.transitions import carried_out
from companion.rules.tables import TablesPosition

T = TypeVar("T")

A_HIT, A_MAN_HOME, A_LONE_MAN = 3.0, 2.0, 1.0
"""What counts in a game of tables: a hit man of the other side, a man home or borne off, an own man left alone."""


def choose(position: Position, chance: random.Random) -> Choice:
    """Return the choice of the plain way in a position that awaits one; in other games one by chance.

    May take seconds: the best play of Ludix is solved at the first request.
    """
    match position:
        case LudixPosition():
            return _of_ludix(position)
        case RithmoPosition():
            return _of_rithmomachia(position, chance)
        case TablesPosition():
            return _of_tables(position, chance)
    return chance.choice(list(position.legal()))


def _best(worth: Mapping[T, float], chance: random.Random) -> T:
    """Return one of the most valuable choices at random."""
    most = max(worth.values())
    return chance.choice([what for what, value in worth.items() if value == most])


def _of_ludix(position: LudixPosition) -> Choice:
    """Return the best choice between two players; else that of the rule which looks at the turn's points alone."""
    try:
        return best_choice(position)
    except PolicyError:
        best = position.best
        again = Formed(best.text, AGAIN)
        if position.stake + best.value <= most_to_go_on() and position.refusal(again) is None:
            return again
        return Formed(best.text, STOP)


def best_choice(position: Position) -> Formed:
    """Return the choice that wins most often against a player who also chooses best; a shared win counts one half.

    Raises:
        PolicyError: not a position of Ludix that awaits a choice, or one that is not solved.
        GameOverError: the game is over.
    """
    if not isinstance(position, LudixPosition):
        raise PolicyError(f"Expected a position of Ludix, but one of {position.game.title} came.", position)
    if position.outcome is not None:
        raise GameOverError("The game is over: there is nothing to choose.", position)
    if position.cast is None:
        raise PolicyError("Expected a position that waits for a choice, but the dice are to be thrown.", position)
    match = solved(position.players, position.options)
    best = position.best
    stake = position.stake + best.value
    other = position.points[2 - position.turn]
    if last_turn(position):
        again = position.own + stake <= other
    else:
        again = throws_again(turn(match, position.turn - 1, position.own, other), stake)
    return Formed(best.text, AGAIN if again else STOP)


def throws_again(plan: RaceTurn, stake: int) -> bool:
    """Return whether the plan throws again at this stake."""
    return stake < len(plan.again) and bool(plan.again[stake])


def _of_rithmomachia(position: RithmoPosition, chance: random.Random) -> Choice:
    """Return the choice that takes, or leads to taking, the highest number."""
    if position.phase == "claims":
        claims = {claim: _number(position, claim) for claim in position.claims}
        return _best(claims, chance) if claims else next(iter(position.legal()))
    worth: dict[Choice, float] = {}
    for choice in position.legal():
        if isinstance(choice, Claim | Delivery):
            worth[choice] = _number(position, choice)
        elif isinstance(choice, Move):
            moved = carried_out(position, choice)
            worth[choice] = max((_number(moved, claim) for claim in moved.claims), default=0)
        else:
            worth[choice] = 0
    return _best(worth, chance)


def _number(position: RithmoPosition, choice: Claim | Delivery) -> float:
    target = choice.target
    man = position.men[position.rules.board.numbered[target.site]]
    assert man is not None, "a man is taken"
    return float(target.part or man.number)


def _of_tables(position: TablesPosition, chance: random.Random) -> Choice:
    """Return the first step of the turn with the highest count; each step is decided again, by the same count."""
    worth: dict[Choice, float] = {}
    for play in position.plays():
        assert isinstance(play.position, TablesPosition), "a position leads to its own kind"
        counted = _counted(position, play.position)
        worth[play.choices[0]] = max(counted, worth.get(play.choices[0], counted))
    return _best(worth, chance)


def _counted(before: TablesPosition, after: TablesPosition) -> float:
    own, other = str(before.side), str(3 - before.side)
    men, were = after.occupancy(), before.occupancy()
    hits: int = men.get(HAND, {}).get(other, 0) - were.get(HAND, {}).get(other, 0)
    home: int = after.scores()[before.turn] - before.scores()[before.turn]
    alone = sum(1 for site, there in men.items() if site not in (HAND, OFF) and there.get(own) == 1)
    won = after.outcome is not None and before.turn in after.outcome.winners
    return A_HIT * hits + A_MAN_HOME * home - A_LONE_MAN * alone + (100 if won else 0)
