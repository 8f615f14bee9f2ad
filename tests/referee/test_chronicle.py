"""Matches looked at again: every moment is the match as it stood then, and a correction plays only the end anew."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.language.sentence import Sentence
from companion.referee.chronicle import Chronicle
from companion.referee.events import BoardObserved, Corrected, Observed, Paused, Proposed, Resumed
from companion.referee.match import Match, RefusedError
from companion.referee.replay import replayed
from tests.referee.build import KARITAS, MISERICORDIA, NOTHING, Table, started

GAMES = ("ludus-regularis", "ludus-regularis", "tables/zeno", "tables/doblet", "ludix")
SEEN = Observed((), "read", "", 1.0, 1, "ab" * 32)


def play_on(table: Table, chance: random.Random) -> None:
    """Throw, choose, take back, void or change something at random, as people at a table do."""
    match = table.match
    thrown = [turn for turn in match.history if turn.standing == "stands"]
    what = chance.random()
    try:
        if match.last_choice is not None and what < 0.2:
            table.record(match.taken_back(match.last_choice.event, chance.choice(["", "set down wrongly"])))
        elif thrown and what < 0.35:
            correct(table, chance.choice(thrown).event, chance)
        elif match.misfit is not None:
            correct(table, match.misfit, chance)
        elif not match.over:
            play_next(table, chance)
    except RefusedError:
        pass


def play_next(table: Table, chance: random.Random) -> None:
    position = table.match.position
    choices = list(position.legal()) if position.awaits.kind == "choice" else []
    move = chance.choice(choices) if choices else any_throw(position, chance)
    table.record(SEEN, table.match.committed(move, "tapped"))


def any_throw(position: Any, chance: random.Random) -> Any:
    """Return any throw, often one after which a cube may be thrown again: there corrections tear holes."""
    if position.game.slug == "ludus-regularis" and position.awaits.kind == "throw" and chance.random() < 0.5:
        return position.parse(KARITAS)
    return chance.choice(position.throws())


def correct(table: Table, event: int, chance: random.Random) -> None:
    turn = next(turn for turn in table.match.history if turn.event == event)
    other: Any = None
    if turn.before is not None and turn.kind != "choice" and chance.random() < 0.5:
        other = any_throw(turn.before, chance).to_json()
    preview = table.match.preview(event, other, "a test")
    drops = preview.drops_all if chance.random() < 0.5 else preview.drops_stop
    table.record(Corrected(event, other, "a test", drops))


@dataclass(frozen=True)
class Counts:
    """What of a play a player would notice."""

    position: Any
    throws: int
    turns: tuple[Any, ...]


def counts(play: Any) -> Counts:
    turns = tuple((t.event, t.number, t.player, t.text, t.standing, t.corrected, t.before) for t in play.turns)
    return Counts(play.position, play.throws, turns)


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str], Table]:
    numbers = iter(range(10_000))
    return lambda game: Table(tmp_path / f"journal-{next(numbers)}.db", started(game_name=game))


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 10_000))
def test_a_match_corrected_anywhere_is_what_playing_all_of_it_anew_gives(
    make: Callable[[str], Table], game: str, seed: int
) -> None:
    table, chance = make(game), random.Random(seed)
    for _ in range(30):
        play_on(table, chance)
        match = table.match
        anew, misfit = replayed(match.start, match._commits(), match.rulings, stop=True)
        assert counts(match.play) == counts(anew)
        assert match.misfit == misfit


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 10_000), cut=st.integers(1, 60))
def test_every_moment_is_the_match_as_it_stood_then_however_it_is_folded(
    make: Callable[[str], Table], game: str, seed: int, cut: int
) -> None:
    table, chance = make(game), random.Random(seed)
    for _ in range(25):
        play_on(table, chance)
    entries = table.match.entries
    whole = Chronicle.of(entries)
    assert whole == Chronicle.of(entries[:cut]).extended(entries[cut:])
    for number, moment in enumerate(whole.moments, start=1):
        then = Match.of(entries[: moment.entry.number])
        assert moment.match.position == then.position
        assert moment.match.play.throws == then.play.throws
        assert moment.match.last_throw == then.last_throw
        assert (moment.match.paused, moment.match.outcome) == (then.paused, then.outcome)
        assert whole.number_of(moment.entry.number) == number
        assert whole.at(moment.entry.number) is moment
    shown = {moment.entry.number for moment in whole.moments}
    looks = {entry.number for entry in entries if isinstance(entry.event, Observed | BoardObserved)}
    assert shown | looks == {entry.number for entry in entries}
    assert not shown & looks


def test_the_evidence_of_a_throw_is_what_was_seen_right_before_it(make: Callable[[str], Table]) -> None:
    table = make("ludus-regularis")
    first = table.record(SEEN, table.match.committed(table.match.position.parse(NOTHING), "camera"))
    asked = table.record(SEEN, Proposed(2, Sentence("Which?").to_json(), (), {}))
    table.record(Paused())
    table.record(Resumed())
    answered = table.record(table.match.committed(table.match.position.parse(MISERICORDIA), "camera", proposed=asked))
    chronicle = Chronicle.of(table.match.entries)
    seen, before = chronicle.evidence_of(answered)
    assert seen is not None
    assert before is not None
    assert (before.number, seen.number) == (first - 1, asked - 1)
    assert chronicle.evidence_of(first)[1] is None
    assert chronicle.evidence_of(999) == (None, None)


def test_the_moves_of_one_play_share_the_look_that_showed_them(make: Callable[[str], Table]) -> None:
    table = make("tables/zeno")
    table.throw("2 5 6")
    look = BoardObserved("commit", {}, 1.0, 2, "cd" * 32)
    moves = []
    position = table.match.position
    for text in ("a-c", "a-f", "a-g"):
        moves.append(position.parse(text))
        position = position.after(moves[-1])
    last = table.record(look, *table.match.committed_turn(moves, "camera"))
    chronicle = Chronicle.of(table.match.entries)
    found = [chronicle.evidence_of(event)[0] for event in range(last - 2, last + 1)]
    assert [None if entry is None else entry.number for entry in found] == [last - 3] * 3
