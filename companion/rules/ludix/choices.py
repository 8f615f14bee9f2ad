"""The choice of Ludix: form one numeral of the thrown symbols, then stop or throw again."""

from dataclasses import dataclass
from typing import Any, Literal

Then = Literal["stop", "again"]

STOP: Then = "stop"
AGAIN: Then = "again"
THENS: tuple[Then, ...] = (STOP, AGAIN)


@dataclass(frozen=True)
class Formed:
    """A formed numeral and what follows; its text is ``LXVI stop`` or ``LXVI again``."""

    numeral: str
    then: Then

    def __str__(self) -> str:
        return f"{self.numeral} {self.then}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"numeral": "LXVI", "then": "stop"}``."""
        return {"numeral": self.numeral, "then": self.then}
