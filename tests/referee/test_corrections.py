"""What a correction would do is found from the corrected event on, and is what playing all of it anew gives."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.language.sentence import Sentence
from companion.referee.events import Committed, Corrected
from companion.referee.match import Match, Preview
from companion.referee.refused import RefusedError
from companion.referee.replay import Replay, Ruling, replayed
from tests.referee.build import MISERICORDIA, NOTHING, Table, started
from tests.referee.random_play import GAMES, instead, play_on


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str], Table]:
    numbers = iter(range(10_000))
    return lambda game: Table(tmp_path / f"journal-{next(numbers)}.db", started(game_name=game))


def from_the_start(match: Match, number: int, move: dict[str, Any] | None, reason: str) -> Preview:
    """Return a preview by playing the whole match twice from its start."""
    commits = match._commits()
    rulings = {**match.rulings, number: Ruling(move)}
    every, first = replayed(match.start, commits, rulings, stop=False)
    there = next(turn for turn in every.turns if turn.event == number)
    if there.standing == "misfit":
        raise RefusedError(there.why or Sentence(""))
    misfits = tuple((turn.event, turn.why or Sentence("")) for turn in every.turns if turn.standing == "misfit")
    later = [event for event, _ in commits if first is not None and event >= first]
    stop_drops = tuple(event for event in later if event not in rulings or rulings[event].move is not None)
    dropped = {event: Ruling(dropped=True) for event in stop_drops}
    stopped, _ = replayed(match.start, commits, rulings | dropped, stop=True)
    return Preview(
        number,
        move,
        reason,
        match.token(number, move, reason),
        changes(match.position.occupancy(), every.position.occupancy()),
        changes(match.position.scores(), every.position.scores()),
        misfits,
        tuple(event for event, _ in misfits),
        stop_drops,
        every,
        stopped,
    )


def changes(before: Any, after: Any) -> dict[Any, tuple[Any, Any]]:
    return {key: (before.get(key), after.get(key)) for key in {*before, *after} if before.get(key) != after.get(key)}


def outcome(preview: Callable[[], Preview]) -> Preview | str:
    try:
        return preview()
    except RefusedError as why:
        return str(why.sentence)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 100_000), plays=st.integers(1, 30))
def test_a_preview_is_what_playing_the_whole_match_anew_gives(
    make: Callable[[str], Table], game: str, seed: int, plays: int
) -> None:
    table, chance = make(game), random.Random(seed)
    for _ in range(plays):
        play_on(table, chance)
        commits = [entry.number for entry in table.match.entries if isinstance(entry.event, Committed)]
        if commits and chance.random() < 0.1:  # as in a stranger's journal: what no longer fits is not dropped
            event = chance.choice(commits)
            table.record(Corrected(event, instead(table, event, chance), "carelessly"))
    match = table.match
    again, misfit = replayed(match.start, match._commits(), match.rulings, stop=True)
    assert (match.play, match.misfit) == (again, misfit)
    commits = [event for event, _ in match._commits()]
    for event in chance.sample(commits, min(len(commits), 6)):
        for move in (None, instead(table, event, chance), {"nonsense": 1}):
            quick = outcome(lambda event=event, move=move: match.preview(event, move, "x"))  # type: ignore[misc]
            slow = outcome(lambda event=event, move=move: from_the_start(match, event, move, "x"))  # type: ignore[misc]
            assert quick == slow


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events that are played, each as often as it is."""
    events: list[int] = []
    play = Replay.next

    def noted(self: Replay, event: int, *rest: Any) -> Replay:
        events.append(event)
        return play(self, event, *rest)

    monkeypatch.setattr(Replay, "next", noted)
    return events


def test_a_correction_late_in_a_match_plays_only_what_came_after_it(
    make: Callable[[str], Table], played: list[int]
) -> None:
    table = make("ludus-regularis")
    events = [table.throw(NOTHING) for _ in range(30)]
    played.clear()
    table.match.preview(events[-2], None, "x")
    assert min(played) >= events[-4]


def test_what_stands_as_it_stood_after_a_correction_is_not_played_again(
    make: Callable[[str], Table], played: list[int]
) -> None:
    table = make("ludus-regularis")
    events = [table.throw(NOTHING) for _ in range(30)]
    played.clear()
    preview = table.match.preview(events[3], None, "x")
    assert max(played) <= events[5]
    assert [turn.event for turn in preview.after_all.turns] == events


def test_a_token_names_one_correction_at_one_moment(make: Callable[[str], Table]) -> None:
    table = make("ludus-regularis")
    event = table.throw(MISERICORDIA)
    other = table.match.position.parse(NOTHING).to_json()
    asked: list[tuple[int, dict[str, Any] | None, str]] = [
        (event, None, "x"),
        (event, None, "y"),
        (event, {}, "x"),
        (event, other, "x"),
        (event, {**other, "faces": {**other["faces"], "1": "EI"}}, "x"),
        (event + 1, None, "x"),
    ]
    tokens = {table.match.token(*one) for one in asked}
    table.throw(NOTHING)
    tokens |= {table.match.token(*one) for one in asked}
    assert len(tokens) == 2 * len(asked)
    assert replace(table.match).token(*asked[0]) == table.match.token(*asked[0])
