"""The moves of a match in one line from its start, as somebody looks them over afterwards."""

from companion.language.sentence import Sentence, SentenceError
from companion.referee.match import Match
from companion.referee.replay import Turn


class BrokenLineError(SentenceError):
    """The moves of a match do not follow one another."""


def line_of(match: Match) -> tuple[Turn, ...]:
    """Return every throw and choice that counts, in order; each begins where the one before ended.

    Raises:
        BrokenLineError: nothing was played, or turns were voided or passed.
    """
    turns = tuple(turn for turn in match.history if turn.before is not None and turn.move is not None)
    if not turns:
        raise BrokenLineError(Sentence("Nothing was played in this match yet."))
    position = turns[0].at
    for turn in turns:
        if turn.at != position or turn.move is None:
            raise BrokenLineError(Sentence("Turns of this match were voided or passed, so it cannot be analysed."))
        position = position.after(turn.move)
    return turns
