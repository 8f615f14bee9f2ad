"""What two tables that play one match have in common: the throws, choices, corrections and ends, in one order.

Who may write the next of these events follows from those before it: the table at which the player to move sits. So two
tables never write the same number, no clock and no arbiter is needed, and a table that missed something gets it again
by its number. What only one table sees (its camera, its questions, its pauses) stays in its own journal.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.language.sentence import Sentence
from companion.referee.events import Committed, Corrected, Event, Finished, from_json, to_json
from companion.referee.match import Match
from companion.rules.game import Position

SHARED: Final = (Committed, Corrected, Finished)
"""The events that both journals hold."""

NOT_TO_MOVE: Final = Sentence("The turn is at the other table: what is played or changed now is entered there.")
ANSWERED: Final = Sentence(
    "The other table has played since: only it can change this now, in its own turn. Ask the players there."
)
THROWN: Final = Sentence("Both tables are making a throw, and nothing else can come before it.")


def moves_there(match: Match) -> bool:
    """Whether the next event that both tables keep comes from the other table."""
    if match.shared is None:
        return False
    player = match.position.awaits.player if match.position.outcome is None else 1
    return player in match.shared.remote


def waits_for_remote(match: Match | None) -> bool:
    """Whether a player at the other table is to throw or to choose."""
    return match is not None and not match.over and match.misfit is None and moves_there(match)


def thrown_together(match: Match) -> bool:
    """Whether both tables make the throw that the match waits for, and it is none that was taken back."""
    return both_throw(match) and match.position.awaits.kind in ("throw", "recast") and match.owed_throw is None


def both_throw(match: Match) -> bool:
    """Whether both tables make each throw of a match, by their programs or with real dice."""
    return match.shared is not None and (match.shared.both_throw or match.started.dice_by == "program")


def made_by(match: Match, by: str) -> str:
    """Return who made a throw, as an event names it in ``by``: "both" if real dice of both tables did."""
    return "both" if by == "program" and match.shared is not None and match.shared.both_throw else by


def throws_unseen(match: Match) -> bool:
    """Whether the people at this table throw their dice now for a throw of the other table, which may not see them."""
    if match.over or match.misfit is not None or match.shared is None or not match.shared.both_throw:
        return False
    return match.joint is None and moves_there(match) and thrown_together(match)


def _is_known(match: Match, thrown: Committed) -> bool:
    """Whether a throw is the one that both tables made, or one of before that comes again."""
    if (owed := match.owed_throw) is not None:
        return thrown.move == owed.to_json()
    return match.joint is not None and match.joint.opening != ""


def why_not_shared(match: Match, event: Event, *, remote: bool) -> Sentence | None:
    """Return why a table may not write an event of a shared match now, None if it may.

    ``remote``: whether the other table writes it. A throw of both that is fixed comes next, whatever it shows, and
    none of one table in its place. Its own last turn a table may correct as long as the other has not answered. What
    the other did it may change whenever it is to move: then it is the other that asked for it.
    """
    shared = match.shared
    if shared is None or not isinstance(event, SHARED):
        return None
    if isinstance(event, Committed) and event.awaited != "choice":
        stopped = not remote and both_throw(match) and not _is_known(match, event)
    else:
        stopped = match.joint is not None and match.joint.share != ""
    if stopped:
        return THROWN
    if isinstance(event, Committed):
        return None if (event.player in shared.remote) is remote else NOT_TO_MOVE
    if moves_there(match) is not remote:
        return NOT_TO_MOVE
    if isinstance(event, Corrected):
        changed = match.commit_of(event.event)
        if changed is not None and (changed.player in shared.remote) is remote:
            later = (turn for turn in match.history if turn.event > event.event and turn.standing == "stands")
            if any((turn.player in shared.remote) is not remote for turn in later):
                return ANSWERED
    return None


def position_digest(position: Position, *, finished: bool = False) -> str:
    """Return what two tables compare after every event: the digest of the position and of who is to move.

    ``finished``: whether the match ended without an end by the rules.
    """
    waits = position.awaits
    over = finished or position.outcome is not None
    stands = [position.to_json(), waits.kind, waits.player, over]
    return hashlib.sha256(json.dumps(stands, sort_keys=True).encode()).hexdigest()[:32]


class SharedLog:
    """The common events of one match, by their common numbers from 1. `follow` takes in what the match has since."""

    def __init__(self, match: Match) -> None:
        self.match_id = match.id
        self._read = 0
        self._numbers: list[int] = []
        self._common: dict[int, int] = {}
        self._events: list[dict[str, Any]] = []
        self._heads = [hashlib.sha256(b"").hexdigest()]
        self.follow(match)

    @property
    def count(self) -> int:
        """How many common events there are."""
        return len(self._events)

    def head(self, number: int) -> str:
        """Return the digest of the common events up to this number, 0 for none."""
        return self._heads[number]

    def after(self, number: int) -> list[dict[str, Any]]:
        """Return the common events after this number, as they go to the other table."""
        return self._events[number:]

    def local(self, number: int) -> int:
        """Return the number that a common event has in this table's journal.

        Raises:
            ValueError: there is no such event.
        """
        if not 0 < number <= len(self._numbers):
            raise ValueError(f"expected an event from 1 to {len(self._numbers)}, but got {number}")
        return self._numbers[number - 1]

    def follow(self, match: Match) -> None:
        """Take in the events that the match has had since."""
        for entry in match.entries[self._read :]:
            self._read = entry.number
            common = self._common_form(entry.event)
            if common is None:
                continue
            self._numbers.append(entry.number)
            self._events.append(common)
            self._common[entry.number] = len(self._events)
            text = json.dumps(common, sort_keys=True)
            self._heads.append(hashlib.sha256(f"{self._heads[-1]} {text}".encode()).hexdigest())

    def _common_form(self, event: Event) -> dict[str, Any] | None:
        """Return an event as both tables write it: without what only one of them saw; None for others."""
        if isinstance(event, Committed):
            return {
                "kind": event.kind,
                "player": event.player,
                "awaited": event.awaited,
                "move": dict(event.move),
                "by": event.by,
            }
        if isinstance(event, Corrected):
            numbers = {"event": self._common[event.event], "drops": [self._common[one] for one in event.drops]}
            return {**to_json(event), **numbers}
        return to_json(event) if isinstance(event, Finished) else None

    def read(self, common: Mapping[str, Any]) -> Committed | Corrected | Finished:
        """Return an event of the other table as this journal writes it.

        Raises:
            ValueError: it is no common event, or it changes an event that there is not.
        """
        event = from_json(common)
        if isinstance(event, Committed):
            event = replace(event, seen=0)  # nobody here has seen it
        if isinstance(event, Corrected):
            numbers = {"event": self.local(event.event), "drops": [self.local(one) for one in event.drops]}
            event = from_json({**common, **numbers})
        if not isinstance(event, SHARED):
            raise ValueError(f"expected a throw, a choice, a correction or an end, but got {event.kind!r}")  # noqa: TRY004  (of what came)
        return event
