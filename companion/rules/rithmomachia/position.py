"""A position under the contract of every game, based on the record of `state`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.language.sentence import Sentence, player
from companion.rules.board import BoardNotes
from companion.rules.dice import Throw
from companion.rules.errors import GameOverError, IllegalChoiceError, Refusal, WrongThrowError
from companion.rules.game import NAMELESS, Await, Choice, Game, Play, Position
from companion.rules.options import OptionValue
from companion.rules.results import Account, Outcome
from companion.rules.rithmomachia import (
    ending,
    faults,
    notation,
    prospects,
    refusals,
    sentences,
    transitions,
)
from companion.rules.rithmomachia.choices import CAPTURES, DELIVERY
from companion.rules.rithmomachia.legal import RithmoChoices
from companion.rules.rithmomachia.men import COLOURS, Man
from companion.rules.rithmomachia.squares import FILES
from companion.rules.rithmomachia.state import RithmoState


@dataclass(frozen=True)
class RithmoPosition(RithmoState, Position):
    """A position of any of the three games; other modules of this package judge, describe and write its record."""

    conceals = True
    """Players must find captures themselves, and innocent delivery depends on what they overlook."""

    @property
    def game(self) -> Game:
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
        """Who must move, or say what a move takes."""
        if self.outcome is not None:
            return Await("over", self.turn, Sentence("The game is over."))
        if self.phase == "claims":
            sentence = Sentence("{player} captures a man or finishes the turn.", player=player(self.turn))
        else:
            sentence = self._asked()
        return Await("choice", self.turn, sentence)

    def _asked(self) -> Sentence:
        """Say what a turn may begin with, as far as everybody may know it."""
        holding = self.held(self.turn) and self.rules["returns"] != "none"
        who = player(self.turn)
        if self.rules["before"] == "instead":
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

    def scores(self) -> Mapping[int, int]:
        """Return the value of the men that each player has taken."""
        return ending.scores(self)

    @property
    def goal(self) -> int | None:
        """The points that were agreed, where they alone win."""
        return ending.agreed_points(self.rules)

    def standing(self) -> Outcome:
        """Return the outcome if the players agree to stop: the better triumph wins, then the value of men taken."""
        return ending.standing(self)

    def legal(self) -> RithmoChoices:
        """Return the legal choices, captures included; a page that shows all of them reveals what players overlook."""
        return RithmoChoices(self, over=self.outcome is not None)

    def open_choices(self) -> Iterator[Choice]:
        """Yield the choices that do not reveal what can be taken: moves, returns, done."""
        return self.legal().shown()

    def plays(self) -> Sequence[Play]:
        """Return the whole turns, one for each position that a turn can lead to."""
        found: dict[Position, Play] = {}
        begun: list[tuple[tuple[Choice, ...], RithmoPosition]] = [((), self)]
        seen: set[RithmoPosition] = {self}
        while begun:
            way, here = begun.pop()
            for choice in here.legal():
                reached = transitions.applied(here, choice)
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
        sentence = refusals.refusal(self, move)
        return None if sentence is None else (IllegalChoiceError, sentence)

    def applied(self, move: Throw | Choice) -> "RithmoPosition":
        """Return the position after a choice that was just checked."""
        assert not isinstance(move, Throw), "throws are refused"
        return transitions.applied(self, move)

    def next_turn(self) -> "RithmoPosition":
        """Return the position with the other player to move and nothing left to claim or deliver."""
        return transitions.next_turn(self)

    def accounted(self, move: Throw | Choice) -> Account:
        """Return the account of a choice that was just checked."""
        assert not isinstance(move, Throw), "throws are refused"
        return sentences.account(self, move)

    def passed(self) -> "RithmoPosition | None":
        """Return the position after the player to act skips the turn or the rest of it."""
        return None if self.outcome is not None else self.next_turn()

    def teaching(self) -> Sequence[Sentence]:
        """Say what each side could take now and by its next move, with the arithmetic."""
        return prospects.sentences(self)

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text, file a on top, rank 1 at the left."""
        return drawn(self, names)

    def parse(self, text: str) -> Choice:
        """Read a choice as a player types it here.

        Raises:
            IllegalChoiceError: the sentence says what was expected and what came.
        """
        return notation.parse(self, text)

    def meant(self, text: str) -> Sequence[Throw | Choice]:
        """Return every choice that a text can mean: ``d7`` means each capture of the man on d7.

        Raises:
            IllegalChoiceError: the text is no choice of this game.
        """
        return notation.meant(self, text)

    def move_from_json(self, data: Mapping[str, Any]) -> Choice:
        """Read the JSON form of a choice.

        Raises:
            IllegalChoiceError: the data does not have the form that a choice writes.
        """
        return notation.choice_from_json(data)

    def occupancy(self) -> Mapping[str, Any]:
        """Return what stands on each square: colour, shape, number and a pyramid's parts."""
        names = self.rules.board.names
        return {names[square]: notation.seen(man) for square, man in enumerate(self.men) if man is not None}

    def board_notes(self) -> BoardNotes:
        """Return the men that each player has taken and holds, what may be claimed now, and what `scores` count."""
        return {
            "held": {str(number): [notation.seen(man) for man in self.held(number)] for number in (1, 2)},
            "claims": self._claimable(),
            "counts": "points",
        }

    def _claimable(self) -> list[str]:
        """Return the kinds of capture that a player may name now, whether or not such a capture exists."""
        if self.outcome is not None:
            return []
        kinds = [kind for kind in CAPTURES if kind in self.rules.captures]
        if self.phase == "claims":
            return kinds
        before = kinds if self.rules["before"] == "instead" else []
        return [*before, DELIVERY] if self.rules["innocent_delivery"] and self.last is not None else before

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)


BRACKETS = {"circle": ("(", ")"), "triangle": ("<", ">"), "square": ("[", "]"), "pyramid": ("{", "}")}
MAN_CHARACTERS = 6
"""The widest man is ``b{190}``."""


def marked(man: Man) -> str:
    """Return a man in characters: ``w(16)``, ``b{190}``."""
    left, right = BRACKETS.get(man.shape, ("?", "?"))
    return f"{COLOURS[man.owner][0]}{left}{man.number}{right}"


def legend(names: Mapping[int, str]) -> str:
    """Return what the signs of a drawn board mean: the sides, with their players' names if known, and the shapes."""
    sides = (
        f"{colour[0]} {colour.capitalize()}" + (f" ({names[number]})" if number in names else "")
        for number, colour in COLOURS.items()
    )
    shapes = (f"{left}{shape}{right}" for shape, (left, right) in BRACKETS.items())
    return f"{', '.join(sides)}; {', '.join(shapes)}; the number is the man's own"


def drawn(position: RithmoState, names: Mapping[int, str]) -> str:
    """Return the board, file a on top and rank 1 at the left, with its legend and what both players hold below."""
    board = position.rules.board
    head = "   " + " ".join(str(rank + 1).center(MAN_CHARACTERS) for rank in range(board.ranks))
    lines = [head.rstrip()]
    for file, name in enumerate(FILES):
        row = position.men[file * board.ranks : (file + 1) * board.ranks]
        cells = (marked(man).center(MAN_CHARACTERS) if man is not None else ".".center(MAN_CHARACTERS) for man in row)
        lines.append(f"{name}  " + " ".join(cells).rstrip())
    pyramids = (man for man in position.men if man is not None and man.is_pyramid)
    lines += [f"{marked(man)} is {' + '.join(str(part.number) for part in man.parts)}" for man in pyramids]
    lines.append(legend(names))
    for number in COLOURS:
        if held := position.held(number):
            lines.append(f"{COLOURS[number].capitalize()} holds {' '.join(marked(man) for man in held)}")
        if removed := position.removed[number - 1]:
            lines.append(f"{COLOURS[number].capitalize()} put aside {' '.join(marked(man) for man in removed)}")
    return "\n".join(lines)
