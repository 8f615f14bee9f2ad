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
from companion.referee.events import BoardObserved, Observed, Paused, Proposed, Resumed
from companion.referee.match import Match
from companion.referee.replay import replayed
from tests.referee.build import MISERICORDIA, NOTHING, Table, started
from tests.referee.random_play import GAMES, SEEN, play_on


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
        again, misfit = replayed(match.start, match._commits(), match.rulings, stop=True)
        assert counts(match.play) == counts(again)
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
    observations = {entry.number for entry in entries if isinstance(entry.event, Observed | BoardObserved)}
    assert shown | observations == {entry.number for entry in entries}
    assert not shown & observations


def test_the_evidence_of_a_throw_is_the_look_that_it_names(make: Callable[[str], Table]) -> None:
    table = make("ludus-regularis")
    match = table.match
    first = table.record(SEEN, match.committed(match.position.parse(NOTHING), "camera", seen=match.next_number))
    asked = table.record(SEEN, Proposed(2, Sentence("Which?").to_json(), (), {}, seen=first + 1))
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
    table.record(SEEN)
    tapped = table.record(table.match.committed(table.match.position.parse(NOTHING), "tapped"))
    assert Chronicle.of(table.match.entries).evidence_of(tapped) == (None, None)


def test_the_moves_of_one_play_share_the_look_that_showed_them(make: Callable[[str], Table]) -> None:
    table = make("tables/zeno")
    table.throw("2 5 6")
    observation = BoardObserved("commit", {}, 1.0, 2, "cd" * 32)
    moves = []
    position = table.match.position
    for text in ("a-c", "a-f", "a-g"):
        moves.append(position.parse(text))
        position = position.after(moves[-1])
    made = table.match.checked(moves, "camera", seen=table.match.next_number)
    last = table.record(observation, *(one.event for one in made))
    chronicle = Chronicle.of(table.match.entries)
    found = [chronicle.evidence_of(event)[0] for event in range(last - 2, last + 1)]
    assert [None if entry is None else entry.number for entry in found] == [last - 3] * 3
