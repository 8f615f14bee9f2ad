"""Every reason for a turn of tables is true: each kind is counted again by the rules core, without the search."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.players.player import Budget
from companion.players.tables.losses import hitting_throws
from companion.players.thinking import reasons, weigh
from companion.rules.tables import TablesPosition
from tests.players.naive_reasons import hits_by_every_throw, of_tables
from tests.players.on_the_way import TABLES, choosing


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
        assert of_tables(reason, position, after), (reason, position)
        if "more" in dict(reason.facts):
            assert int(dict(reason.facts)["more"]) > int(dict(reason.facts)["ways"])


def test_throws_that_hit_are_counted_exactly_with_three_dice() -> None:
    counted = 0
    for slug, seed in (("tables/zeno", 1), ("tables/seis-dos-y-as", 2)):
        position = choosing(slug, seed, 40)
        assert isinstance(position, TablesPosition)
        after = position.plays()[0].position
        assert isinstance(after, TablesPosition)
        found, (ways, on) = hitting_throws(after), hits_by_every_throw(after)
        assert found == (ways, on, 216)
        counted += len(on)
    assert counted > 3


def test_nothing_is_counted_where_no_throw_is_due() -> None:
    position = choosing("tables/zeno", 1, 40)
    assert isinstance(position, TablesPosition)
    assert hitting_throws(position) is None
