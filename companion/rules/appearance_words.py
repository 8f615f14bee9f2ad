"""How the looks of men and tokens are said: colours and shapes as sentences of their own, to be translated."""

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
    """Return the word for a colour; one that has none here, as a photographed man may have, is said by its name."""
    return _COLOURS.get(name) or Sentence("{name}", name=name)


def shape(name: str) -> Sentence:
    """Return the word for a shape, likewise."""
    return _SHAPES.get(name) or Sentence("{name}", name=name)
