"""A position of Ludix under the contract of every game: what it awaits, what it allows, where each move leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.dice import Throw
from companion.rules.errors import GameOverError, IllegalChoiceError, Refusal, WrongThrowError
from companion.rules.game import NAMELESS, Await, Choice, Game, ListedChoices, Position
from companion.rules.ludix import ending, faults, notation, sentences
from companion.rules.ludix.choices import STOP, THENS, Formed
from companion.rules.ludix.numerals import DICE, dice, formed_by, numerals, shown_by
from companion.rules.ludix.state import LudixState
from companion.rules.results import Account, Outcome


@dataclass(frozen=True)
class LudixPosition(LudixState, Position):
    """A position of ``ludix``; `LudixState` describes its fields."""

    @property
    def game(self) -> Game:
        """The game."""
        return self.variant

    @property
    def players(self) -> int:
        """The number of players."""
        return self.seats

    @cached_property
    def awaits(self) -> Await:
        """Who must throw or choose."""
        if self.outcome is not None:
            return Await("over", self.turn, Sentence("The game is over."))
        if self.cast is not None:
            return Await("choice", self.turn, sentences.awaited(self))
        return Await("throw", self.turn, sentences.awaited(self), (DICE,), dice())

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end with its winners, or None while the game goes on."""
        return ending.outcome(self)

    @property
    def goal(self) -> int:
        """The points that end the game."""
        return ending.target(self)

    def standing(self) -> Outcome:
        """Return who wins if the players agree to end the game here; points at stake do not count."""
        return ending.standing(self)

    def legal(self) -> ListedChoices:
        """Return each numeral that the throw forms, the highest first, with stop and again; none before a throw."""
        if self.cast is None or self.outcome is not None:
            return ListedChoices(())
        formed = formed_by(shown_by(self.cast))
        every = (Formed(numeral.text, then) for numeral in formed for then in THENS)
        return ListedChoices(tuple(choice for choice in every if sentences.refusal_of_choice(self, choice) is None))

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        """Return which rule forbids this throw or choice here, or None."""
        if self.outcome is not None:
            return GameOverError, Sentence("The game is over, so {move} does not count.", move=str(move))
        if isinstance(move, Throw):
            sentence = sentences.refusal_of_throw(self, move)
            return None if sentence is None else (WrongThrowError, sentence)
        if not isinstance(move, Formed):
            return IllegalChoiceError, Sentence("This game has no choice {move}.", move=str(move))
        if self.cast is None:
            return IllegalChoiceError, Sentence(
                "There is nothing to form {numeral} from yet: throw the four dice first.", numeral=move.numeral
            )
        sentence = sentences.refusal_of_choice(self, move)
        return None if sentence is None else (IllegalChoiceError, sentence)

    def applied(self, move: Throw | Choice) -> "LudixPosition":
        """Return the position after a throw or choice that was just checked."""
        if isinstance(move, Throw):
            return replace(self, cast=move) if formed_by(shown_by(move)) else ending.without_turn(self)
        assert isinstance(move, Formed), "anything else is refused"
        formed = (*self.formed, move.numeral)
        if move.then != STOP:
            return replace(self, formed=formed, cast=None)
        noted = self.stake + numerals()[move.numeral].value
        points = tuple(had + noted if number == self.turn else had for number, had in self.scores().items())
        return replace(ending.without_turn(self), points=points)

    def accounted(self, move: Throw | Choice) -> Account:
        """Return the account of a throw or choice that was just checked."""
        if isinstance(move, Throw):
            return sentences.account_of_throw(self, move)
        assert isinstance(move, Formed), "anything else is refused"
        return sentences.account_of_choice(self, move)

    def passed(self) -> "LudixPosition | None":
        """Return the position after this turn passes with nothing noted."""
        return None if self.outcome is not None else ending.without_turn(self)

    def teaching(self) -> Sequence[Sentence]:
        """Return how likely the next throw is to fail, and what it then costs."""
        return sentences.taught(self)

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the score pad and the dice that wait for a choice."""
        return sentences.pad(self, names)

    def parse(self, text: str) -> Throw | Choice:
        """Read ``L X V I``, ``LXVI stop``, or ``again`` alone for the highest numeral; see `notation`.

        Raises:
            ThrowError, IllegalChoiceError: the sentence says what was expected and what came.
        """
        return notation.parse(self, text)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        """Read the JSON form of a throw or choice.

        Raises:
            ThrowError, IllegalChoiceError: the data is neither.
        """
        return notation.move_from_json(data)

    def occupancy(self) -> Mapping[str, Any]:
        """Return nothing: Ludix has no board."""
        return {}

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)
