"""What the hall needs from a running table, and how a table is, in the few words that leave it."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from companion.desk.table.match_desk import Reply
from companion.hall.topics import Given, Invitation
from companion.live.remote_table import RemoteTable
from companion.live.snapshot import Snapshot

Screen = str
"""What a table's screen shows: ``table``, or at a kiosk also ``attract`` or ``closed``."""

HOUR_SECONDS: Final = 3600.0
MOST_IN_AN_HOUR: Final = 5000
"""The newest events of a journal that are counted for the last hour; a quick table writes some hundreds."""


class HallTable(Protocol):
    """The running table as the hall sees it; `companion.live.table.LiveTable` implements it."""

    remote: RemoteTable

    def snapshot(self) -> Snapshot:
        """Return the newest state."""

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, or None after ``timeout`` seconds."""

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the one writer and wait for its answer."""


class Doors(Protocol):
    """What an owner may do with a table's screen from outside; each returns a sentence, or raises `DoorsError`."""

    def screen(self) -> Screen:
        """Return what the screen shows now."""

    def watch(self) -> str:
        """Return the address of a page for those who only watch, "" where nobody else can open it."""

    def attract(self) -> str:
        """Return to the beginning."""

    def close(self) -> str:
        """Close the table until `open`."""

    def open(self) -> str:
        """Open the table again."""

    def language(self, code: str) -> str:
        """Offer this language first."""

    def greet(self, invitation: Invitation | Given | None) -> None:
        """Show who is invited to the table or which game it is given, None for nothing. Nothing begins by that."""


class DoorsError(Exception):
    """The table cannot do that; the text is one sentence."""


def _health(part: Mapping[str, Any] | None, good: frozenset[str]) -> str:
    """Return ``none`` without the device, ``ok``, or ``trouble``."""
    if part is None:
        return "none"
    status = part.get("status", part.get("state"))
    return "none" if status == "NONE" else "ok" if status in good else "trouble"


def _asks(data: Mapping[str, Any]) -> str | None:
    """Return which camera waits for a person's answer: that of the ``dice``, that of the ``board``, or None."""
    if data.get("ask") is not None:
        return "dice"
    return "board" if (data.get("watch") or {}).get("ask") is not None else None


LIVE: Final = frozenset({"LIVE"})


def state_of(
    data: Mapping[str, Any], screen: Screen, hour: tuple[int, int], last: str, *, names: bool, watch: str = ""
) -> dict[str, Any]:
    """Return how a table is, from its snapshot.

    ``hour``: throws and questions of the last hour; ``last``: the hash of the newest event that the broker has
    acknowledged; ``names``: whether the players' names may be published; ``watch``: the address for spectators.
    """
    match, awaits, health = data.get("match"), data.get("awaits") or {}, data.get("health") or {}
    throws, questions = hour
    outcome = data.get("outcome")
    lights = data.get("lights")
    report: dict[str, Any] = {
        "state": data.get("state"),
        "screen": screen,
        "game": None if match is None else match["game"],
        "match": None if match is None else match["id"],
        "paused": bool(match and match["paused"]),
        "over": outcome is not None,
        "winners": [] if outcome is None else list(outcome["winners"]),
        "throws": 0 if match is None else match["throws"],
        "scores": [] if match is None else [player["score"] for player in match["players"]],
        "waits_for": awaits.get("player") or None,
        "asks": _asks(data),
        "throws_an_hour": throws,
        "questions_percent": round(100 * questions / throws, 1) if throws else 0.0,
        "camera": _health(data.get("camera"), LIVE),
        "board": _health(data.get("watch"), LIVE),
        "lights": "none" if lights is None else "trouble" if lights["trouble"] else "ok",
        "journal": "ok" if health.get("journal", "ok") == "ok" else "trouble",
        "last": last,
        "watch": watch,
    }
    if names:
        report["players"] = [] if match is None else [player["name"] for player in match["players"]]
        report["sentence"] = (data.get("state_sentence") or {}).get("text")
    return report
