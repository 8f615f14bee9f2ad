"""Combine several frames of one throw into one reading; the frames never count as independent evidence."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.data_file import data_of
from companion.vision.dice.answers import conclude
from companion.vision.dice.geometry import edge_length
from companion.vision.readings import DiceReading, ReadDie

TABLE: Final = "frame_errors.toml"
"""Measured correlation of the reader's errors in frames of one throw."""

SAME_DIE_RADIUS_EDGES: Final = 0.35
"""Two dice of different frames are the same die if their centres are at most this far apart, in edges."""

EQUAL_WITHIN: Final = 1e-4
"""Posteriors that differ by less count as equal."""

UNLISTED_CHANCE: Final = 1e-4
"""Chance of a face that a frame does not list."""


class NothingToCombineError(ValueError):
    """There is no reading to combine."""


def combine(readings: Sequence[DiceReading]) -> DiceReading:
    """Combine readings of several frames of one still interval, the newest last.

    The status of a die is `read` if its combined posterior is as high as in any frame that read it, and if no frame
    read another face. It is `ask` if no more than half of the frames show the die, or if they read different faces.
    The reading is `ask` if the frames show different numbers of dice, or if one of them asks although it reads every
    die that lies there, and nobody said how many there are. Places come from the newest frame. A die has a
    name only if most frames agree on it.

    Raises:
        NothingToCombineError: there are no readings.
    """
    if not readings:
        raise NothingToCombineError("Expected at least one reading to combine, but none was given.")
    newest = readings[-1]
    if len(readings) == 1:
        return newest
    dice = []
    for die in newest.dice:
        if die.status == "ignored":
            dice.append(die)
            continue
        alike = [one for other in readings[:-1] if (one := same_die(die, other)) is not None]
        # what was only set aside has no candidates; where no other frame has any for it, the question stays
        dice.append(_join(die, alike, len(readings)) if die.candidates or alike else die)
    counts = {sum(die.status != "ignored" for die in reading.dice) for reading in readings}
    if len(counts) > 1:
        dice = [replace(die, short=None) for die in dice]  # more than marks is in doubt
    joined = conclude(dice, newest.expected, frames=sum(reading.frames for reading in readings))
    if joined.status == "read" and len(counts) > 1:
        joined = replace(joined, status="ask", reason="The frames of this throw do not show the same number of dice.")
    short = [one.reason for one in readings if one.status == "ask" and all(die.status != "ask" for die in one.dice)]
    if joined.status == "read" and short and not newest.expected:
        joined = replace(joined, status="ask", reason=short[0])
    milliseconds = sum(reading.milliseconds for reading in readings)
    return replace(joined, milliseconds=milliseconds, drift=readings[-1].drift)


def effective_frames(frames: int, correlation: float | None = None) -> float:
    """Return the number of independent frames that carry as much evidence as ``frames`` frames of one throw.

    Frames share light, lens, die and corners, and differ in noise. If their errors have the correlation c, the mean of
    n frames varies like the mean of n / (1 + (n - 1) c) independent frames (Kish's design effect), and never like the
    mean of more than 1 / c. ``correlation``: by default the one measured for this reader, see `TABLE`.

    Raises:
        ValueError: there are no frames, or the correlation is not from 0 to 1.
    """
    shared = _correlation() if correlation is None else correlation
    if frames < 1 or not 0 <= shared <= 1:
        raise ValueError(f"Expected at least one frame and a correlation from 0 to 1, but got {frames} and {shared}.")
    return frames / (1 + (frames - 1) * shared)


def lies_at(die: ReadDie, other: ReadDie) -> bool:
    """Return whether two dice of different frames are the same one, by their places."""
    return _distance(die, other) <= SAME_DIE_RADIUS_EDGES * edge_length(np.array(die.polygon))


def same_die(die: ReadDie, reading: DiceReading) -> ReadDie | None:
    """Return the die at the same place in another frame."""
    near = [
        (_distance(die, other), i)
        for i, other in enumerate(reading.dice)
        if other.status != "ignored" and len(other.candidates) > 0 and lies_at(die, other)
    ]
    return reading.dice[min(near)[1]] if near else None


def _distance(die: ReadDie, other: ReadDie) -> float:
    return float(np.linalg.norm(np.mean(other.polygon, axis=0) - np.mean(die.polygon, axis=0)))


def _join(die: ReadDie, others: Sequence[ReadDie], frames: int) -> ReadDie:
    frames_of_die = [die, *others]
    bags: dict[str, str] = {}
    for reading in frames_of_die:
        for text, _ in reading.candidates:
            bags.setdefault(_bag(text), text)
    logs = np.array([[np.log(_chance(reading, bag)) for bag in bags] for reading in frames_of_die])
    evidence = logs.mean(axis=0) * effective_frames(len(frames_of_die))
    chances = np.exp(evidence - evidence.max())
    chances /= chances.sum()
    order = np.argsort(-chances)
    names = list(bags.values())
    candidates = tuple((names[i], float(chances[i])) for i in order)
    least = min((reading.confidence for reading in frames_of_die if reading.status == "read"), default=1.0)
    read = {_bag(reading.face or "") for reading in frames_of_die if reading.status == "read"}
    same = len({_bag(names[order[0]]), *(_bag(reading.face or "") for reading in frames_of_die)}) == 1
    reason = ""
    if len(frames_of_die) * 2 <= frames:
        same = False
        reason = "It is seen in few frames of this throw."
    elif len(read) > 1 or (read and _bag(candidates[0][0]) not in read):
        reason = "The frames of this throw show different letters."
    elif not read:
        reason = next((reading.reason for reading in frames_of_die if reading.reason), "Its letters are not clear.")
    elif candidates[0][1] < least - EQUAL_WITHIN:
        reason = "Its letters are not clear."
    return replace(
        die,
        die=_agreed([reading.die for reading in frames_of_die]),
        twin=die.twin if all(reading.twin == die.twin for reading in frames_of_die) else None,
        face=candidates[0][0],
        status="ask" if reason else "read",
        confidence=candidates[0][1],
        candidates=candidates,
        reason=reason,
        short=die.short if same and all(reading.short is not None for reading in frames_of_die) else None,
        # a frame that was read from memory may have decided
        remembered=not reason and any(reading.remembered for reading in frames_of_die),
    )


def _agreed(names: Sequence[str | None]) -> str | None:
    """Return the name on which more than half of the frames agree, or None."""
    name, count = Counter(names).most_common(1)[0]
    return name if 2 * count > len(names) else None


def _correlation() -> float:
    return float(data_of(__package__, TABLE)["correlation"])


def _bag(text: str) -> str:
    return "".join(sorted(text))


def _chance(reading: ReadDie, bag: str) -> float:
    return max(UNLISTED_CHANCE, sum(chance for text, chance in reading.candidates if _bag(text) == bag))
