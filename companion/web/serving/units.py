"""Systemd units: of a table, of a kiosk's table and of the browser on its screen, and of a hall's desk or book."""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

UNSAFE = ("\n", "\r", "\0")

WRITTEN: Final = ("--journal", "--settings", "--pin-file", "--book")
"""Options that name a file in whose folder the program writes."""

OF_TABLE: Final = {
    "type": "notify",
    "watchdog": "60",
    "groups": "video dialout",
    "without_devices": "no",
    "cameras": "char-video4linux rw",
    "serial_ports": "char-tty* rw",
}
OF_HALL: Final = {
    "type": "exec",
    "watchdog": "0",
    "groups": "",
    "without_devices": "yes",
    "cameras": "",
    "serial_ports": "",
}


def _filled(template: str, **parts: str) -> str:
    for part in parts.values():
        if any(sign in part for sign in UNSAFE):
            raise ValueError("a part of a unit must be one line")
    text = (files(__package__) / "services" / template).read_text(encoding="utf-8")
    return Template(text).substitute(parts)


def quoted(word: str) -> str:
    """Return a word quoted for the command line of a unit: systemd expands ``%`` and ``$``, and reads C escapes."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if plain != word or not plain or any(sign in plain for sign in " ';\t") else plain


def _writable(folders: Iterable[Path], options: Sequence[str]) -> str:
    """Return the folders that a unit may write to, with those of the files that its options name."""
    found = [*folders]
    for option, value in zip(options, [*options, ""][1:], strict=True):
        name, _, given = option.partition("=")
        if name in WRITTEN and "://" not in (given or value):
            found.append(Path(given or value).absolute().parent)
    plain = dict.fromkeys(str(folder).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") for folder in found)
    return " ".join(f'"-{folder}"' for folder in plain)


def _home(user: str) -> Path:
    try:
        return Path(f"~{user}").expanduser()
    except RuntimeError:  # there is no such account here yet
        return Path("/home") / user


def _unit(words: Sequence[str], user: str, writable: str, **parts: str) -> str:
    line = " ".join(quoted(word) for word in words)
    return _filled("alea.service", command=line, user=user, writable=writable, **parts)


def plain_unit(program: Path, port: int, user: str, options: Sequence[str]) -> str:
    """Return the unit of a table; it keeps its matches where those of ``user`` lie. ``options`` are those of serve."""
    words = [str(program), "serve", "--port", str(port), *options]
    named = {"by": "service", "name": "alea", "what": "the companion at the table"}
    return _unit(words, user, _writable([_home(user)], options), **named, **OF_TABLE)


def table_unit(program: Path, folder: Path, port: int, user: str, options: Sequence[str]) -> str:
    """Return the unit of a kiosk's table. ``options`` are further options of ``companion serve``."""
    words = [str(program), "serve", "--kiosk", str(folder), "--port", str(port)]
    if not any(option.startswith("--journal") for option in options):
        words += ["--journal", str(folder / "journal.db")]
    named = {"by": "kiosk unit", "name": "alea-kiosk", "what": "the table of the kiosk"}
    return _unit([*words, *options], user, _writable([folder], options), **named, **OF_TABLE)


def hall_unit(program: Path, settings: Path, user: str, options: Sequence[str], *, serves: bool) -> str:
    """Return the unit of a hall's desk, or of its book alone unless it ``serves`` pages; they need no device.

    ``settings``: the desk's file, beside which the book lies; ``options``: those of the command.
    """
    name = "serve" if serves else "collect"
    words = [str(program), "hall", name, str(settings), *options]
    named = {"by": "hall service", "name": f"alea-hall-{name}", "what": "a hall's desk" if serves else "a hall's book"}
    return _unit(words, user, _writable([settings.parent], options), **named, **OF_HALL)


def browser_unit(port: int, user: str) -> str:
    """Return the unit of the browser that shows the table's page in full screen."""
    return _filled("alea-kiosk-browser.service", port=str(port), user=user)
