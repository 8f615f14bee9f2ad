"""From commits and their rulings to a position: the one place in which a match is played."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from companion.language.sentence import Sentence, player, why_of
from companion.referee.events import Committed, DiceBy
from companion.referee.grown import Grown
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position
from companion.rules.results import Account

Move = Throw | Choice
Standing = Literal["stands", "voided", "dropped", "misfit"]


@dataclass(frozen=True)
class Ruling:
    """A correction's ruling on one commit: play ``move`` instead, or (None) nothing, because ``dropped`` or voided."""

    move: Mapping[str, object] | None = None
    dropped: bool = False


@dataclass(frozen=True)
class Turn:
    """One commit as it counts now. ``number``: the throw's number in the game; a second cast has that of its throw.

    ``at``: the position in which it came; ``why``: why it does not count, if its standing is not ``stands``. The text
    and account of a turn are made on demand, because a replay of a long match need not make them.
    """

    event: int
    number: int
    commit: Committed = field(compare=False)  # one of an earlier version may lack fields that decide nothing
    at: Position
    move: Move | None = None
    standing: Standing = "stands"
    corrected: bool = False
    why: Sentence | None = None

    @property
    def player(self) -> int:
        """Who played it."""
        return self.commit.player

    @property
    def kind(self) -> str:
        """What was awaited: a throw, a second cast or a choice."""
        return self.commit.awaited

    @property
    def by(self) -> DiceBy:
        """How it was entered."""
        return self.commit.by

    @property
    def before(self) -> Position | None:
        """The position in which it was played, None where the commit no longer counts."""
        return self.at if self.standing == "stands" else None

    @property
    def throws_before(self) -> int:
        """The number of throws before it."""
        return self.number - (self.kind != "recast")

    @cached_property
    def text(self) -> str:
        """The move as a player types it; of one that does not count, its faces or choice as far as known."""
        if self.move is not None and self.standing == "stands":
            return self.at.text(self.move)
        faces = self.commit.move.get("faces")
        if isinstance(faces, Mapping):
            return " ".join(str(face) for face in faces.values())
        try:
            return self.at.text(self.at.move_from_json(self.commit.move))
        except (GameError, ThrowError):
            return ""

    @cached_property
    def account(self) -> Account | None:
        """Its account, or None where it no longer counts."""
        return None if self.before is None or self.move is None else self.before.accounted(self.move)


@dataclass(frozen=True)
class Checked:
    """A move that is allowed in one position, the position that it leads to, and the event that commits it.

    A caller that plays this very event from this very position need not ask the rules again.
    """

    event: Committed
    move: Move
    before: Position
    after: Position


@dataclass(frozen=True)
class Replay:
    """Commits played so far. ``gap``: the turn before was voided, dropped or changed, so a turn may need passing."""

    position: Position
    turns: Grown[Turn] = field(default_factory=Grown)
    throws: int = 0
    gap: bool = False

    def next(
        self, event: int, commit: Committed, ruling: Ruling | None = None, checked: Checked | None = None
    ) -> "Replay":
        """Play one more commit under its ruling; one that is ``checked`` here is not judged again.

        A **voided** throw counts as never thrown: its player throws again. If later throws were made, each stays with
        the player who made it. So if the next throw in the journal is the next player's, the voided turn counts as
        passed, without a virtue (`Position.passed`, where the game has such a thing).

        A second cast stands and falls with its throw. It is dropped if the throw was voided, or changed so that none is
        due. It counts as forgone where a changed throw would have allowed one that nobody made.

        Any other commit that does not fit becomes a turn with the standing ``misfit``; the position stays the same.
        """
        number = self.throws + (commit.awaited != "recast")
        if ruling is not None and ruling.move is None:
            why = Sentence("It was dropped by a correction.") if ruling.dropped else Sentence("It was voided.")
            standing: Standing = "dropped" if ruling.dropped else "voided"
            return self._without(Turn(event, number, commit, self.position, None, standing, corrected=True, why=why))
        if commit.awaited == "recast" and self.gap and self.position.awaits.kind != "recast":
            why = Sentence("The throw that it belonged to no longer asks for a second cast.")
            return self._without(Turn(event, number, commit, self.position, None, "dropped", corrected=True, why=why))
        try:
            move = self.position.move_from_json(dict(commit.move if ruling is None else ruling.move or {}))
        except (GameError, ThrowError) as error:
            return self._without(Turn(event, number, commit, self.position, None, "misfit", why=why_of(error)))
        if checked is not None and checked.event is commit and checked.before is self.position and checked.move == move:
            position, passed, after = checked.before, 0, checked.after
        else:
            position, passed, why_not = self._bridged(commit, move)
            if why_not is not None:
                return self._without(Turn(event, number, commit, self.position, move, "misfit", why=why_not))
            after = position.applied(move)
        turn = Turn(event, number + passed, commit, position, move, corrected=ruling is not None)
        throws = self.throws + passed + (commit.awaited == "throw")
        return Replay(after, self.turns.plus(turn), throws, gap=ruling is not None)

    def begun(self, event: int) -> "Replay | None":
        """Return the beginning of this replay to keep, at most up to before ``event``; None to play from the start.

        A correction does not change what was played before it, so of a long match only the end is played again.
        """
        for n in range(len(self.turns) - 1, 0, -1):
            turn = self.turns[n]
            if turn.event >= event:
                continue
            if turn.standing == "stands" and turn.before is not None:  # with the turns passed before it
                return Replay(turn.before, self.turns[:n], turn.throws_before)
        return None

    def rejoined(self, event: int, again: "Replay") -> "Replay | None":
        """Return ``again``, a replay of the same commits that plays ``event`` next, with the rest of this replay.

        None where the two differ there. The same rulings lead from the same position to the same result.
        """
        place = bisect_left(self.turns, event, key=lambda turn: turn.event)
        turn = self.turns[place] if place < len(self.turns) else None
        if turn is None or turn.event != event or turn.standing != "stands":
            return None
        if again.throws != turn.throws_before or again.position != turn.before:
            return None
        return Replay(self.position, Grown((*again.turns, *self.turns[place:])), self.throws, self.gap)

    def _without(self, turn: Turn) -> "Replay":
        return Replay(self.position, self.turns.plus(turn), self.throws, gap=True)

    def _bridged(self, commit: Committed, move: Move) -> tuple[Position, int, Sentence | None]:
        """Pass the turns that corrections left open, where that makes the commit fit.

        Returns the position for the commit, the number of throws passed, and why the commit does not fit, or None.
        """
        why_not = _misfit(self.position, commit, move)
        if why_not is None or not self.gap:
            return self.position, 0, why_not
        position, throws = self.position, 0
        for _ in range(self.position.players + 1):
            passed = position.passed()
            if passed is None:
                break
            throws += position.awaits.kind == "throw"
            position = passed
            if _misfit(position, commit, move) is None:
                return position, throws, None
        return self.position, 0, why_not


def _misfit(position: Position, commit: Committed, move: Move) -> Sentence | None:
    waits = position.awaits
    if position.outcome is None and waits.player != commit.player:
        return Sentence(
            "{player} is to play, but this was played by {other}.",
            player=player(waits.player),
            other=player(commit.player),
        )
    return position.why_not(move)


def replayed(
    start: Position | Replay,
    commits: Iterable[tuple[int, Committed]],
    rulings: Mapping[int, Ruling],
    *,
    stop: bool,
    known: Replay | None = None,
    since: int = 0,
) -> tuple[Replay, int | None]:
    """Play commits from the start, or those that follow a replay.

    Returns the end, and the number of the first event that does not fit, or None.

    With ``stop`` nothing after that event is played; without it, misfits are left out and the later commits are tried.
    ``known``: an earlier replay of the same commits, up to the first misfit, under rulings that are the same after
    event ``since``.
    """
    state, first = start if isinstance(start, Replay) else Replay(start), None
    for event, commit in commits:
        if state.turns and state.turns[-1].event >= event:
            continue  # already in the known replay
        rejoined = None if known is None or event <= since else known.rejoined(event, state)
        state = rejoined or state.next(event, commit, rulings.get(event))
        if state.turns[-1].standing == "misfit":
            first = first or state.turns[-1].event
            if stop:
                break
    return state, first
