"""The observation that led to a throw, a choice or a question: the event names it by its number."""

from collections.abc import Sequence
from dataclasses import replace

from companion.referee.events import BoardAsked, BoardObserved, Committed, Event, Observed, Proposed
from companion.referee.journal import Entry

Led = Committed | Proposed | BoardAsked
"""What an observation can lead to."""


def observation_of(entry: Entry, entries: Sequence[Entry]) -> Entry | None:
    """Return the observation, among a match's entries, that led to this entry; None where none did."""
    number = entry.event.seen if isinstance(entry.event, Led) else None
    if not number or number >= entry.number or not _is_observation(entries, number):
        return None  # also where a foreign journal names an event that is no observation
    return entries[number - 1]


def naming_its_observation(entry: Entry, before: Sequence[Entry]) -> Entry:
    """Return an entry with the number of the observation that led to it, given the entries before it.

    Earlier versions did not write that number: there an observation came right before what it led to. The moves
    of one play share their observation, and an answer to a question has the question's.
    """
    event = entry.event
    if not isinstance(event, Led) or event.seen is not None:
        return entry
    return replace(entry, event=replace(event, seen=_right_before(event, entry.number, before)))


def _right_before(event: Led, number: int, before: Sequence[Entry]) -> int:
    if _is_observation(before, number - 1):
        return number - 1
    if not isinstance(event, Committed):
        return 0
    if 0 < event.proposed < number:
        return event.proposed - 1 if _is_observation(before, event.proposed - 1) else 0
    last: Event | None = before[-1].event if before else None
    if event.by == "camera" and isinstance(last, Committed) and last.by == "camera":
        return last.seen or 0
    return 0


def _is_observation(entries: Sequence[Entry], number: int) -> bool:
    return 0 < number <= len(entries) and isinstance(entries[number - 1].event, Observed | BoardObserved)
