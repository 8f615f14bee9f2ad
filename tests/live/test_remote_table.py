"""Two real tables play one match over a line that drops, delays, doubles and reorders what they send."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.live import remote_table
from companion.live.remote_table import Sync
from companion.live.table import LiveTable
from companion.referee.events import JointDice, MatchShared, Paused
from companion.referee.joint_dice import commitment, joint_throw
from companion.referee.shared_log import SharedLog
from companion.rules.registry import game
from tests.live.two_tables import BadLine, ask, match_in, play, says, share, start, until


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[tuple[LiveTable, LiveTable]]:
    both = start(tmp_path / "here.db", 1), start(tmp_path / "there.db", 2)
    yield both
    for one in both:
        one.stop()


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
        line.end()  # what is on its way would come after the message that differs
        here.command("roll", {}, "tests")
        here.remote.deliver(msgspec.structs.replace(sync, count=1, head="ab" * 32))
        state = until(here, lambda state: state["match"]["paused"])
        assert "no longer hold the same match" in state["other_table"]["sentence"]["text"]
        line = BadLine(*tables, name, seed=2)
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


def is_held(why: str, state: Any) -> bool:
    """Whether the match waits for the other table, with a sentence that holds these words."""
    return bool(state["match"]["paused"]) and why in says(state)


def test_a_table_cannot_pass_off_what_it_plays_now_as_history(tables: tuple[LiveTable, LiveTable]) -> None:
    here, there = tables
    ask(here, "new_match", game="tables/zeno", players=["Anna", "Bert"], dice_by="program")
    ask(here, "share", remote=[2])
    name = str(here.remote.open_match)
    started = here.remote.start_for_other(name)
    assert started is not None
    ask(there, "join_shared", **{**started, "since": 1_000_000})
    chosen = {"kind": "committed", "player": 1, "awaited": "throw", "by": "program"}
    event = {**chosen, "move": {"set": "pips", "faces": {"1": "6", "2": "6", "3": "6"}}}
    for count, held in ((1, "no longer hold the same match"), (2_000_000, "takes in what was played")):
        there.remote.deliver(Sync(name, count, "ab" * 32, "cd" * 16, 0, [event]))
        until(there, partial(is_held, held))
        assert not there.command("unpause", {}, "tests").ok


def test_other_rules_at_the_other_table_are_refused(tables: tuple[LiveTable, LiveTable]) -> None:
    here, there = tables
    ask(here, "new_match", game="ludix", players=["Anna", "Bert"])
    ask(here, "share", remote=[2])
    started = here.remote.start_for_other(str(here.remote.open_match))
    assert started is not None
    reply = there.command("join_shared", {**started, "rules": game("tables/zeno").rules_hash}, "tests")
    assert not reply.ok
    assert "another version of these rules" in str(reply.sentence)
    assert there.snapshot().data["match"] is None
