"""The errors of a game: one class for each cause, and each error has a sentence."""

from companion.language.sentence import Sentence, SentenceError


class GameError(SentenceError, ValueError):
    """The base class of a game's errors; ``position`` is the position where the error happened, or None.

    The error only stores the position, so any object is accepted.
    """

    def __init__(self, sentence: Sentence | str, position: object = None) -> None:
        super().__init__(sentence)
        self.position = position


class UnknownGameError(GameError):
    """There is no game of this slug."""


class OptionError(GameError):
    """The game has no such option, or the option does not take the value."""


class WrongThrowError(GameError):
    """The position does not await this throw."""


class IllegalChoiceError(GameError):
    """The position does not allow this choice."""


class GameOverError(GameError):
    """A throw or choice came after the end of the game."""


class PositionFormatError(GameError):
    """A position's JSON does not have the form that the game writes."""


Refusal = tuple[type[GameError], Sentence]
