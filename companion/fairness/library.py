"""A report on a die in one call, for notebooks and other programs: throws in, verdict out."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from companion.fairness.account import CountedThrow, DieAccount, counts_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.report.contents import Report, report_of
from companion.fairness.stakes import stakes_for
from companion.fairness.tables.faces import Faces
from companion.rules.dice import ThrowError, find_dice_set
from companion.rules.die import Die


def report_on(
    throws: Iterable[object],
    die: str = "pips",
    *,
    fear: str = "",
    smallest: float | None = None,
    sessions: Sequence[str] = (),
    name: str = "",
) -> Report:
    """Judge the throws of one die in their order.

    ``throws``: what it showed, as on its faces (numbers or texts); None, "?" or "" for a throw that was not read.
    ``die``: SET or SET/DIE as for the commands. ``fear``: what was feared of it before the first throw, one of
    `companion.fairness.stakes.FEARS`. ``smallest``: the bias that matters, as a difference of chances. ``sessions``:
    of each throw the session, if there were several.

    Raises:
        ValueError: there is no such die, it cannot have what is feared of it, or it has no such face.
    """
    set_name, of = die_called(die)
    outcomes = outcomes_of(of)
    faces, counted = Faces(outcomes), []
    for number, thrown in enumerate(throws, 1):
        written = "" if thrown is None else str(thrown)
        place = faces.place(written)
        if place is None and not faces.unread(written):
            known = ", ".join(outcomes.labels)
            raise ValueError(f"Expected one of the faces {known} as throw {number}, but got {written!r:.40}.")
        counted.append(CountedThrow(number, place, "file", session=sessions[number - 1] if sessions else ""))
    if sessions and len(sessions) != len(counted):
        raise ValueError(f"Expected the session of each of {len(counted)} throws, but got {len(sessions)}.")
    return report_of(
        DieAccount(
            name or of.name,
            set_name,
            of,
            outcomes,
            counts_of(counted, outcomes),
            counted,
            smallest=smallest,
            stakes=stakes_for(fear, outcomes),
            made=datetime.now().astimezone().date().isoformat(),
        )
    )


def die_called(which: str) -> tuple[str, Die]:
    """Return a die and the name of its set; ``which``: SET or SET/DIE, where SET may be a file.

    Raises:
        ThrowError: the dice of the set differ, and it is not said which one.
        UnknownDiceSetError, DiceSetFileError: there is no such set or die.
    """
    name, which_die = set_and_die(which)
    dice = find_dice_set(name)
    if not which_die and not dice.alike and len(dice.dice) > 1:
        named = ", ".join(f"{name}/{one.name}" for one in dice.dice)
        raise ThrowError(f"The dice of the set {name} differ: say which one, {named}.")
    return name, dice.die(which_die) if which_die else dice.dice[0]


def set_and_die(which: str) -> tuple[str, str]:
    """Return the set and the die that SET[/DIE] names; without a die the second is empty."""
    if Path(which).exists():
        return which, ""
    name, _, die = which.rpartition("/")
    if name and Path(name).is_file():
        return name, die
    name, _, die = which.partition("/")
    return name, die
