"""What happens at the desk when the board stands still before the camera: commit, ask, or say what is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from companion.desk.finding import Ahead, BoardFinding
from companion.desk.sight import Agreement, BoardSeen, BoardSight, NextThrow
from companion.desk.table.describing_seating import describe_seating
from companion.desk.table.match_desk import PROGRAM, Desk
from companion.desk.table.square_sense import SquareSense
from companion.language.sentence import Sentence
from companion.ledger.codec import sentence_from_json
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.kept import kept_reading
from companion.referee.board.orders import Orders, orders
from companion.referee.board.results import (
    AS_AGREED,
    AskMove,
    AskSeating,
    Blind,
    CommitPlay,
    Decision,
    Difference,
    GoOn,
    Mismatch,
    Seated,
    Unchanged,
)
from companion.referee.board.seating import Seating, SeatingFormatError
from companion.referee.board.squares import against, checked, joined
from companion.referee.board.standing import expected_board
from companion.referee.board.start import find_seating
from companion.referee.board.tokens import seat_again
from companion.referee.board_record import same_question
from companion.referee.events import (
    BoardAsked,
    BoardDecision,
    BoardMatter,
    BoardObserved,
    BoardSeated,
    DiceBy,
    Rejected,
)
from companion.referee.match import Match
from companion.referee.readable import board_to_read
from companion.referee.refused import RefusedError, refusing
from companion.referee.replay import Turn
from companion.referee.seen import observation_of
from companion.referee.shared_log import NOT_TO_MOVE, waits_for_remote
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.vision.board_readings import BoardReading

AS_BEFORE: Final = "The board changed before it was answered."
"""The reason for putting a question aside that the board itself has answered."""

MOST_FOLLOWED: Final = 4
"""Most decisions in a row from one observation."""

NONE_OF_THESE: Final = Sentence("It was none of these: put the men right, or tap in what was played.")


class BoardJudge:
    """Judges each observation of the board once for each state of the match; writes only through the desk."""

    def __init__(
        self, desk: Desk, coming: Callable[[], NextThrow] = NextThrow, squares: SquareSense | None = None
    ) -> None:
        """``coming``: returns what the dice say; ``squares``: the sensors under a board's squares, a second witness."""
        self._desk = desk
        self._squares = squares or SquareSense(None, lambda: 0.0)
        self._coming = coming
        self._key: object = None
        self._seen: BoardSeen | None = None
        self._tapped: tuple[int, Throw] | None = None  # a throw tapped too early, and the number of turns before it
        self._past: BoardAsked | None = None  # a question that was put aside before the board changed
        self._shown = False  # whether the observation shows the position of the match, beyond doubt
        self.finding: BoardFinding | None = None
        self.agreement: Agreement | None = None

    def see(self, sight: BoardSight | None) -> BoardFinding | None:
        """Judge what the camera sees now, unless it was judged already and the match has not changed since."""
        match = self._desk.match
        if match is None or not watched(match):
            self._key = self.finding = self.agreement = None
            return None
        seen = None if sight is None else sight.seen
        if seen is None:
            return self.finding
        coming = self._coming()
        coming = coming._replace(throws=coming.throws or self._tapped_throw(match))
        key = self._key_of(seen, match, coming)
        if key == self._key:
            return self.finding
        self._seen, self._shown = seen, False
        finding: BoardFinding | None = None
        try:
            for _ in range(MOST_FOLLOWED):
                finding = self._judge(self._desk.require_match(), seen, coming)
                if finding is not None:
                    break
        finally:
            # after a refusal, wait until the match or the board changes, or the disk has room
            self.finding = finding
            self.agreement = self._agreement(self._desk.require_match(), seen)
            self._key = None if self._desk.waits_for_room else self._key_of(seen, self._desk.require_match(), coming)
        return self.finding

    def _agreement(self, match: Match, seen: BoardSeen) -> Agreement | None:
        """Return the men of the match for the reader to learn from, if they are what the observation shows."""
        seating = match.board.seating
        if not self._shown or seating is None:
            return None
        return Agreement(seen.interval, seen.readings, seating.board(expected_board(match.position)))

    def _key_of(self, seen: BoardSeen, match: Match, coming: NextThrow) -> object:
        """Identify an observation and what it is judged by; squares settle a doubt only at its own time."""
        doubtful = self.finding is not None and self.finding.doubtful
        occupied = tuple(sorted(self._squares.believed(match).items())) if doubtful else ()
        return (seen.interval, seen.readings, match.id, len(match.entries), coming.throws, coming.expected, occupied)

    @property
    def seen(self) -> BoardSeen | None:
        """The observation behind the finding."""
        return None if self.finding is None else self._seen

    @property
    def reading(self) -> BoardReading | None:
        """The reading behind the finding."""
        return None if self._seen is None or self.finding is None else self._seen.reading

    def close_turn(self, throw: Throw) -> None:
        """Commit the turn on the board if this throw, which the next player has already made, ends it.

        A step that the camera cannot see, as from pile to pile, may remain open until the next dice are known.
        """
        match, seen = self._desk.require_match(), self.seen
        agreed = match.board.agreed_on(match.position) if watched(match) else None
        if seen is None or agreed is None or match.position.awaits.kind != "choice":
            return
        self._tapped = (len(match.history), throw)
        occupied = self._squares.believed(match)
        decision = checked(explain(agreed, joined(seen.reading, agreed.seating, occupied), (throw,)), occupied)
        if isinstance(decision, CommitPlay):
            turn = tuple(takewhile(lambda move: not isinstance(move, Throw), decision.play.moves))
            self._desk.play_all(turn, PROGRAM, seen=self._observed(seen, "commit"))

    def _tapped_throw(self, match: Match) -> tuple[Throw, ...]:
        """Return the throw that was tapped in before the turn ahead of it was committed, while that turn is open."""
        return (self._tapped[1],) if self._tapped is not None and self._tapped[0] == len(match.history) else ()

    def _observed(self, seen: BoardSeen, decision: BoardDecision) -> BoardObserved:
        """Return a reading as the journal keeps it, with what the squares reported then."""
        observed = observed_board(seen, decision)
        return replace(observed, seen={**observed.seen, **self._squares.evidence()})

    def forget(self) -> None:
        """Judge the board again: another match is open, or this one goes on."""
        self._key = self.finding = self.agreement = None

    def _judge(  # noqa: PLR0911  (a return for each of the referee's decisions)
        self, match: Match, seen: BoardSeen, coming: NextThrow
    ) -> BoardFinding | None:
        """Return the finding of an observation, or None if the observation led to an event and needs judging again."""
        if not watched(match):
            return BoardFinding("agrees", AS_AGREED)
        agreed = match.board.agreed_on(match.position)
        if agreed is None:
            return self._seat(match, seen)
        occupied = self._squares.believed(match)
        shown = joined(seen.reading, agreed.seating, occupied)
        decision = checked(explain(agreed, shown, coming.throws, dice_follow=coming.expected), occupied)
        decision = _as_remote(match, decision)
        if isinstance(decision, Unchanged):
            self._squares.doubt(against(expected_board(match.position), occupied))
            return self._agree(match, seen, decision)
        if isinstance(decision, CommitPlay):
            observed = self._observed(seen, "commit")
            self._desk.play_all(decision.play.moves, PROGRAM, seen=observed, arrangement=coming.lying)
            event = self._desk.require_match().entries[-1].number
            self._shown = True
            lift = decision.sentence if decision.lift else None
            arrows = decision.play.arrows
            return BoardFinding("agrees", lift or AS_AGREED, arrows=arrows, event=event, notice=lift)
        if isinstance(decision, Blind):
            self._shown = seen.reading.status == "ask"  # its place is in doubt; the reader looks whether the men fit
            return BoardFinding("blind", decision.sentence, tuple(Difference(s, None, None) for s in decision.sites))
        if self._went_back(match, seen, decision):
            return None
        if not isinstance(decision, AskMove):
            self._past = match.board.dismissed
        if isinstance(decision, GoOn):
            self._withdraw(match)
            going = len(decision.play.moves)
            ahead = Ahead(match.position, decision.play.moves, decision.play.position, decision.play.whole)
            return BoardFinding("go on", decision.sentence, arrows=decision.play.arrows, going=going, ahead=ahead)
        if isinstance(decision, AskMove):
            return self._ask(match, seen, decision)
        return self._mismatch(match, seen, decision, agreed)

    def _agree(self, match: Match, seen: BoardSeen, decision: Unchanged) -> BoardFinding:
        if not match.board.in_step(match.position):
            self._desk.record([self._observed(seen, "agreed")], PROGRAM)
        self._withdraw(self._desk.require_match())
        self._shown = not decision.doubtful
        self._past = self._desk.require_match().board.dismissed
        return BoardFinding("agrees", decision.sentence, notice=decision.note)

    def _withdraw(self, match: Match) -> None:
        """Put aside a question that the board no longer raises."""
        question = match.board.question
        if question is not None:
            self._desk.record([Rejected(question.number, AS_BEFORE)], PROGRAM)

    def _ask(self, match: Match, seen: BoardSeen, ask: AskMove) -> BoardFinding:
        about: BoardMatter = "play" if ask.candidates else "men"
        candidates = tuple(candidate.to_json() for candidate in ask.candidates)
        differences = tuple(difference.to_json() for difference in ask.sites)
        asked = BoardAsked(about, match.position.awaits.player, ask.sentence.to_json(), candidates, differences)
        dismissed = match.board.dismissed
        if dismissed is not self._past and same_question(dismissed, asked):
            return BoardFinding("mismatch", NONE_OF_THESE, ask.sites, orders=self._orders(match, seen))
        return self._put(match, seen, asked, ask.sites)

    def _put(
        self, match: Match, seen: BoardSeen, asked: BoardAsked, differences: tuple[Difference, ...]
    ) -> BoardFinding:
        """Ask the people at the table, unless that very question is open already."""
        question = match.board.question
        event = None
        if question is None or not same_question(question.asked, asked):
            event = self._desk.ask(asked, self._observed(seen, "ask"), PROGRAM)
        return BoardFinding("asked", sentence_from_json(asked.sentence), differences, event=event)

    def _mismatch(
        self, match: Match, seen: BoardSeen, mismatch: Mismatch, agreed: AgreedPosition
    ) -> BoardFinding | None:
        if self._seated_again(match, seen, agreed):
            return None
        whose = seat_again(match.position, seen.reading, agreed.seating) if match.game.board.holds_tokens else None
        if whose is not None:
            asked = _asked_seating(match, whose)
            if not same_question(match.board.dismissed, asked):
                return self._put(match, seen, asked, whose.sites)
        self._withdraw(match)
        ordered = self._orders(match, seen)
        sentence = mismatch.sentence
        if ordered and not match.board.in_step(match.position):
            # people have yet to do on the board what was tapped, corrected or taken back on the page
            sentence = Sentence("The board does not match the game: {order}", order=ordered[0][0])
        return BoardFinding("mismatch", sentence, mismatch.sites, mismatch.why_not, ordered)

    @staticmethod
    def _orders(match: Match, seen: BoardSeen) -> Orders:
        seating = match.board.seating
        if seating is None or match.game.board.holds_tokens:
            return ()  # for tokens, the headline says which is wrong; there are no men to move
        return orders(match.position, seen.reading, seating)

    def _seated_again(self, match: Match, seen: BoardSeen, agreed: AgreedPosition) -> bool:
        """Find out whether somebody turned the whole board round, for example before a match goes on another day."""
        if match.game.board.holds_tokens:
            return False  # the places bear their names, so this board cannot lie the wrong way round
        found = find_seating(match.position, seen.reading)
        if not isinstance(found, Seated) or found.seating == agreed.seating:
            return False
        self._sit(seen, found.seating)
        return True

    def _seat(self, match: Match, seen: BoardSeen) -> BoardFinding | None:
        """Find out how the board lies and whose each colour is."""
        found = find_seating(match.position, seen.reading)
        if isinstance(found, Seated):
            self._sit(seen, found.seating)
            return None
        if isinstance(found, Blind):
            return BoardFinding("blind", found.sentence)
        if not found.candidates:
            self._withdraw(match)
            return BoardFinding("mismatch", found.sentence, found.sites)
        return self._put(match, seen, _asked_seating(match, found), found.sites)

    def _sit(self, seen: BoardSeen, seating: Seating) -> None:
        self._desk.record([BoardSeated(seating.to_json()), self._observed(seen, "agreed")], PROGRAM)

    def _went_back(self, match: Match, seen: BoardSeen, now: Decision) -> bool:
        """Take back the last choices if the board shows the position before them, or another play from there.

        Only after the board has agreed with the match: people may still have to make a tapped choice or a correction on
        the board.
        """
        if waits_for_remote(match) or not match.board.in_step(match.position):
            return False
        for back in range(1, len(last := _last_choices(match)) + 1):
            before = last[back - 1].before
            if before is None:
                return False
            agreed = match.board.agreed_on(before)
            decision = None if agreed is None else explain(agreed, seen.reading)
            other = isinstance(decision, CommitPlay) and isinstance(now, Mismatch)
            if not (other or isinstance(decision, Unchanged)):
                continue
            for turn in last[:back]:
                self._desk.take_back(turn.event, PROGRAM)
            if isinstance(decision, CommitPlay):
                self._desk.play_all(decision.play.moves, PROGRAM, seen=self._observed(seen, "commit"))
            return True
        return False


def _as_remote(match: Match, decision: Decision) -> Decision:
    """Return a decision as it counts in the turn of another table: whoever plays on this board, plays out of turn."""
    plays = isinstance(decision, CommitPlay | GoOn) or (isinstance(decision, AskMove) and decision.candidates)
    return Mismatch(NOT_TO_MOVE, ()) if plays and waits_for_remote(match) else decision


def watched(match: Match) -> bool:
    """Whether a camera should follow the men of this match now."""
    return match.started.men_by == "camera" and not (match.paused or match.over or match.misfit is not None)


def follows(match: Match | None) -> str | None:
    """Return the board that a camera should read for this match, or None."""
    if match is None or match.started.men_by != "camera":
        return None
    return board_to_read(match.game)


def observed_board(seen: BoardSeen, decision: BoardDecision) -> BoardObserved:
    """Return an observation of the board as the journal keeps it."""
    reading = seen.reading
    return BoardObserved(decision, kept_reading(reading), round(reading.milliseconds, 1), seen.readings, seen.digest)


def _last_choices(match: Match) -> list[Turn]:
    """Return the choices that can be taken back in a row, last first, as far as the board showed them."""
    found: list[Turn] = []
    for turn in reversed(match.history):
        if turn.standing != "stands":
            continue
        if turn.kind != "choice" or turn.event > match.board.agreed or (found and turn.player != found[0].player):
            break
        found.append(turn)
    return found if match.last_choice is not None else []


def _asked_seating(match: Match, found: AskSeating) -> BoardAsked:
    candidates = tuple(
        {"seating": seating.to_json(), "text": str(sentence), "sentence": sentence.to_json()}
        for seating in found.candidates
        for sentence in [describe_seating(match.game, seating)]
    )
    differences = tuple(difference.to_json() for difference in found.sites)
    return BoardAsked("seating", match.position.awaits.player, found.sentence.to_json(), candidates, differences)


def answer_board(desk: Desk, ask: int, candidate: int, actor: str) -> Sentence:
    """Carry out the people's answer to the open question about the board.

    ``candidate``: the index of their answer in the question; for a question about the ``men`` it is 0: they do stand as
    agreed.

    Raises:
        RefusedError: the question is no longer open, or has no such answer.
    """
    match = desk.require_match()
    question = match.board.question
    if question is None or question.number != ask:
        raise RefusedError(Sentence("That question about the board is no longer open: look at the board as it is now."))
    asked = question.asked
    if not 0 <= candidate < max(1, len(asked.candidates)):
        raise RefusedError(
            Sentence("Expected one of {count} answers, but got {got}.", count=len(asked.candidates), got=candidate)
        )
    evidence = _evidence(match, ask)
    if asked.about == "men":
        desk.record([_as(evidence, "agreed")], actor)
        return Sentence("The men stand as agreed.")
    chosen = asked.candidates[candidate]
    if asked.about == "seating":
        seating = _seating_of(chosen)
        desk.record([BoardSeated(seating.to_json()), _as(evidence, "agreed")], actor)
        return describe_seating(match.game, seating)
    position, moves = match.position, []
    for data in chosen.get("moves", []):
        with refusing(GameError, ThrowError):
            moves.append(position.move_from_json(data))
            position = position.after(moves[-1])
    by: DiceBy = "camera" if match.started.men_by == "camera" else "tapped"
    return desk.play_all(moves, actor, seen=_as(evidence, "commit"), proposed=ask, by=by)


def _evidence(match: Match, ask: int) -> BoardObserved:
    """Return the observation that led to a question."""
    expected_board = observation_of(match.entries[ask - 1], match.entries)
    if expected_board is None or not isinstance(expected_board.event, BoardObserved):  # this program writes none
        raise RefusedError(Sentence("There is no picture of the board for that question: dismiss it."))
    return expected_board.event


def _seating_of(candidate: Mapping[str, Any]) -> Seating:
    with refusing(SeatingFormatError):
        return Seating.from_json(candidate.get("seating", {}))


def _as(seen: BoardObserved, decision: BoardDecision) -> BoardObserved:
    return BoardObserved(decision, seen.seen, seen.milliseconds, seen.frames, seen.picture)


def dismiss_board(desk: Desk, ask: int, reason: str, actor: str) -> None:
    """Put a question about the board aside: none of its answers is right.

    Raises:
        RefusedError: the question is no longer open.
    """
    question = desk.require_match().board.question
    if question is None or question.number != ask:
        raise RefusedError(Sentence("That question about the board is no longer open: look at the board as it is now."))
    desk.record([Rejected(ask, reason)], actor)
