"""The sample table: prepared frames take the place of a camera's, as its script says, and the program answers there."""

import json
import logging

from companion.desk.page.table import FeatureParts
from companion.desk.table.demonstration import Demonstration, untouched
from companion.desk.table.sample_script import script_of
from companion.language.sentence import Sentence
from companion.live.following import Follower, MatchNow, OpenTable
from companion.referee.match import Match
from companion.vision.sources.scripted import SAMPLES, open_sample
from companion.vision.sources.source import UnknownSourceError

log = logging.getLogger(__name__)


class Sample(Follower):
    """Plays the frames of a sample table in step with its match, and the person at that table."""

    def __init__(self, name: str, pace: float) -> None:
        """Open the sample table of this name, played at ``pace`` times its own speed.

        Raises:
            UnknownSourceError: it is not here, or its script does not say which match it is.
        """
        self.source = open_sample(name, pace=pace)
        path = SAMPLES / name / "script.json"
        script = script_of(name, json.loads(path.read_text(encoding="utf-8")))
        if script is None:
            raise UnknownSourceError(
                Sentence(
                    "Expected {path} to say which match it plays under match: make the sample again.", path=str(path)
                )
            )
        self.script = script
        self._demonstration = Demonstration(script, self.source.pace)
        self._opens = False  # whether the program has just begun the match

    def open(self, table: OpenTable) -> None:
        """Go on with the sample's match, or begin it."""
        super().open(table)
        table.desk.scripted = self.script.throw
        match = table.desk.match
        if match is not None and match.started.sample == self.script.name:
            self._skip(match)
        else:
            self.script.begin(table.desk)
            self._opens = not self.script.board

    def begin(self, match: Match | None) -> None:
        """Show the frames where this match stands, if it is the sample's."""
        if match is not None and self.script.plays(match):
            self._skip(match)
            self.script.seat(self._table.desk)
            self._table.forget_dice()  # what lies there belongs to where the script was before
            if self._opens:
                self.source.skip_to_throw()  # whoever has started the program waits for a throw, not for a hand
                self._opens = False

    def due(self, now: float) -> float | None:
        """Return in how many seconds the person at the table acts."""
        return self._demonstration.wait(now)

    def go_on(self, now: float) -> None:
        """Let the person do what is due; a match that nobody else took part in is not kept."""
        before = self._table.desk.match
        due = self._demonstration.due(before, now, self.source.step.made)
        if due is None:
            return
        reply = self._table.command(due.name, due.data, due.actor)
        if reply.ok and before is not None and due.name == "reset" and untouched(before):
            lines = self._table.desk.journal.matches()
            last_hash = next(line.last_hash for line in lines if line.id == before.id)
            reply = self._table.command("delete_match", {"match": before.id, "last_hash": last_hash}, due.actor)
        if not reply.ok:
            log.warning("the demonstration could not go on: %s", reply.sentence)

    def publish(self, now: MatchNow) -> FeatureParts:
        """Go no faster than the referee, and stay at the current picture while the referee waits."""
        match = now.match
        if match is None or match.over or not self.script.plays(match):
            self.source.follow(None)
        else:
            going = now.finding.going if self.script.board and now.finding is not None else 0
            self.source.follow(self.script.reached(match) + going)
        if self.script.stays(match, now.state):
            self.source.hold()
        else:
            self.source.release()
        self._demonstration.see(match, now.state, now.time)
        return {"demonstration": self._demonstration.shown(match)}

    def _skip(self, match: Match) -> None:
        """Go to where the next cast of this match is played: after those that were committed or put aside.

        On a board: go to where the men stand as the choices have left them.
        """
        (self.source.skip_to if self.script.board else self.source.skip)(self.script.reached(match))
