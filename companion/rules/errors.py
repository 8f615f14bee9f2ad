"""What a game refuses: one class of error for each cause, each told in a sentence."""

from companion.language.sentence import Sentence, SentenceError


class GameError(SentenceError, ValueError):
    """Anything that a game refuses; ``position`` is where it happened, or None if nowhere.

    The error carries the position and asks nothing of it, so any object will do.
    """

    def __init__(self, said: Sentence | str, position: object = None) -> None:
        super().__init__(said)
        self.position = position


class UnknownGameError(GameError):
    """There is no game of this slug."""


class OptionError(GameError):
    """An option is unknown to the game, or its value is not one that the option takes."""


class WrongThrowError(GameError):
    """A throw was handed in that this position does not wait for."""


class IllegalChoiceError(GameError):
    """A choice was made that this position does not allow."""


class GameOverError(GameError):
    """Something was handed in after the end."""


class PositionFormatError(GameError):
    """A position's JSON is not of the form that the game writes."""


Refusal = tuple[type[GameError], Sentence]
