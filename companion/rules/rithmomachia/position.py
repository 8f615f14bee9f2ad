"""A position: the men on the board and in hand, who is to act, and the move whose captures are still to be claimed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from companion.rules.dice import Throw
from companion.rules.errors import GameOverError, IllegalChoiceError, Refusal, WrongThrowError
from companion.rules.game import NAMELESS, Account, Await, Choice, OptionValue, Outcome, Play, Position
from companion.rules.rithmomachia import (
    captures,
    drawing,
    ending,
    faults,
    notation,
    prospects,
    refusals,
    siege,
    telling,
    triumphs,
)
from companion.rules.rithmomachia.choices import PROGRESSION, Claim, Delivery, Done, Move, Place, Return
from companion.rules.rithmomachia.law import Law
from companion.rules.rithmomachia.legal import RithmoChoices
from companion.rules.rithmomachia.men import EMPTY_HANDS, Hands, Man, Men, with_man
from companion.rules.rithmomachia.squares import enemy
from companion.rules.rithmomachia.triumphs import Triumph
from companion.rules.sentence import Sentence, player

if TYPE_CHECKING:
    from companion.rules.rithmomachia.rithmomachia import Rithmomachia


@dataclass(frozen=True)
class RithmoPosition(Position):
    """A position of any of the three games.

    ``phase`` is "move", or "claims" while ``turn`` may still claim captures. ``last`` is the move made last, from
    square to square; ``lifted`` holds the enemies who lost their place or a part since, as they stood right after it.
    ``removed`` are men of kings, out for good; ``returned`` men brought back that still count, if so agreed.
    ``astray`` keeps men set up by hand on squares that the board does not have, for `faults` alone. A ``study`` is set
    up with some of the men only: the others are not in play, and nobody misses them.
    """

    variant: "Rithmomachia"
    settings: tuple[tuple[str, OptionValue], ...]
    law: Law = field(compare=False, repr=False)
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

    @property
    def game(self) -> "Rithmomachia":
        """The variant."""
        return self.variant

    @property
    def players(self) -> int:
        """Always two."""
        return 2

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value."""
        return dict(self.settings)

    @cached_property
    def awaits(self) -> Await:
        """Who is to move, or to say what a move takes."""
        if self.outcome is not None:
            return Await("over", self.turn, Sentence("The game is over."))
        if self.phase == "claims":
            said = Sentence("{player} says what is taken, or is done.", player=player(self.turn))
        else:
            said = self._asked()
        return Await("choice", self.turn, said)

    def _asked(self) -> Sentence:
        """Say what a turn may begin with, as far as everybody may know."""
        holding = self.held(self.turn) and self.law["returns"] != "none"
        who = player(self.turn)
        if self.law["before"] == "instead":
            if holding:
                return Sentence("{player} moves a man, brings one back, or takes without moving.", player=who)
            return Sentence("{player} moves a man, or takes without moving.", player=who)
        if holding:
            return Sentence("{player} moves a man or brings one back.", player=who)
        return Sentence("{player} moves a man.", player=who)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end, or None while the game goes on."""
        return ending.outcome(self)

    @property
    def actor(self) -> int:
        """The player who made the `last` move."""
        return self.turn if self.phase == "claims" else enemy(self.turn)

    @cached_property
    def stood(self) -> Men:
        """The men as they stood right after the last move, those lifted since put back: what claims are judged on."""
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
        """The square of the man whom every capture claimed now must include, or None if any man may take."""
        return self.last[1] if self.phase == "claims" and self.last is not None and self.law.by_mover else None

    @property
    def may_claim(self) -> bool:
        """Whether captures can be claimed now, be there any or not."""
        return self.phase == "claims" or self.law["before"] == "instead"

    @cached_property
    def claims(self) -> Mapping[Claim, str]:
        """Every capture that may be claimed now, with its arithmetic."""
        if not self.may_claim or (self.phase == "claims" and self.last and not self.law.regular(*self.last)):
            return {}
        found = captures.captures(self.law, self.judged_on, self.turn, self.must_take)
        return found if self.phase == "move" else self._still_there(found)

    @cached_property
    def overlooked(self) -> Mapping[Claim, str]:
        """Every capture that the last move made possible and that was not claimed, for innocent delivery."""
        if self.phase == "claims" or self.last is None or not self.law["innocent_delivery"]:
            return {}
        if self.law["claims"] == "automatic" or not self.law.regular(*self.last):
            return {}
        return self._still_there(captures.captures(self.law, self.stood, enemy(self.turn), self.last[1]))

    def _still_there(self, found: Mapping[Claim, str]) -> Mapping[Claim, str]:
        if not self.lifted:
            return found
        return {claim: proof for claim, proof in found.items() if self.stands(claim.target)}

    def stands(self, target: Place) -> bool:
        """Whether a man, or a part of a pyramid, that stood after the last move has not been lifted since."""
        square = self.law.board.numbered[target.site]
        man = self.men[square]
        if target.part:
            return man is not None and any(part.number == target.part for part in man.parts)
        return man == self.stood[square]

    @cached_property
    def deliveries(self) -> Mapping[Delivery, tuple[Claim, ...]]:
        """What may be taken by innocent delivery, each with the captures that were overlooked."""
        found: dict[Delivery, tuple[Claim, ...]] = {}
        for claim in self.overlooked:
            assert self.last is not None, "a move was made"
            takers = claim.takers or (Place(self.law.board.names[self.last[1]]),)
            for taker in takers:
                found[Delivery(taker)] = (*found.get(Delivery(taker), ()), claim)
        return found

    def held(self, number: int) -> tuple[Man, ...]:
        """Return the men that a player holds."""
        return self.hands[number - 1]

    def scores(self) -> Mapping[int, int]:
        """Return the value of the men that each player has taken."""
        return ending.scores(self)

    def standing(self) -> Outcome:
        """Return how the match ends if the players agree to stop: the better triumph, then the value of men taken."""
        return ending.standing(self)

    def legal(self) -> RithmoChoices:
        """Return the legal choices; captures are among them, so a page that shows all tells what was overlooked."""
        return RithmoChoices(self)

    @property
    def conceals(self) -> bool:
        """Captures are for the players to find, and innocent delivery lives from what they overlook."""
        return True

    def open_choices(self) -> Iterator[Choice]:
        """Give the choices that may be shown without telling what can be taken: moves, returns, done."""
        return self.legal().shown()

    def plays(self) -> Sequence[Play]:
        """Return the whole turns, one for each position that a turn can lead to."""
        found: dict[Position, Play] = {}
        begun: list[tuple[tuple[Choice, ...], RithmoPosition]] = [((), self)]
        seen: set[RithmoPosition] = {self}
        while begun:
            way, here = begun.pop()
            for choice in here.legal():
                reached = here.applied(choice)
                if reached.turn != self.turn or reached.outcome is not None:
                    found.setdefault(reached, Play((*way, choice), reached))
                elif reached not in seen:
                    seen.add(reached)
                    begun.append(((*way, choice), reached))
        return tuple(found.values())

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        """Return which rule forbids this choice here, or None."""
        if self.outcome is not None:
            return GameOverError, Sentence("The game is over, so {move} does not count.", move=str(move))
        if isinstance(move, Throw):
            return WrongThrowError, Sentence("This game has no dice, but {move} was thrown.", move=str(move))
        said = refusals.refusal(self, move)
        return None if said is None else (IllegalChoiceError, said)

    def applied(self, move: Throw | Choice) -> "RithmoPosition":
        """Return the position after a choice that was just checked."""
        if isinstance(move, Move):
            return self._moved(move)
        if isinstance(move, Claim):
            return triumphs.noted(self.with_taken(move), triumphs.of_proportion(self, move))
        if isinstance(move, Delivery):
            return self.with_taken(move).next_turn()
        if isinstance(move, Return):
            return self._brought_back(move)
        assert isinstance(move, Done), "there are no other choices, and throws are refused"
        after = self.next_turn()
        if self.last is None or not self.law.can_deliver:
            return after
        return replace(after, last=self.last, lifted=self.lifted)

    def next_turn(self) -> "RithmoPosition":
        """Return the position with the other player to move, nothing left to claim or deliver."""
        return replace(self, turn=enemy(self.turn), phase="move", last=None, lifted=())

    def _moved(self, move: Move) -> "RithmoPosition":
        there = self.carried_out(move)
        regular = there.last is not None and self.law.regular(*there.last)
        if regular and self.law["claims"] == "automatic":
            there = there.with_all_taken()
        there = triumphs.noted(there)
        if regular and self.law["claims"] == "claimed":
            return there
        return replace(there, turn=enemy(self.turn), phase="move")

    def carried_out(self, move: Move) -> "RithmoPosition":
        """Return the position right after a move, its captures still to be claimed, nothing else decided."""
        numbered = self.law.board.numbered
        start, end = numbered[move.start], numbered[move.end]
        men = siege.carried(self.men, start, end)
        return replace(self, men=men, phase="claims", last=(start, end), lifted=())

    def with_all_taken(self) -> "RithmoPosition":
        """Return the position after everything was taken that can be, a whole pyramid rather than its parts."""
        there = self
        for claim in self.all_at_once():
            there = triumphs.noted(there.with_taken(claim), triumphs.of_proportion(there, claim))
        return there

    def all_at_once(self) -> tuple[Claim, ...]:
        """Return one claim for each man who can be taken now, or for each part of a pyramid that cannot be as a whole.

        Where several captures take the same man, a progression goes before the others: it can be a triumph.
        """
        chosen: dict[Place, Claim] = {}
        for claim in sorted(self.claims, key=lambda claim: claim.kind != PROGRESSION):
            chosen.setdefault(claim.target, claim)
        return tuple(
            claim
            for target, claim in sorted(chosen.items(), key=lambda item: item[0])
            if not target.part or Place(target.site) not in chosen
        )

    def with_taken(self, choice: Claim | Delivery) -> "RithmoPosition":
        """Return the position once what is claimed is lifted from the board, the turn still going on."""
        square = self.law.board.numbered[choice.target.site]
        part = choice.target.part
        man = self.men[square]
        assert man is not None, "a man is taken"
        there = list(self.men)
        there[square] = man.without(part) if part else None
        taken = man.part(part) if part else man
        lifted = self.lifted if self.phase == "claims" else ()
        if self.law["several"] == "as-it-stood" and all(known != square for known, _ in lifted):
            lifted = tuple(sorted((*lifted, (square, man))))
        hands, removed = self.hands, self.removed
        if man.is_pyramid and self.law.has_kings:
            removed = with_man(removed, self.turn, taken)
        else:
            hands = with_man(hands, self.turn, taken)
        last = self.last if self.phase == "claims" else None
        return replace(self, men=tuple(there), phase="claims", hands=hands, last=last, lifted=lifted, removed=removed)

    def in_hand(self, shape: str, number: int) -> Man | None:
        """Return the man of this shape and number that the player to act holds, one of his first army before others."""
        alike = [man for man in self.held(self.turn) if man.shape == shape and man.number == number]
        return min(alike, key=lambda man: man.began != self.turn, default=None)

    def _brought_back(self, choice: Return) -> "RithmoPosition":
        man = self.in_hand(choice.shape, choice.number)
        assert man is not None, "the man is held"
        hand = list(self.held(self.turn))
        hand.remove(man)
        hands = (tuple(hand), self.hands[1]) if self.turn == 1 else (self.hands[0], tuple(hand))
        there = list(self.men)
        there[self.law.board.numbered[choice.site]] = man.turned(self.turn)
        returned = self.returned
        if self.law["returned_points"] == "counted":
            returned = with_man(returned, self.turn, man)
        return replace(self.next_turn(), men=tuple(there), hands=hands, returned=returned)

    def accounted(self, move: Throw | Choice) -> Account:
        """Say what a choice comes to that was just checked."""
        assert not isinstance(move, Throw), "throws are refused"
        return telling.account(self, move)

    def passed(self) -> "RithmoPosition | None":
        """Return the position once whoever is to act lets the turn, or the rest of it, go by."""
        return None if self.outcome is not None else self.next_turn()

    def teaching(self) -> Sequence[Sentence]:
        """Say what each side could take now and by its next move, with the arithmetic."""
        return prospects.told(self)

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text, file a on top, rank 1 at the left."""
        return drawing.drawn(self, names)

    def parse(self, text: str) -> Choice:
        """Read a choice as it would be typed here.

        Raises:
            IllegalChoiceError: what was expected, and what came.
        """
        return notation.parse(self, text)

    def meant(self, text: str) -> Sequence[Throw | Choice]:
        """Return every choice that a text can stand for: ``d7`` stands for each capture of the man on d7.

        Raises:
            IllegalChoiceError: no choice of this game.
        """
        return notation.meant(self, text)

    def move_from_json(self, data: Mapping[str, Any]) -> Choice:
        """Read the JSON form of a choice.

        Raises:
            IllegalChoiceError: not of a form that a choice writes.
        """
        return notation.choice_from_json(data)

    def occupancy(self) -> Mapping[str, Any]:
        """Return what stands on each square: colour, shape, number and a pyramid's parts."""
        names = self.law.board.names
        return {names[square]: notation.seen(man) for square, man in enumerate(self.men) if man is not None}

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)
