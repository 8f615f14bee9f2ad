"""Shapes that several states share: how table and match agree, the camera, and the program's health."""

from typing import Literal, TypedDict

from companion.language.sentence import SentenceJson

State = Literal["SYNCED", "SETTLING", "PROPOSED", "MISMATCH", "BLIND", "MANUAL"]
"""How table and match agree."""


class MarkJson(TypedDict):
    """What a light means; ``player`` 0: nobody."""

    meaning: str
    player: int


class CameraShape(TypedDict):
    """The camera. ``picture`` numbers the last useful one; ``warning`` says how light or focus have drifted."""

    source: str | None
    status: str
    sentence: SentenceJson
    warning: SentenceJson | None
    hand: bool
    phase: str | None
    picture: int | None
    telephone: bool


class SeriesCameraShape(CameraShape):
    """The camera of the laboratory, with what went wrong in reading."""

    trouble: SentenceJson | None


class HealthShape(TypedDict):
    """The program's health: age of the newest frame in seconds; what is wrong with the file and its second copy."""

    frame_age: float | None
    journal: Literal["ok"] | SentenceJson
    journal_copy: Literal["ok"] | SentenceJson
    bad_frames: int


class TableHealthShape(HealthShape):
    """The health at a table, with what went wrong in reading dice."""

    reader: SentenceJson | None
