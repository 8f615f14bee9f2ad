"""Seats of the open match that another table plays: sharing it, and taking in what that table did."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.desk.last_moves import last_moves
from companion.desk.table.match_desk import Desk
from companion.language.sentence import Sentence, player, why_of
from companion.referee.events import Committed, Corrected, Event, JointDice, MatchShared
from companion.referee.joint_dice import added_throw, commitment, joint_throw
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.referee.replay import Checked
from companion.referee.shared_log import (
    SharedLog,
    both_throw,
    position_digest,
    thrown_together,
    throws_unseen,
    waits_for_remote,
    why_not_shared,
)
from companion.rules.dice import ThrowError
from companion.rules.errors import GameError

OTHER_TABLE = "other_table"
"""The actor of what was done at the other table."""

LINE = "line"
"""The actor of a pause that begins with a lost line, and of its end."""


OTHER_RULES = Sentence("The other table has another version of these rules: bring both programs to the same version.")

THROW_WAITS = Sentence("This table has thrown: it counts as soon as the other table has thrown its dice too, unseen.")
PART_WAITS = Sentence("This table's part of the throw is made: it waits for that of the other table.")
OPENING_WAITS = Sentence("Both have thrown: the throw counts as soon as the other table opens its part.")


class NotFollowedError(ValueError):
    """What came from the other table does not follow from the match here; the text says why."""


@dataclass(frozen=True)
class CommonEvent:
    """The next common event as the other table sent it; ``position``: the digest of the position after it, if known."""

    number: int
    event: Mapping[str, Any]
    position: str = ""


def share(
    desk: Desk, name: str, remote: tuple[int, ...], actor: str, *, since: int | None = None, both_throw: bool = False
) -> None:
    """Let another table play these seats from now on, under a common ``name`` for the match.

    ``since``: how many common events one table made alone; by default all that there are. ``both_throw``: whether both
    tables throw real dice for each throw.

    Raises:
        RefusedError: no match can be shared now, or these are not some of its seats.
    """
    match = desk.require_match()
    if since is None:  # a match that another table shares begins with its history, whatever that waits for
        match.require_in_play()
    if match.started.sample:
        raise RefusedError(Sentence("This is a demonstration: begin a match of your own, then share it."))
    if match.shared is not None:
        raise RefusedError(Sentence("Another table plays this match with you already."))
    if match.question is not None or match.board.question is not None:
        raise RefusedError(Sentence("A question is open: answer it or dismiss it first."))
    check_remote(remote, len(match.started.players), match.started.programs)
    if both_throw and match.started.dice_by != "tapped":
        raise RefusedError(
            Sentence("Both tables can throw real dice only where the dice are tapped in: choose that for the match.")
        )
    count = SharedLog(match).count if since is None else since
    desk.record([MatchShared(name, tuple(sorted(set(remote))), count, both_throw)], actor)


def check_remote(remote: Collection[int], players: int, programs: Collection[int] = ()) -> None:
    """Check that these players of so many can sit at another table.

    Raises:
        RefusedError: nobody would sit at one of the two tables, or the program at the other one.
    """
    if not remote or not set(remote) < set(range(1, players + 1)) or set(remote) & set(programs):
        raise RefusedError(
            Sentence("Choose which players sit at the other table: at least one, not all, and not the program.")
        )


def end_sharing(desk: Desk, actor: str) -> None:
    """Let the match go on at this table alone.

    Raises:
        RefusedError: no other table plays it.
    """
    if desk.require_match().shared is None:
        raise RefusedError(Sentence("No other table plays this match with you."))
    desk.record([MatchShared("")], actor)


def take_in(desk: Desk, log: SharedLog, came: CommonEvent) -> None:
    """Write the next common event of the other table.

    Raises:
        NotFollowedError: it does not follow from the match here; nothing was written.
        UnwrittenError: the journal could not be written, and it may come again.
    """
    match = desk.require_match()
    assert match.shared is not None
    if came.number != log.count + 1:
        raise NotFollowedError(f"expected event {log.count + 1}, but got {came.number}")
    playing = replace(match, paused=False, question=None)
    try:
        event = log.read(came.event)
        if came.number > match.shared.since:
            _check(playing, event, came)
        checked: tuple[Checked, ...] = ()
        if isinstance(event, Committed):
            move = playing.position.move_from_json(dict(event.move))
            checked = playing.checked((move,), event.by)
            if (made := checked[0].event) != event:
                raise NotFollowedError(f"expected {made.awaited} of player {made.player}, but got {came.event}")
            # the dice on this table lie as before: no camera may take them for the throw
            event = replace(event, arrangement=tuple(die.to_json() for die in match.lying))
            checked = (replace(checked[0], event=event),)
            digest = position_digest(checked[0].after)
        else:
            if not isinstance(event, Corrected):
                playing.require_in_play()
            after = playing.after(replace(match.entries[-1], number=match.next_number, event=event))
            if after.misfit is not None:
                raise NotFollowedError(f"after event {came.number}, event {after.misfit} no longer fits the match")
            digest = position_digest(after.position, finished=after.finished is not None)
    except (RefusedError, GameError, ThrowError, KeyError, ValueError, TypeError) as error:
        raise NotFollowedError(str(why_of(error) if isinstance(error, RefusedError) else error)) from error
    if came.position and digest != came.position:
        raise NotFollowedError(f"event {came.number} leads to another position here")
    desk.record([event], OTHER_TABLE, checked, remote=True)


def _check(match: Match, event: Event, came: CommonEvent) -> None:
    """Check that the other table may write this now, and that a throw of both is the one that both made.

    Raises:
        NotFollowedError: it may not.
    """
    if (why := why_not_shared(match, event, remote=True)) is not None:
        raise NotFollowedError(str(why))
    if not both_throw(match):
        return
    if not isinstance(event, Committed) or event.awaited == "choice":
        return
    if (owed := match.owed_throw) is not None and owed.to_json() == event.move:
        return
    joint = match.joint
    fixed = joint is not None and joint.number == came.number and joint.opening and joint.share
    if joint is None or not fixed or event.move != joint_move(match, joint):
        raise NotFollowedError("the dice are not those that both tables threw")


def joint_move(match: Match, joint: JointDice) -> Mapping[str, Any]:
    """Return the throw that both tables made.

    Raises:
        ThrowError, ValueError: the awaited set has no such dice, or what was opened is not about them.
    """
    assert match.shared is not None
    name = match.position.awaits.dice_sets[0]
    real = match.shared.both_throw
    return (added_throw(joint, name) if real else joint_throw(match.shared.match, joint, name)).to_json()


def opens(match: Match, joint: JointDice, opening: str) -> bool:
    """Whether this is the opening that the other table committed itself to."""
    return match.shared is not None and commitment(match.shared.match, joint.number, opening) == joint.commitment


def awaited_there(match: Match, *, asked: bool) -> Sentence | None:
    """Return what a shared match waits for at the other table, None where people at this one are to act.

    ``asked``: whether this table has made its part of a throw of both.
    """
    if match.shared is None or match.over or match.misfit is not None or throws_unseen(match):
        return None
    waits = match.position.awaits
    if waits_for_remote(match):
        who = player(waits.player)
        if waits.kind == "choice":
            return Sentence("{player} is to move, at the other table.", player=who)
        return Sentence("{player} is to throw, at the other table.", player=who)
    if match.joint is not None and thrown_together(match):
        return OPENING_WAITS
    if not asked or not thrown_together(match):
        return None
    return THROW_WAITS if match.shared.both_throw else PART_WAITS


def moved_there(match: Match) -> Sentence | None:
    """Return that people move the men at this table as the other one did, None where nothing was moved there last.

    A camera that follows the men says itself which of them.
    """
    if match.shared is None or match.over or match.started.men_by == "camera" or not match.game.board.sites:
        return None
    last = last_moves(match)
    if match.game.board.holds_tokens or not last or last[0].player not in match.shared.remote:
        return None
    return Sentence("Move the men here too, as {player} did at the other table.", player=player(last[0].player))
