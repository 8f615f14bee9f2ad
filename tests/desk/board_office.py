"""The writer's desk with a board before it, without threads: readings are made from where the men truly stand."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.desk.finding import BoardFinding
from companion.desk.page.board_camera import board_part
from companion.desk.shapes.common import State
from companion.desk.sight import BoardSeen, BoardSight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.board_judge import BoardJudge
from companion.desk.table.commands import TableCommands
from companion.desk.table.match_desk import Reply
from companion.desk.table.state import state_of
from companion.language.sentence import Sentence
from companion.referee.board.evidence import pooled
from companion.referee.board.seating import Seating
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.board_readings import BoardReading, Standing
from tests.desk.test_commands import Office
from tests.referee.board.simulated import Camera, reading, seating_of, seen

LIVE = Sentence("The camera is live.")


class BoardOffice(Office):
    """Desk, commands and both judges as the writer has them."""

    def __init__(self, path: Path, seed: int = 1) -> None:
        super().__init__(path, seed)
        self.board = BoardJudge(self.desk, self.dice_judge.coming)
        self.commands = TableCommands(
            self.desk, self.dice_judge, Autoplay(), lambda: self.sight, board_judge=self.board, follows=lambda _: True
        )
        self.board_sight = BoardSight("drawn", "LIVE", LIVE, phase="still")
        self.count = 0
        self.seating: Seating | None = None
        self.camera: Camera | None = None

    def do(self, name: str, **data: Any) -> Reply:
        """Give a command, and look at the board again, as the writer does after each."""
        reply = super().do(name, **data)
        self.board.see(self.board_sight)
        return reply

    def begin_board(
        self, slug: str, lies: int = 0, *, dice_by: str = "tapped", camera: Camera | None = None, **options: Any
    ) -> None:
        """Begin a match whose men lie so, and let the camera see them as the game begins."""
        reply = self.do("new_match", game=slug, players=["Anna", "Ben"], dice_by=dice_by, options=options)
        assert reply.ok, str(reply.sentence)
        assert self.match.started.men_by == "camera"
        self.camera = camera
        self.seating = seating_of(game(slug), lies)
        self.seat()

    def seat(self, values: int = 6) -> None:
        """Let the camera see the start; where that looks alike from several sides, say how the board lies."""
        for _ in range(values):
            self.stand(self.match.position)
            question = self.match.board.question
            if question is not None and self.seating is not None:
                seatings = [candidate["seating"] for candidate in question.asked.candidates]
                if self.seating.to_json() in seatings:
                    answer = seatings.index(self.seating.to_json())
                    assert self.do("answer_board", ask=question.number, candidate=answer).ok
            if self.match.board.seating is not None:
                break
        assert self.match.board.seating == self.seating
        self.stand(self.match.position)

    def show(self, whole: BoardReading) -> BoardFinding | None:
        """Let the board stand still so."""
        self.count += 1
        view = BoardSeen(self.count, 2, whole, b"", "")
        self.board_sight = replace(self.board_sight, seen=view)
        self.sight = replace(self.sight, board=self.board_sight)
        return self.board.see(self.board_sight)

    def stand(self, position: Position, **changed: Standing) -> BoardFinding | None:
        """Let the men stand as in this position, but for some sites, by the game's names."""
        assert self.seating is not None
        sites: Mapping[str, tuple[Standing, bool]] = seen(position, self.seating) | {
            self.seating.site(site): (men, False) for site, men in changed.items()
        }
        if self.camera is None:
            return self.show(reading(sites, position.game.board.name))
        return self.show(pooled([self.camera.observe(sites), self.camera.observe(sites)]))

    def state(self) -> tuple[State, str]:
        """Return how it stands and what is said of it."""
        state, sentence = state_of(self.match, self.sight, self.dice_judge.mismatch, self.board.finding)
        return state, str(sentence)

    def page_part(self) -> Any:
        """Return what a page is told of the board."""
        part = board_part(self.match, self.board_sight, self.board.finding, self.board.reading)
        assert part is not None
        return part
