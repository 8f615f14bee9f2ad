"""The words for colours and shapes of men and tokens, as sentences that can be translated."""

from collections.abc import Mapping

from companion.language.sentence import Sentence

_COLOURS: Mapping[str, Sentence] = {
    "light": Sentence("light"),
    "dark": Sentence("dark"),
    "white": Sentence("white"),
    "black": Sentence("black"),
    "blue": Sentence("blue"),
    "red": Sentence("red"),
    "green": Sentence("green"),
    "violet": Sentence("violet"),
    "brown": Sentence("brown"),
    "grey": Sentence("grey"),
    "unknown": Sentence("unknown"),
}
_SHAPES: Mapping[str, Sentence] = {
    "circle": Sentence("circle"),
    "triangle": Sentence("triangle"),
    "square": Sentence("square"),
    "pyramid": Sentence("pyramid"),
}


def colour(name: str) -> Sentence:
    """Return the word for a colour; a colour without one, such as that of a photographed man, keeps its name."""
    return _COLOURS.get(name) or Sentence("{name}", name=name)


def shape(name: str) -> Sentence:
    """Return the word for a shape; a shape without one keeps its name."""
    return _SHAPES.get(name) or Sentence("{name}", name=name)
