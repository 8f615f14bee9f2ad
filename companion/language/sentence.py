"""A sentence for a player: an English template and its parts, so that it can be shown in any language."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any, Literal, NewType, Self, TypedDict

Joint = Literal["and", "or", "comma"]
Template = NewType("Template", str)
"""A text that is known to be a sentence's template: marked by `N_`, or read from a data file or a record."""


def N_(template: str) -> Template:  # noqa: N802  (what gettext calls its mark for a text that is only translated later)
    """Mark a literal as a template where it is written, if the sentence is made elsewhere."""
    return Template(template)


class SentenceJson(TypedDict):
    """A sentence in English, with the template and the parts for its translation."""

    text: str
    template: str
    parts: dict[str, Any]


@dataclass(frozen=True, init=False)
class Sentence:
    """What the program says to a person.

    ``template`` is English with ``{named}`` parts; it is the key of the translations. ``parts`` fills it. ``str()``
    gives the English. A part may itself be a `Sentence`, or a `Listing` of several. Never put bare words into a part:
    they would stay English in every language. Only names, numbers, notation, letters and Latin may be bare.

    The template is a literal at the call, where Babel finds it; `of` takes one that is marked by `N_` or read.
    """

    template: Template
    parts: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, /, **parts: Any) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "parts", tuple(sorted(parts.items())))

    @classmethod
    def of(cls, template: Template, /, **parts: Any) -> Self:
        """Make a sentence of a template that is no literal at the call."""
        return cls(template, **parts)

    def __str__(self) -> str:
        return self.template.format(**dict(self.parts))

    def to_json(self) -> SentenceJson:
        """Return ``{"text": English, "template": ..., "parts": {...}}``; nested sentences likewise."""
        parts = {name: _json(part) for name, part in self.parts}
        if self.template == TERM:
            sentence = parts["said"]
            return {"text": str(self), "template": sentence["template"], "parts": sentence["parts"]}
        return {"text": str(self), "template": self.template, "parts": parts}

    def weight(self) -> int:
        """Return the number of characters that this sentence and each one in it says, plus those of its parts.

        It counts them without making the text: a few nested levels may say more than any memory holds.
        """
        return self._measured()[1]

    def _measured(self) -> tuple[int, int]:
        """Return the length of the text, and the weight of everything."""
        sizes = {name: _measured(part) for name, part in self.parts}
        length = 0
        for literal, name, _, _ in Formatter().parse(self.template):
            length += len(literal) + (sizes[name][0] if name is not None else 0)
        return length, 1 + len(self.template) + length + sum(weight for _, weight in sizes.values())

    def nested(self) -> Iterator["Sentence"]:
        """Yield the sentences that fill this one, and those that fill them."""
        for _, part in self.parts:
            for inner in part.items if isinstance(part, Listing) else (part,):
                if isinstance(inner, Sentence):
                    yield inner
                    yield from inner.nested()

    def named(self, names: Mapping[int, str]) -> "Sentence":
        """Return the sentence with each `player` called by name, if the name is known."""
        if self.template == PLAYER:
            number = dict(self.parts)["number"]
            return Sentence("{name}", name=names[number]) if number in names else self
        return Sentence.of(
            self.template, **{name: _changed(part, lambda one: one.named(names)) for name, part in self.parts}
        )


@dataclass(frozen=True, init=False)
class Listing:
    """Several things as one part of a sentence, joined as each language joins them.

    ``joint``: ``and`` for all of them, ``or`` for one of them, ``comma`` for commas alone.
    """

    items: tuple[Any, ...]
    joint: Joint

    def __init__(self, items: Iterable[Any], joint: Joint = "and") -> None:
        object.__setattr__(self, "items", tuple(items))
        object.__setattr__(self, "joint", joint)

    def __bool__(self) -> bool:
        return bool(self.items)

    def __str__(self) -> str:
        texts = [str(item) for item in self.items]
        if self.joint == "comma" or len(texts) < 2:  # noqa: PLR2004  (a joint stands between two)
            return ", ".join(texts)
        return f"{', '.join(texts[:-1])} {self.joint} {texts[-1]}"

    def to_json(self) -> dict[str, Any]:
        """Return ``{"list": [...], "joint": ...}``; sentences in it as sentences."""
        return {"list": [_json(item) for item in self.items], "joint": self.joint}


def _measured(part: Any) -> tuple[int, int]:
    """Return the length and the weight of a part."""
    if isinstance(part, Sentence):
        return part._measured()  # noqa: SLF001  (a part measures itself as the whole does)
    if isinstance(part, Listing):
        sizes = [_measured(item) for item in part.items]
        joints = len(sizes) * len(" and ")
        return joints + sum(size for size, _ in sizes), 1 + joints + sum(weight for _, weight in sizes)
    length = len(str(part))
    return length, 1 + length


def _json(part: Any) -> Any:
    return part.to_json() if isinstance(part, Sentence | Listing) else part


def _changed(part: Any, change: Callable[[Sentence], Sentence]) -> Any:
    """Return a part with every sentence in it changed."""
    if isinstance(part, Sentence):
        return change(part)
    if isinstance(part, Listing):
        return Listing((_changed(item, change) for item in part.items), part.joint)
    return part


class SentenceText(str):
    """The English of a sentence where a record holds plain text; it keeps the ``sentence`` that it came from."""

    __slots__ = ("sentence",)

    sentence: Sentence

    def __new__(cls, sentence: Sentence) -> Self:
        """Write the sentence in English."""
        text = super().__new__(cls, str(sentence))
        text.sentence = sentence
        return text


def sentence_of(text: str) -> Sentence:
    """Return the sentence that a text came from, or one that says the text unchanged."""
    return text.sentence if isinstance(text, SentenceText) else Sentence("{text}", text=text)


class SentenceError(Exception):
    """An error whose text is one sentence for a person; ``sentence`` is the same for the page, which translates it."""

    def __init__(self, sentence: Sentence | str) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence if isinstance(sentence, Sentence) else Sentence("{said}", said=sentence)


def why_of(error: BaseException) -> Sentence:
    """Return what an error says, as a part of another sentence: its own sentence, or its plain text."""
    return error.sentence if isinstance(error, SentenceError) else Sentence("{why}", why=str(error))


PLAYER = N_("Player {number}")


def player(number: int) -> Sentence:
    """Return a player as part of a sentence from a game, which knows no names."""
    return Sentence.of(PLAYER, number=number)


TERM = N_("{term}")


def term(latin: str, sentence: Sentence) -> Sentence:
    """Return a term as part of a sentence: its text is Latin, as the sources write it; pages translate ``sentence``."""
    return Sentence.of(TERM, term=latin, said=sentence)
