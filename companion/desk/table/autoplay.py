"""The program plays a match by itself: when its next throw is due, and when it stops."""

from companion.language.sentence import Sentence
from companion.referee.match import Match

SLOWEST, FASTEST, USUAL = 0.1, 1000.0, 2.0  # throws a second


class Autoplay:
    """Keeps the pace of one match, known by its number. Times are of a monotonic clock, in seconds."""

    def __init__(self) -> None:
        self._match: int | None = None
        self._every = 0.0
        self._due = 0.0

    def start(self, match: Match, pace: float, now: float) -> None:
        """Play this match at ``pace`` throws a second, from `SLOWEST` to `FASTEST`."""
        self._match = match.id
        self._every = 1 / pace
        self._due = now

    def stop(self) -> None:
        """Stop playing."""
        self._match = None

    def runs(self, match: Match | None) -> bool:
        """Whether the program plays the open match.

        It stops once another match is open, or the match is over, paused or asks for a choice.
        """
        if self._match is None:
            return False
        if match is None or match.id != self._match or match.over or match.paused or match.misfit is not None:
            self._match = None
        if match is not None and match.position.awaits.kind not in ("throw", "recast"):
            self._match = None  # choosing is for people
        return self._match is not None

    def wait(self, now: float) -> float:
        """Return the seconds until the next throw is due, 0 if it is."""
        return max(0.0, self._due - now)

    def threw(self, now: float) -> None:
        """Note a throw. Autoplay does not catch up on lost time."""
        self._due = max(now, self._due + self._every)

    def sentence(self) -> Sentence:
        """Say what autoplay does."""
        if self._match is None:
            return Sentence("The program has stopped throwing.")
        return Sentence("The program throws {pace} times a second.", pace=round(1 / self._every, 1))
