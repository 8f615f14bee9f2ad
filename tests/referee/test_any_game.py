"""The referee keeps whole matches of other games too: through the journal, over a restart, with take-backs."""

import random
from pathlib import Path

import pytest

from companion.odds.playouts import random_move
from companion.referee.events import Finished, Paused, Resumed
from companion.referee.journal import Journal
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.referee.replay import Turn
from companion.referee.transfer import export_match, import_match
from companion.rules.dice import Throw
from companion.rules.registry import games
from tests.referee.build import Table, started

GAMES = (
    "tables/zeno",
    "tables/pyf",
    "ludix",
    "rithmomachia/durnil-guardia",
    "ludus-regularis/wheel",
)
MOST_MOVES = 120
here = pytest.mark.parametrize("slug", [slug for slug in GAMES if slug in games()])


def play_on(table: Table, chance: random.Random, moves: int) -> None:
    for _ in range(moves):
        if table.match.over:
            return
        table.record(table.match.committed(random_move(table.match.position, chance), "tapped"))


def until_choice(table: Table, chance: random.Random) -> None:
    """Play on until a choice was made that may be taken back."""
    while table.match.last_choice is None:
        play_on(table, chance, 1)


def last_choice(table: Table) -> Turn:
    turn = table.match.last_choice
    assert turn is not None
    return turn


@here
def test_a_match_goes_over_a_restart_and_replays_to_the_same_position(slug: str, tmp_path: Path) -> None:
    chance = random.Random(5)
    table = Table(tmp_path / "journal.db", started(game_name=slug))
    play_on(table, chance, 20)
    table.record(Paused())
    left = table.match
    table.journal.close()
    table.journal = Journal(tmp_path / "journal.db")
    table.match = Match.of(table.journal.events(left.id))
    assert table.match.position == left.position
    with pytest.raises(RefusedError, match="paused"):
        table.match.committed(random_move(table.match.position, chance), "tapped")
    table.record(Resumed())
    play_on(table, chance, MOST_MOVES)
    assert table.replayed().position == table.match.position
    assert [turn.text for turn in table.replayed().history] == [turn.text for turn in table.match.history]
    position = table.match.start
    for turn in table.match.history:
        assert turn.account is not None
        position = position.after(position.parse(turn.text))
    assert position == table.match.position
    table.journal.close()


@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug in games() and slug != "ludus-regularis/wheel"])
def test_the_last_choice_is_taken_back_and_made_anew(slug: str, tmp_path: Path) -> None:
    chance = random.Random(6)
    table = Table(tmp_path / "journal.db", started(game_name=slug))
    for _ in range(12):
        until_choice(table, chance)
        last = last_choice(table)
        assert last.move is not None
        after, score = table.match.position, table.match.position.scores()
        table.record(table.match.taken_back(last.event))
        assert table.match.position == last.before
        assert table.match.history[-1].standing == "voided"
        assert table.match.history[-1].text == last.text
        # the same choice made again leads where it led
        table.record(table.match.committed(last.move, "tapped"))
        assert (table.match.position, table.match.position.scores()) == (after, score)
        play_on(table, chance, 1)
    assert table.replayed().position == table.match.position


def test_a_whole_turn_is_taken_back_step_by_step_and_no_further(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    first = table.throw("2 5 6")
    thrown = table.match.position
    for text in ("a-c", "a-f", "a-g"):
        table.throw(text)
    assert table.match.position.awaits.player == 2
    for text in ("a-g", "a-f", "a-c"):
        last = last_choice(table)
        assert last.text == text
        table.record(table.match.taken_back(last.event))
    assert table.match.position == thrown
    with pytest.raises(RefusedError, match="until somebody throws"):
        table.match.taken_back(first)
    # another turn is played instead, and the other side throws: that ends it
    for text in ("a-c", "c-h", "h-o"):
        table.throw(text)
    played = last_choice(table)
    table.throw("1 1 2")
    with pytest.raises(RefusedError, match="until somebody throws"):
        table.match.taken_back(played.event)
    assert table.replayed().position == table.match.position


def test_only_the_last_choice_is_taken_back_and_only_while_the_match_goes_on(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    table.throw("2 5 6")
    one, other = table.throw("a-c"), table.throw("a-f")
    with pytest.raises(RefusedError, match="no longer the last choice"):
        table.match.taken_back(one)
    table.record(Paused())
    with pytest.raises(RefusedError, match="paused"):
        table.match.taken_back(other)
    table.record(Resumed(), Finished("agreement", "late"))
    with pytest.raises(RefusedError, match="over"):
        table.match.taken_back(other)


def test_the_other_side_that_moved_since_keeps_a_choice_from_being_taken_back(tmp_path: Path) -> None:
    """Anna stops, Ben throws, and takes his own choice back: Anna's is not to be had any more."""
    table = Table(tmp_path / "journal.db", started(game_name="ludix"))
    table.throw("L X V I")
    table.throw("LXVI stop")
    table.throw("X X X I")
    mine = table.throw("XXXI again")
    table.record(table.match.taken_back(mine))
    assert table.match.last_choice is None


def test_an_earlier_throw_is_corrected_and_what_no_longer_fits_is_left_out(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    thrown = table.throw("2 5 6")
    for text in ("a-c", "a-f", "a-g"):
        table.throw(text)
    table.throw("1 1 2")
    really = Throw.parse("pips", "2 5 5").to_json()
    preview = table.match.preview(thrown, really, "misread")
    # the step with the six does not fit; the other side's throw does, so what is left of the turn counts as let go by
    assert [event for event, _ in preview.misfits] == [thrown + 3]
    assert preview.after_all.position.awaits.player == 2
    assert preview.owners.keys() == {"a", "g"}


def test_a_choice_is_corrected_like_a_throw(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    table.throw("2 5 6")
    wrong = table.throw("a-c")
    table.throw("a-f")
    preview = table.match.preview(wrong, {"from": "a", "to": "g", "die": 6}, "it was the other die")
    assert not preview.misfits
    assert preview.after_all.position.occupancy() != table.match.position.occupancy()
    assert {"c", "g"} <= set(preview.owners)
    with pytest.raises(RefusedError):
        table.match.preview(wrong, {"from": "z", "to": "t", "die": 6}, "nonsense")


@here
def test_a_match_is_taken_away_and_brought_in_elsewhere(slug: str, tmp_path: Path) -> None:
    chance = random.Random(7)
    table = Table(tmp_path / "here.db", started(game_name=slug))
    play_on(table, chance, 25)
    if (last := table.match.last_choice) is not None:
        table.record(table.match.taken_back(last.event))
    lines = list(export_match(table.journal, table.match.id))
    with Journal(tmp_path / "there.db") as elsewhere:
        brought = Match.of(elsewhere.events(import_match(elsewhere, lines)))
    assert brought.position == table.match.position
