"""1,000 random games of every variant with the rules core: exceptions, capped share, length, wins, with intervals.

Name variants as arguments, or in the environment variable ALEA_PLAYOUTS, to play only those.
"""

import argparse
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from companion.odds.playouts import GameRecord, Played, chance_of, playout, summary
from companion.rules.registry import game, games

CAPS = {"ludus-regularis": 20_000, "ludix": 10_000, "tables": 10_000, "rithmomachia": 2000}
"""Throws and choices after which a family's game is abandoned; random play of Rithmomachia hardly ever ends."""

CHUNK = 50
"""Number of games that a process plays before it reports."""


@dataclass(frozen=True)
class Chunk:
    """The results of some games of one variant; ``failures`` names each exception with its game's number."""

    slug: str
    records: tuple[GameRecord, ...]
    failures: tuple[str, ...]
    seconds: float


def cap(slug: str) -> int:
    """Return after how many throws and choices a game of this variant is abandoned."""
    return CAPS[slug.partition("/")[0]]


def chunk(slug: str, first: int, count: int, seed: int) -> Chunk:
    """Play some games of a variant, each with its own random generator; an exception in one does not stop the rest."""
    start = game(slug).start(game(slug).least_players)
    records, failures = [], []
    begun = time.process_time()
    for number in range(first, first + count):
        try:
            records.append(playout(start, chance_of(seed, number), cap(slug)))
        except Exception as error:  # noqa: BLE001  (every kind is counted)
            failures.append(f"game {number}: {type(error).__name__}: {error}"[:200])
    return Chunk(slug, tuple(records), tuple(failures), time.process_time() - begun)


def progress(slug: str, chunks: Iterable[Chunk]) -> dict[str, Any]:
    """Return the figures of one variant; the seconds are those of one core."""
    parts = list(chunks)
    records = [record for part in parts for record in part.records]
    failures = [failure for part in parts for failure in part.failures]
    counted: dict[str, Any] = {"exceptions": len(failures), "first_exceptions": failures[:3]}
    if not records:
        return counted
    played = Played(slug, game(slug).least_players, cap(slug), records, sum(part.seconds for part in parts))
    figures = summary(played) | {"games_a_second": round(len(records) / played.seconds, 1)}
    figures["decisions_a_second"] = round(figures["decisions_a_second"])
    figures["seconds"] = round(played.seconds, 2)
    return counted | figures


def main() -> None:
    """Play and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=os.environ.get("ALEA_PLAYOUTS", "").split())
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, choices=(1, 2), default=2)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    slugs = given.slugs or list(games())
    for slug in slugs:
        game(slug)  # refuse an unknown variant before playing anything
    found: defaultdict[str, list[Chunk]] = defaultdict(list)
    with ProcessPoolExecutor(given.processes) as pool:
        tasks = [
            pool.submit(chunk, slug, first, min(CHUNK, given.n - first), given.seed)
            for slug in slugs
            for first in range(0, given.n, CHUNK)
        ]
        for task in tasks:
            found[task.result().slug].append(task.result())
    figures = {"n": given.n, "seed": given.seed, "processes": given.processes, "caps": CAPS}
    print(json.dumps(figures | {"games": {slug: progress(slug, found[slug]) for slug in slugs}}))


if __name__ == "__main__":
    main()
