"""What a language lacks, has too much of, or has with other parts than the English."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from companion.language.index import files_by_template
from companion.language.texts import Texts
from companion.language.wording import Form, templates

# Read only at a console, so it stays English: files of positions, commands.
CONSOLE = re.compile(r"companion/commands/|companion/rules/\w+/(faults)\.py")
IN_LATIN = frozenset({"english"})  # what a reader calls a virtue, beside its Latin: there one and the same
LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class Problem:
    """Something wrong with a text of a language: its key or English template, and what is wrong."""

    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.text!r}: {self.what}"


def to_translate() -> Mapping[str, tuple[str, ...]]:
    """Return every template that a person at the page may see, with the files that say it."""
    return {
        template: where
        for template, where in files_by_template().items()
        if _has_words(template) and not all(CONSOLE.match(place) for place in where)
    }


def problems(texts: Texts, english: Texts) -> Iterator[Problem]:
    """Yield what is wrong with a language's texts, except for missing ones."""
    for key in texts.written:
        if key not in english.own:
            yield Problem(key, "the English texts have no such key")
        else:
            yield from _of_form(
                key, texts.own[key], english.own[key], IN_LATIN if texts.language == "la" else frozenset()
            )
    for template, form in texts.sentences.items():
        if template not in files_by_template():
            yield Problem(template, "no sentence of the program has this template")
        else:
            yield from _of_form(template, form, template)


def _of_form(name: str, form: Form, english: Form, spared: frozenset[str] = frozenset()) -> Iterator[Problem]:
    wanted = parts_of(templates(english)["other"])
    deciding = wanted | ({english.get("by", "count")} if isinstance(english, Mapping) else set())
    by = form.get("by", "count") if isinstance(form, Mapping) else None
    if by is not None and by not in deciding:
        yield Problem(name, f"the plural is chosen by {by!r}, but the parts are {sorted(deciding)}")
    for category, text in templates(form).items():
        try:
            used = parts_of(text)
        except ValueError as error:
            yield Problem(name, f"{text!r} cannot be filled in ({error})")
            continue
        if used - wanted:
            yield Problem(name, f"{text!r} has the unknown parts {sorted(used - wanted)}")
        left = wanted - used - spared - ({by} if category != "other" and by is not None else set())
        if left:
            yield Problem(name, f"{text!r} leaves out the parts {sorted(left)}")


def parts_of(template: str) -> set[str]:
    """Return the names in the braces of a template.

    Raises:
        ValueError: a brace is not closed.
    """
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _has_words(template: str) -> bool:
    return LETTERS.search(re.sub(r"\{\w*\}", "", template)) is not None
