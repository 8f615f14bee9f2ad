"""The options of a game, read from the data file that stands beside its code."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from companion.language.sentence import Sentence, Template
from companion.rules.game import Option


@cache
def read_options(package: str, kind: str | None = None) -> tuple[Option, ...]:
    """Return the options in ``options.toml`` of a package, those of one kind of game only if ``games`` limits them.

    An entry has ``name``, ``meaning`` (with its source) and either ``values``, the default first, or for a whole number
    ``default``, ``least`` and ``most``.
    """
    text = (files(package) / "options.toml").read_text(encoding="utf-8")
    return tuple(_option(entry) for entry in tomllib.loads(text)["option"] if kind in entry.get("games", [kind]))


def _option(entry: Mapping[str, Any]) -> Option:
    meaning = Sentence.of(Template(entry["meaning"]))
    if "values" in entry:
        return Option(entry["name"], entry["values"][0], meaning, tuple(entry["values"]))
    return Option(entry["name"], entry["default"], meaning, None, entry["least"], entry["most"])
