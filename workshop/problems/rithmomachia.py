"""Problems met in games of Rithmomachia: the one capture, all that can be taken after a move, a win in one turn."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.players.player import Weighed
from companion.rules.game import Choice, Position
from companion.rules.rithmomachia.choices import CAPTURES, Claim, Move
from companion.rules.rithmomachia.men import PYRAMID
from companion.rules.rithmomachia.position import RithmoPosition
from workshop.problems.found import Found, tries

MOST_WINNING_MOVES: Final = 2


def find(position: Position, weighed: Sequence[Weighed]) -> Iterator[Found]:
    """Yield the problems of a turn of Rithmomachia: the one capture, a win, several men to take after a move."""
    assert isinstance(position, RithmoPosition), "a game of numbers"
    taking = [turn for turn in weighed if any(isinstance(choice, Claim) for choice in turn.choices)]
    moving = [turn for turn in taking if isinstance(turn.choices[0], Move)]
    if len(moving) != len(taking) or position.deliveries:
        return
    if len(moving) == 1:
        (turn,) = moving
        moved = position.applied(turn.choices[0])
        claims = _plain(moved)
        if claims and len({claim.target for claim in claims}) == 1:
            lines = tuple((str(turn.choices[0]), _short(claim)) for claim in claims)
            yield Found("take", position, lines, tries(position, weighed, [turn]))
    winning = [turn for turn in moving if turn.chance == 1 and _won(position, turn.choices)]
    if 0 < len(winning) <= MOST_WINNING_MOVES < len(moving):
        every = tuple(line for turn in winning if (line := _winning_line(position, turn.choices[0])))
        if len(every) == len(winning):
            yield Found("win", position, every, len(winning) / len(weighed))
    for turn in moving:
        moved = position.applied(turn.choices[0])
        claims = _plain(moved)
        targets = {claim.target for claim in claims}
        if moved.outcome is None and len(targets) > 1:
            line = tuple(_short(next(one for one in claims if one.target == target)) for target in sorted(targets))
            if _goes_on(moved, line):
                enemies = sum(man is not None and man.owner != position.turn for man in moved.men)
                yield Found("all", moved, (line,), len(claims) / (enemies * len(CAPTURES)))


def _plain(moved: RithmoPosition) -> list[Claim]:
    """Return the captures after a move if each takes a whole man and is named by him and its kind alone; else none."""
    found = list(moved.claims)
    named = {(claim.target, claim.kind) for claim in found}
    numbered = moved.rules.board.numbered
    men = [moved.men[numbered[claim.target.site]] for claim in found]
    whole = all(not claim.target.part for claim in found) and all(man and man.shape != PYRAMID for man in men)
    return found if whole and len(named) == len(found) else []


def _short(claim: Claim) -> str:
    return f"takes {claim.target} by {claim.kind}"


def _won(position: Position, choices: Sequence[Choice]) -> bool:
    player = position.awaits.player
    for choice in choices:
        position = position.applied(choice)
    return position.outcome is not None and position.outcome.winners == (player,)


def _winning_line(position: RithmoPosition, move: Choice) -> tuple[str, ...]:
    """Return a move and the captures that win after it, as typed; nothing where they cannot be named in short."""
    player, line, moved = position.turn, [str(move)], position.applied(move)
    for claim in sorted(_plain(moved), key=lambda one: str(one.target)):
        if moved.outcome is None and claim in moved.claims:
            line.append(_short(claim))
            moved = moved.applied(claim)
    return tuple(line) if moved.outcome is not None and moved.outcome.winners == (player,) else ()


def _goes_on(position: Position, line: Sequence[str]) -> bool:
    """Whether the rules allow all these choices, and the game goes on after them: then their order does not matter."""
    for text in line:
        choice = position.parse(text)
        if position.refusal(choice) is not None:
            return False
        position = position.applied(choice)
    return position.outcome is None
