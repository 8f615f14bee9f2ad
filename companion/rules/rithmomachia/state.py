"""The record of a position: men on the board and in hand, the player to act, and possible claims of the last move."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, TypeVar

from companion.rules.game import Game
from companion.rules.options import OptionValue
from companion.rules.rithmomachia.captures import captures
from companion.rules.rithmomachia.choices import Claim, Delivery, Place
from companion.rules.rithmomachia.men import EMPTY_HANDS, Hands, Man, Men
from companion.rules.rithmomachia.rule_set import RithmoRules
from companion.rules.rithmomachia.squares import enemy

State = TypeVar("State", bound="RithmoState")
"""Any class of the record; a change returns the class that it gets."""


class Triumph(NamedTuple):
    """A triumph: whose, its grade by name, its numbers in rising order."""

    player: int
    grade: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class RithmoState:
    """The record of a position of any of the three games, and what follows from it at once.

    ``phase`` is "move", or "claims" while ``turn`` may still claim captures. ``last`` is the last move, from square to
    square. ``lifted`` holds the enemies that have lost their place or a part since, as they stood right after this
    move. ``removed`` are men of kings, out for good. ``returned`` are men brought back that still count, if the players
    agreed so. ``astray`` keeps men set up by hand on squares that the board does not have, only for `faults`. A
    ``study`` is set up with only some of the men; the others are not in play, and nobody misses them.
    """

    variant: Game
    settings: tuple[tuple[str, OptionValue], ...]
    rules: RithmoRules = field(compare=False, repr=False)
    turn: int
    men: Men
    phase: Literal["move", "claims"] = "move"
    hands: Hands = EMPTY_HANDS
    last: tuple[int, int] | None = None
    lifted: tuple[tuple[int, Man], ...] = ()
    removed: Hands = EMPTY_HANDS
    returned: Hands = EMPTY_HANDS
    triumphs: tuple[Triumph, ...] = ()
    astray: tuple[tuple[str, Man], ...] = ()
    study: bool = False

    def changed(self, **fresh: Any) -> Self:
        """Return the same record with some fields changed, like `dataclasses.replace`, in a sixth of its time.

        A search makes hundreds of thousands of positions.
        """
        made = object.__new__(type(self))
        here, there = self.__dict__, made.__dict__
        for name in _FIELDS:
            there[name] = here[name]
        there.update(fresh)
        return made

    @property
    def actor(self) -> int:
        """The player who made the `last` move."""
        return self.turn if self.phase == "claims" else enemy(self.turn)

    @cached_property
    def stood(self) -> Men:
        """The men as they stood right after the last move, with lifted men put back; claims are judged on them."""
        if not self.lifted:
            return self.men
        there = list(self.men)
        for square, man in self.lifted:
            there[square] = man
        return tuple(there)

    @property
    def judged_on(self) -> Men:
        """The men on which a claim made now is judged."""
        return self.men if self.phase == "move" else self.stood

    @property
    def must_take(self) -> int | None:
        """The square of the man that every capture claimed now must include, or None if any man may take."""
        return self.last[1] if self.phase == "claims" and self.last is not None and self.rules.by_mover else None

    @property
    def may_claim(self) -> bool:
        """Whether captures can be claimed now, whether or not there are any."""
        return self.phase == "claims" or self.rules["before"] == "instead"

    @cached_property
    def claims(self) -> Mapping[Claim, str]:
        """Every capture that may be claimed now, with its arithmetic."""
        if not self.may_claim or (self.phase == "claims" and self.last and not self.rules.regular(*self.last)):
            return {}
        found = captures(self.rules, self.judged_on, self.turn, self.must_take)
        return found if self.phase == "move" else self._still_there(found)

    @cached_property
    def overlooked(self) -> Mapping[Claim, str]:
        """Every capture that the last move made possible and nobody claimed, for innocent delivery."""
        if self.phase == "claims" or self.last is None or not self.rules["innocent_delivery"]:
            return {}
        if self.rules["claims"] == "automatic" or not self.rules.regular(*self.last):
            return {}
        return self._still_there(captures(self.rules, self.stood, enemy(self.turn), self.last[1]))

    def _still_there(self, found: Mapping[Claim, str]) -> Mapping[Claim, str]:
        if not self.lifted:
            return found
        return {claim: proof for claim, proof in found.items() if self.stands(claim.target)}

    def stands(self, target: Place) -> bool:
        """Whether a man, or a part of a pyramid, still stands as after the last move and has not been lifted since."""
        square = self.rules.board.numbered[target.site]
        man = self.men[square]
        if target.part:
            return man is not None and any(part.number == target.part for part in man.parts)
        return man == self.stood[square]

    @cached_property
    def deliveries(self) -> Mapping[Delivery, tuple[Claim, ...]]:
        """What may be taken by innocent delivery, each with the overlooked captures."""
        found: dict[Delivery, tuple[Claim, ...]] = {}
        for claim in self.overlooked:
            assert self.last is not None, "a move was made"
            takers = claim.takers or (Place(self.rules.board.names[self.last[1]]),)
            for taker in takers:
                found[Delivery(taker)] = (*found.get(Delivery(taker), ()), claim)
        return found

    def held(self, number: int) -> tuple[Man, ...]:
        """Return the men that a player holds."""
        return self.hands[number - 1]

    def in_hand(self, shape: str, number: int) -> Man | None:
        """Return the man of this shape and number that the player to act holds; men of his first army come first."""
        alike = [man for man in self.held(self.turn) if man.shape == shape and man.number == number]
        return min(alike, key=lambda man: man.began != self.turn, default=None)


_FIELDS = tuple(one.name for one in fields(RithmoState))
