"""How true the chances are that the program names: ``python -m bench.games.chances tables/zeno -n 400``.

The master's evaluation plays games of tables against itself. Before each throw it says how likely the side that throws
wins; by these chances, in ten kinds, the games tell how often that side did win. ``scale`` is by what the log of the
odds would have to be multiplied: 1 for chances that are as sure as they may be, less for those that are too sure.
Positions of one game have one end, so the intervals come from resampled games.
"""

import argparse
import json
import os
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.workshop.players.side_by_side import against_itself, tempered
from companion.odds.opponents import can_play
from companion.odds.tables.layout import laid_out
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, judge_of
from companion.players.tables.network import networks
from companion.players.tables.search import Search
from companion.rules.registry import games

Chances = npt.NDArray[np.float64]
KINDS = 10
RESAMPLED = 200
LEAST = 1e-6
MOST = 4.0


def scale_of(said: Chances, won: Chances) -> float:
    """Return by what the log of the odds is to be multiplied so that the games are likeliest, from 0 to `MOST`."""
    held = np.clip(said, LEAST, 1 - LEAST)
    odds = np.log(held / (1 - held))
    low, high = 0.0, MOST
    for _ in range(30):  # the likelihood has one peak
        scale = (low + high) / 2
        if odds @ (1 / (1 + np.exp(-scale * odds)) - won) > 0:
            high = scale
        else:
            low = scale
    return scale


def measured(slug: str, number: int, seed: int) -> dict[str, Any]:
    """Return how true the chances of a variant are."""
    layout = replace(laid_out(slug, 2, {}), slaps=False)
    search = Search(layout, Evaluation(layout, judge_of(slug)))
    said: list[npt.NDArray[np.float32]] = []

    def note(boards: Boards) -> None:
        said.append(search.evaluation.chances(boards))

    game, side, of_first = against_itself(search, tempered(0.0, seed), number, seed, note)
    chance = np.concatenate(said).astype(np.float64)
    won = np.where(side == 0, of_first[game], 1 - of_first[game])
    kind = np.minimum((chance * KINDS).astype(int), KINDS - 1)
    lots, scales = np.random.default_rng(seed), []
    order = np.argsort(game, kind="stable")
    starts = np.searchsorted(game[order], np.arange(number + 1))
    for _ in range(RESAMPLED):
        drawn = lots.integers(number, size=number)
        places = np.concatenate([order[starts[one] : starts[one + 1]] for one in drawn])
        scales.append(scale_of(chance[places], won[places]))
    low, high = np.percentile(scales, [2.5, 97.5])
    counts = np.bincount(kind, minlength=KINDS)
    seen = np.flatnonzero(counts)
    return {
        "network": slug in networks(),
        "games": number,
        "named": len(chance),
        "scale": round(scale_of(chance, won), 3),
        "low": round(float(low), 3),
        "high": round(float(high), 3),
        "said_and_won": [
            [round(float(chance[kind == one].mean()), 3), round(float(won[kind == one].mean()), 3)] for one in seen
        ],
        "off_on_average": round(
            float(sum(abs((chance - won)[kind == one].mean()) * counts[one] for one in seen) / len(chance)), 4
        ),
    }


def main() -> None:
    """Print one JSON object, with a line for each variant while it runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="by default every variant that the program plays")
    parser.add_argument("-n", type=int, default=400, help="games of each variant")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed}
    for slug in given.slugs or [s for s in games() if s.startswith("tables/") and can_play(games()[s])]:
        figures[slug] = measured(slug, given.n, given.seed)
        print(json.dumps({slug: figures[slug]}), flush=True)
    print(json.dumps(figures | {"load": round(os.getloadavg()[0], 2)}))


if __name__ == "__main__":
    main()
