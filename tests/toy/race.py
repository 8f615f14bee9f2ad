"""A race of two men over six sites with one die: the least that a game says of itself, and its family of its faces.

A man goes on by the pips, if so many sites are left, or stays. Who is on the last site first wins.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.language.sentence import Sentence, player
from companion.rules.board import Board, Site
from companion.rules.dice import Throw
from companion.rules.errors import (
    GameOverError,
    IllegalChoiceError,
    PositionFormatError,
    Refusal,
    WrongThrowError,
)
from companion.rules.family import Family
from companion.rules.game import Await, Choice, Choices, Game, Position
from companion.rules.options import OptionValue
from companion.rules.results import Account, Outcome

SITES = "abcdef"


@dataclass(frozen=True)
class Step:
    origin: str
    to: str

    def __str__(self) -> str:
        return f"{self.origin}-{self.to}" if self.to else "stay"

    def to_json(self) -> dict[str, Any]:
        return {"from": self.origin, "to": self.to} if self.to else {"choice": "stay"}


STAY = Step("", "")


@dataclass(frozen=True)
class Steps(Choices):
    allowed: tuple[Step, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.allowed)

    def __contains__(self, choice: object) -> bool:
        return choice in self.allowed


@dataclass(frozen=True)
class RacePosition(Position):
    turn: int = 1
    men: tuple[int, int] = (0, 0)
    pips: int = 0

    @property
    def game(self) -> Game:
        return GAMES[0]

    @property
    def players(self) -> int:
        return 2

    @property
    def options(self) -> Mapping[str, OptionValue]:
        return {}

    @property
    def awaits(self) -> Await:
        if self.outcome is not None:
            return Await("over", self.turn, Sentence("The game is over."))
        if self.pips:
            return Await("choice", self.turn, Sentence("{player} goes on or stays.", player=player(self.turn)))
        return Await("throw", self.turn, Sentence("{player} throws.", player=player(self.turn)), ("pips",), ("1",))

    @property
    def outcome(self) -> Outcome | None:
        winners = tuple(number for number, at in enumerate(self.men, 1) if at == len(SITES) - 1)
        return Outcome(winners, Sentence("{winner} is there.", winner=player(winners[0]))) if winners else None

    def legal(self) -> Steps:
        if not self.pips or self.outcome is not None:
            return Steps(())
        at = self.men[self.turn - 1]
        room = at + self.pips < len(SITES)
        return Steps((Step(SITES[at], SITES[at + self.pips]), STAY) if room else (STAY,))

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        if self.outcome is not None:
            return GameOverError, Sentence("The game is over.")
        if isinstance(move, Throw):
            fits = not self.pips and move.set_name == "pips" and [name for name, _ in move.shown] == ["1"]
            return None if fits else (WrongThrowError, Sentence("No throw of one die is awaited, or another."))
        return None if move in self.legal() else (IllegalChoiceError, Sentence("The man goes by the pips, or stays."))

    def applied(self, move: Throw | Choice) -> "RacePosition":
        if isinstance(move, Throw):
            return replace(self, pips=int(move.shown[0][1]))
        own = self.men[self.turn - 1] + (0 if move == STAY else self.pips)
        men = (own, self.men[1]) if self.turn == 1 else (self.men[0], own)
        return replace(self, turn=3 - self.turn, men=men, pips=0)

    def accounted(self, move: Throw | Choice) -> Account:
        sentence = Sentence("{player}: {move}.", player=player(self.turn), move=self.text(move))
        return Account(sentence, (), {"player": self.turn})

    def text(self, move: Throw | Choice) -> str:
        return move.shown[0][1] if isinstance(move, Throw) else str(move)

    def parse(self, text: str) -> Throw | Choice:
        if text.isdigit():
            return Throw.parse("pips", text, ("1",))
        origin, _, to = text.partition("-")
        if text != "stay" and not (origin in SITES and to in SITES):
            raise IllegalChoiceError(Sentence("Expected 3, a-d or stay, but got '{text}'.", text=text))
        return STAY if text == "stay" else Step(origin, to)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        match data:
            case {"from": str(origin), "to": str(to)}:
                return Step(origin, to)
            case {"choice": "stay"}:
                return STAY
        return Throw.from_json(dict(data))

    def occupancy(self) -> Mapping[str, Any]:
        found: dict[str, dict[str, int]] = {}
        for number, at in enumerate(self.men, 1):
            found.setdefault(SITES[at], {})[str(number)] = 1
        return found

    def scores(self) -> Mapping[int, int]:
        return dict(enumerate(self.men, 1))

    def faults(self) -> tuple[Sentence, ...]:
        return ()

    def to_json(self) -> dict[str, Any]:
        return {"game": self.game.slug, "turn": self.turn, "men": list(self.men), "pips": self.pips}


class Race(Game):
    family = Family(
        "race",
        board="companion.referee.board.following:PLAIN",
        odds="companion.odds.known.known_odds:NONE",
        player="companion.players.player:ANY",
        page="companion.desk.page.family_page:PLAIN",
        picture="tests.toy.faces:PICTURE",
    )
    slug = "race"
    title = "Race"
    source = "nobody's"
    story = aim = Sentence("The first of two men to come home wins.")
    how_to_play = ()
    player_counts = (2,)
    options = ()
    board = Board("race", tuple(Site(name, (index + 0.5) / len(SITES), 0.5) for index, name in enumerate(SITES)))

    @property
    def manner(self) -> Sentence:
        return Sentence("The program never stays if it can go on.")

    @property
    def decisive(self) -> Mapping[str, Any]:
        return {"revision": 1}

    def start(self, players: int, **options: OptionValue) -> RacePosition:
        self.check_players(players)
        self.settings(options)
        return RacePosition()

    def from_json(self, data: Mapping[str, Any]) -> RacePosition:
        match data:
            case {"game": self.slug, "turn": int(turn), "men": [int(first), int(second)], "pips": int(pips)}:
                return RacePosition(turn, (first, second), pips)
        raise PositionFormatError(f"This is not a position of {self.title}: {data!r}.")


GAMES = (Race(),)
