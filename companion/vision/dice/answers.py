"""Build the reader's answer for each die it found, and for the whole throw."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.language.sentence import Sentence, SentenceText
from companion.vision.dice.geometry import Points
from companion.vision.readings import DiceReading, Kind, ReadDie, Status

SPOILT: Final = ("Its marks are too small in the picture.", "Its marks cannot be read.", "Its edges are not clear.")
"""What stands against reading a face by itself, whatever its marks look like."""

NOT_CLEAR: Final = "Its marks are not clear."
NOT_UPPER: Final = "It may be another face of a die than the upper one, or a part of one."

UNREAD: Final = "It came to lie there, but does not look like a face of these dice."

LEAST_CHANCE: Final = 0.0005
"""`Answers.die` drops candidates with a smaller chance."""


@dataclass(frozen=True)
class Answers:
    """Turns findings into dice of one set."""

    set_name: str
    kind: Kind

    def die(
        self,
        die: str | None,
        candidates: Sequence[tuple[str, float]],
        corners: Points,
        reason: str,
        *,
        remembered: bool = False,
        short: float | None = None,
    ) -> ReadDie:
        """Return a die with status `read`, or `ask` if there is a reason, without rare candidates.

        ``remembered``, ``short``: see `ReadDie`.
        """
        likely = tuple(pair for pair in candidates if pair[1] >= LEAST_CHANCE) or tuple(candidates[:1])
        status: Status = "ask" if reason else "read"
        return ReadDie(
            self.set_name,
            die,
            likely[0][0],
            status,
            likely[0][1],
            likely,
            _plain(corners),
            reason,
            self.kind,
            remembered=remembered and not reason,
            short=short,
        )

    def ignored(self, corners: Points, reason: str) -> ReadDie:
        """Return an ignored object: it is no die of this throw."""
        return ReadDie(self.set_name, None, None, "ignored", 0.0, (), _plain(corners), reason, self.kind)


def conclude(
    dice: Sequence[ReadDie], expected: tuple[str, ...], frames: int = 1, *, before: int | None = None
) -> DiceReading:
    """Return the reading of a whole throw: `read` only if every expected die is (without ``expected``: every die).

    ``before``: how many dice were thrown before, where that is known and nothing else says how many there are.
    """
    there = [die for die in dice if die.status != "ignored"]
    asked = next((die.reason for die in there if die.reason), "")
    if not there:
        return DiceReading(
            tuple(dice), "ignored", SentenceText(Sentence("The camera sees no dice.")), frames=frames, expected=expected
        )
    if expected and len(there) != len(expected):
        reason = f"{len(there)} dice are seen, but {len(expected)} are expected."
        return DiceReading(tuple(dice), "ask", reason, frames=frames, expected=expected)
    read = sorted(die.die or "" for die in there if die.status == "read")
    if asked or (expected and read != sorted(expected)):
        reason = asked or "Two dice cannot be told apart."
        return DiceReading(tuple(dice), "ask", reason, frames=frames, expected=expected)
    if before is not None and not expected and len(there) < before:
        fewer = Sentence(
            "Fewer dice are read ({seen}) than were thrown before ({before}): is one hidden?",
            seen=len(there),
            before=before,
        )
        return DiceReading(tuple(dice), "ask", SentenceText(fewer), frames=frames)
    return DiceReading(tuple(dice), "read", frames=frames, expected=expected)


def with_unread(reading: DiceReading, set_name: str, outlines: Sequence[Points]) -> DiceReading:
    """Return a reading that also asks about things that came to lie there and were not read, by their outlines."""
    if not outlines:
        return reading
    unread = [ReadDie(set_name, None, None, "ask", 0.0, (), _plain(corners), UNREAD) for corners in outlines]
    joined = conclude([*reading.dice, *unread], reading.expected, frames=reading.frames)
    return replace(joined, milliseconds=reading.milliseconds, stages=reading.stages, drift=reading.drift)


def _plain(corners: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in corners)
