"""What a match's journal says of its board: its seating, the last agreement of table and match, the open question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.referee.board.decide import AgreedPosition
from companion.referee.board.kept import KeptReadingError, reading_kept
from companion.referee.board.seating import Seating, SeatingFormatError
from companion.referee.board.standing import BAR, expected_board
from companion.referee.events import BoardAsked, BoardObserved, BoardSeated, Committed
from companion.rules.game import Position
from companion.vision.board_readings import BoardReading


@dataclass(frozen=True)
class BoardQuestion:
    """An open question about the board; ``number`` is the event that asked it."""

    number: int
    asked: BoardAsked


@dataclass(frozen=True)
class BoardRecord:
    """The board of one match according to its events.

    ``before``: the reading in which table and match agreed on ``position``; ``seen``: the number of that observation;
    ``agreed``: the last event for which this holds, 0 before the first. ``dismissed``: the last question that was put
    aside, unless something was committed since.
    """

    seating: Seating | None = None
    before: BoardReading | None = None
    position: Position | None = None
    seen: int = 0
    agreed: int = 0
    question: BoardQuestion | None = None
    dismissed: BoardAsked | None = None

    def seated(self, event: BoardSeated) -> "BoardRecord":
        """Fold in how the board lies; a seating that cannot be read must be found again."""
        try:
            seating = Seating.from_json(event.seating)
        except SeatingFormatError:
            return replace(self, seating=None, before=None, position=None, question=None)
        # a journal orders the colours by name, the referee by owner
        colours = tuple(sorted(seating.colours, key=lambda colour: colour[1]))
        return replace(self, seating=replace(seating, colours=colours), question=None, dismissed=None)

    def observed(self, number: int, event: BoardObserved, position: Position) -> "BoardRecord":
        """Fold in an observation of the board in this position."""
        if event.decision == "ask":
            return self
        try:
            before: BoardReading | None = reading_kept(event.seen)
        except KeptReadingError:
            before = None
        question = None if event.decision == "agreed" else self.question
        return replace(self, before=before, position=position, seen=number, agreed=number, question=question)

    def committed(self, number: int, event: Committed, position: Position) -> "BoardRecord":
        """Fold in a throw or choice that led to this position; if the camera showed it, table and match agree."""
        record = replace(self, question=None, dismissed=None)
        if event.by == "camera" and event.seen and event.seen == self.seen and self.before is not None:
            return replace(record, position=position, agreed=number)
        return record

    def asked(self, number: int, event: BoardAsked) -> "BoardRecord":
        """Fold in a question; it replaces an older one."""
        return replace(self, question=BoardQuestion(number, event))

    def rejected(self, number: int) -> "BoardRecord":
        """Fold in that a question was put aside."""
        if self.question is None or self.question.number != number:
            return self
        return replace(self, question=None, dismissed=self.question.asked)

    def corrected(self) -> "BoardRecord":
        """Fold in a correction: an open question was about another position."""
        return replace(self, question=None, dismissed=None)

    def in_step(self, position: Position) -> bool:
        """Whether the men of this position stand as they stood when table and match last agreed."""
        return self.position is not None and expected_board(self.position) == expected_board(position)

    def agreed_on(self, position: Position) -> AgreedPosition | None:
        """Return what the referee compares an observation with in this position; None before the seating is known.

        Of the last agreed reading, only sites count that nobody changed by hand since.
        """
        if self.seating is None:
            return None
        if self.before is None or self.position is None:
            return AgreedPosition(position, self.seating)
        was, now = expected_board(self.position), expected_board(position)
        sites = {
            name: site
            for name, site in self.before.sites.items()
            if was.get(self.seating.site(name)) == now.get(self.seating.site(name)) or self.seating.site(name) == BAR
        }
        return AgreedPosition(position, self.seating, replace(self.before, sites=sites))


def same_question(one: BoardAsked | None, other: BoardAsked) -> bool:
    """Whether two questions ask the same thing: they have the same candidates, or the same sites."""
    if one is None or one.about != other.about:
        return False
    return _texts(one.candidates) == _texts(other.candidates) and _sites(one) == _sites(other)


def _texts(candidates: Sequence[object]) -> list[str]:
    return [str(candidate) for candidate in candidates]


def _sites(asked: BoardAsked) -> list[str]:
    return [str(entry.get("site")) for entry in asked.differences] if not asked.candidates else []
