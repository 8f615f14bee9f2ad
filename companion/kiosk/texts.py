"""The page's texts: one folder a language, and the sentences of the rules found in it by their template.

A folder's files are one catalogue; what a translation leaves out stays English. ``{parts}`` in braces are filled in.
Sentences that rules and referee make come with their own English: a translation lists them under ``[sentences]``, the
English template on the left.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULT = "en"


class UnknownTextError(KeyError):
    """The catalogue has no text of this key."""


@dataclass(frozen=True)
class Texts:
    """The texts of one language: ``own`` by dotted key, ``sentences`` by the English template of the rules."""

    language: str
    own: Mapping[str, str]
    sentences: Mapping[str, str]

    def __call__(self, key: str, **parts: Any) -> str:
        """Return the text of this key, with its parts filled in.

        Raises:
            UnknownTextError: no such key.
        """
        if key not in self.own:
            raise UnknownTextError(f"texts/{self.language} has no text {key!r}.")
        return self.own[key].format(**parts) if parts else self.own[key]

    def get(self, key: str, default: str) -> str:
        """Return the text of this key, or ``default`` where there is none."""
        return self.own.get(key, default)

    def say(self, sentence: Mapping[str, Any]) -> str:
        """Return a sentence ``{text, template, parts}`` in this language; its English where no translation is known."""
        template = self.sentences.get(str(sentence.get("template")))
        if template is None:
            return str(sentence["text"])
        parts = {
            name: self.say(part) if isinstance(part, Mapping) and "template" in part else part
            for name, part in sentence["parts"].items()
        }
        return template.format(**parts)

    def to_json(self) -> dict[str, Any]:
        """Return the catalogue as the page's script reads it."""
        return {"language": self.language, "own": dict(self.own), "sentences": dict(self.sentences)}


def languages() -> tuple[str, ...]:
    """Name the languages that there are catalogues of, the default first."""
    names = (entry.name for entry in (files(__package__) / "texts").iterdir() if entry.is_dir())
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))


@cache
def load(language: str) -> Texts:
    """Read one catalogue; a text that it lacks is taken from the default one."""
    own: dict[str, str] = {}
    sentences: dict[str, str] = {}
    for part in sorted((files(__package__) / "texts" / language).iterdir(), key=lambda entry: entry.name):
        data = tomllib.loads(part.read_text(encoding="utf-8"))
        sentences |= data.pop("sentences", {})
        own |= _flat(data)
    return Texts(language, own if language == DEFAULT else {**load(DEFAULT).own, **own}, sentences)


def _flat(data: Mapping[str, Any], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{before}{key}."))
        elif isinstance(value, list):  # a list's texts are numbered from 1
            flat.update({f"{before}{key}.{number}": str(text) for number, text in enumerate(value, 1)})
        else:
            flat[before + key] = str(value)
    return flat
