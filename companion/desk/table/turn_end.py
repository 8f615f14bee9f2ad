"""The button on the board: it ends a turn that waits for its end, or says why no turn can end now."""

from collections.abc import Mapping
from typing import Final

from companion.desk.finding import Ahead
from companion.desk.table.board_judge import BoardJudge, observed_board
from companion.desk.table.match_desk import Desk
from companion.language.sentence import Sentence, player
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.rules.game import Choice, Position

BUTTON: Final = "button"
"""The actor of what the board's button did."""

Whose = tuple[int, int, int] | None

ENDS: Final[tuple[Mapping[str, str], ...]] = ({"choice": "done"}, {"choice": "leave"})
"""The choices that end a turn, as JSON: no more claims, or the remaining dice stay unplayed."""


class TurnEnd:
    """Ends turns at the desk, as the page does. Only the writer uses it."""

    def __init__(self, desk: Desk, board: BoardJudge) -> None:
        """``board``: the judge of the camera over the board, which may be ahead of the match."""
        self._desk = desk
        self._board = board

    @property
    def whose(self) -> Whose:
        """Whose turn it is now: the match, the player, and the number of moves so far; None without a match."""
        match = self._desk.match
        return None if match is None else (match.id, match.position.awaits.player, len(match.history))

    def press(self, whose: Whose) -> Sentence:
        """End the turn of the player to move and return the result's sentence. What was seen played in the turn counts.

        ``whose``: whose turn it was at the press; if the camera has ended that turn since, nothing is left to do.

        Raises:
            RefusedError: no match waits for play, a question is open, or no turn can end now; the sentence says what is
                due.
        """
        match = self._desk.require_match()
        if self._ended_since(match, whose):
            return Sentence("The turn of {player} is over.", player=player(whose[1] if whose else 0))
        match.require_in_play()
        if match.question is not None or match.board.question is not None:
            raise RefusedError(Sentence("The button cannot answer a question: answer it on the page."))
        ahead = self._ahead(match)
        position = match.position if ahead is None else ahead.reached
        seen, ending = self._board.seen, end_of_turn(position)
        if ahead is not None and ahead.whole and seen is not None:
            return self._desk.play_all(ahead.moves, BUTTON, seen=observed_board(seen, "commit"))
        if ending is None:
            raise RefusedError(_not_over(position))
        if ahead is None or not ahead.moves or seen is None:
            return self._desk.play(ending, "tapped", BUTTON)
        return self._desk.play_all([*ahead.moves, ending], BUTTON, seen=observed_board(seen, "commit"))

    @staticmethod
    def _ended_since(match: Match, whose: Whose) -> bool:
        """Whether that player's turn is over."""
        if whose is None or match.id != whose[0] or len(match.history) <= whose[2]:
            return False
        return match.over or match.position.awaits.player != whose[1] or match.position.awaits.kind == "throw"

    def _ahead(self, match: Match) -> Ahead | None:
        """Return the unfinished turn on the board, if it begins at the match's position."""
        finding = self._board.finding
        ahead = None if finding is None or finding.kind != "go on" else finding.ahead
        return ahead if ahead is not None and ahead.begun == match.position else None


def end_of_turn(position: Position) -> Choice | None:
    """Return the choice that can end the turn here, or None."""
    if position.awaits.kind != "choice":
        return None
    return next((choice for choice in position.open_choices() if choice.to_json() in ENDS), None)


def _not_over(position: Position) -> Sentence:
    """Say what is due instead of the end of a turn."""
    waits = position.awaits
    if waits.kind == "choice":
        return Sentence("The turn of {player} is not over: {due}", player=player(waits.player), due=waits.sentence)
    return Sentence("There is no turn to end now: {due}", due=waits.sentence)
