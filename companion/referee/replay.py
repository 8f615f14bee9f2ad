"""From commits and rulings on them to a position: the one place in which a match is played."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from companion.language.sentence import Sentence, player, why_of
from companion.referee.events import Committed, DiceBy
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Account, Choice, Position

Move = Throw | Choice
Standing = Literal["stands", "voided", "dropped", "misfit"]


@dataclass(frozen=True)
class Ruling:
    """What a correction says of one commit: played as ``move`` instead, or (None) not at all, ``dropped`` or voided."""

    move: Mapping[str, object] | None = None
    dropped: bool = False


@dataclass(frozen=True)
class Turn:
    """One commit as it counts now. ``number`` is the throw's number in the game; a second cast has that of its throw.

    ``at`` is the position in which it came, and ``why`` says why it does not count where its standing is another than
    ``stands``. What is said of a turn is made when somebody asks: a replay of a long match need not.
    """

    event: int
    number: int
    commit: Committed = field(compare=False)  # of an earlier version it may lack what decides nothing
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
        """How it came in."""
        return self.commit.by

    @property
    def before(self) -> Position | None:
        """The position it was played in, None where the commit no longer counts."""
        return self.at if self.standing == "stands" else None

    @property
    def throws_before(self) -> int:
        """How many throws had been made before it."""
        return self.number - (self.kind != "recast")

    @cached_property
    def text(self) -> str:
        """The move as it would be typed; of one that does not count, what can be said of it: its faces or choice."""
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
        """What it came to, or None where it no longer counts."""
        return None if self.before is None or self.move is None else self.before.accounted(self.move)


@dataclass(frozen=True)
class Checked:
    """A move that was found to be allowed in one position, where that leads, and the event that commits it.

    Whoever plays this very event from this very position need not ask the rules again.
    """

    event: Committed
    move: Move
    before: Position
    after: Position


@dataclass(frozen=True)
class Replay:
    """Commits played so far. ``gap``: a turn before was voided, dropped or changed, so one may have to be passed."""

    position: Position
    turns: tuple[Turn, ...] = ()
    throws: int = 0
    gap: bool = False

    def next(
        self, event: int, commit: Committed, ruling: Ruling | None = None, checked: Checked | None = None
    ) -> "Replay":
        """Play one more commit under the ruling on it; one that is ``checked`` here is not judged a second time.

        A **voided** throw is as if it had never been thrown: its player throws again. Where later throws were made,
        each stays with the player who made it, so if the next one in the journal is the next player's, the voided turn
        counts as passed, without a virtue (`Position.passed`, where the game has such a thing). A second cast stands
        and falls with its throw: it is dropped where the throw was voided or changed so that none is due, and counts
        as forgone where a changed throw would have allowed one that nobody made.
        What does not fit otherwise is a turn with the standing ``misfit``; the position stays as it was.
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
        return Replay(after, (*self.turns, turn), throws, gap=ruling is not None)

    def begun(self, event: int) -> "Replay | None":
        """Return what this play began with, at most up to before ``event``, or None where it is to be begun anew.

        A correction leaves what was played before it as it is: of a long match, only the end is played again.
        """
        for n in range(len(self.turns) - 1, 0, -1):
            turn = self.turns[n]
            if turn.event >= event:
                continue
            if turn.standing == "stands" and turn.before is not None:  # turns passed before it are in that position
                return Replay(turn.before, self.turns[:n], turn.throws_before)
        return None

    def rejoined(self, event: int, anew: "Replay") -> "Replay | None":
        """Return another play of the same commits, which is about to play ``event``, with what is left of this one.

        None where the two differ there. What follows from the same position under the same rulings is the same.
        """
        place = bisect_left(self.turns, event, key=lambda turn: turn.event)
        turn = self.turns[place] if place < len(self.turns) else None
        if turn is None or turn.event != event or turn.standing != "stands":
            return None
        if anew.throws != turn.throws_before or anew.position != turn.before:
            return None
        return Replay(self.position, (*anew.turns, *self.turns[place:]), self.throws, self.gap)

    def _without(self, turn: Turn) -> "Replay":
        return Replay(self.position, (*self.turns, turn), self.throws, gap=True)

    def _bridged(self, commit: Committed, move: Move) -> tuple[Position, int, Sentence | None]:
        """Pass the turns that corrections left open, where that makes the commit fit.

        Returns where it is played, how many throws passed, and why it does not fit, or None.
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
    """Play commits from the start, or those that come after what was played already.

    Returns the end, and the number of the first event that does not fit, or None.

    With ``stop`` nothing after that event is played; without, misfits are left out and what follows is tried. ``known``
    is how they were played up to the first misfit under rulings that are the same after event ``since``.
    """
    state, first = start if isinstance(start, Replay) else Replay(start), None
    for event, commit in commits:
        if state.turns and state.turns[-1].event >= event:
            continue  # played with what was known
        rejoined = None if known is None or event <= since else known.rejoined(event, state)
        state = rejoined or state.next(event, commit, rulings.get(event))
        if state.turns[-1].standing == "misfit":
            first = first or state.turns[-1].event
            if stop:
                break
    return state, first
