"""Journals as earlier versions wrote them, made of what this one writes."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.ledger.entries import GENESIS, chained
from companion.referee.events import Committed, Event
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.transfer import export_match, import_match

LED = ("committed", "proposed", "board asked")


def as_before(lines: Iterable[str]) -> list[str]:
    """Return an exported match without the fields that earlier versions did not write, and with its hashes."""
    head, *events = lines
    old, digest = [head], GENESIS
    for line in events:
        entry = json.loads(line)
        body = json.dumps(_before(json.loads(entry["body"])), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest = chained(digest, entry["number"], entry["at"], entry["actor"], body)
        old.append(json.dumps({**entry, "body": body, "hash": digest}, ensure_ascii=False))
    return old


def _before(event: dict[str, Any]) -> dict[str, Any]:
    if event["kind"] == "corrected" and event.pop("way") == "takeback":
        event["reason"] = f"taken back: {event['reason']}" if event["reason"] else "taken back"
    if event["kind"] in LED:
        event.pop("seen")
    return event


def check_read_as_before(journal: Journal, match: Match, other: Path) -> None:
    """Take a match in as an earlier version would have written it: it is the same one."""
    with Journal(other) as there:
        back = Match.of(there.events(import_match(there, as_before(export_match(journal, match.id)))))
    assert [_known(entry.event) for entry in back.entries] == [_known(entry.event) for entry in match.entries]
    kept = ("play", "rulings", "lying", "question", "paused", "finished", "misfit", "board")
    assert [getattr(back, name) for name in kept] == [getattr(match, name) for name in kept]


def _known(event: Event) -> Event:
    """Return an event as earlier versions knew it: of what no camera saw, they took any look right before for it."""
    if isinstance(event, Committed) and event.by != "camera" and not event.proposed:
        return replace(event, seen=None)
    return event
