"""A journal of matches as anybody can see it, as plain JSON: opened as the program opens it, match by match."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from companion.live.features import TableFeatures
from companion.live.keeping import Keeping
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.game import Position
from tests.golden.comparing import changes, plain

Json = dict[str, Any]
Claims = Mapping[str, Sequence[str]]
"""By the number of an event what somebody might claim to have been played there."""

NOW: Final = 1795400000.0
"""When a journal is opened and gone on with, in seconds since 1970."""

NEVER: Final = 3600.0
"""Seconds before the program plays its part: longer than any test."""

PAGE: Final = (
    *("match", "awaits", "throw", "ask", "choices"),
    *("ludix", "curve", "outcome"),
)
"""The parts of a page's state that come from the match alone and are told nowhere else."""

SINCE: Final = ("seen", "way", "strengths", "invitation", "position")
"""Fields of events that the version which wrote the files did not have."""

MOST_STEPS: Final = 10
"""So many first events have their step told, and the last one."""


@contextmanager
def table_of(journal: Path) -> Iterator[LiveTable]:
    """Open a journal as the running program does, without a camera; nothing is played by itself."""
    table = LiveTable(
        journal,
        features=TableFeatures(program_pause=NEVER),
        keeping=Keeping("all"),
        clock=lambda: NOW,
        chance=Random(1),
    )
    table.start()
    try:
        yield table
    finally:
        table.stop()


def told_journal(table: LiveTable) -> Json:
    """Return what is said of a whole journal at its opening, and the matches that it lists."""
    trouble = plain(table.snapshot().data["health"]["journal"])
    return {"journal": trouble, "page": page_of(table), "matches": plain(table.matches())}


def match_review(table: LiveTable, journal: Path, number: int, claims: Claims) -> Json:
    """Return all that can be seen of one match; ``claims`` are judged at their events.

    ``not_as_written``: events that would be written otherwise than they stand in the file, of which the hash tells the
    rest.
    ``steps``: what changed on the page with each of the first lines and the last; ``evidence``: what
    is said of an event beside its line, where there is something.
    """
    chronicle = table.chronicle(number)
    assert chronicle is not None, f"match {number} cannot be looked at"
    with Journal(journal, writable=False) as opened:
        entries, written = opened.events(number), opened.kind.written
    match = Match.of(entries)
    lines = chronicle.lines(1, chronicle.count)
    shown = [*lines[:MOST_STEPS], *lines[MOST_STEPS:][-1:]]
    moments = [chronicle.moment(line["moment"]) or {} for line in shown]
    sentence = {
        "head": chronicle.head(),
        "events": len(entries),
        "last_hash": entries[-1].hash,
        "not_as_written": [one.number for one in entries if _of_then(written(one.event)) != _of_then(one.body)],
        "lines": [list(lines[0]), *(list(_short(line).values()) for line in lines)],
        "evidence": {str(line["event"]): _beside(chronicle.evidence(line["event"]) or {}, line) for line in lines},
        "claims": {
            event: {text: chronicle.claim(int(event), text) for text in texts} for event, texts in claims.items()
        },
        "match": told_record(match),
        "position": told_position(match.position),
    }
    return {**plain(sentence), "steps": changes([_stood(moment["state"]) for moment in moments])}


def _of_then(body: str) -> Json:
    """Return a written event without the fields that are new since; a takeback was told by its reason alone."""
    event: Json = json.loads(body)
    if event.get("way") == "takeback":
        event["reason"] = ": ".join(part for part in ("taken back", event["reason"]) if part)
    return {name: value for name, value in event.items() if name not in SINCE}


def told_record(match: Match) -> Json:
    """Return what the referee makes of a match beside its position."""
    asked = match.board.question
    return {
        "started": [match.started.game, list(match.started.players), match.started.dice_by, match.started.men_by],
        "programs": list(match.started.programs),
        "over": match.over,
        "paused": match.paused,
        "finished": None if match.finished is None else [match.finished.by, match.finished.reason],
        "misfit": match.misfit,
        "rules_changed": None if match.rules_changed is None else str(match.rules_changed),
        "lying": [die.to_json() for die in match.lying],
        "last_throw": None if match.last_throw is None else match.last_throw.to_json(),
        "question": None if match.question is None else match.question.number,
        "board": {
            "seating": None if match.board.seating is None else match.board.seating.to_json(),
            "agreed": match.board.agreed,
            "in_step": match.board.in_step(match.position),
            "question": None if asked is None else [asked.number, asked.asked.about],
            "dismissed": None if match.board.dismissed is None else match.board.dismissed.about,
        },
        "turns": [
            [turn.event, turn.number, turn.player, turn.kind, turn.text, turn.by, turn.standing, turn.corrected]
            for turn in match.history
        ],
    }


def told_position(position: Position) -> Json:
    """Return a position with what the rules say of it."""
    awaits, outcome = position.awaits, position.outcome
    return {
        "position": position.to_json(),
        "players": position.players,
        "options": dict(position.options),
        "awaits": [awaits.kind, awaits.player, str(awaits.sentence), list(awaits.dice_sets), list(awaits.dice)],
        "scores": {str(player): count for player, count in position.scores().items()},
        "occupancy": dict(position.occupancy()),
        "legal": sorted(position.text(choice) for choice in position.open_choices()),
        "outcome": None if outcome is None else [list(outcome.winners), str(outcome.why), dict(outcome.details)],
        "faults": [str(fault) for fault in position.faults()],
    }


def page_of(table: LiveTable) -> Json:
    """Return the parts of a page that come from the open match alone; of its log, which events it shows how."""
    shown = table.snapshot().data
    page: Json = plain({part: shown[part] for part in PAGE})
    page["log"] = [[line["event"], line["kind"], line["standing"], line["corrected"]] for line in shown["log"]]
    return page


def resumed(table: LiveTable, number: int) -> Json:
    """Take a match up again and return what the page answers and shows."""
    reply = table.command("resume", {"match": number}, "page")
    return {"ok": reply.ok, "said": str(reply.sentence), "page": page_of(table)}


def _stood(state: Json) -> Json:
    """Return how a match stood after an event: what changes, and of the virtues those that are somebody's."""
    match, virtues = state["match"], state["virtues"]
    stood: Json = {name: state[name] for name in ("awaits", "throw", "board", "outcome")}
    stood |= {name: match[name] for name in ("players", "throws", "acquired", "paused")}
    stood["virtues"] = {virtue["id"]: [virtue["owner"], virtue["throw"]] for virtue in virtues if virtue["owner"]}
    return dict(plain(stood))


def _short(line: Json) -> Json:
    """Return a line without what became of it where nothing did."""
    nothing = {"standing": line["standing"], "move": line["move"] if line["standing"] else None, "corrections": []}
    return {**line, "since": None if line["since"] == nothing else line["since"]}


def _beside(evidence: Json, line: Json) -> Json:
    own = {name: value for name, value in evidence.items() if name not in line or line[name] != value}
    return {name: value for name, value in own.items() if value not in (None, False, [])}
