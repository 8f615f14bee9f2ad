"""What the pages need from the laboratory: the protocol that `companion.live.laboratory.Laboratory` implements."""

from typing import Any, Protocol

from companion.desk.shapes.series import SeriesThrowShape
from companion.desk.table.match_desk import Reply
from companion.fairness.account import DieAccount
from companion.web.table import FollowedState


class LaboratoryView(FollowedState, Protocol):
    """The running laboratory as its pages see it."""

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the one writer and wait for its answer."""
        ...

    def picture(self, name: str) -> bytes | None:
        """Return a JPEG (``table``, or one that the state names by its hash), or None if there is none."""
        ...

    def throws(self, series: int) -> list[SeriesThrowShape] | None:
        """Return every throw of a series, or None if there is no such series."""
        ...

    def accounts(self, series: int) -> list[DieAccount] | None:
        """Return an account of each die of a series, or None if there is no such series."""
        ...
