"""Whether it is the turn of a player for whom the program plays."""

from companion.language.sentence import Sentence
from companion.referee.match import Match


def plays_now(match: Match | None) -> bool:
    """Whether it is the program's turn and the program itself does what is awaited.

    Dice that a camera reads are thrown by people, even for the program.
    """
    if match is None or match.over or match.paused or match.misfit is not None:
        return False
    waits = match.position.awaits
    if waits.player not in match.started.programs:
        return False
    return waits.kind == "choice" or (waits.kind in ("throw", "recast") and match.started.dice_by != "camera")


def its_turn() -> Sentence:
    """Say why a person's throw or choice is refused while the program plays."""
    return Sentence("It is the program's turn: it plays by itself in a moment.")
