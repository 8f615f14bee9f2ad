"""The record of a position of Ludix: its fields, and what every module of this package derives from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.rules.dice import Throw
from companion.rules.game import Game
from companion.rules.ludix.numerals import Numeral, formed_by, numerals, shown_by
from companion.rules.options import OptionValue


@dataclass(frozen=True)
class LudixState:
    """The fields of a position of ``ludix``.

    ``points`` are each player's noted points; ``turns`` counts the finished turns of all players. ``formed`` are the
    numerals of the current turn, whose points are at stake; ``cast`` is the throw that waits for a choice.
    """

    variant: Game
    seats: int
    settings: tuple[tuple[str, OptionValue], ...]
    turn: int
    turns: int
    points: tuple[int, ...]
    formed: tuple[str, ...] = ()
    cast: Throw | None = None

    @cached_property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value."""
        return dict(self.settings)

    def scores(self) -> Mapping[int, int]:
        """Return each player's noted points."""
        return dict(enumerate(self.points, 1))

    @property
    def own(self) -> int:
        """The noted points of the player whose turn it is."""
        return self.scores().get(self.turn, 0)

    @cached_property
    def stake(self) -> int:
        """The points of the current turn that are not noted yet, without the throw that waits for a choice."""
        known = numerals()
        return sum(known[text].value for text in self.formed if text in known)

    @property
    def best(self) -> Numeral:
        """The highest numeral of the throw that waits for a choice."""
        assert self.cast is not None, "asked only while a choice is awaited"
        return formed_by(shown_by(self.cast))[0]
