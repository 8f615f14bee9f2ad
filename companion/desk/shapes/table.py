"""The whole state of a table, as ``GET /api/state`` and the event stream send it."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from companion.desk.shapes.common import CameraShape, MarkJson, State, TableHealthShape
from companion.desk.shapes.match import MatchPartShape
from companion.language.sentence import SentenceJson
from companion.referee.board.results import ArrowJson
from companion.referee.board.seating import SeatingJson
from companion.vision.readings import ReadDieJson


class ReadingShape(TypedDict):
    """What the camera sees now, while it has led to nothing yet.

    ``prospects``: what these dice point to; ``width``: of the picture in which the dice are outlined, in pixels.
    """

    dice: list[ReadDieJson]
    status: Literal["read", "ask", "ignored"]
    reason: str
    prospects: Mapping[str, Any] | None
    width: int


class BoardCandidateShape(TypedDict):
    """One answer to a question about the board."""

    text: str
    sentence: SentenceJson
    arrows: list[ArrowJson]


class BoardAskShape(TypedDict):
    """An open question about the board; ``id`` goes into the answer."""

    id: int
    about: str
    sentence: SentenceJson
    candidates: list[BoardCandidateShape]
    sites: list[str]


class DifferenceShape(TypedDict):
    """A site that is not as it should be: men by their owner's number, or one man's colour, shape and number."""

    site: str
    expected: dict[str, Any] | None
    seen: dict[str, Any] | None


class OrderShape(TypedDict):
    """One thing to do to bring the board into agreement."""

    sentence: SentenceJson
    arrow: ArrowJson


class BoardFindingShape(TypedDict):
    """How board and match agree. ``seen``: what is seen on each site, if something does not fit."""

    kind: Literal["agrees", "go on", "asked", "mismatch", "blind"]
    sentence: SentenceJson
    notice: SentenceJson | None
    why_not: SentenceJson | None
    sites: list[str]
    differences: list[DifferenceShape]
    orders: list[OrderShape]
    arrows: list[ArrowJson]
    seen: dict[str, dict[str, Any]] | None


class WatchShape(TypedDict):
    """The board before its camera. ``field``: its corners as shares of its picture, clockwise from the top left."""

    status: str
    hand: bool
    picture: int | None
    warning: SentenceJson | None
    seating: SeatingJson | None
    ask: BoardAskShape | None
    finding: BoardFindingShape | None
    field: list[tuple[float, float]]


class PressedShape(TypedDict):
    """The result of the last press of the board's button."""

    number: int
    ok: bool
    sentence: SentenceJson


class LightsShape(TypedDict):
    """The LED board. ``theme``: its colours and times; ``places``: where to draw a simulated one, 0 to 1."""

    name: str
    state: str
    trouble: bool
    sentence: SentenceJson
    pressed: PressedShape | None
    squares: SentenceJson | None
    theme: dict[str, Any]
    dimmed: bool
    lit: dict[str, MarkJson]
    places: dict[str, tuple[float, float]] | None


class DemonstrationShape(TypedDict):
    """What a sample's table says about itself."""

    kind: str
    sentence: SentenceJson


class OtherTableShape(TypedDict):
    """The other table of a shared match: who plays there.

    ``sentence``: why the match is paused for it; ``awaited``: what the match waits for there while it goes on; ``men``:
    that people move them here as they were moved there. Each is null where there is nothing to say.
    """

    players: list[int]
    sentence: SentenceJson | None
    awaited: SentenceJson | None
    men: SentenceJson | None


class TableParts(MatchPartShape):
    """Everything that the page shows.

    ``dice_camera``: the source that may read dice of a new match; ``board_camera``: the games whose men it follows;
    ``hitch``: what failed last.
    """

    state: State
    state_sentence: SentenceJson
    sample: bool
    demonstration: DemonstrationShape | None
    camera: CameraShape
    reading: ReadingShape | None
    dice_camera: str | None
    board_camera: list[str]
    two_cameras: bool
    watch: WatchShape | None
    lights: LightsShape | None
    other_table: OtherTableShape | None
    autoplay: bool
    hitch: SentenceJson | None
    health: TableHealthShape


class TableState(TableParts):
    """Everything that the page shows. ``version`` grows with every change."""

    version: int
