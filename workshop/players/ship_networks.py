"""Train networks, and keep those that win: ``python -m workshop.players.ship_networks tables/pyf``.

A network ships only if it wins more than half of its games against the weights of the variant, by two standard errors.
The files are rewritten after each variant, so the command can be stopped and started again: what was trained by the
same recipe is not trained again.
"""

import argparse
import logging
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.odds.tables.layout import laid_out
from companion.players.tables import network
from companion.players.tables.evaluation import Floats, weights_of
from companion.players.tables.network import Network, networks
from workshop.players import cards
from workshop.players.learning import SURE, match
from workshop.players.networks import Course, trained

log = logging.getLogger(__name__)

FILE: Final = Path(network.__file__).with_name(network.FILE)
CARD: Final = FILE.with_suffix(".toml")
HEAD: Final = """# How the networks were trained, and what each won against the weights of its variant.
# Written by `python -m workshop.players.ship_networks`. share: of the match, in pairs of games with the
# same dice; error: its standard error. `networks.npz` holds those that won.
"""
LATER_SEED: Final = 7000
"""What the seed of the match is above that of the training, which must not meet its dice."""


def as_shipped(one: Network) -> Network:
    """Return the network with its weights as exact as the file keeps them."""
    return Network(**{name: weight.astype(np.float16).astype(np.float32) for name, weight in one.arrays().items()})


def save(kept: Mapping[str, Network]) -> None:
    """Write the file of networks."""
    arrays: dict[str, Floats] = {}
    for slug, one in sorted(kept.items()):
        arrays |= {f"{slug}:{name}": weight.astype(np.float16) for name, weight in one.arrays().items()}
    np.savez_compressed(FILE, **arrays)  # type: ignore[arg-type]


def main() -> int:
    """Train the variants that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, default=Course.batches)
    parser.add_argument("--games", type=int, default=Course.games, help="of each batch")
    parser.add_argument("--passes", type=int, default=Course.passes, help="how often a position is learnt from")
    parser.add_argument("--remembered", type=int, default=Course.remembered, help="batches learnt from together")
    parser.add_argument("--pairs", type=int, default=200, help="of games, in the match against the weights")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    course = Course(given.seed, given.batches, given.games, given.passes, given.remembered)
    recipe = asdict(course) | {"pairs": given.pairs}
    known: dict[str, Any] = tomllib.loads(CARD.read_text(encoding="utf-8"))
    kept = dict(networks())
    for slug in given.slugs:
        if recipe.items() <= known.get(slug, {}).items():
            continue
        layout = replace(laid_out(slug, 2, {}), slaps=False)
        weights = weights_of(slug)
        one = as_shipped(trained(layout, weights, course))
        share, error = match(layout, one, weights, given.pairs, given.seed + LATER_SEED)
        known[slug] = recipe | {"share": round(share, 4), "error": round(error, 4)}
        better = share - SURE * error > 0.5
        kept.pop(slug, None)
        if better:
            kept[slug] = one
        save(kept)
        cards.write(CARD, HEAD, known)
        log.info("%s: %.3f ± %.3f against the weights; kept: %s", slug, share, error, better)
    return 0


if __name__ == "__main__":
    sys.exit(main())
