"""Two real tables play one match over a line that drops, delays, doubles and reorders what they send."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.live import remote_table
from companion.live.remote_table import DiceSync, Sync
from companion.live.table import LiveTable
from companion.referee.events import JointDice, MatchShared, Paused
from companion.referee.joint_dice import added_throw, commitment, joint_throw
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.shared_log import SharedLog
from companion.rules.registry import game
from tests.live.two_tables import PATIENCE_SECONDS, BadLine, ask, match_in, play, says, share, start, until


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[tuple[LiveTable, LiveTable]]:
    both = start(tmp_path / "here.db", 1), start(tmp_path / "there.db", 2)
    yield both
    for one in both:
        one.stop()


@pytest.mark.parametrize(
    ("slug", "dice_by", "both_throw"),
    [
        ("tables/zeno", "tapped", False),
        ("tables/zeno", "tapped", True),
        ("ludus-regularis/sum", "program", False),
        ("ludix", "tapped", True),
        ("rithmomachia/durnil-guardia", "tapped", False),
    ],
)
def test_both_journals_hold_the_same_match_whatever_the_line_does(
    slug: str,
    dice_by: str,
    both_throw: bool,  # noqa: FBT001 - pytest gives it
    tables: tuple[LiveTable, LiveTable],
    tmp_path: Path,
) -> None:
    name = share(tmp_path, tables, slug, dice_by=dice_by, both_throw=both_throw)
    line = BadLine(*tables, name, seed=7)
    try:
        play(tables, tmp_path, 3, 16, both_throw=both_throw)
    finally:
        line.end()
    here, there = (SharedLog(match_in(tmp_path / end)) for end in ("here.db", "there.db"))
    assert here.count > 10
    assert (here.count, here.head(here.count)) == (there.count, there.head(there.count))


@pytest.mark.parametrize("dice_by", ["program", "tapped"])
def test_a_table_that_is_stopped_in_between_goes_on_with_the_same_match_and_the_same_dice(
    dice_by: str, tmp_path: Path
) -> None:
    both = [start(tmp_path / "here.db", 1), start(tmp_path / "there.db", 2)]
    real = dice_by == "tapped"
    name = share(tmp_path, (both[0], both[1]), "ludus-regularis/sum", dice_by=dice_by, both_throw=real)
    for round_ in range(6):
        line = BadLine(both[0], both[1], name, seed=round_)
        until(both[0], lambda state: not state["match"]["paused"])
        for one in both:  # with dice of the program, the table that waits is refused
            one.command("roll", {}, "tests")
        time.sleep(0.01 * round_)
        line.end()
        stopped = round_ % 2
        both[stopped].stop()
        both[stopped] = start(tmp_path / ("here.db", "there.db")[stopped], 5)
    line = BadLine(both[0], both[1], name, seed=99)
    try:
        play((both[0], both[1]), tmp_path, 4, 4, both_throw=real)
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
            if isinstance(entry.event, JointDice) and entry.event.share:  # no restart gave a throw another chance
                assert fixed.setdefault(entry.event.number, (entry.event.commitment, entry.event.share)) == (
                    entry.event.commitment,
                    entry.event.share,
                )
    assert len(fixed) > 2
    thrown = [one for one in logs[0].after(0) if one.get("awaited") == "throw"]
    assert len(thrown) > 2


@pytest.mark.parametrize("dice_by", ["program", "tapped"])
def test_both_journals_prove_every_throw_of_both(
    dice_by: str, tables: tuple[LiveTable, LiveTable], tmp_path: Path
) -> None:
    real = dice_by == "tapped"
    name = share(tmp_path, tables, "tables/zeno", dice_by=dice_by, both_throw=real)
    line = BadLine(*tables, name, seed=5, lost=0.0)
    try:
        play(tables, tmp_path, 5, 12, both_throw=real)
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
            made = added_throw(joint, "pips") if real else joint_throw(name, joint, "pips")
            assert made.to_json() == event["move"]


def test_what_is_thrown_unseen_stays_here_until_the_other_table_has_thrown(
    tables: tuple[LiveTable, LiveTable], tmp_path: Path
) -> None:
    here, there = tables
    name = share(tmp_path, tables, "tables/zeno", dice_by="tapped", both_throw=True)
    line = BadLine(*tables, name, seed=5, lost=0.0)
    two, six = ({"faces": dict.fromkeys("123", face), "dice_set": "pips"} for face in "26")
    try:
        for one in tables:
            until(one, lambda state: not state["match"]["paused"])
        assert here.snapshot().data["awaits"]["by_program"] is False
        waits = there.snapshot().data["awaits"]
        assert (waits["player"], waits["by_program"], waits["remote"]) == (1, False, False)
        assert "unseen by the other table" in waits["sentence"]["text"]
        assert not there.command("throw", {"faces": {"1": "2"}, "dice_set": "pips"}, "tests").ok
        ask(there, "throw", **two)
        state = until(there, lambda state: state["awaits"]["remote"])  # nothing more to do here
        assert state["other_table"]["awaited"]["template"] == "{player} is to throw, at the other table."
        assert not there.command("throw", six, "tests").ok
        sent = there.remote.newest(name)
        assert sent is not None
        assert sent.dice is not None
        assert (len(sent.dice.commitment), sent.dice.opening) == (64, "")
        kept = match_in(tmp_path / "there.db").joint  # which a hall may read
        assert kept is not None
        assert (kept.commitment, kept.share, kept.opening) == (sent.dice.commitment, "", "")
        ask(here, "throw", **six)
        for one in tables:
            until(one, lambda state: state["awaits"]["kind"] == "choice")
        assert here.snapshot().data["other_table"]["awaited"] is None
    finally:
        line.end()
    thrown = match_in(tmp_path / "here.db").history[-1].move
    assert str(thrown) == "1 1 1"  # the second and the sixth face, from 0: 1 + 5 = 6, and 6 modulo 6 = 0


@pytest.mark.parametrize("dice_by", ["program", "tapped"])
def test_the_table_that_throws_in_view_says_what_it_waits_for_until_the_throw_counts(
    dice_by: str, tables: tuple[LiveTable, LiveTable], tmp_path: Path
) -> None:
    here, there = tables
    real = dice_by == "tapped"
    name = share(tmp_path, tables, "tables/zeno", dice_by=dice_by, both_throw=real)
    first = there.remote.newest(name)
    assert first is not None
    opening = "ab" * 16 + ("010203" if real else "")
    here.remote.deliver(msgspec.structs.replace(first, dice=None))
    assert until(here, lambda state: not state["match"]["paused"])["other_table"]["awaited"] is None
    ask(here, "roll")
    state = until(here, lambda state: state["other_table"]["awaited"] is not None)
    waits = "This table has thrown" if real else "This table's part of the throw is made"
    assert waits in state["other_table"]["awaited"]["text"]
    assert (state["awaits"]["player"], state["awaits"]["remote"], state["awaits"]["by_program"]) == (1, True, True)
    here.remote.deliver(msgspec.structs.replace(first, dice=DiceSync(1, commitment(name, 1, opening))))
    opens = "Both have thrown: the throw counts as soon as the other table opens its part."
    until(here, lambda state: (state["other_table"]["awaited"] or {}).get("text") == opens)
    dice = DiceSync(1, commitment(name, 1, opening), opening=opening)
    here.remote.deliver(msgspec.structs.replace(first, dice=dice))
    state = until(here, lambda state: state["awaits"]["kind"] == "choice")
    assert state["other_table"]["awaited"] is None
    assert not state["awaits"]["remote"]


@pytest.mark.parametrize("dice_by", ["program", "tapped"])
def test_a_table_that_opens_something_else_is_noticed_and_nothing_is_thrown(
    dice_by: str, tables: tuple[LiveTable, LiveTable], tmp_path: Path
) -> None:
    here, _ = tables
    real = dice_by == "tapped"
    name = share(tmp_path, tables, "tables/zeno", dice_by=dice_by, both_throw=real)
    start_there = here.remote.newest(name)
    assert start_there is not None
    opening = "ab" * 16 + ("010203" if real else "")
    dice = DiceSync(1, commitment(name, 1, opening))
    here.remote.deliver(msgspec.structs.replace(start_there, dice=dice))
    until(here, lambda state: not state["match"]["paused"])
    ask(here, "roll")
    here.remote.deliver(msgspec.structs.replace(start_there, dice=dice))
    end = time.monotonic() + PATIENCE_SECONDS
    while (sent := here.remote.newest(name)) is None or sent.dice is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    with Journal(tmp_path / "here.db", writable=False) as journal:
        for wrong in (opening + "04", opening[:-2], "cd" * 16 + opening[32:], opening[:-1] + "4"):
            forged = msgspec.structs.replace(start_there, dice=msgspec.structs.replace(dice, opening=wrong))
            here.remote.deliver(forged)
            until(here, partial(is_held, "no longer hold the same match"))
            here.remote.deliver(msgspec.structs.replace(start_there, dice=dice))
            until(here, lambda state: not state["match"]["paused"])
            assert not Match.of(journal.events(1)).history
        lie, truth = (msgspec.structs.replace(dice, opening=one) for one in ("cd" * 16 + opening[32:], opening))
        here.remote.deliver(msgspec.structs.replace(start_there, dice=lie))
        until(here, partial(is_held, "no longer hold the same match"))
        here.remote.deliver(msgspec.structs.replace(start_there, dice=truth))  # while the match is still paused
        until(here, lambda state: not state["match"]["paused"])
        here.remote.deliver(msgspec.structs.replace(start_there, dice=truth))
        until(here, lambda state: state["awaits"]["kind"] == "choice")


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
