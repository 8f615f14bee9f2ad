"""A match that another table plays too: takes in what happened there, and says what happened here.

Whoever holds the line to the other table calls `deliver` with what comes and `newest` for what to send: always how the
match stands, never what to do. Each message says how far its sender is and repeats what the other lacks. So any may be
lost, delayed, doubled or overtaken by another one: the newest that arrives says it all.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final

import msgspec

from companion.desk.page.names import named_json, names_of
from companion.desk.page.table import FeatureParts
from companion.desk.table.match_desk import ThrowAsked
from companion.desk.table.remote_seats import (
    LINE,
    CommonEvent,
    NotFollowedError,
    awaited_there,
    joint_move,
    moved_there,
    opens,
    take_in,
)
from companion.language.sentence import Sentence
from companion.live.following import Follower, MatchNow, OpenTable
from companion.live.shared_matches import SharedMatches
from companion.referee.events import JointDice, Paused, Resumed
from companion.referee.joint_dice import BITS_BYTES, bits, commitment
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.referee.shared_log import (
    SharedLog,
    position_digest,
    thrown_together,
    throws_unseen,
    waits_for_remote,
)
from companion.rules.dice import Throw

MOST_EVENTS: Final = 40
"""Most events of one message; a table that lacks more gets them with the next ones."""

Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{0,64}$")]


class DiceSync(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sender's part of a throw that both make; see `companion.referee.joint_dice`.

    ``number``: which common event it will be. The table that waits sends a commitment, then its opening; the one that
    throws sends its share, for these dice.
    """

    number: Annotated[int, msgspec.Meta(ge=1)]
    commitment: Hex = ""
    share: Hex = ""
    dice: Annotated[list[Annotated[str, msgspec.Meta(max_length=40)]], msgspec.Meta(max_length=32)] = []
    opening: Hex = ""


class Sync(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the shared ``match`` stands at the sender.

    ``count``: of its common events, ``head``: their digest, ``position``: that of the position after them.
    ``events``: those after number ``first``, which the other table lacks. ``paused``: a person paused there.
    ``fault``: it cannot follow the other table's events.
    """

    match: Annotated[str, msgspec.Meta(max_length=64)]
    count: Annotated[int, msgspec.Meta(ge=0)]
    head: Hex
    position: Hex
    first: Annotated[int, msgspec.Meta(ge=0)] = 0
    events: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=MOST_EVENTS)] = []
    paused: bool = False
    fault: bool = False
    dice: DiceSync | None = None


log = logging.getLogger(__name__)

AWAY_AFTER_SECONDS: Final = 10.0
"""Seconds without a word from the other table after which the match waits for it."""

NOT_YET: Final = Sentence("The match waits for the other table: it joins by the code on the owner's page.")
AWAY: Final = Sentence("The line to the other table is lost: the match waits, and goes on by itself.")
BEHIND: Final = Sentence("This table takes in what was played at the other one.")
PAUSED_THERE: Final = Sentence("The match is paused at the other table.")
FAULTY: Final = Sentence(
    "The two tables no longer hold the same match. End the play with the other table; go on alone."
)


class RemoteTable(Follower):
    """Keeps the open match and that of the other table the same. `deliver` and `newest` may come from any thread."""

    def __init__(self, wake: Callable[[], None], lines: SharedMatches) -> None:
        """``wake``: wakes the writer; ``lines``: to the other tables, with this table's secrets."""
        self._wake, self.lines = wake, lines
        self._changed = threading.Condition()
        self._came: Sync | None = None
        self._last: Sync | None = None  # the newest of the other table that was taken in
        self._going: Sync | None = None
        self._log: SharedLog | None = None
        self._heard: float | None = None  # when the other table was last heard in this match
        self._fault = False  # what the other table sent last does not follow from the match here
        self._watching: Callable[[str | None], None] = lambda _: None
        self._tell: Callable[[], None] = lambda: None
        self._open: str | None = None  # the common name of the open match, None where no other table plays it
        self._start: dict[str, Any] | None = None

    def watch_matches(self, on_change: Callable[[str | None], None]) -> None:
        """Call ``on_change`` now and with every change: with the common name of the open match, None for none."""
        with self._changed:
            self._watching = on_change
            on_change(self._open)

    def tell(self, on_news: Callable[[], None]) -> None:
        """Call ``on_news`` from now on when there is something else to send."""
        self._tell = on_news

    @property
    def open_match(self) -> str | None:
        """The common name of the open match, None where no other table plays it."""
        return self._open

    def start_for_other(self, match: str) -> dict[str, Any] | None:
        """Return how the other table begins this match: the data of its `join_shared`; None while it is not open."""
        with self._changed:
            return self._start if match == self._open else None

    def deliver(self, sync: Sync) -> None:
        """Take the newest message of the other table."""
        with self._changed:
            if self._going is not None and sync.match == self._going.match:
                self._came = sync
        self._wake()

    def newest(self, match: str) -> Sync | None:
        """Return what the other table of this match should know now, None while that match is not open."""
        with self._changed:
            return self._going if self._going is not None and self._going.match == match else None

    def wait(self, shown: Sync | None, seconds: float) -> None:
        """Wait at most so long for something else than ``shown`` to send."""
        with self._changed:
            self._changed.wait_for(lambda: self._going is not shown, seconds)

    def open(self, table: OpenTable) -> None:
        """Take the table, whose journal has just been opened."""
        super().open(table)
        table.desk.held = self._held

    def check(self) -> None:
        """Take in the newest message of the other table."""
        with self._changed:
            came, self._came = self._came, None
        desk = self._table.desk
        log_here = self._log_of(desk.match)
        if came is None or log_here is None or desk.match is None or desk.match.shared is None:
            return
        if came.match != desk.match.shared.match:
            return
        was_there = waits_for_remote(desk.match)
        self._heard, self._last = time.monotonic(), came
        try:
            self._take_in(log_here, came)
            self._throw_together(log_here, came)
            self._fault = False
        except NotFollowedError as why:
            log.warning("the match of the other table does not follow: %s", why)
            self._fault = True
        except RefusedError as why:
            log.warning("what came from the other table waits: %s", why)
            self._fault = False  # it does follow
        if was_there and not waits_for_remote(desk.match):
            self._table.distrust_dice()  # what lies there was not thrown in this turn

    def _take_in(self, log_here: SharedLog, came: Sync) -> None:
        shared = self._table.desk.require_match().shared
        if shared is not None and came.count < shared.since and log_here.count < shared.since:
            raise NotFollowedError(f"it shared {shared.since} events, and has only {came.count}")
        known = min(came.count, log_here.count)
        if came.count <= log_here.count and came.head != log_here.head(known):
            raise NotFollowedError(f"the events up to {known} are others there")
        for number, event in enumerate(came.events, start=came.first + 1):
            if number == log_here.count + 1:
                position = came.position if number == came.count else ""
                take_in(self._table.desk, log_here, CommonEvent(number, event, position))
                log_here.follow(self._table.desk.require_match())
        match = self._table.desk.require_match()
        if came.count == log_here.count and (came.head, came.position) != (log_here.head(came.count), _digest(match)):
            raise NotFollowedError(f"the position after event {came.count} is another one there")

    def _throw_together(self, log_here: SharedLog, came: Sync) -> None:
        """Take the other table's part of a throw of both, and make the throw once it is known."""
        desk, theirs, number = self._table.desk, came.dice, log_here.count + 1
        match = desk.require_match()
        if theirs is None or theirs.number != number or match.shared is None or not thrown_together(match):
            return
        name, fixed, asked = match.shared.match, match.joint, self._asked(match)
        if waits_for_remote(match):
            own = self._opening(match, number)
            if own and not (fixed is not None and fixed.share) and _is_share(theirs, match):
                made = JointDice(number, commitment(name, number, own), theirs.share, tuple(theirs.dice), own)
                desk.record([made], LINE)
        elif fixed is None:
            if asked is not None and theirs.commitment:
                own = asked.places or bits(self.lines.secret(name), name, number)
                desk.record([JointDice(number, theirs.commitment, own, asked.dice)], LINE)
        elif not fixed.opening and theirs.opening:
            if not opens(match, fixed, theirs.opening) or len(theirs.opening) != _opening_length(match, fixed):
                raise NotFollowedError("the other table does not open what it committed itself to")
            desk.record([replace(fixed, opening=theirs.opening)], LINE)
        self._play_joint()

    def _opening(self, match: Match, number: int) -> str:
        """Return what this table opens of a throw of the other one, "" while it has not thrown its own dice for it."""
        assert match.shared is not None
        name = match.shared.match
        if not match.shared.both_throw:
            return bits(self.lines.secret(name), name, number)
        kept, fixed = self.lines.unseen(name), match.joint
        return kept if fixed is not None and commitment(name, number, kept) == fixed.commitment else ""

    def _play_joint(self) -> None:
        """Make the throw of both tables if everything of it is known and it is this table's."""
        desk = self._table.desk
        match, log_here = desk.require_match(), self._log
        joint = match.joint
        if joint is None or log_here is None or not joint.opening:
            return
        if waits_for_remote(match) or not thrown_together(match):
            return
        asked = self._asked(match)
        throw = Throw.from_json(dict(joint_move(match, joint)))
        desk.play(throw, "program", LINE if asked is None else asked.actor, arrangement=match.lying)
        desk.joint = None
        self._table.distrust_dice()

    def _asked(self, match: Match) -> ThrowAsked | None:
        asked = self._table.desk.joint
        return asked if asked is not None and asked.at == (match.id, len(match.history)) else None

    def go_on(self, now: float) -> None:
        """Let the match wait for the other table, or go on."""
        del now
        desk = self._table.desk
        match = desk.match
        if match is None or match.over or match.misfit is not None:
            return
        held = self._held()
        try:
            self._keep_unseen(match)
            if held is not None and not match.paused:
                desk.record([Paused()], LINE)
            elif held is None and match.paused and _paused_by(match) == LINE:
                desk.record([Resumed()], LINE)
                self._table.distrust_dice()
                self._table.board_judge.forget()
        except (RefusedError, OSError) as why:
            log.warning("the match could not wait for the other table: %s", why)

    def _keep_unseen(self, match: Match) -> None:
        """Fix what this table threw unseen, before its commitment goes to the other one."""
        log_here, asked = self._log_of(match), self._asked(match)
        if log_here is None or asked is None or match.shared is None or not throws_unseen(match):
            return
        name, number = match.shared.match, log_here.count + 1
        opening = bits(self.lines.secret(name), name, number) + asked.places
        self.lines.keep_unseen(name, opening)
        self._table.desk.record([JointDice(number, commitment(name, number, opening), "", asked.dice)], LINE)

    def _log_of(self, match: Match | None) -> SharedLog | None:
        """Return the common events of the match, None if no other table plays it."""
        if match is None or match.shared is None:
            self._log = None
        elif self._log is None or self._log.match_id != match.id:
            self._heard, self._last, self._fault = None, None, False
            self._log = SharedLog(match)
        else:
            self._log.follow(match)
        return self._log

    def _held(self) -> Sentence | None:
        """Return why the match waits for the other table, None if it does not."""
        match = self._table.desk.match
        if match is None or match.shared is None or match.over:
            return None
        if self._fault or (self._last is not None and self._last.fault):
            return FAULTY
        if self._last is None or self._heard is None:
            return NOT_YET
        if time.monotonic() - self._heard > AWAY_AFTER_SECONDS:
            return AWAY
        if self._log is not None and self._last.count > self._log.count:
            return BEHIND
        return PAUSED_THERE if self._last.paused else None

    def due(self, now: float) -> float | None:
        """Return in how many seconds the other table counts as away."""
        if self._log is None or self._heard is None:
            return None
        left = self._heard + AWAY_AFTER_SECONDS - now
        return left + 0.01 if left > 0 else None

    def publish(self, now: MatchNow) -> FeatureParts:
        """Let the line say how the match stands here."""
        match = now.match
        log_here = self._log_of(match)
        name = None if match is None or match.shared is None else match.shared.match
        going = None if match is None or log_here is None else self._sync(match, log_here)
        with self._changed:
            if going != self._going:
                self._going = going
                self._changed.notify_all()
                self._tell()
            if name != self._open:
                self._open, self._start = name, None if match is None else _start_of(match)
                self._watching(name)
        if match is None or match.shared is None:
            return {"other_table": None}
        names, held = names_of(match), self._held()
        return {
            "other_table": {
                "players": list(match.shared.remote),
                "sentence": named_json(held, names),
                "awaited": named_json(awaited_there(match, asked=self._asked(match) is not None), names),
                "men": named_json(moved_there(match), names),
            }
        }

    def _sync(self, match: Match, log_here: SharedLog) -> Sync:
        assert match.shared is not None
        there = log_here.count if self._last is None else min(self._last.count, log_here.count)
        return Sync(
            match.shared.match,
            log_here.count,
            log_here.head(log_here.count),
            _digest(match),
            there,
            log_here.after(there)[:MOST_EVENTS],
            match.paused and _paused_by(match) != LINE,
            self._fault,
            self._own_dice(match, log_here.count + 1),
        )

    def _own_dice(self, match: Match, number: int) -> DiceSync | None:
        """Return this table's part of a throw of both."""
        if match.shared is None or not thrown_together(match):
            return None
        name, fixed = match.shared.match, match.joint
        if waits_for_remote(match):
            own, opening = self._opening(match, number), "" if fixed is None else fixed.opening
            return DiceSync(number, commitment(name, number, own), opening=opening) if own else None
        return None if fixed is None else DiceSync(number, share=fixed.share, dice=list(fixed.dice))


def _start_of(match: Match) -> dict[str, Any] | None:
    """Return how the other table of a shared match begins it."""
    shared, started = match.shared, match.started
    if shared is None:
        return None
    return {
        "match": shared.match,
        "game": started.game,
        "rules": started.rules,
        "players": list(started.players),
        "options": dict(started.options),
        "position": started.position,
        "remote": [number for number in range(1, len(started.players) + 1) if number not in shared.remote],
        "since": shared.since,
        "name": started.name,
        **({"dice_by": "program"} if started.dice_by == "program" else {}),
        **({"dice_by": "tapped", "both_throw": True} if shared.both_throw else {}),
    }


def _digest(match: Match) -> str:
    return position_digest(match.position, finished=match.finished is not None)


def _paused_by(match: Match) -> str:
    """Return who paused the match last, "" for nobody."""
    return next((entry.actor for entry in reversed(match.entries) if isinstance(entry.event, Paused)), "")


def _is_share(dice: DiceSync, match: Match) -> bool:
    """Whether these are a share, and dice that can be thrown now."""
    waits = match.position.awaits
    whole = tuple(dice.dice) == tuple(waits.dice) if waits.kind == "throw" else len(dice.dice) == 1
    real = match.shared is not None and match.shared.both_throw
    length = len(dice.dice) if real else BITS_BYTES
    return len(dice.share) == 2 * length and whole and set(dice.dice) <= set(waits.dice)


def _opening_length(match: Match, joint: JointDice) -> int:
    """Return how many hexadecimal digits the other table opens: its bits, and the places of its real dice."""
    real = match.shared is not None and match.shared.both_throw
    return 2 * (BITS_BYTES + len(joint.dice) if real else BITS_BYTES)
