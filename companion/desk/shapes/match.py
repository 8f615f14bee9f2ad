"""The part of the table's state that changes only with the match."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from companion.language.sentence import SentenceJson
from companion.referee.board.results import ArrowJson
from companion.rules.board import BoardNotes

Way = Literal["camera", "tapped", "program"]


class PrizesShape(TypedDict):
    """What a player has won: virtues as lots in the order in which they were won; complete pairs, two lots each."""

    virtues: list[str]
    pairs: list[tuple[str, str]]


class PlayerShape(PrizesShape):
    """One player. ``strength``: how well the program plays for them, by name; empty for the table's own."""

    number: int
    name: str
    score: int
    colour: int
    program: bool
    strength: str


class MatchShape(TypedDict):
    """The open match. ``acquired`` of ``of`` virtues are won; both are 0 in other games.

    ``goal``: the score that ends the game, None where no score does.
    """

    id: int
    name: str
    game: str
    title: str
    options: dict[str, bool | int | str]
    paused: bool
    dice_by: Way
    men_by: Way
    demo: bool
    watched: bool
    dice_sets: list[str]
    players: list[PlayerShape]
    throws: int
    acquired: int
    of: int
    goal: int | None
    rules_changed: SentenceJson | None


class AwaitsShape(TypedDict):
    """What the match waits for, and of whom; ``player`` 0: nobody.

    ``by_program``: nobody at this table is to act, but the program, or (``remote``) somebody at another table.
    """

    kind: Literal["throw", "recast", "choice", "over"]
    player: int
    by_program: bool
    remote: bool
    sentence: SentenceJson
    dice_sets: list[str]
    dice: list[str]


class ThrowShape(TypedDict):
    """The last throw that counts; ``dice`` and ``crop`` are set where a camera saw it."""

    event: int
    number: int
    player: int
    kind: str
    set: str | None
    faces: dict[str, str]
    sentence: SentenceJson
    details: dict[str, Any]
    by: str
    dice: list[Mapping[str, Any]]
    crop: str | None
    corrected: bool


class AskedDieShape(TypedDict):
    """One die of an open question: its name if known, what it may show, and its picture's name."""

    die: str | None
    candidates: list[tuple[str, float]]
    status: str
    crop: str | None


class AskShape(TypedDict):
    """An open question about dice; ``id`` goes into the answer. ``suggestion``: the likeliest face of each die."""

    id: int
    sentence: SentenceJson
    dice: list[AskedDieShape]
    suggestion: dict[str, str] | None


class ChoiceShape(TypedDict):
    """A choice that is possible now, as a player types it and as JSON."""

    text: str
    choice: dict[str, Any]


class UndoShape(TypedDict):
    """The last play of a person, if it can be undone.

    ``anyone``: without a correction, which only the owner can make. ``answered``: it is a whole turn, and goes with the
    program's answer. ``seen``: a camera read it.
    """

    event: int
    number: int
    player: int
    kind: str
    text: str
    anyone: bool
    answered: bool
    seen: bool


class BoardShape(BoardNotes):
    """The board for drawing. ``men``: what stands on each site; ``last``: the last move."""

    name: str
    men: dict[str, Any]
    last: list[ArrowJson]


class NumeralShape(TypedDict):
    """A Roman numeral that the dice of Ludix form."""

    text: str
    value: int


class LudixShape(TypedDict):
    """A turn of Ludix. ``fails``: the chance that another throw forms nothing, as numerator and denominator."""

    numerals: list[NumeralShape]
    formed: list[str]
    stake: int
    target: int
    fails: tuple[int, int]
    sentences: list[SentenceJson]


class VirtueShape(TypedDict):
    """One of the 56 virtues: its lot, Latin and English name, sum of vowels, holder, and the throw that won it."""

    id: str
    name: str
    english: str
    sum: int
    owner: int | None
    throw: int | None


class LogLineShape(TypedDict):
    """One event in the log. ``standing``: whether a commit counts; ``number``: which throw it is."""

    event: int
    at: float
    actor: str
    number: int | None
    player: int | None
    text: SentenceJson | None
    move: str
    kind: str
    corrected: bool
    standing: str | None


class ThrownFaces(TypedDict):
    """The faces of a throw by die, of the dice of ``set``; None where nothing was thrown."""

    set: str | None
    faces: dict[str, str] | None


class MatchLineShape(LogLineShape, ThrownFaces):
    """One event in the log of the match on the table."""


class OutcomeShape(TypedDict):
    """How the match ended. ``teacher`` and ``pupils``: who teaches whom, in games of virtues."""

    winners: list[int]
    tie: bool
    why: SentenceJson | None
    teacher: list[Any]
    pupils: list[Any]


class FamilyPartsShape(TypedDict):
    """The parts that one family of games fills; in all others they are None or empty."""

    ludix: LudixShape | None
    virtues: list[VirtueShape]
    curve: list[tuple[int, int]]


class MatchPartShape(FamilyPartsShape):
    """Everything that changes only with the match; each part is None or empty where there is nothing to show.

    ``news``: what happened last, in few words.
    """

    match: MatchShape | None
    awaits: AwaitsShape
    news: SentenceJson | None
    throw: ThrowShape | None
    ask: AskShape | None
    choices: list[ChoiceShape]
    undo: UndoShape | None
    drawn: str | None
    board: BoardShape | None
    log: list[MatchLineShape]
    outcome: OutcomeShape | None
