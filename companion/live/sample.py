"""The sample table: frames that were made beforehand go the way of a camera's, and the match that they belong to."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.desk.table.match_desk import PROGRAM, Desk
from companion.language.sentence import Sentence
from companion.referee.board_record import BoardQuestion
from companion.referee.events import BoardSeated, Committed, DiceBy, MenBy, Rejected
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game as game_of
from companion.vision.sources import ScriptedSource, UnknownSourceError, open_sample
from companion.vision.sources.scripted import SAMPLES


@dataclass(frozen=True)
class Sample:
    """A sample table: its frames and how its match is begun.

    ``board``: the board whose men the frames show, "" where they show dice. Those of a board show none: its ``throws``
    come from the script, and so does its ``seating``, for many a start looks alike from two sides.
    ``casts``, ``choices``: what truly lies there or was played, as somebody who sits at the table would say it.
    """

    name: str
    source: ScriptedSource
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    board: str = ""
    throws: tuple[Throw, ...] = ()
    seating: Mapping[str, Any] | None = None
    casts: tuple[Mapping[str, Any], ...] = ()
    choices: tuple[str, ...] = ()

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
                casts: Any = more.get("casts", ())
                choices: Any = more.get("choices", ())
                board = str(more.get("board", ""))
                return cls(
                    name, source, game, names, options, board, throws, seating, tuple(casts), tuple(map(str, choices))
                )
        raise UnknownSourceError(
            Sentence(
                "Expected {path} to say which match it plays under match: make the sample again.", path=str(script)
            )
        )

    def follow(self, match: Match | None, going: int) -> None:
        """Let the script go no faster than the referee: ``going`` choices of a turn on a board were seen so far."""
        if match is None or match.over or not self.plays(match):
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
        if self.seating is not None and desk.require_match().board.seating is None:
            desk.record([BoardSeated(dict(self.seating))], PROGRAM)

    def plays(self, match: Match) -> bool:
        """Whether the frames go with this match: it is this sample's own, and left to its camera."""
        by = match.started.men_by if self.board else match.started.dice_by
        return match.started.sample == self.name and by == "camera"

    def throw(self, match: Match) -> Throw | None:
        """Return the throw of the script that this match waits for, None if for none or if the script has no more."""
        if not self.board or not self.plays(match) or match.paused or match.over:
            return None
        if match.position.awaits.kind != "throw":
            return None
        thrown = sum(turn.standing == "stands" and turn.kind == "throw" for turn in match.history)
        throw = self.throws[thrown] if thrown < len(self.throws) else None
        return throw if throw is not None and match.position.why_not(throw) is None else None

    def answer(self, match: Match) -> tuple[str, dict[str, Any]]:
        """Return the command by which somebody at the table says what lies there or was played.

        Where the match has left the script, so that this would not fit, a question is put aside.
        """
        if match.board.question is not None:
            return self._answer_board(match, match.board.question)
        cast = self.casts[min(_casts(match), len(self.casts) - 1)]
        throw, faces = Throw.of(match.position.awaits.dice_sets[0], dict(cast["faces"])), dict(cast["faces"])
        if match.question is None:
            return "throw", {"faces": faces}
        if match.position.why_not(throw) is not None:
            return "dismiss", {"ask": match.question.number}
        return "answer", {"ask": match.question.number, "faces": faces}

    def _answer_board(self, match: Match, question: BoardQuestion) -> tuple[str, dict[str, Any]]:
        asked, true = question.asked, self._stands(self.source.step.made)
        for number, candidate in enumerate(asked.candidates):
            if asked.about == "seating" and candidate["seating"] == self.seating:
                return "answer_board", {"ask": question.number, "candidate": number}
            if asked.about == "play" and _after(match.position, candidate["moves"]) == true:
                return "answer_board", {"ask": question.number, "candidate": number}
        if asked.about == "men" and match.position.occupancy() == true:
            return "answer_board", {"ask": question.number, "candidate": 0}
        return "dismiss_board", {"ask": question.number}

    def _stands(self, made: int) -> Mapping[str, Any]:
        """Return how the men truly stand after so many choices of the script."""
        position, throws = game_of(self.game).start(len(self.players), **self.options), iter(self.throws)
        for choice in self.choices[:made]:
            if position.awaits.kind == "throw":
                position = position.after(next(throws))
            position = position.after(position.parse(choice))
        return position.occupancy()

    def skip(self, match: Match) -> None:
        """Go to where the next cast of this match is played: after those that were committed or put aside.

        On a board: to where the men stand as the choices have left them.
        """
        if self.board:
            self.source.skip_to(_made(match))
            return
        self.source.skip(_casts(match))


def _after(position: Position, moves: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    for move in moves:
        position = position.after(position.move_from_json(dict(move)))
    return position.occupancy()


def _made(match: Match) -> int:
    """Return how many choices stand."""
    return sum(turn.standing == "stands" and turn.kind == "choice" for turn in match.history)


def _casts(match: Match) -> int:
    """Return how many casts were committed or put aside."""
    return sum(isinstance(entry.event, Rejected | Committed) for entry in match.entries)
