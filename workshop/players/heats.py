"""Find the heats at which a beginner wins some games: ``python -m workshop.players.heats tables/pyf``.

Where games are long or their chances sharp, the temperatures of the strengths cost too much, and the master wins every
game. The heat of such a variant falls, or rises again, until the master wins about as many games against the beginner
as `WANTED` says. ``companion/players/tables/heats.toml`` holds what was found.
"""

import argparse
import logging
import math
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.odds.tables.layout import laid_out
from companion.players.strengths import STRENGTHS
from companion.players.tables import evaluation
from companion.players.tables.evaluation import Evaluation, heat_of, judge_of
from companion.players.tables.search import TablesSearch
from workshop.players import cards
from workshop.players.vectorised import paired, tempered

log = logging.getLogger(__name__)

FILE: Final = Path(evaluation.__file__).with_name(evaluation.HEATS)
HEAD: Final = """\
# How many times higher the temperatures of the strengths are than usual, where the usual ones let the master win
# nearly every game. Written by `python -m workshop.players.heats`. share: what the master won against
# the beginner at this heat, in pairs of games with the same dice; error: its standard error.
"""
WANTED: Final = (0.85, 0.95)
"""Between which shares the master is to win against the beginner."""

COOLER, WARMER = 0.4, 2.0
"""What the heat is multiplied by where the master wins too many games, or too few, until it has done both."""

TRIES: Final = 7


def share(slug: str, heat: float, pairs: int, seed: int) -> tuple[float, float]:
    """Return what share the master wins against the beginner at a heat, and its standard error."""
    layout = replace(laid_out(slug, 2, {}), slaps=False)
    search = TablesSearch(layout, Evaluation(layout, judge_of(slug)))
    picks = tempered(0.0, seed), tempered(STRENGTHS["beginner"].temperature, seed + 1, heat)
    won = paired(layout, (search, search), picks, pairs, seed) / 2
    return float(won.mean()), float(np.std(won, ddof=1) / math.sqrt(pairs))


def found(slug: str, heat: float, pairs: int, seed: int) -> dict[str, Any]:
    """Return the heat of a variant, beginning to look at one, and what the master wins there."""
    most, error = 0.0, 0.0
    low, high = 0.0, math.inf
    for _ in range(TRIES):
        heat = float(f"{heat:.3g}")
        most, error = share(slug, heat, pairs, seed)
        log.info("%s: at heat %.3f the master wins %.3f ± %.3f", slug, heat, most, error)
        if WANTED[0] <= most <= WANTED[1]:
            break
        low, high = (low, heat) if most > WANTED[1] else (heat, high)
        if low and high < math.inf:
            heat = math.sqrt(low * high)
        else:
            heat *= COOLER if most > WANTED[1] else WARMER
    return {
        "seed": seed,
        "pairs": pairs,
        "heat": heat,
        "share": round(most, 4),
        "error": round(error, 4),
    }


def main() -> int:
    """Find the heats of the variants that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=50, help="of games, at each heat")
    parser.add_argument("--heat", type=float, help="where to begin; by default at the heat that is known")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    known: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for slug in given.slugs:
        known[slug] = found(slug, given.heat or heat_of(slug), given.pairs, given.seed)
        cards.write(FILE, HEAD, known)
    return 0


if __name__ == "__main__":
    sys.exit(main())
