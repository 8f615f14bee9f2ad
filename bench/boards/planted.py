"""Illegal moves, as somebody might make them: a man too far, on another square, off the board, or one too many."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.referee.board.seating import Seating
from companion.referee.board.standing import BAR
from companion.rules.game import Position
from companion.vision.board_readings import Men, Standing
from tests.referee.board.simulated import seen

Board = Mapping[str, tuple[Standing, bool]]
"""What stands on each site by the picture's names, and whether more men lie there than can be counted."""

TRIES = 200


def planted(position: Position, seating: Seating, chance: random.Random) -> Iterator[Board]:
    """Yield boards after an illegal move that no legal way through the turn shows."""
    standing = dict(seen(position, seating))
    legal = legal_pictures(position, seating)
    names = [name for name in standing if name != BAR]
    for _ in range(TRIES):
        board = dict(standing)
        men = [name for name in names if board[name][0] is not None]
        start, end = chance.choice(men), chance.choice(names)
        if start == end:
            continue
        kind = chance.random()
        taken = board[start][0]
        assert taken is not None
        left = None if taken.shape or taken.count == 1 else replace(taken, count=taken.count - 1)
        if board[start][1]:
            continue  # a picture does not show what leaves a pile
        board[start] = (left, False)
        if kind > 0.2:  # otherwise the man is taken off the board
            there = board[end][0]
            if board[end][1] or (there is not None and (taken.shape or there.colour != taken.colour)):
                continue
            one = taken if taken.shape else replace(taken, count=1 + (there.count if there else 0))
            board[end] = (one, one.count >= 5 and not one.shape)
        if kind > 0.8 and not taken.shape:
            other = chance.choice(names)
            if board[other][0] is None:
                board[other] = (Men(taken.colour), False)
        if tuple(board[name] for name in names) not in legal:
            yield board


def legal_pictures(position: Position, seating: Seating) -> set[tuple[tuple[Standing, bool], ...]]:
    """Return the appearance of every position of the turn that the rules can reach, site by site without the bar."""
    found = set()
    known: set[Position] = {position}
    begun: list[Position] = [position]
    while begun:
        here = begun.pop()
        board = seen(here, seating)
        found.add(tuple(board[name] for name in board if name != BAR))
        if here.outcome is not None or here.awaits.player != position.awaits.player or here.awaits.kind != "choice":
            continue
        for choice in here.legal():
            after = here.after(choice)
            if after not in known:
                known.add(after)
                begun.append(after)
    return found
