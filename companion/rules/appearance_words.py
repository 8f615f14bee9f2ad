"""The words for colours and shapes of men and tokens, as sentences that can be translated."""

from companion.data_file import data_of
from companion.language.sentence import Sentence, Template


def colour(name: str) -> Sentence:
    """Return the word for a colour; a colour without one, such as that of a photographed man, keeps its name."""
    return _word("colours", name)


def shape(name: str) -> Sentence:
    """Return the word for a shape; a shape without one keeps its name."""
    return _word("shapes", name)


def _word(kind: str, name: str) -> Sentence:
    known = data_of(__package__, "appearance_words.toml")[kind]["sentences"]
    return Sentence.of(Template(name)) if name in known else Sentence("{name}", name=name)
