"""The same games of tables played twice from the same streams: by the rules core, and many at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.odds.playouts import GameRecord
from companion.odds.tables.games import CAPPED, RUNNING, TIE, RunningGames
from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import TAKEN_BIT, WIDTH
from companion.rules.tables.choices import Step
from companion.rules.tables.position import TablesPosition
from tests.odds.plain_stream import Stream

Men = dict[str, int]


@dataclass(frozen=True)
class Moment:
    """A position in which a man is to be moved: the player, the dice left, the legal steps, both sides' men."""

    turn: int
    dice: tuple[int, ...]
    steps: tuple[tuple[str, int], ...]  # from where, with which die
    men: tuple[Men, Men]


@dataclass
class ReplayedGame:
    """One whole game: every position in which a man was moved, and what it came to."""

    moments: list[Moment] = field(default_factory=list)
    record: GameRecord | None = None


def men_of(position: TablesPosition) -> tuple[Men, Men]:
    ours, theirs = (
        {place: count for place, count in {"hand": course.in_hand(men), **course.unpack(men)}.items() if count}
        for course, men in zip(position.rules.courses, position.men, strict=True)
    )
    return ours, theirs


def steps_of(position: TablesPosition) -> tuple[tuple[str, int], ...]:
    return tuple((step.origin, step.die) for step in position.legal() if isinstance(step, Step))


def by_the_rules(start: TablesPosition, stream: Stream, cap: int) -> ReplayedGame:
    """Play one game with its stream through positions of the rules core, in plain Python."""
    position, found, throws, choices = start, ReplayedGame(), 0, 0
    named = {tuple(face.value for _, face in throw): throw for throw in start.throws()}
    while position.outcome is None and throws + choices < cap:
        if position.awaits.kind == "throw":
            position = position.after(named[tuple(stream.die() for _ in position.rules.thrown)])
            throws += 1
            continue
        steps = steps_of(position)
        if steps:
            found.moments.append(Moment(position.turn, position.dice, steps, men_of(position)))
        position = position.after(stream.choice(list(position.legal())))
        choices += 1
    found.record = GameRecord(throws, choices, None if position.outcome is None else position.outcome.winners)
    return found


def vectorised(layout: TrackLayout, seed: int, count: int, cap: int) -> list[ReplayedGame]:
    """Play so many games at once, writing each down."""
    games, reported = RunningGames(layout, seed, cap, np.arange(count)), [ReplayedGame() for _ in range(count)]
    everybody = tuple(range(1, layout.players + 1))
    half = layout.players // 2
    winners = {1: everybody[:half], 2: everybody[half:], TIE: everybody, CAPPED: None}
    while (games.state == RUNNING).any():
        games.throw()
        games.turn_to_six()
        found = games.found()
        for column in np.unique(found.game):
            reported[column].moments.append(_moment(games, found, column))
        games.move(found)
    for column in range(count):
        how = winners[int(games.state[column])]
        reported[column].record = GameRecord(int(games.throws[column]), int(games.choices[column]), how)
    return reported


def _moment(games: RunningGames, found: Any, column: int) -> Moment:
    layout = games.layout
    places = places_of(layout, int(games.side[column]))
    here = found.game == column
    pips = layout.pools.value[:, games.pool[column]]
    steps = tuple(
        (places[place], int(pips[kind])) for place, kind in zip(found.place[here], found.kind[here], strict=True)
    )
    ours, theirs = games.standing(column)
    return Moment(int(games.turn[column]) + 1, layout.pools.dice[games.pool[column]], steps, (ours, theirs))


def places_of(layout: TrackLayout, side: int) -> tuple[str, ...]:
    """Return what the rules call each bit of a side's way."""
    track = layout.tracks[side]
    after = track if layout.pairs else ()
    return (*("hand", *track, *after), *("",) * TAKEN_BIT)[:TAKEN_BIT] + ("hand",) * (WIDTH - TAKEN_BIT)


def differences(ones: list[ReplayedGame], others: list[ReplayedGame]) -> Iterator[str]:
    """Say for each game that is not the same where it first differs."""
    for number, (one, other) in enumerate(zip(ones, others, strict=True)):
        for place, (first, second) in enumerate(zip(one.moments, other.moments, strict=False)):
            if first != second:
                yield f"game {number}, move {place}: {first} but {second}"
                break
        else:
            if one != other:
                yield f"game {number}: {len(one.moments)} moves, {one.record} but {len(other.moments)}, {other.record}"
