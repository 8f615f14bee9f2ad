"""The page's texts: one folder for each language, with the translations of the rules' sentences by their template.

A folder's files are one catalogue; texts missing in a translation stay English. ``{parts}`` in braces are filled in.
Sentences of rules and referee bring their own English: a translation lists them under ``[sentences]``, with the English
template on the left. Where a number decides the wording, a text is a table of the language's plural forms:

    throws = {one = "1 throw", other = "{count} throws"}
    "{n} men may move." = {by = "n", one = "One man may move.", other = "{n} men may move."}

A section ``[language]`` may give the language's own ``name`` and its ``locale`` (``en-GB``), which decides how numbers,
lists and dates are written; ``like``, ``and`` and ``or`` help a language that browsers have no rules for. It may say
that the catalogue is meant for ``visitors`` alone, and that nobody who grew up with the language has read it
(``unread``).
"""

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from companion.language.wording import LIST_STYLES, Form, Wording, is_form

log = logging.getLogger(__name__)

DEFAULT = "en"
NAME = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")  # of a folder: a BCP 47 language tag
OWN = "language.toml"  # the file of each catalogue of this package that holds its [language]
ABOUT = re.compile(r"^\s*\[?\s*[\"']?language\b", re.MULTILINE)  # in a file: its [language], however written


class UnknownTextError(KeyError):
    """The catalogue has no text with this key."""


@dataclass(frozen=True)
class Texts:
    """The texts of one language: ``own`` by dotted key, ``sentences`` by the English template of the rules."""

    language: str
    own: Mapping[str, Form]
    sentences: Mapping[str, Form]
    wording: Wording = field(default=Wording("en-GB"))
    name: str = "English"
    written: frozenset[str] = frozenset()  # the keys that do not come from the default language
    visitors: bool = False  # whether the catalogue is meant to have only what visitors meet

    def __call__(self, key: str, **parts: Any) -> str:
        """Return the text of this key with its parts filled in; a part ``count`` decides between plural forms.

        Raises:
            UnknownTextError: no such key.
        """
        if key not in self.own:
            raise UnknownTextError(f"texts/{self.language} has no text {key!r}.")
        return self._filled(self.own[key], parts)

    def get(self, key: str, default: str) -> str:
        """Return the text of this key, or ``default`` where there is none."""
        return self(key) if key in self.own else default

    def translate(self, sentence: Mapping[str, Any] | None) -> str:
        """Return a sentence ``{text, template, parts}`` in this language; its English if there is no translation."""
        if not sentence:
            return ""
        template = str(sentence.get("template") or sentence.get("text", ""))
        return self._filled(self.sentences.get(template, template), sentence.get("parts", {}))

    def translated(self, english: str) -> str:
        """Return a constant English text of the rules (a title, a name of a virtue) in this language."""
        return self.translate({"template": english})

    def number(self, number: float, digits: int | None = None) -> str:
        """Return a number as this language writes it."""
        return self.wording.number(number, digits)

    def to_json(self) -> dict[str, Any]:
        """Return the catalogue as the page's script reads it."""
        return {
            "language": self.language,
            "locale": self.wording.like or self.wording.tag,
            "joints": dict(self.wording.joints),
            "own": dict(self.own),
            "sentences": dict(self.sentences),
        }

    def _filled(self, form: Form, parts: Mapping[str, Any]) -> str:
        template = self.wording.chosen(form, parts)
        return template.format(**{name: self._part(part) for name, part in parts.items()})

    def _part(self, part: Any) -> Any:
        """Return what fills a part: sentences and lists in this language, numbers as it writes them."""
        if isinstance(part, Mapping) and "template" in part:
            return self.translate(part)
        if isinstance(part, Mapping) and "list" in part:
            return self.wording.listed((str(self._part(one)) for one in part["list"]), part["joint"])
        if isinstance(part, int | float) and not isinstance(part, bool):
            return self.number(part)
        return part


def languages(more: Path | None = None) -> tuple[str, ...]:
    """Return the languages that have catalogues, the default first; ``more``: a folder with further ones."""
    names = {
        entry.name for root in _roots(more) for entry in root.iterdir() if entry.is_dir() and NAME.fullmatch(entry.name)
    }
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))


def load(language: str, more: Path | None = None) -> Texts:
    """Read one catalogue; the default one supplies missing texts.

    ``more``: a folder with the layout of this package's, whose texts override the package's own. It is read again after
    changes.
    """
    return _loaded(language, more, _changed(more))


def name(language: str, more: Path | None = None) -> str:
    """Return what a language calls itself; ``more`` as in `load`.

    This reads only the files that speak of the language: to list all languages must not read all catalogues.
    """
    about = _about(language, more, _changed(more))
    return str(about["name"]) if "name" in about else _wording(language, about).name


def unread(language: str, more: Path | None = None) -> bool:
    """Tell whether nobody who grew up with a language has read its texts yet; ``more`` as in `load`."""
    return bool(_about(language, more, _changed(more)).get("unread"))


def _changed(more: Path | None) -> tuple[tuple[str, int], ...]:
    """Return when each file of a folder changed: an argument for caches, so that they hold nothing out of date."""
    return () if more is None else tuple(sorted((str(one), one.stat().st_mtime_ns) for one in more.glob("*/*.toml")))


@lru_cache(maxsize=64)
def _loaded(language: str, more: Path | None, changed: tuple[tuple[str, int], ...]) -> Texts:
    del changed
    written: dict[str, Form] = {}
    sentences: dict[str, Form] = {}
    about: dict[str, Any] = {}
    for part in _parts(language, more):
        data = _read(part)
        about |= data.pop("language", {})
        sentences |= data.pop("sentences", {})
        written |= _flat(data)
    wording = _wording(language, about)
    missing = {} if language == DEFAULT else load(DEFAULT, more).own
    own = {**missing, **written}
    # Babel's own names take long to load
    named = str(about["name"]) if "name" in about else wording.name
    return Texts(language, own, sentences, wording, named, frozenset(written), bool(about.get("visitors")))


@lru_cache(maxsize=64)
def _about(language: str, more: Path | None, changed: tuple[tuple[str, int], ...]) -> dict[str, Any]:
    del changed
    about: dict[str, Any] = {}
    for part in _parts(language, more):
        if more is not None or part.name == OWN:
            about |= _read(part, holding=ABOUT).get("language", {})
    return about


def _wording(language: str, about: Mapping[str, Any]) -> Wording:
    joints = {joint: str(about[joint]) for joint in LIST_STYLES if joint in about}
    return Wording(str(about.get("locale", language)), str(about.get("like", "")), joints)


def _parts(language: str, more: Path | None) -> Iterator[Traversable]:
    """Yield the files of a language, in the order in which a later one overrides."""
    for root in _roots(more):
        folder = root / language
        if folder.is_dir():
            files_of = (entry for entry in folder.iterdir() if entry.name.endswith(".toml"))
            yield from sorted(files_of, key=lambda one: one.name)


def _read(part: Traversable, holding: re.Pattern[str] | None = None) -> dict[str, Any]:
    """Read a file of texts; an unreadable one is logged and left out, so that the page goes on in English.

    ``holding``: what a file must hold to be read at all.
    """
    try:
        text = part.read_text(encoding="utf-8")
        return tomllib.loads(text) if holding is None or holding.search(text) else {}
    except (ValueError, OSError) as error:
        log.warning("The texts in %s are left out, because they cannot be read: %s", part, error)
        return {}


def _roots(more: Path | None) -> tuple[Traversable, ...]:
    own = files(__package__) / "catalogues"
    return (own, more) if more is not None and more.is_dir() else (own,)


def _flat(data: Mapping[str, Any], before: str = "") -> dict[str, Form]:
    flat: dict[str, Form] = {}
    for key, value in data.items():
        if is_form(value):
            flat[before + key] = value
        elif isinstance(value, Mapping):
            flat.update(_flat(value, f"{before}{key}."))
        elif isinstance(value, list):  # a list's texts are numbered from 1
            flat.update({f"{before}{key}.{number}": str(text) for number, text in enumerate(value, 1)})
        else:
            flat[before + key] = str(value)
    return flat
