"""The forms of the table's commands: what each takes, who may give it, what it is for. The facts stand in the data."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["text", "whole", "number", "flag", "object", "list"]
Who = Literal["anyone", "seated", "owner"]


@dataclass(frozen=True)
class Field:
    """One particular of a command. ``words``: all that it may be, None for anything of its kind.

    ``items``: of what kind the members of a list are.
    """

    kind: Kind
    about: str
    required: bool = False
    words: tuple[str, ...] | None = None
    items: Kind | None = None


@dataclass(frozen=True)
class Form:
    """One command, and ``who`` may give it where the page is open to a network and asks for a PIN.

    ``anyone`` who reaches the page plays; ``owner``: who has given the PIN; ``seated``: the owner, or a visitor at a
    kiosk's own screen.
    """

    about: str
    who: Who
    fields: Mapping[str, Field]

    @property
    def guarded(self) -> bool:
        """Whether it asks for the owner's PIN, at least of whoever is not at a kiosk's own screen."""
        return self.who != "anyone"


@cache
def forms() -> Mapping[str, Form]:
    """Return the form of every command, by the command's name."""
    return read_forms("companion.desk.table")


@cache
def read_forms(package: str) -> Mapping[str, Form]:
    """Return the forms of the commands that a package describes in its ``command_forms.toml``."""
    text = (files(package) / "command_forms.toml").read_text(encoding="utf-8")
    return {name: _form(data) for name, data in tomllib.loads(text).items()}


def _form(data: Mapping[str, Any]) -> Form:
    fields = {name: _field(entry) for name, entry in data.get("fields", {}).items()}
    return Form(str(data["about"]), data["who"], fields)


def _field(entry: Mapping[str, Any]) -> Field:
    words = entry.get("words")
    return Field(
        entry["kind"],
        str(entry["about"]),
        bool(entry.get("required", False)),
        None if words is None else tuple(words),
        entry.get("items"),
    )
