"""What a reading of the board means for a position, as plain data for referee, journal and page."""

from dataclasses import dataclass
from typing import Any, TypedDict

from companion.language.sentence import Sentence
from companion.referee.board.seating import Seating
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.vision.board_readings import Men

ArrowJson = TypedDict("ArrowJson", {"from": str, "to": str})
"""From one site to another, by the game's names; an empty name is off the board."""


@dataclass(frozen=True)
class Arrow:
    """One man's way on the drawn board, by the game's names; ``end`` is "" if he is lifted, ``start`` if he comes.

    ``hand`` and ``off`` are places like any other.
    """

    start: str
    end: str

    def to_json(self) -> ArrowJson:
        """Return ``{"from": "a", "to": "g"}``."""
        return {"from": self.start, "to": self.end}


@dataclass(frozen=True)
class Candidate:
    """Moves that may have been made in a row from the agreed position, and where they lead.

    ``gain``: how much better, as a logarithm, they explain the reading than the agreed position does. ``whole``: the
    turn is complete, or each choice is a move of its own. A throw between two turns is one of the ``moves``.
    """

    moves: tuple[Throw | Choice, ...]
    position: Position
    gain: float
    whole: bool = True

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The ways of the men, for the page; a move without a man (a die turned, a turn ended) has none."""
        return tuple(arrow for move in self.moves if (arrow := _arrow(move)) is not None)

    def to_json(self) -> dict[str, Any]:
        """Return the choices as text and JSON, with arrows."""
        return {
            "text": " ".join(map(str, self.moves)),
            "moves": [move.to_json() for move in self.moves],
            "arrows": [arrow.to_json() for arrow in self.arrows],
        }


def _arrow(move: Throw | Choice) -> Arrow | None:
    match move.to_json():
        case {"from": str(start), "to": str(end)}:
            return Arrow(start, end)
        case {"takes": str(target)}:
            return Arrow(target.partition("/")[0], "")
        case {"return": _, "to": str(end)}:
            return Arrow("", end)
    return None


@dataclass(frozen=True)
class Difference:
    """A site that is not as it should be: its name in the game, and expected and seen men in the picture's terms."""

    site: str
    expected: Men | None
    seen: Men | None

    def to_json(self) -> dict[str, Any]:
        """Return site, expected and seen as label files write them."""
        expected, seen = (None if men is None else men.to_json() for men in (self.expected, self.seen))
        return {"site": self.site, "expected": expected, "seen": seen}


@dataclass(frozen=True)
class CommitPlay:
    """One play stands out and explains every site. ``sentences``: its sentences, choice by choice.

    ``lift``: sites on which a man who was hit still lies.
    """

    play: Candidate
    sentences: tuple[Sentence, ...]
    lift: tuple[str, ...] = ()

    @property
    def sentence(self) -> Sentence:
        """What to say besides the account of the play: lift the men who were hit."""
        if self.lift:
            return Sentence("Lift the man who was hit from {sites}.", sites=", ".join(self.lift))
        return Sentence("The play was seen.")


@dataclass(frozen=True)
class GoOn:
    """A turn that may go on: everything so far fits, and nothing is committed before the turn is surely over."""

    sentence: Sentence
    play: Candidate


@dataclass(frozen=True)
class AskMove:
    """The people at the table must say which candidate it was, if any; the best comes first."""

    sentence: Sentence
    candidates: tuple[Candidate, ...]
    sites: tuple[Difference, ...] = ()


@dataclass(frozen=True)
class Mismatch:
    """No legal play explains the board. ``why_not``: the rule against the one step that would."""

    sentence: Sentence
    sites: tuple[Difference, ...]
    why_not: Sentence | None = None


AS_AGREED = Sentence("The board stands as agreed.")


@dataclass(frozen=True)
class Unchanged:
    """The board stands as agreed, as far as it is visible.

    ``note``: anything else to say. ``doubtful``: sites that look more like something else, but not clearly: look again
    before believing it.
    """

    note: Sentence | None = None
    doubtful: tuple[str, ...] = ()

    @property
    def sentence(self) -> Sentence:
        """The note, or that the board stands as agreed."""
        return self.note or AS_AGREED


@dataclass(frozen=True)
class Blind:
    """Nothing can be decided before ``sites`` are seen again, or before the board is found."""

    sentence: Sentence
    sites: tuple[str, ...] = ()


Decision = CommitPlay | GoOn | AskMove | Mismatch | Unchanged | Blind


@dataclass(frozen=True)
class Seated:
    """The men stand as at the start of the game, and only one seating explains how."""

    seating: Seating


@dataclass(frozen=True)
class AskSeating:
    """Somebody must say how the board lies, or whose each colour is; ``candidates``: what the picture allows."""

    sentence: Sentence
    candidates: tuple[Seating, ...]
    sites: tuple[Difference, ...] = ()
