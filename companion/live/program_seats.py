"""The players for whom the program plays: when their next throw or choice is due, and what it is.

A separate thread thinks out turns, because the writer must not wait. The writer alone makes them, choice by choice, as
events like those of anybody else, after a pause in which people can follow.
"""

import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from companion.desk.kept import UnwrittenError
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.match_desk import PROGRAM, Desk
from companion.desk.table.program_turn import plays_now
from companion.live.following import Follower
from companion.players.strengths import PAUSE_SECONDS, STRENGTHS, USUAL, Strength
from companion.players.thinking import die_to_cast, think
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.rules.game import Choice, Position

log = logging.getLogger(__name__)

GOES_ON = 0.4
"""The share of the pause before each further choice of a turn: a turn of many men is followed as one."""

CHECK_AGAIN_SECONDS = 0.2
"""Seconds until the next check whether a turn has been thought out, in case its call was missed."""

Turn = tuple[Choice, ...]


class ProgramSeats(Follower):
    """Plays for the program's players. Used by the one writer; ``wake`` is called from another thread."""

    def __init__(
        self, chance: random.Random, wake: Callable[[], None], pause: float = PAUSE_SECONDS, strength: str = USUAL
    ) -> None:
        """Prepare to play.

        ``chance`` chooses among turns; ``pause``: seconds before each throw or turn; ``strength``: of `STRENGTHS`,
        where the match does not say how well the program plays.
        """
        self._chance = chance
        self._wake = wake
        self._pause = pause
        self._strength = STRENGTHS[strength]
        self._thinkers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="program")
        self._at: tuple[int, int] | None = None
        self._due = 0.0
        self._thought: Future[Turn] | None = None
        self._stopped = threading.Event()
        self._rest: Turn = ()
        self._then: Position | None = None

    def play(self, strength: str, pause: float) -> None:
        """Play at this strength and with this pause from now on, also the turn that waits."""
        self._strength, self._pause = STRENGTHS[strength], pause
        self._at = None

    def due(self, now: float) -> float | None:
        """Return in how many seconds the program throws or plays."""
        table = self._table
        return table.autoplay.wait(now) if table.autoplay.runs(table.desk.match) else self.wait(table.desk.match, now)

    def go_on(self, now: float) -> None:
        """Throw in a match that plays by itself, else throw or choose for a player of the program, if that is due."""
        if self.due(now) != 0.0:
            return
        autoplay, desk = self._table.autoplay, self._table.desk
        if autoplay.runs(desk.match):
            _throw(desk, autoplay)
            autoplay.threw(now)
        else:
            self.act(desk)

    def wait(self, match: Match | None, now: float) -> float | None:
        """Return the seconds until something is due, 0 if it is due now, None while it is not the program's turn."""
        if match is None or not self._follow(match, now):
            return None
        if now < self._due:
            return self._due - now
        return CHECK_AGAIN_SECONDS if self._thought is not None and not self._thought.done() else 0.0

    def _follow(self, match: Match, now: float) -> bool:
        """Return whether the program plays now; at a new moment of the match, start the pause and the thinking."""
        if not plays_now(match) or match.question is not None or match.board.question is not None:
            self._forget()
            return False
        moment = (match.id, len(match.entries))
        if moment != self._at:
            self._forget()
            self._at, self._due = moment, now + self._pause
            if match.position.awaits.kind == "choice":
                self._thought = self._begun(match.position, self._strength_in(match))
                if self._goes_on(match.position):
                    self._due = now + GOES_ON * self._pause
        return True

    def _forget(self) -> None:
        """Stop thinking about what is no longer asked."""
        self._stopped.set()
        self._at, self._thought = None, None

    def _strength_in(self, match: Match) -> Strength:
        """Return how well the program plays for the player to act; an imported match may name what nobody knows."""
        return STRENGTHS.get(match.started.programs_strengths[match.position.awaits.player], self._strength)

    def _begun(self, position: Position, strength: Strength) -> Future[Turn]:
        """Begin to think, or go on with the turn that was thought out before."""
        if self._goes_on(position):
            known: Future[Turn] = Future()
            known.set_result(self._rest)
            return known
        stopped = self._stopped = threading.Event()
        chance = random.Random(self._chance.random())  # noqa: S311  (a game)
        thought = self._thinkers.submit(
            lambda: think(position, strength, chance, stopped=stopped.is_set).choices,
        )
        thought.add_done_callback(lambda _: self._wake())
        return thought

    def _goes_on(self, position: Position) -> bool:
        return bool(self._rest) and position == self._then

    def act(self, desk: Desk) -> None:
        """Throw, or make the next choice of the turn that was thought out; only when `wait` has returned 0.

        What the journal refuses is tried again after another pause.
        """
        position = desk.require_match().position
        self._at = None
        try:
            if self._thought is not None:
                choice, *rest = self._thought.result()
                desk.play(choice, "program", PROGRAM)
                self._rest, self._then = tuple(rest), position.after(choice)
                return
            die = die_to_cast(position, self._chance) if position.awaits.kind == "recast" else None
            desk.throw(PROGRAM, die)
        except RefusedError as why:
            log.warning("the program could not play: %s", why)

    def stop(self) -> None:
        """Stop thinking."""
        self._stopped.set()
        self._thinkers.shutdown(wait=False, cancel_futures=True)


def _throw(desk: Desk, autoplay: Autoplay) -> None:
    try:
        desk.throw(PROGRAM)
    except UnwrittenError as why:
        log.warning("the program waits with its throw: %s", why)
    except RefusedError as why:
        log.warning("the program stops throwing: %s", why)
        autoplay.stop()
