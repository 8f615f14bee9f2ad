"""The program at the prompt: in a player's seat it throws and makes whole turns by itself; it gives a person hints."""

from collections.abc import Sequence

import click

from companion.commands.play.prompt_session import Sitting
from companion.rules.dice import Throw
from companion.rules.game import Choice


def seat(sitting: Sitting, seats: Sequence[int], strength: str) -> None:
    """Let the program take the seats of players by their numbers.

    Raises:
        click.ClickException: there are no such seats, or the program cannot play the game.
    """
    if seats:
        players, game = sitting.now.players, sitting.now.game
        if max(seats) > players:
            raise click.ClickException(f"Expected --program with a number from 1 to {players}, but got {max(seats)}.")
        if not game.program_plays:
            raise click.ClickException(f"The program cannot play {game.title}: nobody knows its rules.")
    sitting.seats, sitting.strength = seats, strength


def plays(sitting: Sitting) -> bool:
    """Make the program's next throw or turn, if it is its turn; return whether it was."""
    next_moves = moves(sitting)
    if next_moves:
        sitting.print_sentence(sitting.now.awaits.sentence)
        for move in next_moves:
            sitting.make(move)
        sitting.show()
    return bool(next_moves)


def moves(sitting: Sitting) -> Sequence[Throw | Choice]:
    """Return the program's next throw or turn; nothing if it is the turn of a person."""
    if sitting.now.awaits.player not in sitting.seats:
        return ()
    if sitting.now.awaits.kind != "choice":
        return (sitting.chance.choice(_throws(sitting)),)
    from companion.players.strengths import STRENGTHS
    from companion.players.thinking import think

    return think(sitting.now, STRENGTHS[sitting.strength], sitting.chance).choices


def _throws(sitting: Sitting) -> Sequence[Throw]:
    """Return the throws that are possible; of a single die thrown again, the one that wins most often."""
    from companion.players.thinking import die_to_cast

    throws = sitting.now.throws()
    if sitting.now.awaits.kind != "recast":
        return throws
    die = die_to_cast(sitting.now, sitting.chance)
    return [throw for throw in throws if throw.face(die) is not None]


def hint(sitting: Sitting) -> None:
    """Print a hint, then what the game itself teaches a learner."""
    from companion.players.hints import hint_of
    from companion.players.thinking import thorough

    position = sitting.now
    taught = position.teaching()
    chosen = position.awaits.kind == "choice" or not taught
    sentences = hint_of(position, thorough()).sentences if chosen else ()
    for sentence in (*sentences, *taught):
        sitting.print_sentence(sentence)
