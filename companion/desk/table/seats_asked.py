"""The seats that a new match asks for: what each is called, and whether the program can take its own."""

from itertools import count

from companion.desk.table.command_types import NewMatch
from companion.language.sentence import Sentence, player
from companion.odds.opponents import can_play, chooses
from companion.referee.events import MenBy
from companion.referee.match import RefusedError
from companion.rules.errors import GameError
from companion.rules.registry import game as game_of


def program_name(number: int = 1) -> str:
    """Return what a match calls the program in a seat, or the second or a later one that it has."""
    return "The program" if number == 1 else f"The program {number}"


def seat_names(asked: NewMatch) -> list[str]:
    """Return a name for each player; an empty one becomes that of the program, or the player's number."""
    machines = map(program_name, count(1))
    return [
        name.strip() or (next(machines) if seat in asked.programs else str(player(seat)))
        for seat, name in enumerate(asked.players, start=1)
    ]


def program_seats(asked: NewMatch, men_by: MenBy) -> dict[int, str]:
    """Return the numbers of the players for whom the program plays, ascending, with its strength or an empty name.

    Raises:
        RefusedError: the program cannot play this game, or cannot move its men.
    """
    if not asked.programs:
        return {}
    try:
        game = game_of(asked.game)
    except GameError:
        return {}  # another check refuses an unknown game
    if not can_play(game):
        raise RefusedError(Sentence("The program cannot play {game}: nobody knows its rules.", game=game.title))
    if men_by == "camera" and chooses(game) and game.board.sites:
        raise RefusedError(
            Sentence("The program cannot move wooden men: choose to tap in the moves, or play without the program.")
        )
    strengths = asked.strengths or [""] * len(asked.programs)
    return dict(sorted(zip(asked.programs, strengths, strict=True)))
