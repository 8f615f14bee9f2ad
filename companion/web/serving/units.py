"""Systemd units: one for a table that is always there, and two for a kiosk, its table and the browser on its screen."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template

UNSAFE = ("\n", "\r", "\0")


def _filled(name: str, **parts: str) -> str:
    for part in parts.values():
        if any(sign in part for sign in UNSAFE):
            raise ValueError("a part of a unit must be one line")
    template = (files(__package__) / "services" / name).read_text(encoding="utf-8")
    return Template(template).substitute(parts)


def quoted(word: str) -> str:
    """Return a word quoted for the command line of a unit: systemd expands ``%`` and ``$``, and reads C escapes."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if plain != word or not plain or any(sign in plain for sign in " ';\t") else plain


def plain_unit(program: Path, port: int, user: str, options: Sequence[str]) -> str:
    """Return the unit of a table; it keeps its matches where those of ``user`` lie. ``options`` are those of serve."""
    line = " ".join(quoted(word) for word in (str(program), "serve", "--port", str(port), *options))
    return _filled("alea.service", command=line, user=user)


def table_unit(program: Path, folder: Path, port: int, user: str, options: Sequence[str]) -> str:
    """Return the unit of a kiosk's table. ``options`` are further options of ``companion serve``."""
    words = [str(program), "serve", "--kiosk", str(folder), "--port", str(port)]
    words += [] if "--journal" in options else ["--journal", str(folder / "journal.db")]
    line = " ".join(quoted(word) for word in (*words, *options))
    plain = str(folder).replace("%", "%%")
    return _filled("alea-kiosk.service", command=line, folder=plain, user=user)


def browser_unit(port: int, user: str) -> str:
    """Return the unit of the browser that shows the table's page in full screen."""
    return _filled("alea-kiosk-browser.service", port=str(port), user=user)
