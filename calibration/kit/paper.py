"""The papers of the kit, and the part of a sheet that a home printer reaches."""

from dataclasses import dataclass
from typing import Final, Literal

PaperName = Literal["a4", "letter"]

WHITE_MARGIN_MM: Final = 8.0
"""Millimetres that stay white on every side: home printers do not reach further."""

STRIP_HEIGHT: Final = 14.0
"""Millimetres at the lower edge that hold the ruler, the heading and the sheet's number."""


class UnknownPaperError(ValueError):
    """There is no paper of this name."""


@dataclass(frozen=True)
class Paper:
    """A sheet in one orientation; all measures in millimetres, x to the right and y down from the upper left corner."""

    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of the area to draw on, without margins and strip."""
        return self.width - 2 * WHITE_MARGIN_MM, self.height - 2 * WHITE_MARGIN_MM - STRIP_HEIGHT

    @property
    def turned(self) -> "Paper":
        """The same sheet in the other orientation."""
        return Paper(self.height, self.width)


PAPERS: Final[dict[str, Paper]] = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}
"""The papers of home printers by name, upright."""

LARGE_PAPERS: Final[dict[str, Paper]] = {"a3": Paper(297.0, 420.0), "a2": Paper(420.0, 594.0)}
"""The papers of copy and print shops by name, upright: A2 holds any board on one sheet."""

ALL_PAPERS: Final = PAPERS | LARGE_PAPERS


def paper_named(name: str) -> Paper:
    """Return the paper of this name, upright.

    Raises:
        UnknownPaperError: there is none; the message lists all papers.
    """
    if name not in ALL_PAPERS:
        raise UnknownPaperError(f"The papers are {', '.join(ALL_PAPERS)}, not {name!r}.")
    return ALL_PAPERS[name]
