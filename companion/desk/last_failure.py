"""Why the last thing seen could not be used. The page shows it until something else is seen or played."""

from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.referee.match import Match


class LastFailure:
    """Holds one sentence at most. Only the writer uses it."""

    def __init__(self) -> None:
        self.sentence: Sentence | None = None
        self._about: object = None

    def check(self, sight: Sight, match: Match | None) -> None:
        """Forget the failure once something else lies before the cameras or the match has gone on."""
        board = None if sight.board is None else sight.board.seen
        about = (
            None if sight.seen is None else sight.seen.interval,
            None if board is None else board.interval,
            None if match is None else (match.id, len(match.entries)),
        )
        if about != self._about:
            self.sentence, self._about = None, about

    def record(self, sentence: Sentence) -> None:
        """Keep the sentence that says why what lies there could not be used."""
        self.sentence = sentence

    def failed(self, error: Exception) -> None:
        """Say that something unforeseen happened and what to do."""
        self.record(
            Sentence(
                "Something failed inside the companion ({error}): tap in what was played.", error=type(error).__name__
            )
        )
