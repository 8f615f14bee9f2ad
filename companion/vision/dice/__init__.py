"""Read letter dice from a camera's picture: three cubes and a tetrahedron, decoded as one throw."""

from companion.vision.dice.combine import NothingToCombineError, combine
from companion.vision.dice.nets import WeightsError
from companion.vision.dice.reader import DiceReader, DiceSetNotReadError

__all__ = ["DiceReader", "DiceSetNotReadError", "NothingToCombineError", "WeightsError", "combine"]
