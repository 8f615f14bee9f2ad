"""Readings of a board as plain data: what stands on each site, with which posterior. This module needs no OpenCV."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from companion.language.sentence import Sentence
from companion.vision.readings import require_posterior

SiteStatus = Literal["read", "ask", "hidden"]
"""``hidden``: a hand, a sleeve or the edge of the picture covers the site, so the reader knows nothing about it."""


@dataclass(frozen=True)
class Men:
    """What stands on a site. ``colour`` is the side's colour in the picture: light or dark, white or black.

    ``count``: how many men of a tables board the camera sees there from above; more may lie under them. ``shape`` and
    ``number`` describe a man of Rithmomachia. ``also``: men of the other side on the same site, for example on the bar,
    or on a point where a man who was hit still lies. The order of the two sides makes no difference to a referee.
    """

    colour: str
    count: int = 1
    shape: str = ""
    number: int = 0
    also: "Men | None" = None

    def __str__(self) -> str:
        return f"{self.colour} {self.shape} {self.number}" if self.shape else f"{self.count} {self.colour}"

    def to_json(self) -> dict[str, Any]:
        """Return the form of label files: ``{"light": 2}``, ``{"light": 1, "dark": 1}``, or shape, colour, number."""
        if self.shape:
            return {"shape": self.shape, "colour": self.colour, "number": self.number}
        return {self.colour: self.count} | (self.also.to_json() if self.also is not None else {})


EMPTY: Final = None
"""Nothing stands there."""

Standing = Men | None


@dataclass(frozen=True)
class SiteReading:
    """One site. ``candidates``: what may stand there with its posterior, likeliest first (checked); none if hidden.

    ``piled``: so many men lie there that some may lie on others, and a view from above cannot show how many.
    """

    site: str
    candidates: tuple[tuple[Standing, float], ...]
    status: SiteStatus
    piled: bool = False

    def __post_init__(self) -> None:
        require_posterior(self.candidates, f"site {self.site}")

    @property
    def standing(self) -> Standing:
        """The likeliest candidate; `EMPTY` if the site is hidden."""
        return self.candidates[0][0] if self.candidates else EMPTY

    @property
    def confidence(self) -> float:
        """The posterior of `standing`; 0 if the site is hidden."""
        return self.candidates[0][1] if self.candidates else 0.0

    def chance(self, standing: Standing) -> float:
        """Return the posterior of this candidate; 0 if it is not among the candidates."""
        return next((chance for what, chance in self.candidates if what == standing), 0.0)


@dataclass(frozen=True)
class BoardReading:
    """A whole board on which nothing moves. ``sites``: every site by its name in the picture, also the empty ones.

    The points of a tables board are a to m along the bottom from right to left, n to z along the top from left to
    right, and ``bar``. The squares of Rithmomachia are ``a1`` to ``h16``: a to h from the top row down, 1 to 16 from
    left to right. ``corners``: the playing field's corners in pixels of the frame, clockwise from the top left.

    ``status``: `read` if the place of the board is certain, so that the status of each site counts; `ask` if the place
    is doubtful, so that no site counts as read; `ignored` if the reader found no board. For `ask` and `ignored`,
    ``reason`` says why. ``across``: for each site on whose edge a man lies, the site beyond that edge.
    """

    board: str
    sites: Mapping[str, SiteReading]
    corners: tuple[tuple[float, float], ...]
    status: Literal["read", "ask", "ignored"]
    reason: str = ""
    confidence: float = 0.0
    milliseconds: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    warning: Sentence | None = None
    across: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the object that ``companion read --json`` prints for a board: occupied, asked and hidden sites."""
        sites = {
            name: (site.standing.to_json() if site.standing is not None else {})
            | {"confidence": round(site.confidence, 4), "status": site.status}
            for name, site in self.sites.items()
            if site.standing is not None or site.status != "read"
        }
        data: dict[str, Any] = {
            "kind": "board",
            "board": self.board,
            "status": self.status,
            "confidence": round(self.confidence, 4),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "sites": sites,
        }
        return data | ({"reason": self.reason} if self.reason else {})
