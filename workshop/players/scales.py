"""Measure how true named chances are: ``python -m workshop.players.scales tables/zeno``.

The master's evaluation plays games against itself. Again and again it says how likely the side that is to act wins; by
these chances, in ten kinds, the games tell how often that side did win. ``scale`` is by what the log of the odds would
have to be multiplied: 1 for chances that are as sure as they may be, less for those that are too sure. Positions of
one game have one end, so the intervals come from resampled games. ``companion/players/scales.toml`` keeps what was
found, and `companion.players.telling` tells people chances by it.
"""

import argparse
import logging
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import laid_out
from companion.parallel.cores import Cores
from companion.parallel.parts import Workers
from companion.players import telling
from companion.players.rithmomachia.evaluation import weights_of
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, judge_of
from companion.players.tables.search import TablesSearch
from workshop.players import cards, rithmomachia
from workshop.players.vectorised import against_itself, tempered

log = logging.getLogger(__name__)

Chances = npt.NDArray[np.float64]

FILE: Final = Path(telling.__file__).with_name(telling.SCALES)
HEAD: Final = """\
# By what the log of the odds of each game's evaluation is multiplied for the chances that people are shown, with its
# 95 % interval. Written by `python -m workshop.players.scales`, from games of the program against itself.
"""
KINDS: Final = 10
RESAMPLED: Final = 200
MOST: Final = 4.0


class EstimatedChances(NamedTuple):
    """Chances that were named: in which game, how likely, and whether it came true; a shared win is one half."""

    game: npt.NDArray[np.intp]
    chance: Chances
    won: Chances


def scale_of(estimates: Chances, won: Chances) -> float:
    """Return by what the log of the odds is to be multiplied so that the games are likeliest, from 0 to `MOST`."""
    held = np.clip(estimates, telling.LEAST_CHANCE, 1 - telling.LEAST_CHANCE)
    odds = np.log(held / (1 - held))
    low, high = 0.0, MOST
    for _ in range(30):  # the likelihood has one peak
        scale = (low + high) / 2
        if odds @ (1 / (1 + np.exp(-scale * odds)) - won) > 0:
            high = scale
        else:
            low = scale
    return scale


def estimated(workers: Workers, slug: str, games: int, seed: int) -> EstimatedChances:
    """Return what the evaluation of a game says in games against itself: tables before each throw, else at turns."""
    if not slug.startswith("tables/"):
        return _of_rithmomachia(workers, slug, games, seed)
    layout = replace(laid_out(slug, 2, {}), slaps=False)
    search = TablesSearch(layout, Evaluation(layout, judge_of(slug)))
    estimates: list[npt.NDArray[np.float32]] = []

    def note(boards: Boards) -> None:
        estimates.append(search.evaluation.chances(boards))

    game, side, of_first = against_itself(search, tempered(0.0, seed), games, seed, note)
    return EstimatedChances(
        game, np.concatenate(estimates).astype(np.float64), np.where(side == 0, of_first[game], 1 - of_first[game])
    )


def _of_rithmomachia(workers: Workers, slug: str, games: int, seed: int) -> EstimatedChances:
    """Return what it says at some turns of games that the program plays against itself nearly without chance."""
    weights = weights_of(slug)
    played = rithmomachia.games_of(workers, rithmomachia.Games(slug, weights, f"{seed} {slug} 0"), games)
    game = [number for number, rows in enumerate(played) for _ in rows]
    worth = np.array([row for rows in played for row, _ in rows], np.float64) @ np.array(weights)
    won = [of_white for rows in played for _, of_white in rows]
    return EstimatedChances(np.array(game, np.intp), 1 / (1 + np.exp(-worth)), np.array(won, np.float64))


def as_shown(slug: str, estimates: EstimatedChances) -> EstimatedChances:
    """Return the same with the chances that people are shown."""
    return estimates._replace(chance=np.array([telling.calibrated(slug, float(one)) for one in estimates.chance]))


def measured(estimates: EstimatedChances, games: int, seed: int) -> dict[str, Any]:
    """Return how true the chances are."""
    kind = np.minimum((estimates.chance * KINDS).astype(int), KINDS - 1)
    lots, scales = np.random.default_rng(seed), []
    order = np.argsort(estimates.game, kind="stable")
    starts = np.searchsorted(estimates.game[order], np.arange(games + 1))
    for _ in range(RESAMPLED):
        drawn = lots.integers(games, size=games)
        places = np.concatenate([order[starts[one] : starts[one + 1]] for one in drawn])
        scales.append(scale_of(estimates.chance[places], estimates.won[places]))
    low, high = np.percentile(scales, [2.5, 97.5])
    counts = np.bincount(kind, minlength=KINDS)
    seen = np.flatnonzero(counts)
    of_kind = [(float(estimates.chance[kind == one].mean()), float(estimates.won[kind == one].mean())) for one in seen]
    off = sum(abs(chance - won) * counts[one] for one, (chance, won) in zip(seen, of_kind, strict=True))
    return {
        "games": games,
        "named": len(estimates.chance),
        "scale": round(scale_of(estimates.chance, estimates.won), 3),
        "low": round(float(low), 3),
        "high": round(float(high), 3),
        "said_and_won": [[round(chance, 3), round(won, 3)] for chance, won in of_kind],
        "off_on_average": round(float(off) / len(estimates.chance), 4),
    }


def main() -> int:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+")
    parser.add_argument("-n", type=int, default=400, help="games of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, help="processes for Rithmomachia; by default one for each core")
    parser.add_argument("--state", type=Path, help="the file that keeps finished games of Rithmomachia")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    known: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    with rithmomachia.keeping(Cores(given.jobs), given.state) as workers:
        for slug in given.slugs:
            found = measured(estimated(workers, slug, given.n, given.seed), given.n, given.seed)
            known[slug] = {"seed": given.seed, **{name: found[name] for name in ("games", "scale", "low", "high")}}
            cards.write(FILE, HEAD, known)
            log.info("%s: %s", slug, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
