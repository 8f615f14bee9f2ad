"""What tests of decisions share: readings with named changes, and what was decided."""

from companion.referee.board.results import CommitPlay, Mismatch
from companion.referee.board.seating import Seating
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading, Standing
from tests.referee.board.simulated import perfect, shown_as


def see(position: Position, seating: Seating, **changed: Standing) -> BoardReading:
    """A perfect reading of a position but for the sites named."""
    return shown_as(perfect(position, seating), changed)


def committed(decision: object) -> list[str]:
    assert isinstance(decision, CommitPlay), decision
    return sorted(str(move) for move in decision.play.moves)


def mismatch(decision: object) -> Mismatch:
    assert isinstance(decision, Mismatch), decision
    return decision
