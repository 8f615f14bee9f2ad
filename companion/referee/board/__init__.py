"""Which move was made: readings of a board against the last agreed position. Pure: no camera, clock or thread.

`find_seating` finds out at the start how the board lies. `explain` decides on every observation: commit a play, ask
about one, let a turn go on, or report a mismatch. `pooled` combines the observations of one still interval.
"""

from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.evidence import pooled
from companion.referee.board.results import (
    Arrow,
    AskMove,
    AskSeating,
    Blind,
    Candidate,
    CommitPlay,
    Decision,
    Difference,
    GoOn,
    Mismatch,
    Seated,
    Unchanged,
)
from companion.referee.board.seating import Seating, SeatingFormatError
from companion.referee.board.start import find_seating
from companion.referee.board.tokens import seat_again

__all__ = [
    "AgreedPosition",
    "Arrow",
    "AskMove",
    "AskSeating",
    "Blind",
    "Candidate",
    "CommitPlay",
    "Decision",
    "Difference",
    "GoOn",
    "Mismatch",
    "Seated",
    "Seating",
    "SeatingFormatError",
    "Unchanged",
    "explain",
    "find_seating",
    "pooled",
    "seat_again",
]
