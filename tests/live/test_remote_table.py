"""Two real tables play one match over a line that drops, delays, doubles and reorders what they send."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.live import remote_table
from companion.live.features import TableFeatures
from companion.live.remote_sync import Sync
from companion.live.table import LiveTable
from companion.odds.opponents import choose
from companion.referee.events import JointDice, MatchShared, Paused
from companion.referee.joint_dice import commitment, joint_throw
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.shared_log import SharedLog
from companion.rules.registry import game

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
        while not self._ends.wait(0.002):
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
        self._thread.join(10)


def start(journal: Path, seed: int) -> LiveTable:
    live = LiveTable(journal, features=TableFeatures(program_pause=0.0), chance=Random(seed))
    live.start()
    return live


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[tuple[LiveTable, LiveTable]]:
    both = start(tmp_path / "here.db", 1), start(tmp_path / "there.db", 2)
    yield both
    for one in both:
        one.stop()


def ask(live: LiveTable, name: str, /, **data: Any) -> Any:
    reply = live.command(name, data, "tests")
    assert reply.ok, reply.sentence
    return reply.data


def match_in(journal: Path, number: int = 1) -> Match:
    with Journal(journal, writable=False) as kept:
        return Match.of(kept.events(number))


def share(tmp_path: Path, tables: tuple[LiveTable, LiveTable], slug: str, **data: Any) -> str:
    """Begin a match at the first table and let the second one play player 2 of it; return its common name."""
    here, there = tables
    ask(here, "new_match", game=slug, players=["Anna", "Bert"], options=SHORT.get(slug, {}), **data)
    ask(here, "share", remote=[2])
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
    )
    return match.shared.match


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


def play(tables: tuple[LiveTable, LiveTable], tmp_path: Path, seed: int, turns: int) -> None:
    """Let both tables play by chance, each in its own turns, then let the one that is to move end the match."""
    chance, acts, names = Random(seed), 0, ("here.db", "there.db")
    end = time.monotonic() + PATIENCE_SECONDS
    while not all((states := [one.snapshot().data for one in tables])[side]["outcome"] for side in (0, 1)):
        assert time.monotonic() < end, [(one["awaits"], one["other_table"]) for one in states]
        side = states[0]["awaits"]["player"] - 1
        ready = side in (0, 1) and states[side]["awaits"]["player"] == side + 1 and not states[side]["match"]["paused"]
        if not ready:
            time.sleep(0.005)
        elif acts >= turns:
            tables[side].command("finish", {"reason": "enough"}, "tests")
            time.sleep(0.02)
        elif states[side]["awaits"]["kind"] in ("throw", "recast"):
            acts += tables[side].command("roll", {}, "tests").ok
            time.sleep(0.01)
        else:
            position = match_in(tmp_path / names[side]).position
            if position.awaits.kind == "choice" and position.awaits.player == side + 1:
                choice = choose(position, chance)
                acts += tables[side].command("choose", {"choice": choice.to_json()}, "tests").ok


@pytest.mark.parametrize(
    ("slug", "dice_by"),
    [
        ("tables/zeno", "tapped"),
        ("ludus-regularis/sum", "program"),
        ("ludix", "program"),
        ("rithmomachia/durnil-guardia", "tapped"),
    ],
)
def test_both_journals_hold_the_same_match_whatever_the_line_does(
    slug: str, dice_by: str, tables: tuple[LiveTable, LiveTable], tmp_path: Path
) -> None:
    name = share(tmp_path, tables, slug, dice_by=dice_by)
    line = BadLine(*tables, name, seed=7)
    try:
        play(tables, tmp_path, 3, 40)
    finally:
        line.end()
    here, there = (SharedLog(match_in(tmp_path / end)) for end in ("here.db", "there.db"))
    assert here.count > 10
    assert (here.count, here.head(here.count)) == (there.count, there.head(there.count))


def test_a_table_that_is_stopped_in_between_goes_on_with_the_same_match_and_the_same_dice(tmp_path: Path) -> None:
    both = [start(tmp_path / "here.db", 1), start(tmp_path / "there.db", 2)]
    name = share(tmp_path, (both[0], both[1]), "ludus-regularis/sum", dice_by="program")
    for round_ in range(6):
        line = BadLine(both[0], both[1], name, seed=round_)
        until(both[0], lambda state: not state["match"]["paused"])
        side = both[0].snapshot().data["awaits"]["player"] - 1
        both[side].command("roll", {}, "tests")
        time.sleep(0.01 * round_)
        line.end()
        stopped = round_ % 2
        both[stopped].stop()
        both[stopped] = start(tmp_path / ("here.db", "there.db")[stopped], 5)
    line = BadLine(both[0], both[1], name, seed=99)
    try:
        play((both[0], both[1]), tmp_path, 4, 4)
    finally:
        line.end()
        for one in both:
            one.stop()
    here, there = (match_in(tmp_path / end) for end in ("here.db", "there.db"))
    logs = SharedLog(here), SharedLog(there)
    assert logs[0].count == logs[1].count > 2
    assert logs[0].head(logs[0].count) == logs[1].head(logs[1].count)
    fixed: dict[int, tuple[str, str]] = {}
    for match in (here, there):
        for entry in match.entries:
            if isinstance(entry.event, JointDice):  # no restart gave a throw another chance
                assert fixed.setdefault(entry.event.number, (entry.event.commitment, entry.event.share)) == (
                    entry.event.commitment,
                    entry.event.share,
                )
    assert len(fixed) > 2
    thrown = [one for one in logs[0].after(0) if one.get("awaited") == "throw"]
    assert len(thrown) > 2


def test_both_journals_prove_every_throw_of_both(tables: tuple[LiveTable, LiveTable], tmp_path: Path) -> None:
    name = share(tmp_path, tables, "tables/zeno", dice_by="program")
    line = BadLine(*tables, name, seed=5, lost=0.0)
    try:
        play(tables, tmp_path, 5, 12)
    finally:
        line.end()
    for journal in ("here.db", "there.db"):
        match = match_in(tmp_path / journal)
        log, opened = SharedLog(match), {}
        for entry in match.entries:
            if isinstance(entry.event, JointDice) and entry.event.opening:
                opened[entry.event.number] = entry.event
        thrown = [(n, one) for n, one in enumerate(log.after(0), start=1) if one.get("awaited") == "throw"]
        assert len(thrown) > 2
        for number, event in thrown:
            joint = opened[number]
            assert joint.commitment == commitment(name, number, joint.opening)
            assert joint_throw(name, joint, "pips").to_json() == event["move"]


def test_the_match_waits_while_the_line_is_lost_or_the_other_table_pauses(
    tables: tuple[LiveTable, LiveTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tables
    name = share(tmp_path, tables, "tables/zeno", dice_by="tapped")
    state = until(here, lambda state: state["match"]["paused"])
    assert "joins by the code" in state["other_table"]["sentence"]["text"]
    assert "joins by the code" in str(here.command("unpause", {}, "tests").sentence)
    line = BadLine(*tables, name, seed=1)
    try:
        for one in tables:
            until(one, lambda state: not state["match"]["paused"])
        ask(there, "pause")
        until(here, lambda state: state["match"]["paused"] and "paused at the other table" in says(state))
        assert not here.command("unpause", {}, "tests").ok
        ask(there, "unpause")
        until(here, lambda state: not state["match"]["paused"])
        monkeypatch.setattr(remote_table, "AWAY_AFTER_SECONDS", 0.3)
        line.broken.set()
        until(here, lambda state: "line to the other table is lost" in (says(state)))
        assert here.snapshot().data["match"]["paused"]
        monkeypatch.setattr(remote_table, "AWAY_AFTER_SECONDS", 30.0)
        line.broken.clear()
        until(here, lambda state: not state["match"]["paused"])
    finally:
        line.end()
    paused = [entry.actor for entry in match_in(tmp_path / "here.db").entries if isinstance(entry.event, Paused)]
    assert set(paused) == {"line"}


def test_a_table_that_holds_another_match_is_noticed_and_both_stop(
    tables: tuple[LiveTable, LiveTable], tmp_path: Path
) -> None:
    here, there = tables
    name = share(tmp_path, tables, "tables/zeno", dice_by="tapped")
    line = BadLine(*tables, name, seed=1)
    try:
        until(here, lambda state: not state["match"]["paused"])
        sync = there.remote.newest(name)
        assert sync is not None
        line.broken.set()
        here.command("roll", {}, "tests")
        here.remote.deliver(msgspec.structs.replace(sync, count=1, head="ab" * 32))
        state = until(here, lambda state: state["match"]["paused"])
        assert "no longer hold the same match" in state["other_table"]["sentence"]["text"]
        line.broken.clear()
        until(there, lambda state: state["match"]["paused"] or state["other_table"]["sentence"] is None)
        ask(here, "end_sharing")
        until(here, lambda state: not state["match"]["paused"])
    finally:
        line.end()


def test_a_match_that_has_begun_is_shared_with_its_history(tables: tuple[LiveTable, LiveTable], tmp_path: Path) -> None:
    here, there = tables
    ask(here, "new_match", game="ludus-regularis/sum", players=["Anna", "Bert"], dice_by="program")
    for _ in range(8):
        ask(here, "roll")
    ask(here, "share", remote=[2])
    started = here.remote.start_for_other(str(here.remote.open_match))
    assert started is not None
    ask(there, "join_shared", **started)
    name = str(here.remote.open_match)
    line = BadLine(*tables, name, seed=2)
    try:
        play(tables, tmp_path, 6, 6)
    finally:
        line.end()
    logs = [SharedLog(match_in(tmp_path / end)) for end in ("here.db", "there.db")]
    assert logs[0].count == logs[1].count > 8
    assert logs[0].head(logs[0].count) == logs[1].head(logs[1].count)
    shared = [entry.event for entry in match_in(tmp_path / "there.db").entries if isinstance(entry.event, MatchShared)]
    assert shared[0].since == 8


def test_other_rules_at_the_other_table_are_refused(tables: tuple[LiveTable, LiveTable], tmp_path: Path) -> None:
    here, there = tables
    ask(here, "new_match", game="ludix", players=["Anna", "Bert"])
    ask(here, "share", remote=[2])
    started = here.remote.start_for_other(str(here.remote.open_match))
    assert started is not None
    reply = there.command("join_shared", {**started, "rules": game("tables/zeno").rules_hash}, "tests")
    assert not reply.ok
    assert "another version of these rules" in str(reply.sentence)
    assert there.snapshot().data["match"] is None
    del tmp_path
