"""The sensor squares of an LED board at a running table: settled reports, believed where they were right before."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from companion.desk.finding import BoardFinding
from companion.desk.table.match_desk import Desk
from companion.referee.board.results import AskMove, CommitPlay, Difference
from companion.referee.board.squares import Occupied, against, explain_alone
from companion.referee.board.standing import Stand, expected_board, has_board
from companion.referee.board_record import same_question
from companion.referee.events import BoardAsked, BoardDecision, BoardObserved, Rejected
from companion.referee.match import Match
from companion.referee.replay import Turn
from firmware_bridge.wiring import Wiring

SETTLE_SECONDS: Final = 0.25
"""Seconds for which a report must stay the same: a man slid over the board passes over squares."""

STALE_SECONDS: Final = 3.0
"""Seconds without a report after which nothing is known: a connected board reports each second."""

SQUARES: Final = "squares"
"""The actor of what the board's squares committed or asked."""

AS_BEFORE: Final = "The squares of the board changed before it was answered."
"""The reason for putting a question aside that the squares have answered."""


class SquareSense:
    """Which sites are occupied, by the squares. The driver's thread calls `hear`, the writer's thread everything else.

    A square is believed from the moment it is right about a site of the match until it is seen to be wrong. So a man
    without a magnet, or a reed that sticks, only makes one square worthless. While all squares are empty, none is
    believed.
    """

    def __init__(self, wiring: Wiring | None, clock: Callable[[], float]) -> None:
        """``wiring``: the map from squares to sites; ``clock``: in seconds."""
        self._wiring = wiring if wiring is not None and wiring.squares else None
        self._clock = clock
        self._newest: tuple[int, float, float] | None = None  # the newest report, its first and its last time
        self._settled: Mapping[str, bool] = {}
        self._believed: set[str] = set()
        self._match: int | None = None

    def hear(self, occupied: int) -> bool:
        """Take in a report, one bit for each square; return whether it is new."""
        if self._wiring is None:
            return False
        now, newest = self._clock(), self._newest
        if newest is not None and newest[0] == occupied:
            self._newest = (occupied, newest[1], now)
            return False
        self._newest = (occupied, now, now)
        return True

    def waits(self) -> float | None:
        """Return the seconds until a new report has settled, None if there is none."""
        newest = self._newest
        if self._wiring is None or newest is None or self._wiring.occupied(newest[0]) == self._settled:
            return None
        return max(0.0, newest[1] + SETTLE_SECONDS - self._clock())

    def settle(self) -> None:
        """Accept a report that has settled, and forget one that is too old."""
        newest, now = self._newest, self._clock()
        if self._wiring is None or newest is None:
            return
        if now - newest[2] > STALE_SECONDS:
            self._settled = {}
        elif now - newest[1] >= SETTLE_SECONDS:
            self._settled = self._wiring.occupied(newest[0])

    def believed(self, match: Match) -> Occupied:
        """Return what the believed squares say, for a match in its current position."""
        if match.id != self._match:
            self._match, self._believed = match.id, set()
        if not has_board(match.game) or not any(self._settled.values()):
            return {}
        shown = expected_board(match.position)
        self._believed |= {site for site, men in self._settled.items() if isinstance(shown.get(site), Stand) is men}
        return {site: men for site, men in self._settled.items() if site in self._believed}

    def doubt(self, sites: Iterable[str]) -> None:
        """Stop believing these squares until they are right again: something else was seen there."""
        self._believed -= set(sites)

    def evidence(self) -> dict[str, Any]:
        """Return what the journal keeps of the squares: the occupied ones in one text; empty if none is occupied."""
        occupied = " ".join(site for site, men in self._settled.items() if men)
        return {"squares": occupied} if occupied else {}


class SquaresAlone:
    """Follows the men by the squares where no camera does: commits, asks, or waits; writes only through the desk."""

    def __init__(self, desk: Desk, sense: SquareSense) -> None:
        self._desk = desk
        self._sense = sense
        self._key: object = None
        self.finding: BoardFinding | None = None
        """How the board stands by its squares; None while that cannot be known."""

    def see(self) -> None:
        """Judge what the squares say now, unless that was judged already and the match has not changed since."""
        match = self._desk.match
        if match is None or match.started.men_by == "camera" or match.paused or match.over or match.misfit is not None:
            self._key = self.finding = None
            return
        occupied = self._sense.believed(match)
        key = (match.id, len(match.entries), tuple(sorted(occupied.items())))
        if key != self._key:
            self._key = key
            self.finding = self._judge(match, occupied)

    def _judge(self, match: Match, occupied: Occupied) -> BoardFinding | None:
        if not occupied or match.question is not None:
            return None
        if against(expected_board(match.position), occupied) and self._went_back(match, occupied):
            return None
        decision = explain_alone(match.position, occupied)
        if isinstance(decision, AskMove):
            candidates = tuple(candidate.to_json() for candidate in decision.candidates)
            asked = BoardAsked("play", match.position.awaits.player, decision.sentence.to_json(), candidates)
            return self._ask(match, asked, decision)
        self._withdraw(match)
        if isinstance(decision, CommitPlay):
            observed = self._observed(match, "commit")
            self._desk.play_all(decision.play.moves, SQUARES, seen=observed, by="tapped")
            return None
        wrong = against(expected_board(match.position), occupied)
        differences = tuple(Difference(site, None, None) for site in wrong)
        return BoardFinding("go on" if wrong else "agrees", decision.sentence, differences)

    def _went_back(self, match: Match, occupied: Occupied) -> bool:
        """Take back what the squares committed if they show the position before it, or another play from there.

        People put a man down on his way, or think a move over; only what stands out as clearly as a play is undone.
        """
        for turns in _last_by_squares(match):
            before = turns[-1].before
            if before is None:
                return False
            other = explain_alone(before, occupied)
            back = not against(expected_board(before), occupied)
            if not (back or isinstance(other, CommitPlay)):
                continue
            for turn in turns:
                self._desk.take_back(turn.event, SQUARES)
            if isinstance(other, CommitPlay) and not back:
                observed = self._observed(self._desk.require_match(), "commit")
                self._desk.play_all(other.play.moves, SQUARES, seen=observed, by="tapped")
            return True
        return False

    def _ask(self, match: Match, asked: BoardAsked, decision: AskMove) -> BoardFinding:
        question = match.board.question
        open_already = question is not None and same_question(question.asked, asked)
        if not open_already and not same_question(match.board.dismissed, asked):
            self._desk.ask(asked, self._observed(match, "ask"), SQUARES)
        return BoardFinding("asked", decision.sentence)

    def _withdraw(self, match: Match) -> None:
        """Put aside a question that the squares no longer raise."""
        question = match.board.question
        if question is not None:
            self._desk.record([Rejected(question.number, AS_BEFORE)], SQUARES)

    def _observed(self, match: Match, decision: BoardDecision) -> BoardObserved:
        nothing = {"corners": [], "sites": {}, "empty": "", "asked": "", "piled": "", "hidden": ""}
        seen = {"board": match.game.board.name, "status": "ask", **nothing, **self._sense.evidence()}
        return BoardObserved(decision, seen, 0.0, 0)


def _last_by_squares(match: Match) -> Iterator[list[Turn]]:
    """Yield the choices by squares that can be taken back: the last one, the last two, and so on."""
    found: list[Turn] = []
    for turn in reversed(match.history if match.last_choice is not None else ()):
        if turn.standing != "stands":
            continue
        by_squares = match.entries[turn.event - 1].actor == SQUARES
        if turn.kind != "choice" or not by_squares or (found and turn.player != found[0].player):
            return
        found.append(turn)
        yield list(found)
