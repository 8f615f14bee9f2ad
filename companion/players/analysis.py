"""A game looked over: the chance to win from turn to turn, what each turn cost, and the luck of the dice.

Luck is separated from skill as backgammon players do. The luck of a throw is the chance after it, with best play, less
the mean over all throws. The cost of a turn is the chance after the best turn less that after the turn that was made.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.language.sentence import Sentence
from companion.players.player import Budget, Weighed
from companion.players.telling import calibrated
from companion.players.thinking import player_of, reasons, turn_text, weigh
from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position

TWO_SIDES = 2


class AnalysisError(GameError):
    """Such a match is not analysed."""


@dataclass(frozen=True)
class AnalysedMove:
    """One throw or turn. ``number``: how many moves came before; ``player``: who made it.

    ``chance``: side 1's chance to win after it. ``luck``: of a throw, for its player. ``cost``: of a turn, None where
    it could not be judged. ``better``: the best turn, where another one was made, and ``why``: the reasons for it.
    """

    number: int
    player: int
    text: str
    chance: float
    luck: float = 0.0
    cost: float | None = 0.0
    better: str = ""
    why: tuple[Sentence, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the fields by name; chances to four places."""
        cost = None if self.cost is None else round(self.cost, 4)
        return {
            "move": self.number,
            "player": self.player,
            "text": self.text,
            "chance": round(self.chance, 4),
            "luck": round(self.luck, 4),
            "cost": cost,
            "better": self.better,
            "why": [str(reason) for reason in self.why],
        }


def analysed_moves(
    start: Position,
    moves: Sequence[Throw | Choice],
    budget: Budget = Budget(),  # noqa: B008 - a frozen value
    first: int = 0,
) -> Iterator[AnalysedMove]:
    """Yield every throw and whole turn of a game, in order; each takes a while, so a caller may show progress or stop.

    ``budget``: for each turn. ``first``: the move to begin with, the first of a turn. A turn that the game's player
    does not weigh has no cost.

    Raises:
        AnalysisError: the game has no chances to speak of, or not two sides.
    """
    _check(start)
    position, at = start, first
    for move in moves[:first]:
        position = position.after(move)
    while at < len(moves):
        move = moves[at]
        if isinstance(move, Throw):
            yield _thrown(position, move, at)
            position, at = position.after(move), at + 1
            continue
        turn, after = _turn(position, moves[at:])
        yield _made(position, turn, after, at, budget)
        position, at = after, at + len(turn)


def following(analysed: AnalysedMove, start: Position, moves: Sequence[Throw | Choice]) -> int | None:
    """Return the move after a throw or turn that was analysed, or None if it was the last."""
    position = start
    for move in moves[: analysed.number]:
        position = position.after(move)
    turn = moves[analysed.number]
    length = 1 if isinstance(turn, Throw) else len(_turn(position, moves[analysed.number :])[0])
    after = analysed.number + length
    return after if after < len(moves) else None


def worst(moves: Sequence[AnalysedMove], count: int = 3) -> list[AnalysedMove]:
    """Return the turns that cost most, the dearest first."""
    costly = [one for one in moves if one.cost]
    return sorted(costly, key=lambda one: -(one.cost or 0))[:count]


def can_be_analysed(start: Position) -> bool:
    """Whether a match from this position can be analysed: two play it, and one can play it better than the other."""
    try:
        _check(start)
    except AnalysisError:
        return False
    return True


def _check(start: Position) -> None:

    if not start.game.program_plays or not start.game.chooses:
        raise AnalysisError(Sentence("{game} is pure luck: there is nothing to analyse.", game=start.game.title))
    if start.players != TWO_SIDES:
        raise AnalysisError(
            Sentence("Only a match of two players can be analysed, but {count} played this one.", count=start.players)
        )


def _turn(position: Position, moves: Sequence[Throw | Choice]) -> tuple[tuple[Choice, ...], Position]:
    """Return the choices that belong to one turn, and the position after them."""
    player, found = position.awaits.player, []
    for move in moves:
        if isinstance(move, Throw) or position.awaits.player != player or position.outcome is not None:
            break
        found.append(move)
        position = position.after(move)
    return tuple(found), position


def _chance(position: Position, player: int) -> float:
    """Return a player's chance to win as people are shown it; of a game that is over, what the player has of it."""
    outcome = position.outcome
    if outcome is not None:
        return float(player in outcome.winners) / len(outcome.winners) if outcome.winners else 0.5
    first = calibrated(position.game.slug, player_of(position.game).chance(position))
    return first if player == 1 else 1 - first


def _thrown(position: Position, throw: Throw, at: int) -> AnalysedMove:
    player = position.awaits.player
    known: dict[Position, float] = {}
    every = []
    for other in position.throws():
        after = position.after(other)
        if after not in known:
            known[after] = _chance(after, player)
        every.append(known[after])
    reached = position.after(throw)
    now = known[reached] if reached in known else _chance(reached, player)
    luck = now - sum(every) / len(every)
    return AnalysedMove(at, player, position.text(throw), now if player == 1 else 1 - now, luck=luck)


def _made(position: Position, turn: Sequence[Choice], after: Position, at: int, budget: Budget) -> AnalysedMove:
    player, slug = position.awaits.player, position.game.slug
    weighed = weigh(position, budget)
    made = next((one for one in weighed if _leads_to(position, one) == after), None)
    text = turn_text(position, turn)
    chance = _chance(after, player) if made is None else calibrated(slug, made.chance)
    seen = chance if player == 1 else 1 - chance
    if made is None:
        return AnalysedMove(at, player, text, seen, cost=None)
    best = weighed[0]
    if best.chance <= made.chance:
        return AnalysedMove(at, player, text, seen)
    why = tuple(reason.sentence for reason in reasons(position, weighed, best))
    return AnalysedMove(
        at,
        player,
        text,
        seen,
        cost=calibrated(slug, best.chance) - chance,
        better=turn_text(position, best.choices),
        why=why,
    )


def _leads_to(position: Position, weighed: Weighed) -> Position:
    for choice in weighed.choices:
        position = position.applied(choice)
    return position
