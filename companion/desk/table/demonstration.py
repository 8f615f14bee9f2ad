"""The demonstration at a sample table: what the person at its table does, and when it begins again.

Nobody sits at a sample table, yet it must never wait forever. So the program plays a person, with commands like those
of a page, through the one writer and into the journal. Each comes after a delay, in which a visitor may act first.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from companion.desk.shapes.common import State
from companion.desk.shapes.table import DemonstrationShape
from companion.desk.table.match_desk import PROGRAM
from companion.desk.table.sample_script import SampleScript
from companion.language.sentence import Sentence
from companion.referee.events import Committed
from companion.referee.match import Match

SAMPLE_PERSON: Final = "sample"
"""The actor of what the person at the sample's table says."""

Stage = Literal["asked", "throw", "over", "astray", "playing"]

DELAYS: Final[dict[Stage, float]] = {"asked": 6.0, "throw": 4.0, "over": 20.0, "astray": 15.0, "playing": 120.0}
"""Seconds, at the sample's own pace, before the demonstration acts in each stage.

The throw leaves time to read the verdict before it. The end leaves time to look at the board. Nobody can put a board
right that does not fit the match, as after a visitor's own move; and if nothing happens during the delay of
``playing``, which a faster pace does not shorten, something has failed. In both cases the demonstration begins again.
"""

ASKED: Final = Sentence(
    "This is a demonstration: in a few seconds the person at the sample's table answers. You may answer first."
)
ANSWERED: Final = Sentence("This was answered by the person at the sample's table.")
ASTRAY: Final = Sentence("The sample's pictures no longer fit this match: the demonstration starts again in a moment.")
OVER: Final = Sentence("It starts again in a moment. Or play a match of your own: you need no camera.")


@dataclass(frozen=True)
class DueCommand:
    """A command of the table that is due: its name, its data, and its actor."""

    name: str
    data: dict[str, Any]
    actor: str = SAMPLE_PERSON


class Demonstration:
    """Plays the person at a sample's table. Only the writer uses it. Times are of the monotonic clock, in seconds."""

    def __init__(self, script: SampleScript, pace: float) -> None:
        """``pace``: the speed of the sample, as a multiple of its own."""
        self._script = script
        self._pace = pace
        self._moment: tuple[int, int, Stage] | None = None  # the match, the number of its events, and its stage
        self._since = self._happened = 0.0  # when that stage began, and when the last event came

    def see(self, match: Match | None, state: State, now: float) -> None:
        """Note the state of the match; every event begins a new stage."""
        moment = None
        if match is not None and self._script.plays(match) and (match.over or not match.paused):
            moment = (match.id, len(match.entries), self._stage(match, state))
        if moment == self._moment:
            return
        if moment is None or self._moment is None or moment[:2] != self._moment[:2]:
            self._happened = now
        self._moment, self._since = moment, now

    def wait(self, now: float) -> float | None:
        """Return the seconds until a command is due, 0 if one is, None while none will be."""
        if self._moment is None:
            return None
        due = self._stalled_at()
        if self._moment[2] != "playing":
            due = min(due, self._since + DELAYS[self._moment[2]] / self._pace)
        return max(0.0, due - now)

    def _stalled_at(self) -> float:
        """Return when the demonstration counts as stalled; a faster sample does not make the machine faster."""
        return self._happened + DELAYS["playing"] / min(1.0, self._pace)

    def due(self, match: Match | None, now: float, made: int) -> DueCommand | None:
        """Return the command that is due now; it is not due again before the same time has passed.

        ``made``: the number of choices made in what the sample shows now.
        """
        if self._moment is None or match is None or self._moment[:2] != (match.id, len(match.entries)):
            return None
        if self.wait(now) != 0.0:
            return None
        stalled = now >= self._stalled_at()
        self._since = now
        self._happened = now if stalled else self._happened
        return self._command(match, "playing" if stalled else self._moment[2], made)

    def shown(self, match: Match | None) -> DemonstrationShape | None:
        """Return what the page says about the demonstration, None where there is nothing to say."""
        if self._moment is None or match is None:
            return None
        kind, sentence = self._message(match, self._moment[2])
        return None if sentence is None else {"kind": kind, "sentence": sentence.to_json()}

    def _stage(self, match: Match, state: State) -> Stage:
        if match.over:
            return "over"
        if match.question is not None or match.board.question is not None:
            return "asked"
        if self._script.throw(match) is not None:
            return "throw"
        if state == "MISMATCH":
            return "astray" if self._script.board else "asked"
        return "playing"

    def _command(self, match: Match, stage: Stage, made: int) -> DueCommand:
        if stage == "throw":
            return DueCommand("roll", {}, PROGRAM)
        if stage == "asked":
            return DueCommand(*self._script.answer(match, made))
        return DueCommand("reset", {})

    def _message(self, match: Match, stage: Stage) -> tuple[str, Sentence | None]:
        if stage == "over":
            return "over", OVER
        if stage == "astray":
            return "astray", ASTRAY
        if stage == "asked":
            return "asked", ASKED
        last = next((entry for entry in reversed(match.entries) if isinstance(entry.event, Committed)), None)
        return "answered", ANSWERED if last is not None and last.actor == SAMPLE_PERSON else None


def untouched(match: Match) -> bool:
    """Whether only the program and the person at the sample's table took part in a sample's match."""
    return bool(match.started.sample) and all(entry.actor in (PROGRAM, SAMPLE_PERSON) for entry in match.entries)
