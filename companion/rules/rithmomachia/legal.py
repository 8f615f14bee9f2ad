"""The legal choices of a position, found one by one on request; choices that reveal no capture come first."""

from collections.abc import Iterator

from companion.rules.game import Choice, Choices
from companion.rules.rithmomachia import refusals
from companion.rules.rithmomachia.choices import Done, Move, Return
from companion.rules.rithmomachia.state import RithmoState


class RithmoChoices(Choices):
    """The choices of a position: moves and returns, or done; then deliveries and claims; none once it is ``over``."""

    def __init__(self, position: RithmoState, *, over: bool) -> None:
        self.position = position
        self.over = over

    def __iter__(self) -> Iterator[Choice]:
        if not self.over:
            yield from self.shown()
            yield from self.position.deliveries if self.position.phase == "move" else ()
            yield from self.position.claims

    def __contains__(self, choice: object) -> bool:
        return not self.over and refusals.refusal(self.position, choice) is None

    def shown(self) -> Iterator[Choice]:
        """Yield the choices that do not reveal what can be taken."""
        if self.over:
            return
        if self.position.phase == "claims":
            yield Done()
            return
        yield from moves(self.position)
        yield from returns(self.position)


def any_at_all(position: RithmoState) -> bool:
    """Whether anything can be done, whatever the outcome; for the start of a turn, when a player may be stuck."""
    found = next(moves(position), None) or next(returns(position), None)
    return bool(found or position.deliveries or position.claims)


def moves(position: RithmoState) -> Iterator[Move]:
    """Yield the moves of the player to act."""
    rules, men, turn = position.rules, position.men, position.turn
    for square, man in enumerate(men):
        if man is None or man.owner != turn:
            continue
        for way in rules.ways(man)[square]:
            if men[way.end] is None:
                for passed in way.path:
                    if men[passed] is not None:
                        break
                else:
                    yield rules.move(square, way.end)


def returns(position: RithmoState) -> Iterator[Return]:
    """Yield every choice to bring back a man that the player to act holds."""
    hand = position.held(position.turn)
    if not hand or position.rules["returns"] == "none":
        return
    places = position.rules.entering(position.turn)
    empty = [square for square in places if position.men[square] is None]
    for shape, number in dict.fromkeys((man.shape, man.number) for man in hand):
        every = position.rules.returning(shape, number)
        for square in empty:
            yield every[square]
