"""The referee's desk: the open match and its journal. Every change to either goes through here, from one thread."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from companion.desk.kept import KeptDesk
from companion.language.sentence import Sentence, player
from companion.ledger.entries import JournalError
from companion.referee.arrangement import Arrangement
from companion.referee.events import (
    BoardAsked,
    BoardObserved,
    Committed,
    DiceBy,
    Event,
    Finished,
    MatchStarted,
    MenBy,
    Observed,
    Paused,
    Proposed,
    Resumed,
)
from companion.referee.joint_dice import places
from companion.referee.journal import Entry, Journal
from companion.referee.match import Match, NoMatchError
from companion.referee.refused import RefusedError, refusing
from companion.referee.replay import Checked
from companion.referee.shared_log import (
    NOT_TO_MOVE,
    thrown_together,
    throws_unseen,
    waits_for_remote,
    why_not_shared,
)
from companion.rules.beginning import begun
from companion.rules.dice import Throw, dice_set
from companion.rules.errors import GameError
from companion.rules.game import Choice
from companion.rules.registry import game as game_of

MOST_PLAYERS_NAME = 40  # characters: a name must fit on a phone
PROGRAM = "program"  # the actor of the program's own acts
PAGE = "page"  # the actor of somebody who plays on a page without the owner's PIN


@dataclass(frozen=True)
class Reply:
    """The answer to a command. If ``ok``, the journal already has what was asked for."""

    ok: bool
    sentence: Sentence
    data: Mapping[str, Any] = field(default_factory=dict)


TOGETHER: Final = Sentence("Both tables throw together: the dice come in a moment.")


@dataclass(frozen=True)
class ThrowAsked:
    """A throw that somebody asked for; ``at``: the match, and how many moves it had then.

    ``places``: what the real dice show, where both tables throw some; see `joint_dice`.
    """

    at: tuple[int, int]
    dice: tuple[str, ...]
    actor: str
    places: str = ""


def checked_names(players: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names as a match keeps them.

    Raises:
        RefusedError: one has no name, or two have the same.
    """
    names = tuple(name.strip()[:MOST_PLAYERS_NAME] for name in players)
    if not all(names) or len(set(names)) != len(names):
        raise RefusedError(Sentence("Every player needs a name of their own."))
    return names


class Desk(KeptDesk):
    """Holds one match at a time. Every change is durable in the journal before the match here shows it."""

    def __init__(self, journal: Journal, clock: Callable[[], float], chance: random.Random) -> None:
        """``clock``: in seconds since 1970; ``chance``: what the program throws with."""
        super().__init__(journal, clock)
        self.journal = journal
        self.match: Match | None = None
        self._chance = chance
        self.scripted: Callable[[Match], Throw | None] = lambda _: None
        """Returns the throw of a sample's script for a match, None where chance decides."""
        self.held: Callable[[], Sentence | None] = lambda: None
        """Returns why the open match cannot go on now although people want to, None if it can."""
        self.joint: ThrowAsked | None = None
        """The throw that this table asked for and that the other one helps to make."""

    def require_match(self) -> Match:
        """Return the open match.

        Raises:
            RefusedError: none is open.
        """
        if self.match is None:
            raise RefusedError(Sentence("No match is open: begin a new one or resume one."))
        return self.match

    def record(
        self, events: Sequence[Event], actor: str, checked: Sequence[Checked] = (), *, remote: bool = False
    ) -> Sequence[Entry]:
        """Make events of the open match durable, then fold them in.

        ``checked``: the moves of the commits among them, just judged. ``remote``: the other table of a shared match
        made them, and they were checked.

        Raises:
            RefusedError: no match is open, or the other table of a shared match is to move.
            UnwrittenError: the journal could not be written and nothing happened.
        """
        match = self.require_match()
        for event in () if remote else events:
            if (why := why_not_shared(match, event, remote=False)) is not None:
                raise RefusedError(why)
        with self.writing():
            entries = self.journal.append(match.id, events, self._clock(), actor)
        judged = iter(checked)
        for entry in entries:
            match = match.after(entry, next(judged, None) if isinstance(entry.event, Committed) else None)
        self.match = match
        return entries

    def begin(
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, Any],
        dice_by: DiceBy,
        actor: str,
        *,
        sample: str = "",
        name: str = "",
        men_by: MenBy = "tapped",
        programs: Mapping[int, str] = MappingProxyType({}),
        invitation: str = "",
        position: Mapping[str, Any] | None = None,
    ) -> Match:
        """Start a new match; pause an open one that is not over, so that it can be resumed.

        ``programs``: the players for whom the program plays, with its strength or an empty name. ``invitation``
        and ``position``: as in `MatchStarted`.

        Raises:
            RefusedError: the game refuses these players or options.
            UnwrittenError: the journal could not be written.
        """
        with refusing(GameError):
            variant = game_of(game)
            variant.settings(options)  # before they become arguments: an option may have the name of another one
            start = begun(variant, len(players), options, position)
        names = checked_names(players)
        self.put_away(actor)
        title = name.strip()[:MOST_PLAYERS_NAME] or ", ".join(names)
        started = MatchStarted(
            title,
            game,
            names,
            dict(options),
            dice_by,
            variant.rules_hash,
            sample,
            men_by,
            tuple(programs),
            tuple(programs.values()) if any(programs.values()) else (),
            invitation,
            None if position is None else start.to_json(),
        )
        with self.writing():
            match_id = self.journal.begin(started, self._clock(), actor)
            self.match = Match.of(self.journal.events(match_id))
        return self.match

    def put_away(self, actor: str) -> None:
        """Pause the open match, if one is open and not over, and close it."""
        if self.match is not None and not self.match.over and not self.match.paused:
            self.record([Paused()], actor)
        self.match = None

    def open(self, match_id: int, actor: str) -> Match:
        """Open a match of the journal and let it go on.

        Raises:
            RefusedError: there is no such match, or it cannot be read or played here.
        """
        if self.match is None or self.match.id != match_id:
            match = self._folded(match_id)
            if match.is_record:
                raise RefusedError(
                    Sentence(
                        "The match '{name}' was played by other rules, and today's rules cannot play it: "
                        "it is kept as a record to look at.",
                        name=match.started.name,
                    )
                )
            self.put_away(actor)
            self.match = match
        if self.match.paused and not self.match.over:
            self.record([Resumed()], actor)
        return self.match

    def reopen(self, match_id: int) -> Match | None:
        """Open a match as it was left, paused or not, if it can go on. Writes nothing.

        One that is over stays open if another table plays it, which may not have its end yet.

        `trouble` reports a match that cannot be read, unless something else is wrong with the journal.
        """
        try:
            match = self._folded(match_id)
        except RefusedError as why:
            if isinstance(why.__cause__, JournalError):
                self.journal.notice = self.journal.notice or why.sentence
                self.trouble = self.journal.notice
            return None
        done = match.over and match.shared is None
        self.match = None if done or match.is_record else match
        return self.match

    def _folded(self, match_id: int) -> Match:
        with refusing(JournalError, NoMatchError, ValueError):
            return Match.of(self.journal.events(match_id))

    def play(
        self,
        move: Throw | Choice,
        by: DiceBy,
        actor: str,
        *,
        arrangement: Arrangement = (),
        proposed: int = 0,
        seen: Observed | None = None,
    ) -> Sentence:
        """Commit a throw or choice; return its account's sentence. ``seen``: the observation behind it, written first.

        Raises:
            RefusedError: `Match.checked` says why.
        """
        return self._commit((move,), by, actor, arrangement=arrangement, proposed=proposed, seen=seen)

    def play_all(
        self,
        moves: Sequence[Throw | Choice],
        actor: str,
        *,
        seen: BoardObserved | None = None,
        arrangement: Arrangement = (),
        proposed: int = 0,
        by: DiceBy = "camera",
    ) -> Sentence:
        """Commit what was seen on the board, all or none, and return the sentence for the last of it.

        ``seen``: the observation that showed it, written first; ``arrangement``: where the dice lie of a throw among
        the moves; ``by``: what saw it, "tapped" where no camera did.

        Raises:
            RefusedError: `Match.checked` says why.
        """
        thrown = any(isinstance(move, Throw) for move in moves)
        lying = arrangement if thrown else ()
        return self._commit(moves, by, actor, arrangement=lying, proposed=proposed, seen=seen)

    def _commit(
        self,
        moves: Sequence[Throw | Choice],
        by: DiceBy,
        actor: str,
        *,
        arrangement: Arrangement,
        proposed: int,
        seen: Observed | BoardObserved | None,
    ) -> Sentence:
        match = self.require_match()
        number = 0 if seen is None else match.next_number
        checked = match.checked(moves, by, arrangement, proposed, seen=number)
        self.record([*([] if seen is None else [seen]), *(made.event for made in checked)], actor, checked)
        account = self.require_match().history[-1].account
        return Sentence("It does not fit the match.") if account is None else account.sentence

    def ask(self, asked: Proposed | BoardAsked, seen: Observed | BoardObserved, actor: str) -> int:
        """Write an observation and the question that it led to; return the question's number.

        Raises:
            UnwrittenError: the journal could not be written.
        """
        asked = replace(asked, seen=self.require_match().next_number)
        return self.record([seen, asked], actor)[-1].number

    def take_back(self, event: int, actor: str, reason: str = "") -> Sentence:
        """Take back the last choice and return a sentence about it; ``reason``: why, if somebody gave a reason.

        Raises:
            RefusedError: `Match.taken_back` says why.
        """
        match = self.require_match()
        self.record([match.taken_back(event, reason)], actor)
        turn = next(turn for turn in match.history if turn.event == event)
        return Sentence("{player} takes {move} back.", player=player(turn.player), move=turn.text)

    def throw(self, actor: str, die: str | None = None, arrangement: Arrangement = ()) -> Sentence:
        """Let the program make the awaited throw: every face equally likely, or in a sample the throw of its script.

        In a second cast it throws ``die``, or any of the cubes. ``arrangement``: dice on the table, which do not count.

        Raises:
            RefusedError: no throw is awaited.
        """
        match = self.require_match()
        match.require_in_play()
        waits = match.position.awaits
        if waits.kind not in ("throw", "recast"):
            raise RefusedError(Sentence("This is not the time to throw."))
        if thrown_together(match) and match.started.dice_by == "program":
            return self._ask_for_joint(match, actor, die)
        if (known := self.scripted(match)) is not None:
            return self.play(known, "program", actor, arrangement=arrangement)
        if (owed := match.owed_throw) is not None:
            return self.play(owed, "program", actor, arrangement=arrangement)
        dice = dice_set(waits.dice_sets[0])
        names = waits.dice if waits.kind == "throw" else (die or self._chance.choice(waits.dice),)
        shown = {name: self._chance.choice(dice.die(name).faces).text for name in names}
        made = Throw.of(dice.name, shown)
        if thrown_together(match):
            return self.throw_real(made, actor)
        return self.play(made, "program", actor, arrangement=arrangement)

    def throw_real(self, throw: Throw, actor: str) -> Sentence:
        """Keep what real dice of this table show for a throw that both tables make, and return a sentence about it.

        Raises:
            RefusedError: no such throw is awaited from this table.
        """
        match = self.require_match()
        match.require_in_play()
        if waits_for_remote(match) and not throws_unseen(match):
            raise RefusedError(NOT_TO_MOVE)
        if (why := match.position.why_not(throw)) is not None:
            raise RefusedError(why)
        if match.joint is None:
            dice = tuple(name for name, _ in throw.shown)
            self.joint = ThrowAsked((match.id, len(match.history)), dice, actor, places(throw))
        return TOGETHER

    def _ask_for_joint(self, match: Match, actor: str, die: str | None) -> Sentence:
        if waits_for_remote(match):
            raise RefusedError(NOT_TO_MOVE)
        waits = match.position.awaits
        dice = tuple(waits.dice) if waits.kind == "throw" else (die or self._chance.choice(waits.dice),)
        if self.joint is None or self.joint.at != (match.id, len(match.history)):
            self.joint = ThrowAsked((match.id, len(match.history)), dice, actor)
        return TOGETHER

    def finish(self, reason: str, actor: str) -> None:
        """End the open match by agreement.

        Raises:
            RefusedError: no match is open, or it is over.
        """
        if self.require_match().over:
            raise RefusedError(Sentence("The match is over."))
        self.record([Finished("agreement", reason)], actor)
