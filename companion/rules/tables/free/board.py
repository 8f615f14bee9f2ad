"""XII scripta as far as it is known: a board, and men that go wherever the players agree, without a referee.

``A3-B4`` moves a man of the side whose turn it is, ``2 A3-B4`` one of side 2. Men begin in the ``hand`` and may go back
there. ``done`` ends the turn, ``end`` the game as a tie, ``end 1`` the game as a win of side 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template, player
from companion.rules.board import HAND, Board, BoardNotes, Site
from companion.rules.dice import Throw
from companion.rules.errors import (
    GameOverError,
    IllegalChoiceError,
    OptionError,
    PositionFormatError,
    Refusal,
    WrongThrowError,
)
from companion.rules.family import Family
from companion.rules.game import NAMELESS, Await, Choice, Choices, Game, Position
from companion.rules.how_to_play import GameTexts
from companion.rules.known_words import check_words
from companion.rules.options import OptionValue, read_options
from companion.rules.results import Account, Outcome
from companion.rules.tables.free.choices import Agreed, Done, Move, from_json, parse
from companion.rules.whole_numbers import is_whole, whole_number

RULES_REVISION = 1
"""Increase it whenever the code judges any position differently than before; part of `Game.rules_hash`."""

SIDES = (1, 2)


@dataclass(frozen=True)
class FreeChoices(Choices):
    """Everything that players can do with board and men."""

    position: "FreePosition"

    def __iter__(self) -> Iterator[Choice]:
        position = self.position
        if position.ended is not None:
            return
        yield Done()
        for winner in (0, *SIDES):
            yield Agreed(winner)
        for side, men in zip(SIDES, position.men, strict=True):
            for origin, count in zip(position.game.places, men, strict=True):
                if count:
                    yield from (Move(side, origin, to) for to in position.game.places if to != origin)

    def __contains__(self, choice: object) -> bool:
        return isinstance(choice, (Move, Done, Agreed)) and self.position.refusal(choice) is None


@dataclass(frozen=True)
class FreePosition(Position):
    """Men of both sides on a free board: a count for each of `FreeBoard.places`, the hand last.

    ``ended`` is None while the game goes on, then the side that won by agreement, or 0.
    """

    board: "FreeBoard"
    seats: int
    count: int
    turn: int
    men: tuple[tuple[int, ...], tuple[int, ...]]
    ended: int | None = None

    @property
    def game(self) -> "FreeBoard":
        """The game."""
        return self.board

    @property
    def players(self) -> int:
        """The number of players: 2, or two teams of 2 or 3."""
        return self.seats

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """How many men a side has."""
        return {"men": self.count}

    @property
    def side(self) -> int:
        """The side of the player whose turn it is."""
        return 1 if self.turn <= self.seats // 2 else 2

    @property
    def awaits(self) -> Await:
        """Who must move."""
        if self.ended is not None:
            return Await("over", self.turn, Sentence("The game is over."))
        sentence = Sentence("{player} moves as agreed, then ends the turn with Done.", player=player(self.turn))
        return Await("choice", self.turn, sentence)

    @property
    def outcome(self) -> Outcome | None:
        """What the players agreed, or None while they go on."""
        if self.ended is None:
            return None
        if not self.ended:
            return Outcome(tuple(range(1, self.seats + 1)), Sentence("The game was ended as a tie by agreement."))
        half = self.seats // 2
        winners = tuple(range(1 + half * (self.ended - 1), 1 + half * self.ended))
        return Outcome(winners, Sentence("Side {side} has won by agreement.", side=self.ended))

    def legal(self) -> FreeChoices:
        """Return everything that players can do."""
        return FreeChoices(self)

    def listed_choices(self) -> Iterator[Choice]:
        """Yield all choices but moves. Every man may go everywhere, so players point out moves instead."""
        return (choice for choice in self.open_choices() if not isinstance(choice, Move))

    def refusal(self, move: Throw | Choice) -> Refusal | None:  # noqa: PLR0911 - one for each rule
        """Return why a throw or choice is impossible, with the class of its error, or None."""
        if self.ended is not None:
            return GameOverError, Sentence("The game is over, so {move} does not count.", move=str(move))
        if isinstance(move, Throw):
            return WrongThrowError, Sentence("On this board you throw dice as you agree; it asks for none.")
        if isinstance(move, Done) or (isinstance(move, Agreed) and move.winner in (0, *SIDES)):
            return None
        if not isinstance(move, Move):
            return IllegalChoiceError, Sentence("This board has no choice {choice}.", choice=str(move))
        places = self.board.places
        for place in (move.origin, move.to):
            if place not in places:
                sentence = Sentence("The places are A1 to C12 and hand; {place} is not one of them.", place=place)
                return IllegalChoiceError, sentence
        if move.side not in SIDES or not self.men[move.side - 1][places.index(move.origin)]:
            sentence = Sentence("Side {side} has no man on {origin}.", side=move.side, origin=move.origin)
            return IllegalChoiceError, sentence
        if move.origin == move.to:
            return IllegalChoiceError, Sentence("A man must move to a place other than {origin}.", origin=move.origin)
        return None

    def applied(self, move: Throw | Choice) -> "FreePosition":
        """Return the position after a choice that was just checked."""
        if isinstance(move, Done):
            return replace(self, turn=self.turn % self.seats + 1)
        if isinstance(move, Agreed):
            return replace(self, ended=move.winner)
        assert isinstance(move, Move), "there is no other kind of choice"
        places = self.board.places
        moved = list(self.men[move.side - 1])
        moved[places.index(move.origin)] -= 1
        moved[places.index(move.to)] += 1
        ours, theirs = self.men
        return replace(self, men=(tuple(moved), theirs) if move.side == 1 else (ours, tuple(moved)))

    def accounted(self, move: Throw | Choice) -> Account:
        """Return the account of a choice that was just checked."""
        after = self.applied(move)
        details: dict[str, Any] = {"player": self.turn}
        if after.outcome is not None:
            return Account(after.outcome.why, (), details | {"kind": "end"})
        if isinstance(move, Move):
            sentence = Sentence("A man of side {side} goes from {origin} to {to}.", **vars(move))
            return Account(sentence, (move.origin, move.to), details | {"kind": "step"})
        sentence = Sentence("{player} finishes the turn.", player=player(self.turn))
        return Account(sentence, (), details | {"kind": "done"}, silent=True)

    def passed(self) -> "FreePosition | None":
        """Return the position after the turn passes."""
        return None if self.ended is not None else replace(self, turn=self.turn % self.seats + 1)

    def text(self, move: Throw | Choice) -> str:
        """Return the text form; omits the side if it is the player's own."""
        if isinstance(move, Move) and move.side == self.side:
            return f"{move.origin}-{move.to}"
        return str(move)

    def parse(self, text: str) -> Throw | Choice:
        """Read what `text` wrote.

        Raises:
            IllegalChoiceError: the sentence says what was expected and what came.
        """
        return parse(text, self.side)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        """Read the JSON form of a choice, or of a throw, which this board refuses.

        Raises:
            ThrowError, IllegalChoiceError: the data is neither.
        """
        return from_json(data)

    def occupancy(self) -> Mapping[str, Any]:
        """Return how many men of each side are at each occupied place: ``{"A3": {"1": 2}}``."""
        found: dict[str, dict[str, int]] = {}
        for index, place in enumerate(self.board.places):
            counts = {str(side): men[index] for side, men in zip(SIDES, self.men, strict=True) if men[index]}
            if counts:
                found[place] = counts
        return found

    def board_notes(self) -> BoardNotes:
        """Return the side to play, whose men may go anywhere: ``{"free": 1}``."""
        return {"free": self.side}

    def scores(self) -> Mapping[int, int]:
        """Return 1 for the side that has won by agreement, else 0: the board counts nothing by itself."""
        outcome = self.outcome
        won = outcome.winners if outcome is not None and self.ended else ()
        return {number: int(number in won) for number in range(1, self.seats + 1)}

    def standing(self) -> Outcome:
        """Return the agreed outcome, or a tie: the board does not know who is ahead."""
        return self.outcome or Outcome(
            tuple(range(1, self.seats + 1)), Sentence("There is no telling who is ahead: the win is shared.")
        )

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text, a cell of side 1's and side 2's men for each place."""
        del names
        lines = []
        occupied = self.occupancy()
        for row in self.board.rows:
            cells = [occupied.get(f"{row}{column}", {}) for column in range(1, self.board.columns + 1)]
            lines.append(f"{row} " + " ".join(f"{_cell(cell):>6}" for cell in cells))
        lines.append("in hand: " + (_cell(occupied.get(HAND, {})) if HAND in occupied else "nobody"))
        return "\n".join(lines)

    def faults(self) -> tuple[Sentence, ...]:
        """List what is wrong with a position that was set up by hand: the number of men, the turn."""
        found = [
            Sentence("Side {side} has {total} men, not {men}.", side=side, total=sum(men), men=self.count)
            for side, men in zip(SIDES, self.men, strict=True)
            if sum(men) != self.count
        ]
        if not 1 <= self.turn <= self.seats:
            found.append(Sentence("It is the turn of {turn}, who does not play.", turn=player(self.turn)))
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; ``ended`` is null, 0 for a tie, or the side that won."""
        return {
            "game": self.board.slug,
            "players": self.seats,
            "options": dict(self.options),
            "turn": self.turn,
            "men": {
                str(side): {place: count for place, count in zip(self.board.places, men, strict=True) if count}
                for side, men in zip(SIDES, self.men, strict=True)
            },
            "ended": self.ended,
        }


def _cell(counts: Mapping[str, int]) -> str:
    return " ".join(f"{counts[side]}{mark}" for side, mark in (("1", "x"), ("2", "o")) if side in counts) or "."


class FreeBoard(Game):
    """The board of XII scripta."""

    family = Family(
        "free",
        board="companion.referee.board.following:PLAIN",
        odds="companion.odds.known.known_odds:NONE",
        player="companion.players.player:ANY",
        page="companion.desk.page.family_page:PLAIN",
        picture="companion.drawings.free:PICTURE",
    )
    kit_parts = ("tables-men",)
    texts = GameTexts(__package__, "free")
    player_counts = (2, 4, 6)
    options = read_options(__package__)
    program_plays = False

    def __init__(self) -> None:
        data = data_of(__package__, "xii_scripta.toml")
        self.slug = f"tables/{data['slug']}"
        self.title = data["title"]
        self.source = data["source"]
        self.rows: Sequence[str] = data["rows"]
        self.columns: int = data["columns"]
        self.story = Sentence.of(Template(data["story"]))
        sites = [
            Site(f"{row}{column}", (column - 0.5) / (self.columns + 1), (index + 0.5) / len(self.rows))
            for index, row in enumerate(self.rows)
            for column in range(1, self.columns + 1)
        ]
        hand = Site(HAND, (self.columns + 0.5) / (self.columns + 1), 0.5)
        self.board = Board("xii-scripta", (*sites, hand), colours=("light", "dark"))
        self.places = tuple(site.name for site in self.board.sites)

    @property
    def decisive(self) -> Mapping[str, Any]:
        """What decides a game besides its options: revision and places."""
        return {
            "revision": RULES_REVISION,
            "places": self.places,
        }

    def start(self, players: int, **options: OptionValue) -> FreePosition:
        """Return the first position: all men in hand.

        Raises:
            OptionError: an unknown option or value, or not 2, 4 or 6 players.
        """
        self.check_players(players)
        men = int(self.settings(options)["men"])
        hand = (0,) * (len(self.places) - 1) + (men,)
        return FreePosition(self, players, men, 1, (hand, hand))

    def from_json(self, data: Mapping[str, Any]) -> FreePosition:
        """Read a position; ``players``, ``options``, ``turn`` and ``ended`` are optional.

        Raises:
            PositionFormatError: the data does not have the form that `FreePosition.to_json` writes.
        """
        match data:
            case {"game": self.slug, "men": {"1": dict(ours), "2": dict(theirs)}}:
                pass
            case _:
                raise PositionFormatError(
                    f'Expected an object with "game": "{self.slug}" and "men": {{"1": ..., "2": ...}}, '
                    f"but got {str(data)[:200]!r}."
                )
        check_words(data, ("game", "players", "options", "turn", "men", "ended"), "a position")
        check_words(data["men"], ("1", "2"), '"men"')
        options = data.get("options", {})
        check_words(options, (option.name for option in self.options), '"options"')
        players, turn = whole_number(data, "players", 2), whole_number(data, "turn", 1)
        ended = data.get("ended")
        if isinstance(ended, bool) or ended not in (None, 0, *SIDES):
            raise PositionFormatError(f'Expected "ended" to be null, 0, 1 or 2, but it is {ended!r}.')
        try:
            self.check_players(players)
            men = int(self.settings(dict(options))["men"])
        except (OptionError, TypeError) as problem:
            raise PositionFormatError(f"This is not a position of {self.title}: {problem}") from problem
        both = (self._read(ours), self._read(theirs))
        return FreePosition(self, players, men, turn, both, ended)

    def _read(self, given: Mapping[str, Any]) -> tuple[int, ...]:
        for place, count in given.items():
            if place not in self.places:
                raise PositionFormatError(f"The places are A1 to C12 and hand, but got {place!r}.")
            if not is_whole(count) or count < 0:
                raise PositionFormatError(f"Expected a number of men on {place}, but {count!r} came.")
        return tuple(given.get(place, 0) for place in self.places)
