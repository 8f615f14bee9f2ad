"""A short match of virtues whose board is drawn throw by throw, read by the true reader and followed by the table."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.live.watching.board_steps import BoardWatchSettings
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.game import Position
from companion.vision.boards.tokens.layout import ANY
from companion.vision.boards.tokens.reader import TokenReader
from companion.vision.readings import Image
from tests.live.drawn import DrawnSource
from tests.vision.boards.printed import Arm, Token, TokenScene, shown

SLUG = "ludus-regularis/wheel"
LYING = 24  # frames in which a board that lies still is read twice
KIT = {1: "blue", 2: "red", 3: "green"}


class VirtueRoom:
    """A table whose virtue board alone is watched; throws are tapped."""

    def __init__(self, path: Path, board: str = "auto") -> None:
        self.path = path
        self.source = DrawnSource()
        self.read: list[str] = []
        self.table = LiveTable(
            path, Seeing(board_source=self.source, board_settings=BoardWatchSettings(self._reader), board=board)
        )
        self.table.start()

    def _reader(self, name: str) -> TokenReader:
        self.read.append(name)
        return TokenReader(name)

    def done(self, name: str, **data: Any) -> None:
        reply = self.table.command(name, data, "tests")
        assert reply.ok, str(reply.sentence)

    def until(self, state: str, words: str = "") -> dict[str, Any]:
        shot = self.table.snapshot()
        while shot.data["state"] != state or words not in shot.data["state_sentence"]["text"]:
            newer = self.table.wait(shot.version, 120)
            assert newer is not None, f"it stays {shot.data['state']}: {shot.data['state_sentence']['text']}"
            shot = newer
        return dict(shot.data)

    def match(self) -> Match:
        with Journal(self.path, writable=False) as journal:
            return Match.of(journal.events(journal.matches()[0].id))

    def throw(self, lot: str) -> Position:
        (die,) = self.match().position.awaits.dice
        self.done("throw", faces={die: lot}, dice_set="wheel")
        return self.match().position

    def lay(self, tokens: Mapping[str, Token]) -> None:
        """Lay tokens under a hand, and leave them."""
        self.source.show(picture(tokens, hand=True), 3)
        self.source.show(picture(tokens), LYING)


def picture(tokens: Mapping[str, Token], *, hand: bool = False) -> Image:
    return drawn(tuple(tokens.items()), hand=hand)


@cache
def drawn(tokens: tuple[tuple[str, Token], ...], *, hand: bool) -> Image:
    arm = Arm((155.0, 480.0), (155.0, 160.0), 60.0, (0.8, 0.6, 0.5), (0.2, 0.3, 0.6))
    return shown(TokenScene("wheel", dict(tokens), (arm,) if hand else (), size=(720, 600), fill=0.95)).image


@pytest.fixture
def room(tmp_path: Path) -> Iterator[VirtueRoom]:
    room = VirtueRoom(tmp_path / "match.db")
    yield room
    room.table.stop()


def test_tokens_are_waited_for_seen_and_wrong_ones_told(room: VirtueRoom) -> None:
    room.done("new_match", game=SLUG, players=["Anna", "Ben"])
    room.source.show(picture({}), LYING)
    data = room.until("SYNCED", "stands as agreed")
    assert room.read == [ANY], "whichever board lies there is read"
    assert data["watch"]["seating"]["colours"] == {"blue": 1, "red": 2}
    assert data["board"] is None, "the page draws the virtues itself"
    room.throw("1.2.3")
    room.until("SETTLING", "Anna puts a token on Pax.")
    room.lay({"1.2.3": Token(KIT[1], number=1)})
    room.until("SYNCED", "stands as agreed")
    room.throw("5.5.5")
    room.lay({"1.2.3": Token(KIT[1]), "5.5.5": Token(KIT[1])})
    room.until("MISMATCH", "but that virtue belongs to Ben")
    room.lay({"1.2.3": Token(KIT[1]), "5.5.6": Token(KIT[2])})
    room.until("MISMATCH", "but nobody has won that virtue")
    room.lay({"1.2.3": Token(KIT[1]), "5.5.5": Token(KIT[2])})
    room.until("SYNCED", "stands as agreed")
    match = room.match()
    assert match.board.in_step(match.position)
    assert match.position.occupancy() == {"1.2.3": 1, "5.5.5": 2}, "tokens decide nothing: the throws did"


def test_tokens_of_other_make_are_learnt_by_one_answer(room: VirtueRoom) -> None:
    room.done("new_match", game=SLUG, players=["Anna", "Ben"])
    room.source.show(picture({}), LYING)
    room.until("SYNCED", "stands as agreed")
    room.throw("4.4.4")
    room.lay({"4.4.4": Token("yellow")})
    ask = room.until("PROPOSED", "Who plays which colour?")["watch"]["ask"]
    assert [one["sentence"]["text"] for one in ask["candidates"]] == ["yellow is Anna's, red is Ben's."]
    room.done("answer_board", ask=ask["id"], candidate=0)
    data = room.until("SYNCED", "stands as agreed")
    assert data["watch"]["seating"]["colours"] == {"yellow": 1, "red": 2}


def test_another_board_than_the_one_that_was_named_is_told(tmp_path: Path) -> None:
    room = VirtueRoom(tmp_path / "match.db", "rim")
    room.done("new_match", game=SLUG, players=["Anna", "Ben"])
    room.source.show(picture({}), LYING)
    room.until("BLIND", "is wheel, but the camera should read rim")
    room.table.stop()
    assert room.read == ["rim"]
