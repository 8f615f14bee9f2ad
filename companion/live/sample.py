"""The sample table: prepared frames take the place of a camera's, as its script says."""

import json
from dataclasses import dataclass

from companion.desk.shapes.common import State
from companion.desk.table.sample_script import SampleScript, script_of
from companion.language.sentence import Sentence
from companion.referee.match import Match
from companion.vision.sources import ScriptedSource, UnknownSourceError, open_sample
from companion.vision.sources.scripted import SAMPLES


@dataclass(frozen=True)
class Sample:
    """The frames of a sample table, played in step with its match."""

    script: SampleScript
    source: ScriptedSource

    @classmethod
    def open(cls, name: str, pace: float) -> "Sample":
        """Open the sample table of this name, played at ``pace`` times its own speed.

        Raises:
            UnknownSourceError: it is not here, or its script does not say which match it is.
        """
        source = open_sample(name, pace=pace)
        path = SAMPLES / name / "script.json"
        script = script_of(name, json.loads(path.read_text(encoding="utf-8")))
        if script is None:
            raise UnknownSourceError(
                Sentence(
                    "Expected {path} to say which match it plays under match: make the sample again.", path=str(path)
                )
            )
        return cls(script, source)

    @property
    def made(self) -> int:
        """How many choices were made in the current picture."""
        return self.source.step.made

    def keep_step(self, match: Match | None, state: State, going: int) -> None:
        """Go no faster than the referee, and stay at the current picture while the referee waits.

        ``going``: how many choices of a turn on a board were seen so far.
        """
        if match is None or match.over or not self.script.plays(match):
            self.source.follow(None)
        else:
            self.source.follow(self.script.reached(match) + (going if self.script.board else 0))
        if self.script.stays(match, state):
            self.source.hold()
        else:
            self.source.release()

    def skip(self, match: Match) -> None:
        """Go to where the next cast of this match is played: after those that were committed or put aside.

        On a board: go to where the men stand as the choices have left them.
        """
        (self.source.skip_to if self.script.board else self.source.skip)(self.script.reached(match))
