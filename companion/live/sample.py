"""The sample table: frames that were made beforehand go the way of a camera's, and the match that they belong to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.live.board_finding import BoardFinding
from companion.live.desk import PROGRAM, Desk
from companion.referee.events import BoardSeated, Committed, DiceBy, MenBy, Rejected
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.sentence import Sentence
from companion.vision.sources import ScriptedSource, UnknownSourceError, open_sample
from companion.vision.sources.scripted import SAMPLES


@dataclass(frozen=True)
class Sample:
    """A sample table: its frames and how its match is begun.

    ``board``: the board whose men the frames show, "" where they show dice. Those of a board show none: its ``throws``
    come from the script, and so does its ``seating``, for many a start looks alike from two sides.
    """

    name: str
    source: ScriptedSource
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    board: str = ""
    throws: tuple[Throw, ...] = ()
    seating: Mapping[str, Any] | None = None

    @classmethod
    def open(cls, name: str, pace: float) -> "Sample":
        """Open the sample table of this name, played at ``pace`` times its own speed.

        Raises:
            UnknownSourceError: it is not here, or its script does not say which match it is.
        """
        source = open_sample(name, pace=pace)
        script = SAMPLES / name / "script.json"
        match json.loads(script.read_text(encoding="utf-8")):
            case {"game": str(game), "players": list(players), "options": dict(options), **more}:
                rows: Any = more.get("throws", ())
                throws = tuple(Throw.of(str(more["dice_set"]), dict(faces)) for faces in rows)
                names = tuple(str(player) for player in players)
                seating: Any = more.get("seating")
                return cls(name, source, game, names, options, str(more.get("board", "")), throws, seating)
        raise UnknownSourceError(
            Sentence(
                "Expected {path} to say which match it plays under match: make the sample again.", path=str(script)
            )
        )

    def follow(self, match: Match | None, going: int) -> None:
        """Let the script go no faster than the referee: ``going`` choices of a turn on a board were seen so far."""
        if match is None or match.over or match.started.sample != self.name or not self.plays(match):
            self.source.follow(None)
        else:
            self.source.follow(_made(match) + going if self.board else _casts(match))

    def go_on(self, *, waits: bool) -> None:
        """Play on, or stay at the dice on show while they wait for somebody to say what they are."""
        if waits:
            self.source.hold()
        else:
            self.source.release()

    @property
    def dice_by(self) -> DiceBy:
        """Who throws the dice of this match."""
        return "program" if self.board else "camera"

    @property
    def men_by(self) -> MenBy:
        """Who moves its men."""
        return "camera" if self.board else "tapped"

    def begin(self, desk: Desk) -> None:
        """Begin the match of this table."""
        desk.begin(self.game, self.players, self.options, self.dice_by, PROGRAM, sample=self.name, men_by=self.men_by)
        self.seat(desk)

    def seat(self, desk: Desk) -> None:
        """Say how the board lies, as players would have told."""
        if self.seating is not None and desk.insist().board.seating is None:
            desk.record([BoardSeated(dict(self.seating))], PROGRAM)

    def throw_next(self, desk: Desk, finding: BoardFinding | None) -> None:
        """Throw what the script has next, where its pictures show no dice: once the men stand as agreed.

        Also where they do not: on a slow machine the script may have moved a man before the first throw was made.
        """
        if desk.match is None or finding is None or finding.kind not in ("agrees", "mismatch"):
            return
        throw = self.throw(desk.match)
        if throw is not None:
            desk.play(throw, "program", PROGRAM)

    def plays(self, match: Match) -> bool:
        """Whether the frames go with this match."""
        return (match.started.men_by if self.board else match.started.dice_by) == "camera"

    def throw(self, match: Match) -> Throw | None:
        """Return the throw of the script that this match waits for, None if for none or if the script has no more."""
        if match.started.sample != self.name or match.paused or match.over or match.position.awaits.kind != "throw":
            return None
        thrown = sum(turn.standing == "stands" and turn.kind == "throw" for turn in match.history)
        throw = self.throws[thrown] if thrown < len(self.throws) else None
        return throw if throw is not None and match.position.why_not(throw) is None else None

    def skip(self, match: Match) -> None:
        """Go to where the next cast of this match is played: after those that were committed or put aside.

        On a board: to where the men stand as the choices have left them.
        """
        if self.board:
            self.source.skip_to(_made(match))
            return
        self.source.skip(_casts(match))


def _made(match: Match) -> int:
    """Return how many choices stand."""
    return sum(turn.standing == "stands" and turn.kind == "choice" for turn in match.history)


def _casts(match: Match) -> int:
    """Return how many casts were committed or put aside."""
    return sum(isinstance(entry.event, Rejected | Committed) for entry in match.entries)
