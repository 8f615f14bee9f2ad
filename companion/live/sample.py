"""The sample table: frames that were made beforehand go the way of a camera's, and the match that they belong to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.referee.events import Committed, Event, Rejected
from companion.referee.match import Match
from companion.rules.sentence import Sentence
from companion.vision.sources import ScriptedSource, UnknownSourceError, open_sample
from companion.vision.sources.scripted import SAMPLES


@dataclass(frozen=True)
class Sample:
    """A sample table: its frames and how its match is begun."""

    name: str
    source: ScriptedSource
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]

    @classmethod
    def open(cls, name: str, pace: float) -> "Sample":
        """Open the sample table of this name, played at ``pace`` times its own speed.

        Raises:
            UnknownSourceError: it is not here, or its script does not say which match it is.
        """
        source = open_sample(name, pace=pace)
        script = SAMPLES / name / "script.json"
        match json.loads(script.read_text(encoding="utf-8")):
            case {"game": str(game), "players": list(players), "options": dict(options)}:
                return cls(name, source, game, tuple(str(player) for player in players), options)
        raise UnknownSourceError(
            Sentence(
                "Expected {path} to say which match it plays under match: make the sample again.", path=str(script)
            )
        )

    def go_on(self, *, waits: bool) -> None:
        """Play on, or stay at the dice on show while they wait for somebody to say what they are."""
        if waits:
            self.source.hold()
        else:
            self.source.release()

    def skip(self, match: Match) -> None:
        """Go to where the next cast of this match is played: after those that were committed or put aside."""
        self.source.skip(sum(_is_cast(entry.event) for entry in match.entries))


def _is_cast(event: Event) -> bool:
    return isinstance(event, Rejected | Committed)
