"""Journals as earlier versions wrote them, made of what this one writes."""

import json
from collections.abc import Iterable
from typing import Any

from companion.referee.journal import GENESIS, chained


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
    return event
