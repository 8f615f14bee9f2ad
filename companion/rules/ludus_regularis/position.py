"""A position of the game of virtues: who holds what since which throw, whose turn it is, what is waited for."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from companion.rules.dice import Throw, dice_set
from companion.rules.errors import GameOverError, IllegalChoiceError, Refusal, WrongThrowError
from companion.rules.game import NAMELESS, Account, Await, Choice, OptionValue, Outcome, Position
from companion.rules.ludus_regularis import ending, faults, notation, telling
from companion.rules.ludus_regularis.choices import LudusChoices, TimeUp
from companion.rules.ludus_regularis.pairing import Pair, completed
from companion.rules.ludus_regularis.prospects import Prospects, prospects
from companion.rules.ludus_regularis.rulings import (
    CONSONANTS,
    CUBES,
    POINTER,
    Effect,
    Judgement,
    Reading,
    judge,
    judge_second,
    pointed_at,
    total_of,
)
from companion.rules.ludus_regularis.virtues import Virtue, of_sum, virtues
from companion.rules.sentence import Sentence, player

if TYPE_CHECKING:
    from companion.rules.ludus_regularis.ludus import LudusRegularis


@dataclass(frozen=True)
class LudusPosition(Position):
    """A position of any of the games of virtues.

    ``holders`` and ``numbers`` run parallel to `virtues`: the player who holds each (0: free) and the number of the
    throw that won it (0: free). ``thrown`` counts finished throws; a throw that waits for its second cast is not
    finished and lies in ``first_cast``. ``called`` is set once the agreed time was called up.
    """

    variant: "LudusRegularis"
    seats: int
    settings: tuple[tuple[str, OptionValue], ...]
    turn: int
    thrown: int
    holders: tuple[int, ...]
    numbers: tuple[int, ...]
    first_cast: Throw | None = None
    called: bool = False

    @property
    def game(self) -> "LudusRegularis":
        """The variant."""
        return self.variant

    @property
    def players(self) -> int:
        """How many play."""
        return self.seats

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value."""
        return dict(self.settings)

    @cached_property
    def reading(self) -> Reading:
        """How the letter rules are read here."""
        return Reading.of(self.options)

    @property
    def throw_number(self) -> int:
        """The number of the throw that is awaited, or whose second cast is."""
        return self.thrown + 1

    @cached_property
    def awaits(self) -> Await:
        """Who is to throw what."""
        if self.outcome is not None:
            return Await("over", self.turn, Sentence("The game is over."))
        who = player(self.turn)
        if self.first_cast is not None:
            said = Sentence(
                "{player} throws one of the three cubes again, for {virtue}.",
                player=who,
                virtue=next(virtue.latin for virtue in virtues() if virtue.second_cast),
            )
            return Await("recast", self.turn, said, (self.first_cast.set_name,), CUBES)
        if self.variant.by_sum:
            said = Sentence("{player} throws the three cubes.", player=who)
            return Await("throw", self.turn, said, ("wibold", "pips"), CUBES)
        if not self.variant.by_letters:
            return Await(
                "throw", self.turn, Sentence("{player} spins the pointer.", player=who), ("wheel",), (POINTER,)
            )
        said = Sentence("{player} throws the three cubes and the tetrahedron.", player=who)
        return Await("throw", self.turn, said, ("wibold",), (*CUBES, CONSONANTS))

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end with winners, teacher and pupils, or None while the game goes on."""
        return ending.outcome(self)

    def holder(self, virtue: Virtue) -> int:
        """Return the player who holds a virtue, 0 while it is free."""
        return self.holders[virtue.index]

    def held(self, number: int) -> tuple[Virtue, ...]:
        """Return a player's virtues in the order in which they were won."""
        mine = [virtue for virtue in virtues() if self.holders[virtue.index] == number]
        return tuple(sorted(mine, key=lambda virtue: (self.numbers[virtue.index], virtue.index)))

    def pairs(self, number: int) -> tuple[Pair, ...]:
        """Return a player's completed pairs of 21 in the order in which they were completed."""
        return completed(self.held(number), rows_only=self.options["pairs"] == "rows")

    def scores(self) -> Mapping[int, int]:
        """Return each player's count of virtues (Karitas as two if it always counts double)."""
        return ending.scores(self)

    def prospects(self, shown: Throw | None = None) -> Prospects:
        """Return what the dice seen so far, any part of a throw, point to; see `Prospects`."""
        return prospects(self, shown)

    def effect(self, throw: Throw) -> Effect:
        """Return what a throw does here; the throw must be one that `why_not` allows."""
        if not self.variant.by_letters:
            meant = of_sum(total_of(throw)) if self.variant.by_sum else (pointed_at(throw),)
            won = tuple(virtue for virtue in meant if not self.holder(virtue))
            return Effect("acquired" if won else "held", meant, won, None)
        judged = self._judged(throw)
        virtue = judged.virtue
        if self.holder(virtue):
            return Effect("held", (virtue,), (), judged)
        if judged.wins:
            return Effect("acquired", (virtue,), (virtue,), judged)
        if self.first_cast is not None:
            return Effect("missed", (virtue,), (), judged)
        if judged.recast:
            return Effect("recast", (virtue,), (), judged)
        return Effect("letters" if judged.missing else "consonant", (virtue,), (), judged)

    def _judged(self, throw: Throw) -> Judgement:
        if self.first_cast is not None and throw is not self.first_cast:
            return judge_second(self.first_cast, throw, self.reading)
        return judge(throw, self.reading)

    def legal(self) -> LudusChoices:
        """Return the end of the agreed time if the game is played for one; otherwise nothing but a throw is awaited."""
        return LudusChoices((TimeUp(),) if self.refusal(TimeUp()) is None else ())

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        """Return which rule forbids this throw or choice here, or None."""
        if self.outcome is not None:
            return GameOverError, Sentence("The game is over, so {move} does not count.", move=str(move))
        if isinstance(move, Throw):
            said = self._wrong_throw(move)
            return None if said is None else (WrongThrowError, said)
        if not isinstance(move, TimeUp):
            said = Sentence("This game knows no choice {move}; a throw is awaited.", move=str(move))
            return IllegalChoiceError, said
        if self.options["ending"] != "time":
            return IllegalChoiceError, Sentence("No time was agreed for this game, so it cannot be up.")
        if self.first_cast is not None:
            said = Sentence("The second cast belongs to a throw already made: throw the one cube first.")
            return IllegalChoiceError, said
        return None

    def _wrong_throw(self, throw: Throw) -> Sentence | None:
        waits = self.awaits
        if throw.set_name not in waits.dice_sets:
            return Sentence(
                "Expected a throw of the {expected} dice, but these are {set} dice.",
                expected=", ".join(waits.dice_sets),
                set=throw.set_name,
            )
        names = [name for name, _ in throw.shown]
        known = dice_set(throw.set_name)
        for name, face in throw.shown:
            if not any(die.name == name and any(f.text == face for f in die.faces) for die in known.dice):
                return Sentence("The {set} dice have no die {die} with {face}.", set=known.name, die=name, face=face)
        if waits.kind == "recast":
            if len(names) == 1 and names[0] in waits.dice:
                return None
            return Sentence("Expected one cube thrown again for Karitas, but {dice} came.", dice=telling.dice(names))
        if sorted(names) == sorted(waits.dice):
            return None
        return Sentence(
            "Expected the dice {expected}, but {dice} came.",
            expected=telling.dice(waits.dice),
            dice=telling.dice(names),
        )

    def applied(self, move: Throw | Choice) -> "LudusPosition":
        """Return the position after a throw or choice that was just checked."""
        if not isinstance(move, Throw):
            return replace(self, called=True)
        effect = self.effect(move)
        if effect.result == "recast":
            return replace(self, first_cast=move)
        won = {virtue.index for virtue in effect.won}
        return replace(
            self,
            turn=self.turn % self.seats + 1,
            thrown=self.throw_number,
            holders=tuple(self.turn if index in won else held for index, held in enumerate(self.holders)),
            numbers=tuple(self.throw_number if index in won else number for index, number in enumerate(self.numbers)),
            first_cast=None,
        )

    def accounted(self, move: Throw | Choice) -> Account:
        """Say what a throw or choice comes to that was just checked."""
        return telling.account(self, move)

    def standing(self) -> Outcome:
        """Return the end with winners, teacher and pupils if the players agree to end the game here."""
        return ending.standing(self)

    def passed(self) -> "LudusPosition | None":
        """Return the position once this turn went by without a virtue; its throw keeps its number."""
        if self.outcome is not None:
            return None
        return replace(self, turn=self.turn % self.seats + 1, thrown=self.throw_number, first_cast=None)

    def text(self, move: Throw | Choice) -> str:
        """Return ``"A IO AEI MNPR"``, of a second cast ``"2:UAE"``, by sums ``"1 2 3"``, of the wheel ``"1.2.3"``."""
        return notation.text(self, move)

    def parse(self, text: str) -> Throw | Choice:
        """Read what `text` wrote; cubes may come in any order, and the wheel's virtues by name.

        Raises:
            ThrowError: no throw of this position's dice.
        """
        return notation.parse(self, text)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        """Read the JSON form of a throw or of the end of time.

        Raises:
            ThrowError, IllegalChoiceError: neither.
        """
        return notation.move_from_json(data)

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return who holds what in plain text, a line a player, and how many virtues are free."""
        del names
        lines = [
            f"Player {number}: {', '.join(virtue.latin for virtue in self.held(number)) or 'no virtue yet'}"
            for number in range(1, self.seats + 1)
        ]
        return "\n".join([*lines, f"Free: {self.holders.count(0)} of {len(self.holders)}"])

    def occupancy(self) -> Mapping[str, Any]:
        """Return the holder of each virtue that is held, under its lot."""
        return {virtue.lot: self.holder(virtue) for virtue in virtues() if self.holder(virtue)}

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)
