"""Seats that another table plays: who may write what, and what of the other table is refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk.page.match import MatchPage
from companion.desk.table.match_desk import Desk
from companion.desk.table.remote_seats import CommonEvent, NotFollowedError, end_sharing, opens, share, take_in
from companion.referee.events import Committed, Corrected, Finished, JointDice, to_json
from companion.referee.joint_dice import added_throw, commitment, joint_throw
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.referee.shared_log import SharedLog, position_digest, waits_for_remote
from companion.rules.dice import Throw
from tests.desk.board_office import BoardOffice


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Journal(tmp_path / "match.db") as journal:
        yield Desk(journal, lambda: 1000.0, Random(3))


def begin(desk: Desk, dice_by: str = "tapped", remote: int = 2, *, both_throw: bool = False) -> Match:
    desk.begin("tables/zeno", ["Anna", "Bert"], {}, dice_by, "tests")  # type: ignore[arg-type]
    share(desk, "common", (remote,), "tests", both_throw=both_throw)
    return desk.require_match()


def turn(desk: Desk, player: int) -> None:
    """Play one whole turn of a player as the table does at which that player sits."""
    match = desk.require_match()
    assert match.shared is not None
    chance = Random(len(match.entries))
    while not match.over and match.position.awaits.player == player:
        position = match.position
        if position.awaits.kind == "choice":
            move: Any = next(iter(position.open_choices()))
        else:
            move = Throw.of("pips", {name: str(chance.randint(1, 6)) for name in position.awaits.dice})
        if player in match.shared.remote:
            sent(desk, match.committed(move, "tapped"))
        else:
            desk.play(move, "tapped", "tests")
        match = desk.require_match()


def sent(desk: Desk, event: Any, **change: Any) -> None:
    """Take in an event as the other table sends it."""
    log = SharedLog(desk.require_match())
    data = to_json(event)
    if isinstance(event, Committed):
        data = {name: data[name] for name in ("kind", "player", "awaited", "move", "by")}
    take_in(desk, log, CommonEvent(log.count + 1, {**data, **change.pop("data", {})}, **change))


def test_each_table_plays_its_own_seats_and_nothing_of_the_other(desk: Desk) -> None:
    begin(desk)
    assert not waits_for_remote(desk.match)
    turn(desk, 1)
    assert waits_for_remote(desk.match)
    before = desk.require_match().entries[-1].number
    match = desk.require_match()
    throw = Throw.of("pips", dict.fromkeys(match.position.awaits.dice, "4"))
    with pytest.raises(RefusedError, match="at the other table"):
        desk.play(throw, "tapped", "tests")
    with pytest.raises(RefusedError, match="at the other table"):
        desk.finish("enough", "tests")
    assert desk.require_match().entries[-1].number == before
    turn(desk, 2)
    assert desk.require_match().entries[-1].actor == "other_table"
    assert not waits_for_remote(desk.match)


def test_a_table_corrects_its_own_turn_until_the_other_has_answered(desk: Desk) -> None:
    begin(desk)
    turn(desk, 1)
    turn(desk, 2)
    first = desk.require_match().history[0].event
    with pytest.raises(RefusedError, match="has played since"):
        desk.record([Corrected(first, None, "misread")], "tests")
    match = desk.require_match()
    desk.play(Throw.of("pips", dict.fromkeys(match.position.awaits.dice, "1")), "tapped", "tests")
    own = desk.require_match().history[-1].event
    desk.record([Corrected(own, None, "misread")], "tests")
    assert desk.require_match().history[-1].standing == "voided"


def test_a_table_concedes_what_the_other_asked_it_to_correct(desk: Desk) -> None:
    begin(desk)
    turn(desk, 1)
    log = SharedLog(desk.require_match())
    choice = next(turn for turn in reversed(desk.require_match().history) if turn.kind == "choice")
    number = next(n for n in range(1, log.count + 1) if log.local(n) == choice.event)
    sent(desk, Corrected(number, None, "you asked for it", (), "takeback"))
    assert not waits_for_remote(desk.match)
    assert desk.require_match().history[-1].standing == "voided"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"data": {"player": 1}}, "other table"),
        ({"data": {"awaited": "choice"}}, "expected throw"),
        ({"data": {"move": {"set": "pips", "faces": {"1": "7"}}}}, None),
        ({"data": {"move": {}}}, None),
        ({"data": {"kind": "started"}}, None),
        ({"data": {"kind": "paused"}}, None),
        ({"data": {"player": "x"}}, None),
        ({"position": "ab" * 16}, "another position"),
    ],
)
def test_what_does_not_follow_is_refused_and_writes_nothing(
    desk: Desk, change: dict[str, Any], why: str | None
) -> None:
    begin(desk)
    turn(desk, 1)
    match = desk.require_match()
    throw = Throw.of("pips", dict.fromkeys(match.position.awaits.dice, "4"))
    with pytest.raises(NotFollowedError, match=why):
        sent(desk, match.committed(throw, "tapped"), **change)
    assert desk.require_match().entries == match.entries
    after = position_digest(match.position.after(throw))
    sent(desk, match.committed(throw, "tapped"), position=after)
    assert desk.require_match().position == match.position.after(throw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.sampled_from(["", "throw", "pips", "1", "6", "camera"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["set", "faces", "1", "2", "3", "from", "to", "choice", "die"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["committed", "corrected", "finished", "shared", "joint dice", "started", "x"])},
    optional=dict.fromkeys(
        ("player", "awaited", "move", "by", "event", "drops", "reason", "way", "match", "remote", "number"), JSON
    ),
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(FIELDS, min_size=1, max_size=4))
def test_whatever_another_table_sends_is_taken_in_or_refused(desk: Desk, sends: list[dict[str, Any]]) -> None:
    begin(desk, remote=1)
    for data in sends:
        before = desk.require_match()
        log = SharedLog(before)
        try:
            take_in(desk, log, CommonEvent(log.count + 1, data))
        except NotFollowedError:
            assert desk.require_match() is before
        else:
            assert desk.require_match().misfit is None
            assert desk.require_match().shared == before.shared


def test_an_event_out_of_turn_or_out_of_order_is_refused(desk: Desk) -> None:
    match = begin(desk)
    throw = Throw.of("pips", dict.fromkeys(match.position.awaits.dice, "4"))
    with pytest.raises(NotFollowedError, match="other table"):
        sent(desk, match.committed(throw, "tapped"))
    with pytest.raises(NotFollowedError, match="other table"):
        sent(desk, Finished("agreement", "I win"))
    log = SharedLog(match)
    with pytest.raises(NotFollowedError, match="expected event 1"):
        take_in(desk, log, CommonEvent(3, to_json(Finished("agreement", ""))))


def test_men_before_the_camera_move_for_the_other_table_only_as_it_says(tmp_path: Path) -> None:
    office = BoardOffice(tmp_path / "board.db")
    office.begin_board("rithmomachia/durnil-guardia")
    assert office.do("share", remote=[2]).ok
    own = next(move for move in office.match.position.legal() if "from" in move.to_json())
    office.stand(office.match.position.after(own))
    while office.match.position.awaits.player == 1:
        done = next(choice for choice in office.match.position.open_choices() if choice.to_json() == {"choice": "done"})
        office.stand(office.match.position.after(done))
    assert waits_for_remote(office.match)
    before, position = office.match.entries[-1].number, office.match.position
    moves = [move for move in position.legal() if "from" in move.to_json()]
    office.stand(position.after(moves[0]))  # somebody here moves a man of the other table by himself
    assert office.state()[0] == "MISMATCH"
    assert "at the other table" in office.state()[1]
    office.stand(office.match.history[-1].at)  # or takes the last move of this table back
    assert office.match.entries[-1].number == before
    office.stand(position)
    sent(office.desk, office.match.committed(moves[1], "tapped"))
    office.board.see(office.board_sight)
    assert office.state()[0] == "MISMATCH"
    assert "does not match the game" in office.state()[1]
    office.stand(office.match.position)
    assert office.state()[0] == "SYNCED"


def together(match: Match, number: int, opening: str, share_: str) -> JointDice:
    return JointDice(number, commitment("common", number, opening), share_, tuple(match.position.awaits.dice), opening)


@pytest.mark.parametrize("real", [False, True])
def test_a_throw_of_both_is_that_of_opening_and_share_and_no_other_1000_times(desk: Desk, *, real: bool) -> None:
    begin(desk, dice_by="tapped" if real else "program", remote=1, both_throw=real)
    chance = Random(11)
    for attempt in range(1000):
        match = desk.require_match()
        number = SharedLog(match).count + 1
        if match.joint is None or match.joint.number != number:
            opening, share_ = (19, 3) if real else (16, 16)
            made = together(match, number, chance.randbytes(opening).hex(), chance.randbytes(share_).hex())
            desk.record([made], "line")
            match = desk.require_match()
        joint = match.joint
        assert joint is not None
        right = added_throw(joint, "pips") if real else joint_throw("common", joint, "pips")
        faces = dict(right.shown)
        die = chance.choice(sorted(faces))
        other = {**faces, die: chance.choice([face for face in "123456" if face != faces[die]])}
        cheats = [
            *(match.committed(Throw.of("pips", other), by) for by in ("program", "camera", "tapped")),
            Finished("agreement", "I do not like these dice"),
        ]
        with pytest.raises(NotFollowedError):
            sent(desk, cheats[attempt % 4])
        assert not opens(match, joint, chance.randbytes(len(joint.opening) // 2).hex())
    sent(desk, desk.require_match().committed(right, "program"))
    match = desk.require_match()
    assert match.history[-1].move == right
    shown = MatchPage(lambda _: False).of(match)["throw"]
    assert shown is not None
    assert shown["by"] == ("both" if real else "program")


def test_a_throw_without_the_part_of_this_table_is_refused(desk: Desk) -> None:
    match = begin(desk, dice_by="program", remote=1)
    throw = Throw.of("pips", dict.fromkeys(match.position.awaits.dice, "6"))
    with pytest.raises(NotFollowedError, match="both tables"):
        sent(desk, match.committed(throw, "program"))
    unopened = replace(together(match, 1, "11" * 16, "22" * 16), opening="")
    desk.record([unopened], "line")
    with pytest.raises(NotFollowedError, match="both tables"):
        sent(desk, match.committed(throw, "program"))


def test_only_seats_of_people_are_shared_and_the_match_goes_on_alone_after(desk: Desk) -> None:
    desk.begin("tables/zeno", ["Anna", "Bert"], {}, "tapped", "tests")
    for remote in ((), (1, 2), (3,)):
        with pytest.raises(RefusedError, match="at least one, not all"):
            share(desk, "common", remote, "tests")
    share(desk, "common", (2,), "tests")
    with pytest.raises(RefusedError, match="already"):
        share(desk, "common", (2,), "tests")
    turn(desk, 1)
    end_sharing(desk, "tests")
    assert not waits_for_remote(desk.match)
    with pytest.raises(RefusedError, match="No other table"):
        end_sharing(desk, "tests")
    throw = Throw.of("pips", dict.fromkeys(desk.require_match().position.awaits.dice, "4"))
    desk.play(throw, "tapped", "tests")


def test_a_throw_of_one_table_never_stands_for_that_of_both(desk: Desk) -> None:
    with pytest.raises(RefusedError, match="tapped in"):
        begin(desk, dice_by="program", both_throw=True)
    end = Throw.of("pips", dict.fromkeys("123", "6"))
    for dice_by, real in (("program", False), ("tapped", True)):
        begin(desk, dice_by=dice_by, both_throw=real)
        with pytest.raises(RefusedError, match="Both tables are making a throw"):
            desk.play(end, "tapped", "tests")
    assert "Both tables throw together" in str(desk.throw_real(end, "tests"))
    with pytest.raises(RefusedError, match="dice"):
        desk.throw_real(Throw.of("pips", {"1": "6"}), "tests")
    assert not desk.require_match().history


def test_what_is_thrown_unseen_holds_nobody_up_until_the_other_table_has_thrown(desk: Desk) -> None:
    match = begin(desk, remote=1, both_throw=True)
    made = together(match, 1, "00" * 19, "000000")
    desk.record([replace(made, share="", opening="")], "line")
    end = Finished("agreement", "enough")
    with pytest.raises(NotFollowedError, match="both tables"):
        sent(desk, desk.require_match().committed(added_throw(made, "pips"), "program"))
    sent(desk, end)
    assert desk.require_match().finished == end
    assert desk.require_match().joint is None
