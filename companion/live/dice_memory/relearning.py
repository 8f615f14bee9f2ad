"""Learning again what matches taught: from the journal's events and the kept pictures of their throws.

What was taught outside a match, or by a throw whose picture is gone, stays as it is.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from companion.live.dice_memory.kept_throws import AuditAnswers, KeptThrow, PictureReader, kept_throws, reread
from companion.live.dice_memory.known import source_of
from companion.referee.match import Match
from companion.vision.dice.memory.glimpses import FaceLesson, Glimpse, teach
from companion.vision.dice.memory.table import TableMemory


class RememberingReader(PictureReader, Protocol):
    """A reader that keeps what it saw of the last picture."""

    @property
    def glimpses(self) -> Sequence[Glimpse]:
        """The finds of the last picture."""


class Relearning:
    """Teaches a memory again what matches with one set of dice taught.

    Attributes:
        throws: how many throws were learnt again.
        without: how many could not be, because their pictures are gone or show something else.
    """

    def __init__(
        self,
        memory: TableMemory,
        set_name: str,
        picture: Callable[[str], bytes | None],
        reader: Callable[[tuple[str, ...]], RememberingReader],
    ) -> None:
        """``picture``: returns a kept JPEG by its hash; ``reader``: makes one, with this memory, for dice so named."""
        self.throws = 0
        self.without = 0
        self._memory = memory
        self._set_name = set_name
        self._picture = picture
        self._reader = reader

    def match(self, match: Match, answers: AuditAnswers) -> None:
        """Learn again from a match, event by event."""
        for throw in kept_throws(match, answers):
            if throw.seen.throw.set_name != self._set_name:
                continue
            source = source_of(match.id, throw.taught.event)
            if throw.corrected:
                self._memory.forget(source)
            if throw.lessons:
                again = self._again(match, throw, source)
                self.throws += again
                self.without += not again

    def _again(self, match: Match, throw: KeptThrow, source: str) -> bool:
        """Look at a throw again and teach what it showed; return whether its picture is there and shows it."""
        reader = self._reader(tuple(name for name, _ in throw.seen.throw.shown))
        shown = reread(match, throw, self._picture, reader)
        if shown is None:
            return False
        scale = shown.scale
        there = [FaceLesson((one.place[0] * scale, one.place[1] * scale), one.text, one.named) for one in throw.lessons]
        self._memory.forget(source)
        teach(self._memory, reader.glimpses, there, source)
        return True
