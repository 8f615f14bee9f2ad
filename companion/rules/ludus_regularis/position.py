"""A position of the games of virtues under the contract of every game: what it awaits and allows, where it leads."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.dice import Throw
from companion.rules.errors import GameOverError, IllegalChoiceError, Refusal, WrongThrowError
from companion.rules.game import NAMELESS, Await, Choice, ListedChoices, Position
from companion.rules.ludus_regularis import ending, faults, notation, sentences
from companion.rules.ludus_regularis.choices import TimeUp
from companion.rules.ludus_regularis.effects import effect_of
from companion.rules.ludus_regularis.pairing import Pair, pairs_of
from companion.rules.ludus_regularis.prospects import Prospects, prospects
from companion.rules.ludus_regularis.rulings import Effect
from companion.rules.ludus_regularis.state import LudusState
from companion.rules.ludus_regularis.variant import LudusVariant
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.results import Account, Outcome


@dataclass(frozen=True)
class LudusPosition(LudusState, Position):
    """A position of any of the games of virtues; `LudusState` describes its fields."""

    @property
    def game(self) -> LudusVariant:
        """The variant."""
        return self.variant

    @property
    def players(self) -> int:
        """The number of players."""
        return self.seats

    @cached_property
    def awaits(self) -> Await:
        """Who must throw what."""
        again = None if self.first_cast is None else self.first_cast.set_name
        return sentences.awaits(self.variant.kind, self.turn, again, over=self.outcome is not None)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end with winners, teacher and pupils, or None while the game goes on."""
        return ending.outcome(self)

    def pairs(self, number: int) -> tuple[Pair, ...]:
        """Return a player's completed pairs of 21 in the order of their completion."""
        return pairs_of(self, number)

    def scores(self) -> Mapping[int, int]:
        """Return each player's count of virtues (Karitas as two if it always counts double)."""
        return ending.scores(self)

    @property
    def goal(self) -> int | None:
        """The agreed number of virtues, if one was agreed."""
        return int(self.options["target"]) if self.options["ending"] == "first-to" else None

    def prospects(self, shown: Throw | None = None) -> Prospects:
        """Return what the dice seen so far point to; they may be any part of a throw. See `Prospects`."""
        return prospects(self, self.awaits, shown)

    def effect(self, throw: Throw) -> Effect:
        """Return the effect of a throw that `why_not` allows."""
        return effect_of(self, throw)

    def legal(self) -> ListedChoices:
        """Return the end of the agreed time if players agreed on one; otherwise the position awaits only a throw."""
        return ListedChoices((TimeUp(),) if self.refusal(TimeUp()) is None else ())

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        """Return which rule forbids this throw or choice here, or None."""
        if self.outcome is not None:
            return GameOverError, Sentence("The game is over, so {move} does not count.", move=str(move))
        if isinstance(move, Throw):
            sentence = sentences.refusal_of_throw(self.awaits, move)
            return None if sentence is None else (WrongThrowError, sentence)
        if not isinstance(move, TimeUp):
            sentence = Sentence("This game has no choice {move}; it is time to throw.", move=str(move))
            return IllegalChoiceError, sentence
        if self.options["ending"] != "time":
            return IllegalChoiceError, Sentence("No time limit was agreed for this game, so time cannot be up.")
        if self.first_cast is not None:
            sentence = Sentence("The second cast of the last throw is still due: throw the one cube first.")
            return IllegalChoiceError, sentence
        return None

    def applied(self, move: Throw | Choice) -> "LudusPosition":
        """Return the position after a throw or choice that was just checked."""
        if not isinstance(move, Throw):
            return replace(self, called=True)
        effect = self.effect(move)
        if effect.result == "recast":
            return replace(self, first_cast=move)
        holders, numbers = list(self.holders), list(self.numbers)
        for virtue in effect.won:
            holders[virtue.index], numbers[virtue.index] = self.turn, self.throw_number
        return replace(
            self,
            turn=self.turn % self.seats + 1,
            thrown=self.throw_number,
            holders=tuple(holders),
            numbers=tuple(numbers),
            first_cast=None,
        )

    def accounted(self, move: Throw | Choice) -> Account:
        """Return the account of a throw or choice that was just checked."""
        return sentences.account(self, move)

    def standing(self) -> Outcome:
        """Return the outcome with winners, teacher and pupils if the players agree to end the game here."""
        return ending.standing(self)

    def passed(self) -> "LudusPosition | None":
        """Return the position after this turn passes without a virtue; its throw keeps its number."""
        if self.outcome is not None:
            return None
        return replace(self, turn=self.turn % self.seats + 1, thrown=self.throw_number, first_cast=None)

    def text(self, move: Throw | Choice) -> str:
        """Return ``"A IO AEI MNPR"``, or ``"2:UAE"`` (second cast), ``"1 2 3"`` (sum game), ``"1.2.3"`` (wheel)."""
        return notation.text(self.awaits, move)

    def parse(self, text: str) -> Throw | Choice:
        """Read what `text` wrote; cubes may come in any order, and the wheel's virtues by name.

        Raises:
            ThrowError: the text is not a throw of this position's dice.
        """
        return notation.parse(self, self.awaits, text)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        """Read the JSON form of a throw or of the end of time.

        Raises:
            ThrowError, IllegalChoiceError: the data is neither.
        """
        return notation.move_from_json(data)

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return who holds what in plain text, one line for each player, and how many virtues are free."""
        lines = []
        for number in range(1, self.seats + 1):
            held = ", ".join(virtue.latin for virtue in self.held(number)) or "no virtue yet"
            lines.append(f"{names.get(number, f'Player {number}')}: {held}")
        return "\n".join([*lines, f"Free: {self.holders.count(0)} of {len(self.holders)}"])

    def occupancy(self) -> Mapping[str, Any]:
        """Return the holder of each virtue that is held, by its lot."""
        return {virtue.lot: self.holder(virtue) for virtue in virtues() if self.holder(virtue)}

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)
