"""The record of a tables position: men, dice and turn, and what follows from them alone.

Every module that judges, describes or writes a position takes this record. `TablesPosition` combines them.
"""

from typing import NamedTuple, NoReturn

from companion.rules.game import ListedChoices
from companion.rules.tables import configurations
from companion.rules.tables.courses.course import Course
from companion.rules.tables.courses.duty import Dice, Duty
from companion.rules.tables.rulings import Men, TablesRules


class TurnState(NamedTuple):
    """What a position records besides men, dice and turn; in most games and moments nothing.

    ``turning``: the player must still turn one of the dice to a six. ``again``: the same player throws again after
    these dice. ``resume``: the other side left the dice, and this player throws after them. ``battle``: the sums thrown
    so far for the start, None once it is decided. ``lost``: the side that lost ad fallum. ``tied``: nobody can move
    with any throw. ``won``: the side that has won and now bears off the other side's men; ``slaps``: how many it has
    borne off.
    """

    turning: bool = False
    again: bool = False
    resume: int = 0
    battle: tuple[int, ...] | None = None
    lost: int = 0
    tied: bool = False
    won: int = 0
    slaps: int = 0


PLAIN = TurnState()


class TablesState:
    """The record of a position of any tables game but the free board. ``turn`` is the player whose turn it is.

    ``side``: the side whose men move, the player's own; but a side that has won may go on with the other side's.
    Positions are equal if their JSON is equal. All values are set once; later results are cached beside them.
    """

    rules: TablesRules
    turn: int
    men: Men
    dice: Dice
    aside: TurnState
    side: int = 0
    _duty: Duty | None = None
    _legal: ListedChoices | None = None
    _over: bool | None = None

    def __init__(self, rules: TablesRules, turn: int, men: Men, dice: Dice = (), aside: TurnState = PLAIN) -> None:
        kept = self.__dict__
        kept["rules"] = rules
        kept["turn"] = turn
        kept["men"] = men
        kept["dice"] = dice
        kept["aside"] = aside
        kept["side"] = 3 - aside.won if aside.won else rules.sides[turn]

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A position does not change: {name} cannot be set.")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, TablesState)
            and self.men == other.men
            and self.turn == other.turn
            and self.dice == other.dice
            and self.aside == other.aside
            and self.rules.key == other.rules.key
        )

    def __hash__(self) -> int:
        return hash((self.men, self.turn, self.dice, self.aside))

    @property
    def course(self) -> Course:
        """The course of the side whose men move."""
        return self.rules.courses[self.side - 1]

    @property
    def own(self) -> int:
        """The men of the side that moves, packed."""
        return self.men[self.side - 1]

    @property
    def foe(self) -> int:
        """The men of the other side, packed."""
        return self.men[2 - self.side]

    @property
    def duty(self) -> Duty:
        """The analysis of the turn; the positions of one turn share it."""
        found = self._duty
        if found is None:
            found = self.__dict__["_duty"] = Duty(self.course, self.foe)
        return found

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        found = self._over
        if found is None:
            found = self.__dict__["_over"] = self._ended()
        return found

    def _ended(self) -> bool:
        aside, rules, men = self.aside, self.rules, self.men
        if aside.tied or aside.lost:
            return True
        if aside.won:
            return rules.reached(men, 3 - aside.won)
        if rules.reached(men, 1) or rules.reached(men, 2):
            return True
        return bool(rules.ending_configurations) and not self.dice and configurations.ended(rules, men) is not None

    @property
    def may_leave(self) -> bool:
        """Whether the dice to play came from the other side, so that the player may leave them."""
        return self.rules.may_leave and self.aside.resume != 0
