"""The script of a sample table: the match that its frames belong to, and what they really show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.desk.shapes.common import State
from companion.desk.table.match_desk import PROGRAM, Desk
from companion.referee.board_record import BoardQuestion
from companion.referee.events import BoardSeated, Committed, DiceBy, MenBy, Rejected
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.registry import game as game_of


@dataclass(frozen=True)
class SampleScript:
    """What a sample table plays: how its match begins, and what its frames really show.

    ``board``: the board whose men the frames show, "" where they show dice. Frames of a board show no dice, so
    ``throws`` come from the script; so does ``seating``, because many a start looks the same from two sides. ``casts``,
    ``choices``: what really lies there or was played, as somebody at the table would say it.
    """

    name: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    board: str = ""
    throws: tuple[Throw, ...] = ()
    seating: Mapping[str, Any] | None = None
    casts: tuple[Mapping[str, Any], ...] = ()
    choices: tuple[str, ...] = ()

    @property
    def dice_by(self) -> DiceBy:
        """Who throws the dice of this match."""
        return "program" if self.board else "camera"

    @property
    def men_by(self) -> MenBy:
        """Who moves the men of this match."""
        return "camera" if self.board else "tapped"

    def begin(self, desk: Desk) -> None:
        """Begin the match of this table."""
        desk.begin(self.game, self.players, self.options, self.dice_by, PROGRAM, sample=self.name, men_by=self.men_by)
        self.seat(desk)

    def seat(self, desk: Desk) -> None:
        """Write how the board lies, as players would have answered."""
        if self.seating is not None and desk.require_match().board.seating is None:
            desk.record([BoardSeated(dict(self.seating))], PROGRAM)

    def plays(self, match: Match) -> bool:
        """Whether the frames belong to this match: it is this sample's own, and left to its camera."""
        by = match.started.men_by if self.board else match.started.dice_by
        return match.started.sample == self.name and by == "camera"

    def throw(self, match: Match) -> Throw | None:
        """Return the script's throw that this match waits for, None if it waits for none or the script has no more."""
        if not self.board or not self.plays(match) or match.paused or match.over:
            return None
        if match.position.awaits.kind != "throw":
            return None
        thrown = sum(turn.standing == "stands" and turn.kind == "throw" for turn in match.history)
        throw = self.throws[thrown] if thrown < len(self.throws) else None
        return throw if throw is not None and match.position.why_not(throw) is None else None

    def answer(self, match: Match, made: int) -> tuple[str, dict[str, Any]]:
        """Return the command with which somebody at the table says what lies there or was played.

        If the match has left the script, so that no answer fits, the command puts the question aside. ``made``: the
        number of choices made in what the frames show now.
        """
        if match.board.question is not None:
            return self._answer_board(match, match.board.question, made)
        cast = self.casts[min(_casts(match), len(self.casts) - 1)]
        throw, faces = Throw.of(match.position.awaits.dice_sets[0], dict(cast["faces"])), dict(cast["faces"])
        if match.question is None:
            return "throw", {"faces": faces}
        if match.position.why_not(throw) is not None:
            return "dismiss", {"ask": match.question.number}
        return "answer", {"ask": match.question.number, "faces": faces}

    def _answer_board(self, match: Match, question: BoardQuestion, made: int) -> tuple[str, dict[str, Any]]:
        asked, true = question.asked, self._stands(made)
        for number, candidate in enumerate(asked.candidates):
            if asked.about == "seating" and candidate["seating"] == self.seating:
                return "answer_board", {"ask": question.number, "candidate": number}
            if asked.about == "play" and _after(match.position, candidate["moves"]) == true:
                return "answer_board", {"ask": question.number, "candidate": number}
        if asked.about == "men" and match.position.occupancy() == true:
            return "answer_board", {"ask": question.number, "candidate": 0}
        return "dismiss_board", {"ask": question.number}

    def _stands(self, made: int) -> Mapping[str, Any]:
        """Return how the men really stand after this many choices of the script."""
        position, throws = game_of(self.game).start(len(self.players), **self.options), iter(self.throws)
        for choice in self.choices[:made]:
            if position.awaits.kind == "throw":
                position = position.after(next(throws))
            position = position.after(position.parse(choice))
        return position.occupancy()

    def reached(self, match: Match) -> int:
        """Return how far the match has come: the choices that stand on a board, else the casts dealt with."""
        return _made(match) if self.board else _casts(match)

    def stays(self, match: Match | None, state: State) -> bool:
        """Whether the frames shown now stay: a person must say what they show, or throw, or another match is open."""
        if match is None or not self.plays(match):
            return True
        return self.throw(match) is not None or state in ("PROPOSED", "MISMATCH")


def script_of(name: str, data: object) -> SampleScript | None:
    """Return the script of a sample table from its file's data, None where that names no match."""
    match data:
        case {"game": str(game), "players": list(players), "options": dict(options), **more}:
            rows: Any = more.get("throws", ())
            casts: Any = more.get("casts", ())
            choices: Any = more.get("choices", ())
            seating: Any = more.get("seating")
            return SampleScript(
                name,
                game,
                tuple(str(player) for player in players),
                options,
                str(more.get("board", "")),
                tuple(Throw.of(str(more["dice_set"]), dict(faces)) for faces in rows),
                seating,
                tuple(casts),
                tuple(map(str, choices)),
            )
    return None


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
