"""The state of the program, for the owner's health page and the diagnostic bundle. Nothing in it names a person."""

import platform
from dataclasses import asdict
from importlib.metadata import distributions
from typing import Any, Final

from companion.live.table import LiveTable
from companion.program import program_version
from companion.web.recent_log import LOG, LogLine, when, without_persons
from companion.web.streams import STREAMS

MOST_ERRORS: Final = 20


def health(table: LiveTable) -> dict[str, Any]:
    """Return everything that the program knows about its own state, ready for JSON."""
    signs = table.upkeep.vital_signs()
    streams = STREAMS.get()
    kept = table.upkeep.kept()
    state = table.snapshot().data.get("health", {})
    return {
        "version": program_version(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "uptime": round(signs.uptime, 1),
        "well": signs.well and state.get("journal") == "ok" and state.get("journal_copy", "ok") == "ok",
        "threads": [asdict(thread) for thread in signs.threads],
        "cameras": [asdict(camera) for camera in signs.cameras],
        "streams": {"open": streams.open, "most": streams.most},
        "journal": {
            "size": signs.journal_size,
            "state": state.get("journal"),
            "second_copy": state.get("journal_copy"),
            "damaged": list(signs.damaged),
        },
        "pictures": asdict(kept),
        "room": signs.room,
        "memory": signs.memory,
        "bad_frames": state.get("bad_frames", 0),
        "reader": state.get("reader"),
        "errors": [
            {"at": when(line), "level": line.level, "part": line.part, "text": line.text}
            for line in lines(table)[:MOST_ERRORS]
        ],
    }


def lines(table: LiveTable) -> list[LogLine]:
    """Return the last lines of the log, the newest first, without the names of players."""
    recent = LOG.get()
    if recent is None:
        return []
    names = players(table)
    return [LogLine(line.at, line.level, line.part, without_persons(line.text, names)) for line in recent.lines()]


def players(table: LiveTable) -> set[str]:
    """Return all names in the journal, of players and of matches."""
    names: set[str] = set()
    for match in table.matches():
        names |= {str(match.get("name", "")), *map(str, match.get("players", ()))}
    return names


def packages() -> dict[str, str]:
    """Return the version of every installed package, by its name."""
    return dict(sorted((str(found.metadata["Name"]), found.version) for found in distributions()))
