"""The whole state of the laboratory, as its page receives it."""

from typing import Any, Literal, TypedDict

from companion.desk.shapes.common import HealthShape, SeriesCameraShape
from companion.language.sentence import SentenceJson

Sign = Literal["throw", "wait", "ask", "hand", "blind", "none"]
"""The sign beside the large sentence."""


class AuditShape(TypedDict):
    """How many throws people have audited, how many of these differed from the reader, and which are still due."""

    done: int
    wrong: int
    due: list[int]


class VerdictShape(TypedDict):
    """The verdict on a die. ``p``: the anytime-valid p value; ``called``: the throw at which it was called biased."""

    said: str
    sentences: list[SentenceJson]
    p: float
    called: int | None
    largest: float
    smallest: float | None
    needed: int | None
    reader_explains: bool


class EvidenceShape(TypedDict):
    """The curve of the evidence: the throws, the logarithm of the wealth after each, and the value needed."""

    throws: list[int]
    log_value: list[float]
    needed: float


class QuestionFindingShape(TypedDict):
    """One question about die or thrower, and what was found."""

    question: str
    found: Any
    p: float | None
    throws: int


class SeriesDieShape(TypedDict):
    """One die of a series: counts, estimates and bounds of each outcome, in the order of ``labels``."""

    name: str
    set: str
    die: str
    together: int
    labels: list[str]
    fair: list[float]
    counts: list[float]
    throws: int
    unread: int
    corrected: int
    audit: AuditShape
    verdict: VerdictShape
    low: list[float]
    high: list[float]
    estimate: list[float]
    evidence: EvidenceShape
    findings: list[QuestionFindingShape]


class SeriesThrowShape(TypedDict):
    """One throw of one die. ``digest`` names its picture."""

    number: int
    at: float
    die: str
    outcome: str | None
    suspected: str | None
    how: str
    asked: bool
    corrected: bool
    withdrawn: bool
    due: bool
    audited: bool
    session: str
    hand: str
    digest: str | None
    confidence: float | None


class ShownThrowShape(SeriesThrowShape):
    """A throw in the list of the last throws; ``crop`` names its picture where that still exists."""

    crop: str | None


class AskedSeriesDieShape(TypedDict):
    """One die of the open question; ``die`` is its key in the answer."""

    die: str
    name: str
    face: str | None
    missing: bool
    candidates: list[Any]
    crop: str | None


class SeriesQuestionShape(TypedDict):
    """The open question about a throw."""

    number: int
    sentence: SentenceJson
    dice: list[AskedSeriesDieShape]


class PhotographShape(TypedDict):
    """A photograph of one face, by its hash."""

    die: str
    face: str
    picture: str


class SeriesShape(TypedDict):
    """The open series of throws."""

    id: int
    title: str
    at: float
    about: dict[str, Any]
    smallest: float | None
    fixed: int | None
    pace: Any
    session: str
    hand: str
    throws: int
    dice: list[SeriesDieShape]
    last: list[ShownThrowShape]
    question: SeriesQuestionShape | None
    photographs: list[PhotographShape]


class ListedDieShape(TypedDict):
    """One die in the list of series."""

    name: str
    set: str
    die: str


class ListedShape(TypedDict):
    """One series in the list."""

    id: int
    title: str
    throws: int
    at: float
    last: float
    dice: list[ListedDieShape]


class RowShape(TypedDict):
    """A row of throws that look alike. ``pictures``: some of their crops, the most typical one first.

    ``mixed``: it shows two faces or what never moves, so no name fits. ``done``: it has a ``face`` or was left out.
    """

    number: int
    throws: int
    pictures: list[str]
    guess: str | None
    mixed: bool
    done: bool
    face: str | None


class RowsShape(TypedDict):
    """The rows of a die that is counted by likeness. ``kept``: throws that were not read yet; ``wanted``: for the rows.

    ``phase``: throws are gathered for the rows, sorted, named by a person, or counted. ``doubtful``: the rows have
    names, and the throws that were kept since are the doubtful ones.
    """

    phase: Literal["gather", "sort", "name", "count"]
    kept: int
    wanted: int
    doubtful: bool
    rows: list[RowShape]


class SeriesParts(TypedDict):
    """Everything that the laboratory's page shows. ``hitch``: what failed last."""

    sentence: SentenceJson
    sign: Sign
    camera: SeriesCameraShape
    series: SeriesShape | None
    series_list: list[ListedShape]
    rows: RowsShape | None
    hitch: SentenceJson | None
    health: HealthShape


class SeriesState(SeriesParts):
    """Everything that the laboratory's page shows. ``version`` grows with every change."""

    version: int
