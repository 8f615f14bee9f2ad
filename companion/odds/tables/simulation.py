"""Many random games of a tables variant, in parallel."""

import time
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from companion.odds.playouts import PLY_CAP, GameRecord, Played, check_count
from companion.odds.tables.games import CAPPED, RUNNING, TIE, RunningGames
from companion.odds.tables.layout import laid_out
from companion.rules.options import OptionValue

PARALLEL_GAMES = 2048
"""Games that run at the same time: enough to keep NumPy busy, few enough for the cache of a small computer."""


def simulate(  # noqa: PLR0917 - as `playouts.play` names them
    slug: str,
    count: int,
    seed: int,
    players: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    cap: int = PLY_CAP,
    *,
    first: int = 0,
) -> Played:
    """Play ``count`` games, numbered from ``first`` on, each with its own stream of ``seed`` (`streams.keys`).

    A game stops as capped after ``cap`` throws and choices. The rules core plays the same games with the same streams,
    in the same order.

    Raises:
        UnknownGameError, OptionError: there is no such game, or it does not take these players or options.
        NotVectorisedError: this simulation does not know a rule of the game.
        GamesCountError: fewer than one game, or too many.
    """
    check_count(count)
    layout = laid_out(slug, players, options or {})
    begun = time.perf_counter()
    games = RunningGames(layout, seed, cap, first + np.arange(min(count, PARALLEL_GAMES)))
    started = games.game.size
    throws, choices, state = (np.zeros(count, np.int64) for _ in range(3))
    while games.game.size:
        games.throw()
        games.turn_to_six()
        games.move(games.found())
        done = np.flatnonzero(games.state != RUNNING)
        if not done.size:
            continue
        over = games.game[done] - first
        throws[over], choices[over], state[over] = games.throws[done], games.choices[done], games.state[done]
        fresh = np.arange(started, min(count, started + done.size))
        started += fresh.size
        games.restart(done[: fresh.size], first + fresh)
        if fresh.size < done.size:
            games.keep(np.flatnonzero(games.state == RUNNING))
    return Played(slug, players, cap, _records(throws, choices, state, players), time.perf_counter() - begun)


def _records(
    throws: npt.NDArray[np.int64], choices: npt.NDArray[np.int64], state: npt.NDArray[np.int64], players: int
) -> list[GameRecord]:
    everybody = tuple(range(1, players + 1))
    winners = {1: everybody[: players // 2], 2: everybody[players // 2 :], TIE: everybody, CAPPED: None}
    return [
        GameRecord(thrown, chosen, winners[how])
        for thrown, chosen, how in zip(throws.tolist(), choices.tolist(), state.tolist(), strict=True)
    ]
