"""What the pages need from the laboratory: the protocol that `companion.live.laboratory.Laboratory` implements."""

from typing import Any, Protocol

from companion.desk.page.shapes.series import SeriesThrowShape
from companion.fairness.account import Account
from companion.web.table import Reply, Watched


class Laboratory(Watched, Protocol):
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

    def accounts(self, series: int) -> list[Account] | None:
        """Return an account of each die of a series, or None if there is no such series."""
        ...
