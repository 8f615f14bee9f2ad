"""A position of a tables game under the contract of every game: its record, and what other modules judge and say."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from companion.language.sentence import Sentence
from companion.rules.board import BoardNotes
from companion.rules.dice import Throw
from companion.rules.errors import Refusal
from companion.rules.game import NAMELESS, Await, Choice, Game, ListedChoices, Play, Position
from companion.rules.options import OptionValue
from companion.rules.results import Account, Outcome
from companion.rules.tables import ending, faults, legal, notation, plays, refusals, sentences, turns
from companion.rules.tables.points import HALF, POINTS
from companion.rules.tables.state import TablesState


class TablesPosition(TablesState, Position):
    """A position of any tables game but the free board."""

    def __repr__(self) -> str:
        return f"<{self.rules.variant.slug} {self.to_json()}>"

    @property
    def game(self) -> Game:
        """The variant."""
        return self.rules.game

    @property
    def players(self) -> int:
        """The number of players: 2, or two teams of 2 or 3."""
        return self.rules.players

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value."""
        return dict(self.rules.options)

    @property
    def awaits(self) -> Await:
        """Who must throw, turn a die or move."""
        return sentences.awaits(self)

    @property
    def outcome(self) -> Outcome | None:
        """The end, or None while the game goes on."""
        return ending.outcome(self) if self.over else None

    def throws(self) -> Sequence[Throw]:
        """Return every possible throw here, all equally likely."""
        return () if self.dice or self.over else self.rules.throws

    def legal(self) -> ListedChoices:
        """Return the legal choices in the order of `legal.each`; they are listed once."""
        found: ListedChoices | None = self._legal
        if found is None:
            found = self.__dict__["_legal"] = ListedChoices(legal.each(self))
        return found

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        """Return which rule forbids this throw or choice here, or None."""
        return refusals.refusal(self, move)

    def after(self, move: Throw | Choice) -> "TablesPosition":
        """Return the position after a throw or choice; calls no `refusal`, because simulations spend their time here.

        Raises:
            WrongThrowError, IllegalChoiceError, GameOverError: `why_not` says why.
        """
        if isinstance(move, Throw):
            numbers = self.rules.numbers.get(move)
            if numbers is None or self.dice or self.over:
                self._refuse(move)
            return turns.thrown(self, numbers)
        if move not in self.legal():
            self._refuse(move)
        return turns.chosen(self, move)

    def applied(self, move: Throw | Choice) -> "TablesPosition":
        """Return the position after a throw or choice that was just checked."""
        return turns.thrown(self, self.rules.numbers[move]) if isinstance(move, Throw) else turns.chosen(self, move)

    def _refuse(self, move: Throw | Choice) -> NoReturn:
        self.check_legal(move)
        raise AssertionError("what is not allowed has a reason")

    def accounted(self, move: Throw | Choice) -> Account:
        """Return the account of a throw or choice that was just checked."""
        return sentences.account(self, move, self.applied(move))

    def plays(self) -> Sequence[Play]:
        """Return the whole turns that are possible from here, one for each position that a turn can lead to."""
        return tuple(Play(way, reached) for reached, way in plays.ways(self).items())

    def standing(self) -> Outcome:
        """Return the outcome if the match ends here: by men borne off or home, then by the pips still to go."""
        return ending.standing(self)

    def passed(self) -> "TablesPosition | None":
        """Return the position after this turn passes with its dice unplayed."""
        return turns.passed(self)

    def text(self, move: Throw | Choice) -> str:
        """Return ``"2 5 6"``, ``"k-q"``, ``"hand-c"``, ``"x-off"``, ``"turn 1"``; see `notation.text`."""
        return notation.text(self, move)

    def parse(self, text: str) -> Throw | Choice:
        """Read what `text` wrote.

        Raises:
            ThrowError, IllegalChoiceError: the sentence says what was expected and what came.
        """
        return notation.parse(self, text, self)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        """Read the JSON form of a throw or choice.

        Raises:
            ThrowError, IllegalChoiceError: the sentence says what was expected and what came.
        """
        return notation.move_from_json(data)

    def occupancy(self) -> Mapping[str, Any]:
        """Return how many men of each side each occupied place has, ``hand`` and ``off`` too: ``{"a": {"1": 15}}``."""
        return notation.occupancy(self)

    def seen_from_above(self) -> Mapping[str, Any]:
        """Return `occupancy` as a camera should see it: a pair that is not taken down yet as one man."""
        return notation.seen_from_above(self)

    def board_notes(self) -> BoardNotes:
        """Return the side of each player, the numbers left to play, and what `scores` count."""
        sides = {str(number): self.rules.sides[number] for number in range(1, self.players + 1)}
        return {"sides": sides, "dice": list(self.dice), "counts": ending.counted(self.rules)}

    def scores(self) -> Mapping[int, int]:
        """Return each player's score: the side's men borne off or home, or the points that it holds."""
        return ending.scores(self)

    @property
    def goal(self) -> int | None:
        """The men of a side; None where the sides share out the points of one table."""
        return None if ending.counted(self.rules) == "held" else self.rules.men

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text as the players see it."""
        return drawn(self, names)

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)


_MARKS = {1: "x", 2: "o"}
"""How a man of each side is drawn."""


def drawn(position: TablesState, names: Mapping[int, str]) -> str:
    """Return the board with four characters for each point, ``7x`` for seven men of side 1, and the players' names."""
    cells = dict.fromkeys(POINTS, " .")
    aside = []
    for side in (1, 2):
        course, men = position.rules.courses[side - 1], position.men[side - 1]
        for point, count in course.unpack(men).items():
            cells[point] = f"{count}{_MARKS[side]}"
        whose = f"side {side}{_named(position, side, names)}"
        aside.append(f"{_MARKS[side]} {whose}: {course.in_hand(men)} in hand, {course.off(men)} off")
    above, below = POINTS[HALF:], POINTS[:HALF][::-1]
    lines = [_row(above), _row([cells[point] for point in above]), ""]
    lines += [_row([cells[point] for point in below]), _row(below), *aside]
    if position.dice:
        lines.append("dice " + " ".join(map(str, position.dice)))
    return "\n".join(lines)


def _named(position: TablesState, side: int, names: Mapping[int, str]) -> str:
    """Return the names of a side's players in brackets, or nothing if they are unknown."""
    team = [names[number] for number in position.rules.team(side) if number in names]
    return f" ({', '.join(team)})" if team else ""


def _row(cells: "str | list[str]") -> str:
    middle = len(cells) // 2
    left, right = ("".join(f"{cell:>4}" for cell in half) for half in (cells[:middle], cells[middle:]))
    return f"{left} |{right}"
