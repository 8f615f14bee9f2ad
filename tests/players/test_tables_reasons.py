"""Every reason for a turn of tables is true: each kind is counted again by the rules core, without the search."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.players.player import Budget, Reason
from companion.players.tables.hitting import hitting_throws
from companion.players.thinking import reasons, weigh
from companion.rules.board import HAND, OFF
from companion.rules.tables import TablesPosition
from tests.players.on_the_way import TABLES, choosing


def men(position: TablesPosition, side: int) -> dict[str, int]:
    """Return the men of a side by place, from what the page draws."""
    return {site: there[str(side)] for site, there in position.occupancy().items() if str(side) in there}


def hits_by_every_throw(position: TablesPosition) -> int:
    """Count the throws of which some turn takes a man of the side that does not throw."""
    victim = 3 - position.side
    before = men(position, victim).get(HAND, 0)
    return sum(
        any(
            men(play.position, victim).get(HAND, 0) > before
            for play in position.after(throw).plays()
            if isinstance(play.position, TablesPosition)
        )
        for throw in position.throws()
    )


def holds(  # noqa: PLR0911 - one for each kind
    reason: Reason, before: TablesPosition, after: TablesPosition
) -> bool:
    """Whether a reason is true, recomputed naively."""
    facts, side = dict(reason.facts), before.side
    own, were = men(after, side), men(before, side)
    foe, foe_were = men(after, 3 - side), men(before, 3 - side)
    match reason.kind:
        case "wins":
            return after.outcome is not None and before.turn in after.outcome.winners
        case "hits":
            gone = [point for point in foe_were if point not in foe and point not in (HAND, OFF)]
            return foe[HAND] - foe_were.get(HAND, 0) == facts["men"] and "".join(gone) == facts["points"]
        case "closes":
            closed = [point for point in own if point not in (HAND, OFF) and own[point] > 1 and were.get(point, 0) < 2]
            return "".join(sorted(closed)) == facts["points"]
        case "open":
            return hits_by_every_throw(after) == facts["ways"] and len(after.throws()) == facts["total"]
        case "off":
            return own[OFF] - were.get(OFF, 0) == facts["count"]
        case "home":
            last = before.rules.courses[side - 1].track[-6:]
            at_home = [sum(there.get(point, 0) for point in last) for there in (own, were)]
            return at_home[0] - at_home[1] == facts["count"]
        case "race":
            return [facts["own"], facts["foe"]] == [
                before.rules.courses[number - 1].pips(after.men[number - 1]) for number in (side, 3 - side)
            ]
    raise AssertionError(f"a kind that nothing checks: {reason.kind}")


@given(slug=st.sampled_from(TABLES), seed=st.integers(0, 10_000), plies=st.integers(0, 120), pick=st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_every_reason_holds(slug: str, seed: int, plies: int, pick: int) -> None:
    position = choosing(slug, seed, plies)
    assume(position is not None)
    assert isinstance(position, TablesPosition)
    weighed = weigh(position, Budget())
    turn = weighed[pick % len(weighed)]
    after = position
    for choice in turn.choices:
        after = after.after(choice)
    for reason in reasons(position, weighed, turn):
        if reason.kind == "open" and len(after.throws()) > 36:
            continue  # the naive count of 216 throws takes a second; the next test makes it for a few
        assert holds(reason, position, after), (reason, position)
        if "more" in dict(reason.facts):
            assert int(dict(reason.facts)["more"]) > int(dict(reason.facts)["ways"])


def test_throws_that_hit_are_counted_exactly_with_three_dice() -> None:
    counted = 0
    for slug, seed in (("tables/zeno", 1), ("tables/ludus-anglicorum", 1), ("tables/seis-dos-y-as", 2)):
        position = choosing(slug, seed, 40)
        assert isinstance(position, TablesPosition)
        after = position.plays()[0].position
        assert isinstance(after, TablesPosition)
        assert hitting_throws(after) == (hits_by_every_throw(after), 216)
        counted += hits_by_every_throw(after)
    assert counted


def test_nothing_is_counted_where_no_throw_is_due() -> None:
    position = choosing("tables/zeno", 1, 40)
    assert isinstance(position, TablesPosition)
    assert hitting_throws(position) is None
