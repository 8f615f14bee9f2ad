"""Two tables that play one match over a line that drops, delays, doubles and reorders what they send."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.live.features import TableFeatures
from companion.live.remote_table import Sync
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.rules.dice import dice_set
from workshop.players.plain_ways import choose

PATIENCE_SECONDS = 60.0

SHORT: dict[str, dict[str, Any]] = {
    "rithmomachia/durnil-guardia": {"points": 3},
}


class BadLine:
    """Carries the newest message of each table to the other, as badly as ``chance`` wants."""

    def __init__(self, one: LiveTable, other: LiveTable, match: str, seed: int, *, lost: float = 0.3) -> None:
        self._tables, self._match, self._chance, self._lost = (one, other), match, Random(seed), lost
        self._late: list[tuple[int, bytes]] = []
        self._ends = threading.Event()
        self.broken = threading.Event()
        self.carried = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ends.wait(0.005):
            for side in (0, 1):
                sync = self._tables[side].remote.newest(self._match)
                if sync is None or self.broken.is_set():
                    continue
                self._late.append((1 - side, msgspec.json.encode(sync)))
            self._chance.shuffle(self._late)
            while len(self._late) > 4 or (self._late and self._chance.random() < 0.6):
                to, text = self._late.pop()
                for _ in range(0 if self._chance.random() < self._lost else self._chance.choice((1, 1, 2))):
                    self._tables[to].remote.deliver(msgspec.json.decode(text, type=Sync))
                    self.carried += 1

    def end(self) -> None:
        self._ends.set()
        self._thread.join(120)


def start(journal: Path, seed: int) -> LiveTable:
    live = LiveTable(journal, features=TableFeatures(program_pause=0.0), chance=Random(seed))
    live.start()
    return live


def ask(live: LiveTable, name: str, /, **data: Any) -> Any:
    reply = live.command(name, data, "tests")
    assert reply.ok, reply.sentence
    return reply.data


def match_in(journal: Path, number: int = 1) -> Match:
    with Journal(journal, writable=False) as kept:
        return Match.of(kept.events(number))


def share(
    tmp_path: Path, tables: tuple[LiveTable, LiveTable], slug: str, *, both_throw: bool = False, **data: Any
) -> str:
    """Begin a match at the first table and let the second one play player 2 of it; return its common name."""
    here, there = tables
    ask(here, "new_match", game=slug, players=["Anna", "Bert"], options=SHORT.get(slug, {}), **data)
    ask(here, "share", remote=[2], both_throw=both_throw)
    match = match_in(tmp_path / "here.db")
    assert match.shared is not None
    started = match.started
    ask(
        there,
        "join_shared",
        match=match.shared.match,
        game=slug,
        rules=started.rules,
        players=list(started.players),
        options=dict(started.options),
        position=started.position,
        remote=[1],
        since=match.shared.since,
        name=started.name,
        dice_by=started.dice_by,
        both_throw=both_throw,
    )
    return match.shared.match


def real_dice(awaits: Any, chance: Random) -> dict[str, Any]:
    """Return the throw of awaited dice as somebody types it."""
    names = awaits["dice"] if awaits["kind"] == "throw" else [chance.choice(awaits["dice"])]
    known = dice_set(awaits["dice_sets"][0])
    return {"faces": {name: chance.choice(known.die(name).faces).text for name in names}, "dice_set": known.name}


def until(live: LiveTable, true: Callable[[Any], bool]) -> Any:
    snapshot, end = live.snapshot(), time.monotonic() + PATIENCE_SECONDS
    while not true(snapshot.data):
        assert time.monotonic() < end, (snapshot.data["awaits"], snapshot.data["other_table"])
        snapshot = live.wait(snapshot.version, 1.0) or live.snapshot()
    return snapshot.data


def says(state: Any) -> str:
    """Return why the match waits for the other table, "" where it does not."""
    sentence = state["other_table"]["sentence"]
    return "" if sentence is None else str(sentence["text"])


def play(
    tables: tuple[LiveTable, LiveTable],
    tmp_path: Path,
    seed: int,
    turns: int,
    *,
    ends: bool = True,
    both_throw: bool = False,
    journals: tuple[Path, ...] = (),
) -> None:
    """Let both tables play by chance, each in its own turns, then let the one that is to move end the match.

    ``ends``: without it the match goes on; ``both_throw``: whether people throw real dice at both tables; ``journals``:
    of both, by default here.db and there.db in the folder.
    """
    chance, journals = Random(seed), journals or (tmp_path / "here.db", tmp_path / "there.db")
    begun = len(tables[0].snapshot().data["log"])
    end = time.monotonic() + PATIENCE_SECONDS
    while not all((states := [one.snapshot().data for one in tables])[side]["outcome"] for side in (0, 1)):
        assert time.monotonic() < end, [(one["awaits"], one["other_table"]) for one in states]
        side, acts = states[0]["awaits"]["player"] - 1, len(states[0]["log"]) - begun
        ready = side in (0, 1) and states[side]["awaits"]["player"] == side + 1 and not states[side]["match"]["paused"]
        if not ready:
            time.sleep(0.005)
        elif acts >= turns and not ends:
            return
        elif acts >= turns:
            tables[side].command("finish", {"reason": "enough"}, "tests")
            time.sleep(0.02)
        elif states[side]["awaits"]["kind"] in ("throw", "recast"):
            for one in tables if both_throw else ():
                one.command("throw", real_dice(states[side]["awaits"], chance), "tests")
            if not both_throw:
                tables[side].command("roll", {}, "tests")
            time.sleep(0.01)
        else:
            position = match_in(journals[side]).position
            if position.awaits.kind == "choice" and position.awaits.player == side + 1:
                choice = choose(position, chance)
                tables[side].command("choose", {"choice": choice.to_json()}, "tests")
