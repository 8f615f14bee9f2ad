"""A position of a tables game: the men of both sides, the dice still to be played, and who plays."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

from companion.language.sentence import Sentence
from companion.rules.dice import Throw
from companion.rules.errors import Refusal
from companion.rules.game import NAMELESS, Account, Await, Choice, Game, OptionValue, Outcome, Play, Position
from companion.rules.tables import drawing, ending, faults, notation, plays, refusals, telling
from companion.rules.tables.aside import PLAIN, Aside
from companion.rules.tables.choices import Leave, Step, TablesChoices, TurnDie
from companion.rules.tables.course import Course
from companion.rules.tables.duty import Dice, Duty, without
from companion.rules.tables.rulings import SIX, Men, Rules


class TablesPosition(Position):
    """A position of any tables game but the free board. ``turn`` is the player who is to play.

    Equal positions are those of equal JSON. All values are set once; what is found out later is kept beside them.
    """

    rules: Rules
    turn: int
    men: Men
    dice: Dice
    aside: Aside

    def __init__(self, rules: Rules, turn: int, men: Men, dice: Dice = (), aside: Aside = PLAIN) -> None:
        kept = self.__dict__
        kept["rules"] = rules
        kept["turn"] = turn
        kept["men"] = men
        kept["dice"] = dice
        kept["aside"] = aside
        kept["_duty"] = None
        kept["_legal"] = None

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A position does not change: {name} cannot be set.")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, TablesPosition)
            and self.men == other.men
            and self.turn == other.turn
            and self.dice == other.dice
            and self.aside == other.aside
            and self.rules.key == other.rules.key
        )

    def __hash__(self) -> int:
        return hash((self.men, self.turn, self.dice, self.aside))

    def __repr__(self) -> str:
        return f"<{self.rules.variant.slug} {self.to_json()}>"

    @property
    def game(self) -> Game:
        """The variant."""
        return self.rules.game

    @property
    def players(self) -> int:
        """How many play: 2, or two teams of 2 or 3."""
        return self.rules.players

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value."""
        return dict(self.rules.options)

    @property
    def side(self) -> int:
        """The side whose men are moved: the player's own, but a side that has won may go on with the other's."""
        return 3 - self.aside.won if self.aside.won else self.rules.sides[self.turn]

    @property
    def course(self) -> Course:
        """The way of the side whose men are moved."""
        return self.rules.courses[self.side - 1]

    @property
    def own(self) -> int:
        """The men that are moved, packed."""
        return self.men[self.side - 1]

    @property
    def foe(self) -> int:
        """The men of the other side, packed."""
        return self.men[2 - self.side]

    @property
    def duty(self) -> Duty:
        """The analysis of the turn, which positions of one turn share."""
        found: Duty | None = self.__dict__["_duty"]
        if found is None:
            found = self.__dict__["_duty"] = Duty(self.course, self.foe)
        return found

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        found: bool | None = self.__dict__.get("_over")
        if found is None:
            found = self.__dict__["_over"] = ending.over(self)
        return found

    @property
    def awaits(self) -> Await:
        """Who is to throw, to turn a die or to move."""
        return telling.awaits(self)

    @property
    def outcome(self) -> Outcome | None:
        """The end, or None while the game goes on."""
        return ending.outcome(self) if self.over else None

    @property
    def may_leave(self) -> bool:
        """Whether the dice that lie there came from the other side and need not be played."""
        return self.rules.may_leave and self.aside.resume != 0

    def throws(self) -> Sequence[Throw]:
        """Return every throw that could be handed in here, each as likely as the next."""
        return () if self.dice or self.over else self.rules.throws

    def legal(self) -> TablesChoices:
        """Return the legal choices: by origin, the hand first and then along the way, then by die, lowest first."""
        return TablesChoices(self)

    def each_legal(self) -> Iterator[Choice]:
        """Give the legal choices one by one, found only as far as asked for."""
        known: tuple[Choice, ...] | None = self.__dict__["_legal"]
        if known is not None:
            return iter(known)
        if not self.dice or self.over:
            return iter(())
        if self.aside.turning:
            return (TurnDie(number) for number in sorted(set(self.dice)))
        steps = self.course.steps
        found: Iterator[Choice] = (steps[key] for key in self.duty.legal(self.own, self.dice))
        return chain(found, (Leave(),)) if self.may_leave else found

    def all_legal(self) -> tuple[Choice, ...]:
        """Return the legal choices, found once."""
        known: tuple[Choice, ...] | None = self.__dict__["_legal"]
        if known is None:
            known = self.__dict__["_legal"] = tuple(self.each_legal())
        return known

    def allows(self, choice: object) -> bool:
        """Whether a choice is legal here."""
        if not self.dice or self.over:
            return False
        if isinstance(choice, Step) and not self.aside.turning:
            key = self.course.by_step.get(choice)
            return key is not None and self._may(*key)
        if isinstance(choice, Leave):
            return self.may_leave
        return isinstance(choice, TurnDie) and self.aside.turning and choice.die in self.dice

    def _may(self, bit: int, die: int) -> bool:
        if die not in self.dice:
            return False
        duty, own = self.duty, self.own
        return duty.origins(own, die) & bit != 0 and (len(self.dice) == 1 or duty.meets(own, self.dice, bit, die))

    def refusal(self, move: Throw | Choice) -> Refusal | None:
        """Return which rule forbids this throw or choice here, or None."""
        return refusals.refusal(self, move)

    def after(self, move: Throw | Choice) -> "TablesPosition":
        """Return the position after a throw or choice.

        Raises:
            WrongThrowError, IllegalChoiceError, GameOverError: `why_not` says why.
        """
        if isinstance(move, Throw):
            numbers = self.rules.numbers.get(move)
            if numbers is None or self.dice or self.over:
                self._refuse(move)
            return self._thrown(numbers)
        if not self.allows(move):
            self._refuse(move)
        if isinstance(move, TurnDie):
            return self._turned(move)
        if isinstance(move, Leave):
            return TablesPosition(self.rules, self.aside.resume, self.men)
        assert isinstance(move, Step), "there is no other kind of choice"
        return self._stepped(*self.course.by_step[move])

    def _refuse(self, move: Throw | Choice) -> NoReturn:
        self.insist(move)
        raise AssertionError("what is not allowed has a reason")

    def _thrown(self, numbers: Dice) -> "TablesPosition":
        aside = self.aside
        if aside.battle is not None:
            return self._battled(sum(numbers))
        if self.rules.turns_one and SIX not in numbers:
            return TablesPosition(self.rules, self.turn, self.men, numbers, aside._replace(turning=True))
        return self._laid(numbers)

    def _battled(self, total: int) -> "TablesPosition":
        rules = self.rules
        sums = (*(self.aside.battle or ()), total)
        if len(sums) == 1:
            return TablesPosition(rules, rules.opponent(self.turn), self.men, (), self.aside._replace(battle=sums))
        ours, theirs = sums
        if ours == theirs:
            return TablesPosition(rules, 1, self.men, (), self.aside._replace(battle=()))
        first = 1 if ours > theirs else 2
        begun = rules.begun_by(first)
        return TablesPosition(begun, begun.team(first)[0], self.men if begun is rules else begun.start())

    def _turned(self, choice: TurnDie) -> "TablesPosition":
        return self._laid(tuple(sorted((*without(self.dice, choice.die), SIX))))

    def _laid(self, numbers: Dice) -> "TablesPosition":
        """Return the position in which these dice are to be played, or are found to be of no use."""
        rules, aside = self.rules, self.aside
        again = rules.again(numbers)
        if aside.turning or again:
            aside = aside._replace(turning=False, again=again)
        dice = rules.lying(numbers)
        position = TablesPosition(rules, self.turn, self.men, dice, aside)
        if position.duty.movable(self.own, dice):
            return position
        return position.ended(self.men, dice, aside, played=False)

    def _stepped(self, bit: int, die: int) -> "TablesPosition":
        """Return the position after a step that is legal."""
        rules, side, aside = self.rules, self.side, self.aside
        men = rules.step(self.men, side, bit, die)
        if aside.won and self.course.off(men[side - 1]) > self.course.off(self.own):
            aside = aside._replace(slaps=aside.slaps + 1)
        if rules.reached(men, side):
            return self.finished(men, aside)
        rest = without(self.dice, die)
        if rest and self.duty.movable(men[side - 1], rest):
            position = TablesPosition(rules, self.turn, men, rest, aside)
            position.__dict__["_duty"] = self.duty
            position.__dict__["_over"] = False
            return position
        return self.ended(men, rest, aside, played=True)

    def finished(self, men: Men, aside: Aside) -> "TablesPosition":
        """Return the position in which the side to play has just reached the goal."""
        rules = self.rules
        if rules.slaps and not aside.won:
            won = rules.sides[self.turn]
            return TablesPosition(rules, rules.next_of_side(self.turn), men, (), PLAIN._replace(won=won))
        return TablesPosition(rules, self.turn, men, (), PLAIN._replace(won=aside.won, slaps=aside.slaps))

    def ended(self, men: Men, left: Dice, aside: Aside, *, played: bool) -> "TablesPosition":
        """Return the position after the turn, with the dice that were left and whether any was played."""
        rules = self.rules
        if aside is PLAIN and played and not left:
            return TablesPosition(rules, rules.next_player(self.turn), men)
        if aside.won:
            then = self.turn if aside.again else rules.next_of_side(self.turn)
            return TablesPosition(rules, then, men, (), PLAIN._replace(won=aside.won, slaps=aside.slaps))
        if left and rules.ad_fallum and not aside.resume:
            return TablesPosition(rules, self.turn, men, (), PLAIN._replace(lost=rules.sides[self.turn]))
        if not played and rules.stuck(men):
            return TablesPosition(rules, self.turn, men, (), PLAIN._replace(tied=True))
        then = aside.resume or (self.turn if aside.again else rules.next_player(self.turn))
        if left and rules.to_opponent and not aside.resume:
            taker = TablesPosition(rules, rules.opponent(self.turn), men, left, PLAIN._replace(resume=then))
            if taker.duty.movable(taker.own, left):
                return taker
        return TablesPosition(rules, then, men)

    def account(self, move: Throw | Choice) -> Account:
        """Say what this throw or choice comes to here. Raises as `after`."""
        return telling.account(self, move, self.after(move))

    def plays(self) -> Sequence[Play]:
        """Return the whole turns that may be played from here, one for each position that a turn can lead to."""
        return plays.plays(self)

    def standing(self) -> Outcome:
        """Return how the match ends if it is ended here: by men borne off or home, then by the pips still to go."""
        return ending.standing(self)

    def passed(self) -> "TablesPosition | None":
        """Return the position once this turn went by, its dice lifted unplayed."""
        if self.over or self.aside.battle is not None:
            return None
        rules, aside = self.rules, self.aside
        if aside.won:
            kept = PLAIN._replace(won=aside.won, slaps=aside.slaps)
            return TablesPosition(rules, rules.next_of_side(self.turn), self.men, (), kept)
        return TablesPosition(rules, aside.resume or rules.next_player(self.turn), self.men)

    def text(self, move: Throw | Choice) -> str:
        """Return ``"2 5 6"``, ``"k-q"``, ``"hand-c"``, ``"x-off"``, ``"turn 1"``; see `notation.text`."""
        return notation.text(self, move)

    def parse(self, text: str) -> Throw | Choice:
        """Read what `text` wrote.

        Raises:
            ThrowError, IllegalChoiceError: what was expected, and what came.
        """
        return notation.parse(self, text)

    def move_from_json(self, data: Mapping[str, Any]) -> Throw | Choice:
        """Read the JSON form of a throw or choice.

        Raises:
            ThrowError, IllegalChoiceError: what was expected, and what came.
        """
        return notation.move_from_json(data)

    def occupancy(self) -> Mapping[str, Any]:
        """Return for each place with men, ``hand`` and ``off`` too, how many of each side: ``{"a": {"1": 15}}``."""
        return notation.occupancy(self)

    def scores(self) -> Mapping[int, int]:
        """Return for each player the men that the side has borne off, or home, or the points it holds."""
        return ending.scores(self)

    def drawn(self, names: Mapping[int, str] = NAMELESS) -> str:
        """Return the board in plain text as the players see it."""
        return drawing.drawn(self, names)

    def faults(self) -> tuple[Sentence, ...]:
        """List everything wrong with a position that was set up by hand."""
        return faults.faults(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, see `notation.position_to_json`."""
        return notation.position_to_json(self)
