"""Learn weights for the players of tables: ``python -m workshop.players [SLUG ...] --seed 1``.

It works on all cores, or on a Dask cluster with ``--scheduler``. After each variant it rewrites the file of weights,
so it can be stopped and started again: what was learnt with the same seed and as many games is not learnt again.
"""

import argparse
import logging
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

from companion.odds.tables.layout import NotVectorisedError, laid_out
from companion.parallel.cluster import Cluster
from companion.parallel.cores import Cores
from companion.parallel.parts import Workers, parts_of
from companion.players.tables import evaluation
from companion.players.tables.features import NAMES
from companion.rules.registry import games
from workshop.players import cards
from workshop.players.learning import Learnt, Recipe, Task

log = logging.getLogger(__name__)

FILE: Final = Path(evaluation.__file__).with_name("weights.toml")
HEAD: Final = """# What each feature is worth where learnt weights win more than those by hand.
# Written by `python -m workshop.players`. share: of the last match against the weights by hand, in pairs of
# games with the same dice; error: its standard error; changed: the rounds that brought better weights; heat: how far
# the chances of turns lie apart, beside those by hand.
"""


def variants() -> list[str]:
    """Return the names of the variants whose games are played many at once."""
    found = []
    for slug in games():
        if slug.startswith("tables/"):
            try:
                laid_out(slug, 2, {})
            except NotVectorisedError:
                continue
            found.append(slug)
    return found


def entry(learnt: Learnt, recipe: Recipe) -> dict[str, Any]:
    """Return what the file says of a variant; without weights where those by hand are kept."""
    known: dict[str, Any] = {
        "seed": recipe.seed,
        "rounds": recipe.rounds,
        "games": recipe.games,
        "pairs": recipe.pairs,
        "changed": learnt.changed,
        "share": round(learnt.share, 4),
        "error": round(learnt.error, 4),
    }
    if learnt.better:
        known["heat"] = round(learnt.heat, 3)
        known["weights"] = {name: round(float(one), 3) for name, one in zip(NAMES, learnt.weights, strict=True)}
    return known


def main() -> int:
    """Learn the variants that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="by default every variant that is played side by side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=Recipe.rounds)
    parser.add_argument("--games", type=int, default=Recipe.games, help="of each round")
    parser.add_argument("--pairs", type=int, default=Recipe.pairs, help="of games, in each match")
    parser.add_argument("--jobs", type=int, help="processes; by default one for each core")
    parser.add_argument("--scheduler", help="address of a Dask scheduler")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    recipe = Recipe(given.seed, given.rounds, given.games, given.pairs)
    known: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    wanted = {"seed": recipe.seed, "rounds": recipe.rounds, "games": recipe.games, "pairs": recipe.pairs}
    every = given.slugs or variants()
    left = tuple(slug for slug in every if any(known.get(slug, {}).get(name) != one for name, one in wanted.items()))
    hands: Workers = Cluster(given.scheduler) if given.scheduler else Cores(given.jobs)
    with hands as workers:
        for _, several in workers.run(Task(left, recipe), parts_of(len(left), 1)):
            for learnt in several:
                slug = learnt.slug
                known[slug] = entry(learnt, recipe)
                cards.write(FILE, HEAD, known)
                kept = "learnt" if learnt.better else "by hand"
                log.info("%s: %.3f ± %.3f against by hand; kept: %s", slug, learnt.share, learnt.error, kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
