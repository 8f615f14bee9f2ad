"""The events of a table's audits: one frozen record for each kind of event, converted to JSON and back, checked."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, get_args

from companion.ledger.codec import Check, Codec, is_number


def _point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == len("xy") and all(map(is_number, value))


Point = Annotated[tuple[float, float], Check("a place as two numbers", _point)]


@dataclass(frozen=True)
class AuditsBegan:
    """The first event: the audits of one set of dice under one camera. ``seed`` draws the dice to audit.

    ``camera``: what tells this camera from others; never its name, which may hold a password.
    """

    kind: ClassVar[str] = "began"
    dice: str
    camera: str
    seed: int


@dataclass(frozen=True)
class Drawn:
    """A die that was read without a question was drawn, to be shown to a person later.

    ``match``, ``first`` and ``event``: the match, the hash of its first event, and the event of the throw. ``die`` lay
    ``at`` this pixel and was ``read`` so. ``share``: how likely the draw was. ``picture``: the SHA-256 of its JPEG.
    """

    kind: ClassVar[str] = "drawn"
    match: int
    first: str
    event: int
    die: str
    at: Point
    read: str
    share: float
    picture: str


@dataclass(frozen=True)
class Audited:
    """A person said what a die shows that was drawn in event ``drawn``; another answer replaces an earlier one.

    ``face``: its text, "" if it is no die, None where nobody can say. ``right``: whether it was read so; None
    where nobody can say.
    """

    kind: ClassVar[str] = "audited"
    drawn: int
    face: str | None
    right: bool | None


@dataclass(frozen=True)
class Settled:
    """Nothing is left to do about a die that a person read otherwise: its throw was corrected, or stays as it is."""

    kind: ClassVar[str] = "settled"
    drawn: int


AuditEvent = AuditsBegan | Drawn | Audited | Settled

CODEC: Final[Codec[AuditEvent]] = Codec(get_args(AuditEvent))


def what(first: str, event: int, die: str) -> str:
    """Return what a draw decides about: a die of a throw of the match whose first event has this hash."""
    return f"{first} {event} {die}"
