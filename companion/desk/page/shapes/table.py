"""The whole state of a table, as ``GET /api/state`` and the stream of events send it."""

from typing import Any, Literal, TypedDict

from companion.desk.page.shapes.common import ArrowShape, CameraShape, DieShape, SentenceShape, TableHealthShape
from companion.desk.page.shapes.match import MatchPartShape


class ReadingShape(TypedDict):
    """What the camera sees now and nothing was made of yet; ``prospects``: what these dice point to."""

    dice: list[DieShape]
    status: Literal["read", "ask", "ignored"]
    reason: str
    prospects: dict[str, Any] | None


class SeatingShape(TypedDict):
    """Which way round the board lies, and whose the colours are."""

    game: str
    lies: str
    colours: dict[str, int]


class BoardCandidateShape(TypedDict):
    """One answer to a question about the board."""

    text: str
    sentence: SentenceShape
    arrows: list[ArrowShape]


class BoardAskShape(TypedDict):
    """An open question about the board; ``id`` goes into the answer."""

    id: int
    about: str
    sentence: SentenceShape
    candidates: list[BoardCandidateShape]
    sites: list[str]


class DifferenceShape(TypedDict):
    """A site that is not as it should be: men by their owner's number, or one man's colour, shape and number."""

    site: str
    expected: dict[str, Any] | None
    seen: dict[str, Any] | None


class OrderShape(TypedDict):
    """One thing to do that brings the board into agreement."""

    sentence: SentenceShape
    arrow: ArrowShape


class BoardFindingShape(TypedDict):
    """How board and match agree. ``seen``: what is seen on each site, where it does not fit."""

    kind: Literal["agrees", "go on", "asked", "mismatch", "blind"]
    sentence: SentenceShape
    notice: SentenceShape | None
    why_not: SentenceShape | None
    sites: list[str]
    differences: list[DifferenceShape]
    orders: list[OrderShape]
    arrows: list[ArrowShape]
    seen: dict[str, dict[str, Any]] | None


class WatchShape(TypedDict):
    """The board before its camera."""

    status: str
    hand: bool
    picture: int | None
    warning: SentenceShape | None
    seating: SeatingShape | None
    ask: BoardAskShape | None
    finding: BoardFindingShape | None


class PressedShape(TypedDict):
    """What the last press of the board's button came to."""

    number: int
    ok: bool
    sentence: SentenceShape


class LightShape(TypedDict):
    """What a light means; ``player`` 0: nobody's."""

    meaning: str
    player: int


class LightsShape(TypedDict):
    """The board of lights. ``theme``: its colours and times; ``places``: where a simulated one is drawn, 0 to 1."""

    name: str
    state: str
    trouble: bool
    sentence: SentenceShape
    pressed: PressedShape | None
    squares: SentenceShape | None
    theme: dict[str, Any]
    resting: bool
    lit: dict[str, LightShape]
    places: dict[str, tuple[float, float]] | None


class DemonstrationShape(TypedDict):
    """What a sample's table says of itself."""

    kind: str
    sentence: SentenceShape


State = Literal["SYNCED", "SETTLING", "PROPOSED", "MISMATCH", "BLIND", "MANUAL"]
"""How table and match agree; `companion.desk.table.state` says when it is which."""


class TableState(MatchPartShape):
    """Everything that the page shows. ``version`` grows with every change.

    ``dice_camera``: the source that may read dice of a new match; ``board_camera``: the games whose men it follows;
    ``hitch``: what failed last.
    """

    version: int
    state: State
    state_sentence: SentenceShape
    sample: bool
    demonstration: DemonstrationShape | None
    camera: CameraShape
    reading: ReadingShape | None
    dice_camera: str | None
    board_camera: list[str]
    two_cameras: bool
    watch: WatchShape | None
    lights: LightsShape | None
    autoplay: bool
    hitch: SentenceShape | None
    health: TableHealthShape
