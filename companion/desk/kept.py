"""What every desk knows of its file: whether the file takes events, and what is wrong with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.language.sentence import Sentence, why_of
from companion.ledger.entries import JournalError
from companion.ledger.ledger import Ledger
from companion.referee.refused import RefusedError


class UnwrittenError(RefusedError):
    """The file could not be written, so nothing happened; the desk tries again by itself."""


class KeptDesk:
    """A desk whose every change is durable in a file before anybody sees it."""

    def __init__(self, file: Ledger[Any], clock: Callable[[], float]) -> None:
        """``clock``: seconds since 1970."""
        self.trouble: Sentence | None = file.notice  # what is wrong with the file, or was at opening
        self.waits_for_room = False  # the file refused an event: everything waits until it takes events again
        self._file = file
        self._clock = clock

    @contextmanager
    def writing(self, failed: type[JournalError] = JournalError) -> Iterator[None]:
        """Write to the file within this block, which `trouble` then shows; ``failed``: what the file raises.

        Raises:
            UnwrittenError: the file could not be written and nothing happened.
        """
        try:
            yield
        except failed as why:
            self.trouble, self.waits_for_room = why_of(why), True
            raise UnwrittenError(self.trouble) from why
        self._has_room()

    def try_again(self) -> bool:
        """Return whether a file that had refused an event takes events again; if so, all goes on."""
        try:
            self._file.check_room()
        except JournalError:
            return False
        self._has_room()
        return True

    def _has_room(self) -> None:
        self.trouble, self.waits_for_room = self._file.notice, False
