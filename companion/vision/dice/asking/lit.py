"""Join views of one throw under different light: what a single view leaves in doubt, views that agree may settle.

Frames in one light err together (`combine`). Under another light a mark casts another shadow, so looks that err do not
err alike: where they agree, each of them may be less sure than a single view must be.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.data_file import data_of
from companion.vision.dice.answers import conclude
from companion.vision.dice.combine import lies_at, same_die
from companion.vision.dice.decode import bag_of
from companion.vision.readings import DiceReading, ReadDie

TABLE: Final = "lit.toml"
"""How much the views together may miss what one view is read at, chosen on drawn dice."""

DISAGREE: Final = "It looks different under each lamp."


def join_lit(first: DiceReading, lit: Sequence[DiceReading], most: float | None = None) -> DiceReading:
    """Join a reading in the usual light with readings of the same dice, each with another lamp alone.

    A die that ``first`` asks about only because of its marks is read if all views show the same text, and if the views
    under the lamps together miss what one view is read at by no more than ``most`` (log odds; by default the chosen
    limit). Where the views show different texts, or one of them lacks the die, it stays a question. A die that the
    first view reads becomes a question if another view reads another text.

    A die that ``first`` lacks is taken from the views under the lamps if each of them alone reads the whole throw, and
    all alike. Nothing else changes: what is asked about for another reason than marks stays a question.
    """
    limit = _most() if most is None else most
    dice = [_joined(die, [same_die(die, reading) for reading in lit], limit) for die in first.dice]
    if conclude(dice, first.expected).status != "read":
        dice = _whole(dice, lit) or dice
    joined = conclude(dice, first.expected, frames=first.frames + sum(reading.frames for reading in lit))
    milliseconds = first.milliseconds + sum(reading.milliseconds for reading in lit)
    return replace(joined, milliseconds=milliseconds, drift=first.drift)


def _joined(die: ReadDie, readings: Sequence[ReadDie | None], most: float) -> ReadDie:
    if die.status == "ignored":
        return die
    seen = [reading for reading in readings if reading is not None]
    if die.status == "read":
        contradicted = any(reading.status == "read" and not _alike(reading, die) for reading in seen)
        return replace(die, status="ask", reason=DISAGREE, remembered=False) if contradicted else die
    if die.short is None or len(seen) < len(readings) or not seen:
        return die
    if not all(_alike(reading, die) for reading in seen):
        return replace(die, reason=DISAGREE)
    missed = [reading.short for reading in seen if reading.short is not None]
    if len(missed) < len(seen) or sum(missed) > most:
        return die
    return replace(die, status="read", reason="", remembered=True)  # too unsure to teach the table anything


def _whole(dice: Sequence[ReadDie], lit: Sequence[DiceReading]) -> list[ReadDie]:
    """Return the dice with those that only the views under the lamps have; none where these do not allow that."""
    if not lit or not all(reading.expected and reading.status == "read" for reading in lit):
        return []
    added = []
    for die in (one for one in lit[0].dice if one.status != "ignored"):
        others = [same_die(die, reading) for reading in lit[1:]]
        if not all(other is not None and _alike(other, die) and other.die == die.die for other in others):
            return []
        if not any(lies_at(die, one) for one in dice if one.status != "ignored"):
            added.append(replace(die, remembered=True))
    return [*dice, *added]


def _alike(one: ReadDie, other: ReadDie) -> bool:
    return one.face is not None and other.face is not None and bag_of(one.face) == bag_of(other.face)


def _most() -> float:
    return float(data_of(__package__, TABLE)["most"])
