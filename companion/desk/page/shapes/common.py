"""Shapes that many parts have: sentences, arrows, dice that were read, the camera, and how the program is."""

from typing import Any, Literal, NotRequired, TypedDict


class SentenceShape(TypedDict):
    """A sentence in English, with the template and the parts by which it can be translated."""

    text: str
    template: str
    parts: dict[str, Any]


ArrowShape = TypedDict("ArrowShape", {"from": str, "to": str})
"""From one site to another, by the game's names; an empty name is off the board."""


class DieShape(TypedDict):
    """One die as a reader found it. ``candidates``: faces with their chances; ``polygon``: corners in pixels."""

    kind: str
    set: str
    die: NotRequired[str]
    face: str | None
    status: Literal["read", "ask", "ignored"]
    confidence: float
    candidates: list[tuple[str, float]]
    polygon: list[tuple[float, float]]
    twin: NotRequired[str]
    reason: NotRequired[str]


class CameraShape(TypedDict):
    """The camera: ``picture`` numbers the last one worth a look; ``warning`` says how light or focus have drifted."""

    source: str | None
    status: str
    sentence: SentenceShape
    warning: SentenceShape | None
    hand: bool
    phase: str | None
    picture: int | None
    telephone: bool


class SeriesCameraShape(CameraShape):
    """The same before a series of throws, with what went wrong in reading."""

    trouble: SentenceShape | None


class HealthShape(TypedDict):
    """How the program is: age of the newest frame in seconds; what is wrong with the file and its second copy."""

    frame_age: float | None
    journal: Literal["ok"] | SentenceShape
    journal_copy: Literal["ok"] | SentenceShape
    bad_frames: int


class TableHealthShape(HealthShape):
    """The same at a table, with what went wrong in reading dice."""

    reader: SentenceShape | None
