"""A match: the fold of its journal's events. Its state is always the replay, never stored beside it."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from companion.language.sentence import Sentence, SentenceError, why_of
from companion.referee.arrangement import Arrangement, LyingDie
from companion.referee.board_record import BoardRecord
from companion.referee.events import (
    BoardAsked,
    BoardObserved,
    BoardSeated,
    Committed,
    Corrected,
    DiceBy,
    Finished,
    JointDice,
    MatchShared,
    MatchStarted,
    Paused,
    Proposed,
    Rejected,
    Reseated,
    Resumed,
)
from companion.referee.grown import Grown
from companion.referee.journal import Entry
from companion.referee.refused import RefusedError
from companion.referee.replay import Checked, Move, Replay, Ruling, Turn, replayed
from companion.referee.seen import naming_its_observation
from companion.rules.beginning import begun
from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Game, Position
from companion.rules.registry import game as game_of
from companion.rules.results import Outcome


class NoMatchError(SentenceError, ValueError):
    """These entries are not those of a match that can be played here."""


@dataclass(frozen=True)
class Question:
    """An open question: the event that asked it. A commit or a rejection closes it."""

    number: int
    asked: Proposed


@dataclass(frozen=True)
class Preview:
    """What a correction would do. Owners and scores before and after, only where they change.

    ``misfits``: the later commits that no longer fit, with the reasons; ``after_all`` leaves out only these,
    ``after_stop`` everything from the first of them on. ``token`` names this preview: it is refused once anything else
    has happened.
    """

    event: int
    move: Mapping[str, Any] | None
    reason: str
    token: str
    owners: Mapping[str, tuple[Any, Any]]
    scores: Mapping[int, tuple[int, int]]
    misfits: tuple[tuple[int, Sentence], ...]
    drops_all: tuple[int, ...]
    drops_stop: tuple[int, ...]
    after_all: Replay = field(repr=False)
    after_stop: Replay = field(repr=False)


@dataclass(frozen=True)
class Match:
    """A match as its events have made it. `after` folds in one more event and returns a new match.

    ``started``: how it began, with what the table has changed since about its seats and its dice. ``commits``: every
    commit with the number of its event. ``owed``: the program's throws that were taken back; they come again, so that
    nobody gets other dice by taking a move back. ``shared``: which seats another table plays; ``joint``: what is fixed
    of the throw of both tables that comes next.
    """

    id: int
    started: MatchStarted
    start: Position
    play: Replay
    entries: Grown[Entry]
    commits: Grown[tuple[int, Committed]] = field(default_factory=Grown, repr=False)
    rulings: Mapping[int, Ruling] = field(default_factory=dict)
    lying: Arrangement = ()
    question: Question | None = None
    paused: bool = False
    finished: Finished | None = None
    misfit: int | None = None
    board: BoardRecord = field(default_factory=BoardRecord)
    owed: tuple[Committed, ...] = ()
    shared: MatchShared | None = None
    joint: JointDice | None = None

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Match":
        """Fold a match's entries, beginning with the first.

        Raises:
            NoMatchError: the first entry does not start a match, or the game cannot start so.
        """
        if not entries or not isinstance(entries[0].event, MatchStarted):
            raise NoMatchError(Sentence("Expected the start of a match as its first event."))
        started = entries[0].event
        try:
            game = game_of(started.game)
            options = {**game.options_then(started.rules), **started.options}
            start = begun(game, len(started.players), options, started.position)
        except (GameError, TypeError) as why:  # also options that no game takes
            raise NoMatchError(
                Sentence("This match of {game} cannot be opened here: {why}", game=started.game, why=why_of(why))
            ) from why
        match = cls(entries[0].chain, started, start, Replay(start), Grown(entries[:1]))
        for entry in entries[1:]:
            match = match.after(entry)
        return match

    @property
    def position(self) -> Position:
        """The position now."""
        return self.play.position

    @property
    def history(self) -> Sequence[Turn]:
        """Every commit in the order of the journal, as it counts now."""
        return self.play.turns

    @property
    def game(self) -> Game:
        """The variant."""
        return self.start.game

    @cached_property
    def dice_sets(self) -> tuple[str, ...]:
        """The sets of dice that the match is played with; a position set up by hand may begin with a choice."""
        start = self.start if self.started.position is None else self.game.start(self.game.least_players)
        return start.awaits.dice_sets

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.finished is not None or self.position.outcome is not None

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the match ended, by the rules or by agreement, or None while it goes on."""
        if self.finished is None or self.position.outcome is not None:
            return self.position.outcome
        standing = self.position.standing()
        sentence = Sentence("The agreed time is up.") if self.finished.by == "time" else Sentence("Ended by agreement.")
        return replace(standing, why=Sentence("{ended} {why}", ended=sentence, why=standing.why))

    @property
    def next_number(self) -> int:
        """The number of the next event."""
        return len(self.entries) + 1

    @property
    def rules_changed(self) -> Sentence | None:
        """Say that the match began under other rules than the program now has, or None."""
        if self.started.rules == self.game.rules_hash:
            return None
        return Sentence("This match began under another version of the rules: it is judged by the new one.")

    @property
    def is_record(self) -> bool:
        """Whether other rules played it and those of today cannot: then it is there to look at, not to go on with."""
        return self.misfit is not None and self.rules_changed is not None

    @property
    def last(self) -> Turn | None:
        """The last turn that stands."""
        return next((turn for turn in reversed(self.history) if turn.standing == "stands"), None)

    @property
    def last_choice(self) -> Turn | None:
        """The choice that can be taken back: the last play, if only its player has played since, or None.

        A choice that was already taken back still counts as played here; a throw ends the chance.
        """
        since: set[int] = set()
        for turn in reversed(self.history):
            since.add(turn.player)
            if turn.standing == "stands":
                return turn if turn.kind == "choice" and since == {turn.player} else None
        return None

    @property
    def answered(self) -> tuple[Turn, ...]:
        """The last turn of a person whom only the program has answered, with the answer; empty where there is none.

        It may be taken back in one go. A throw that lay on the table cannot come again, so it ends the chance.
        """
        programs = self.started.programs
        backwards = (turn for turn in reversed(self.history) if turn.standing == "stands")
        answer: list[Turn] = []
        own: list[Turn] = []
        for turn in backwards if programs else ():
            mine = turn.player not in programs and turn.kind == "choice"
            if own and not (mine and turn.player == own[0].player):
                break
            if turn.by != ("tapped" if mine else "program"):
                return ()
            (own if mine else answer).append(turn)
        if not own or not answer:
            return ()
        since = {turn.player for turn in reversed(self.history) if turn.event >= own[-1].event}
        return (*reversed(own), *reversed(answer)) if since <= {own[0].player, *programs} else ()

    @property
    def last_throw(self) -> Throw | None:
        """The faces of all dice after the last throw and its second cast; None before the first."""
        shown: dict[str, str] = {}
        for turn in reversed(self.history):
            if turn.standing == "stands" and isinstance(turn.move, Throw):
                shown = dict(turn.move.shown) | shown
                if turn.kind != "recast":
                    return Throw.of(turn.move.set_name, shown)
        return None

    def commit_of(self, number: int) -> Committed | None:
        """Return the commit with this event number, or None if that event is no commit."""
        entry = self.entries[number - 1] if 0 < number <= len(self.entries) else None
        return entry.event if entry is not None and isinstance(entry.event, Committed) else None

    def after(self, entry: Entry, checked: Checked | None = None) -> "Match":
        """Fold in the next entry; a commit that was just ``checked`` here is not judged again."""
        entry = naming_its_observation(entry, self.entries)
        folded = self
        match entry.event:
            case Committed() as event:
                folded = self._committed(entry.number, event, checked)
            case Corrected() as event:
                folded = self._corrected(event)
            case Proposed() as event:
                folded = replace(self, question=Question(entry.number, event))
            case Rejected() as event:
                folded = self._rejected(event)
            case Paused() | Resumed() as event:
                folded = replace(self, paused=isinstance(event, Paused))
            case Reseated() as event:
                folded = replace(self, started=self.started.reseated(event))
            case Finished() as event:
                folded = replace(self, finished=event, question=None, joint=None)
            case BoardSeated() | BoardObserved() | BoardAsked() as event:
                folded = replace(self, board=self._board_after(entry.number, event))
            case MatchShared() | JointDice() as event:
                folded = self._with_other_table(event)
            case _:
                pass  # an observation is evidence and changes nothing
        return replace(folded, entries=self.entries.plus(entry))

    def _with_other_table(self, event: MatchShared | JointDice) -> "Match":
        if isinstance(event, JointDice):
            return replace(self, joint=event)
        return replace(self, shared=event if event.remote else None, joint=None)

    def _board_after(self, number: int, event: BoardSeated | BoardObserved | BoardAsked) -> BoardRecord:
        if isinstance(event, BoardSeated):
            return self.board.seated(event)
        if isinstance(event, BoardAsked):
            return self.board.asked(number, event)
        return self.board.observed(number, event, self.position)

    def _committed(self, number: int, event: Committed, checked: Checked | None) -> "Match":
        # while people move men, the dice of the last throw stay in place
        lying = self.lying if event.awaited == "choice" and not event.arrangement else _lying(event.arrangement)
        match = replace(self, lying=lying, question=None, joint=None, commits=self.commits.plus((number, event)))
        if (owed := self.owes(event.player, event.awaited)) is not None:
            match = replace(match, owed=tuple(one for one in self.owed if one is not owed))
        if self.misfit is not None:
            return match
        play = self.play.next(number, event, self.rulings.get(number), checked)
        board = self.board.committed(number, event, play.position)
        return replace(match, play=play, misfit=number if play.turns[-1].standing == "misfit" else None, board=board)

    def _rejected(self, event: Rejected) -> "Match":
        asked = self.question
        if asked is None or asked.number != event.proposed:
            return replace(self, board=self.board.rejected(event.proposed))
        # the dice in question are known now: nobody is asked about them again
        return replace(self, question=None, lying=_lying(asked.asked.arrangement) or self.lying)

    def _corrected(self, event: Corrected) -> "Match":
        rulings = dict(self.rulings) | {event.event: Ruling(event.move)}
        rulings |= {number: Ruling(dropped=True) for number in event.drops}
        play, misfit = self._again(self.play, (event.event, *event.drops), rulings, stop=True)
        owed = self.owed
        if event.way == "takeback":
            dropped = (commit for number, commit in self._commits(event.event) if number in event.drops)
            owed = (*(commit for commit in dropped if commit.awaited != "choice"), *owed)
        board = self.board.corrected()
        return replace(self, rulings=rulings, play=play, misfit=misfit, board=board, owed=owed, joint=None)

    def owes(self, player: int, awaited: str) -> Committed | None:
        """Return the player's next throw of this kind that was taken back, or None."""
        return next((one for one in self.owed if (one.player, one.awaited) == (player, awaited)), None)

    @property
    def owed_throw(self) -> Throw | None:
        """The throw that was taken back and comes again now; None where none is owed, or it no longer fits."""
        waits = self.position.awaits
        owed = self.owes(waits.player, waits.kind)
        move = None if owed is None else self.position.move_from_json(dict(owed.move))
        return move if isinstance(move, Throw) and self.position.why_not(move) is None else None

    def _commits(self, after: int = 0) -> Sequence[tuple[int, Committed]]:
        """Return the commits after the event with this number."""
        return self.commits[bisect_right(self.commits, after, key=lambda commit: commit[0]) :]

    def committed(
        self, move: Move, by: DiceBy, arrangement: Arrangement = (), proposed: int = 0, *, seen: int = 0
    ) -> Committed:
        """Return the event that commits a throw or choice here; see `checked`."""
        return self.checked((move,), by, arrangement, proposed, seen=seen)[0].event

    def checked(
        self, moves: Sequence[Move], by: DiceBy, arrangement: Arrangement = (), proposed: int = 0, *, seen: int = 0
    ) -> tuple[Checked, ...]:
        """Return moves that are allowed here in a row, as a play seen on the board; all or none.

        ``arrangement``: where the dice lie; ``proposed``: the question that the moves answer; ``seen``: the observation
        that led to them. An answer to a question about the dice takes the observation of the question.

        Raises:
            RefusedError: the match is paused, over or stuck, a question is open, or the game forbids a move.
        """
        lying = tuple(die.to_json() for die in arrangement)
        found: list[Checked] = []
        position = self.position
        for move in moves:
            self.require_in_play(position)
            if not found and self.question is not None:
                if self.question.number != proposed:
                    raise RefusedError(Sentence("A question about the dice is open: answer it or dismiss it first."))
                seen = seen or self.question.asked.seen or 0
            if (why := position.why_not(move)) is not None:
                raise RefusedError(why)
            waits = position.awaits
            kind = waits.kind if isinstance(move, Throw) else "choice"
            answers = 0 if found else proposed
            event = Committed(waits.player, kind, move.to_json(), by, lying, answers, seen)
            found.append(Checked(event, move, position, position.applied(move)))
            position = found[-1].after
        return tuple(found)

    def taken_back(self, number: int, reason: str = "") -> Corrected:
        """Return the event that takes back the last choice, event ``number``; ``reason``: why, or "".

        It is a correction like any other, but any player may ask for it. People move men one at a time, and put them
        back while they think a turn over, until the other side throws or moves. Against the program, ``number`` may be
        the first event of the turn that it has `answered`: then the answer goes too.

        Raises:
            RefusedError: the match is paused or ended, or that event is not the last choice or was followed by a throw.
        """
        if self.misfit is not None or self.paused or self.finished is not None:
            self.require_in_play()
        if self.question is not None:
            raise RefusedError(Sentence("A question about the dice is open: answer it or dismiss it first."))
        last, answered = self.last_choice, self.answered
        if answered and answered[0].event == number:
            return Corrected(number, None, reason, tuple(turn.event for turn in answered[1:]), way="takeback")
        if last is None:
            raise RefusedError(
                Sentence("Only the last choice can be taken back, until somebody throws or the other side moves.")
            )
        if last.event != number:
            raise RefusedError(Sentence("That is no longer the last choice: look again at what was played."))
        return Corrected(number, None, reason, way="takeback")

    def require_in_play(self, position: Position | None = None) -> None:
        """Raise `RefusedError` unless the match waits for play, in its own position or in the given later one."""
        if self.misfit is not None:
            raise RefusedError(
                Sentence("Event {event} no longer fits the match: correct or void it first.", event=self.misfit)
            )
        if self.finished is not None or (position or self.position).outcome is not None:
            raise RefusedError(Sentence("The match is over."))
        if self.paused:
            raise RefusedError(Sentence("The match is paused: continue it first."))

    def preview(self, number: int, move: Mapping[str, Any] | None, reason: str) -> Preview:
        """Say what changing an earlier commit, or voiding it with None, would do.

        Raises:
            RefusedError: that event is no commit, or the new move is not of the game or not allowed there.
        """
        commit = self.commit_of(number)
        if commit is None:
            raise RefusedError(Sentence("Event {event} is not a throw that could be corrected.", event=number))
        rulings = {**self.rulings, number: Ruling(move)}
        every, first = self._again(self.play, (number,), rulings, stop=False)
        there = next(turn for turn in every.turns if turn.event == number)
        if there.standing == "misfit":
            raise RefusedError(there.why or Sentence("That throw does not fit there."))
        misfits = tuple(
            (turn.event, turn.why) for turn in every.turns if turn.standing == "misfit" and turn.why is not None
        )
        stopped = every
        later = () if first is None else self._commits(first - 1)
        stop_drops = tuple(event for event, _ in later if not _dropped(rulings.get(event)))
        if first is not None:
            dropped = {event: Ruling(dropped=True) for event in stop_drops}
            stopped, _ = self._again(every, (first, *stop_drops), rulings | dropped, stop=True)
        return Preview(
            number,
            move,
            reason,
            self.token(number, move, reason),
            _changes(self.position.occupancy(), every.position.occupancy()),
            _changes(self.position.scores(), every.position.scores()),
            misfits,
            tuple(event for event, _ in misfits),
            stop_drops,
            every,
            stopped,
        )

    def token(self, number: int, move: Mapping[str, Any] | None, reason: str) -> str:
        """Return the name of a correction's preview; it holds for this correction and until anything else happens."""
        named = [self.entries[-1].hash, number, None if move is None else dict(move), reason]
        return hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:16]

    def _again(
        self, play: Replay, ruled: Sequence[int], rulings: Mapping[int, Ruling], *, stop: bool
    ) -> tuple[Replay, int | None]:
        """Replay under these rulings, which differ from those of ``play`` only for the ``ruled`` events.

        What came before the first of these events stays the same. So does everything after the point where both plays
        agree again.
        """
        begun = play.begun(min(ruled)) or Replay(self.start)
        commits = self._commits(begun.turns[-1].event if begun.turns else 0)
        return replayed(begun, commits, rulings, stop=stop, known=play, since=max(ruled))


def _dropped(ruling: Ruling | None) -> bool:
    return ruling is not None and ruling.move is None


def _changes(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    keys = [*before, *(key for key in after if key not in before)]
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def _lying(arrangement: Sequence[Mapping[str, Any]]) -> Arrangement:
    return tuple(LyingDie.from_json(die) for die in arrangement)
