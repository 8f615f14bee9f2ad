"""How fast tables games are simulated many at once on one core, and whether they equal those of the rules core.

``python -m bench.games.tables_simulation`` prints decisions per second of processor time for every variant that the
simulation covers. A decision is one choice: a man moved with a die, or a die turned to six; throws do not count. It
also compares whole games with the rules core, position by position, from the same random streams.
"""

import argparse
import json
import time
from typing import Any

from companion.odds import intervals
from companion.odds.playouts import PLY_CAP
from companion.odds.tables.layout import NotVectorisedError, laid_out
from companion.odds.tables.simulation import simulate
from companion.rules.registry import game, games
from companion.rules.tables.position import TablesPosition
from tests.odds.plain_stream import Stream
from tests.odds.tables_both_ways import by_the_rules, differences, vectorised

BAR = 60_000
NAMED = ("tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum")


def speed(slug: str, count: int, seed: int) -> dict[str, Any]:
    """Play this many games; return decisions per second of processor time and the games' results."""
    simulate(slug, 1, seed)
    begun = time.process_time()
    played = simulate(slug, count, seed)
    seconds = time.process_time() - begun
    records = played.records
    return {
        "games": count,
        "decisions_a_second": round(sum(record.choices for record in records) / seconds),
        "cpu_seconds": round(seconds, 2),
        "length": intervals.mean([record.length for record in records]).to_json(),
        "capped": intervals.share(sum(record.winners is None for record in records), count).to_json(),
        "side_1": intervals.share(sum(record.winners == (1,) for record in records), count).to_json(),
        "side_2": intervals.share(sum(record.winners == (2,) for record in records), count).to_json(),
        "tie": intervals.share(sum(record.winners == (1, 2) for record in records), count).to_json(),
    }


def compared(slug: str, count: int, seed: int) -> dict[str, Any]:
    """Play this many whole games both ways; return the number of positions, and the differences."""
    start = game(slug).start(2)
    assert isinstance(start, TablesPosition)
    at_once = vectorised(laid_out(slug, 2, {}), seed, count, PLY_CAP)
    one_by_one = [by_the_rules(start, Stream(seed, number), PLY_CAP) for number in range(count)]
    found = list(differences(one_by_one, at_once))
    return {"games": count, "positions": sum(len(played.moments) for played in at_once), "differences": found}


def main() -> int:
    """Measure every variant; exit with 1 if a named one is too slow or any game differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10_000, help="games a variant for the speed")
    parser.add_argument("--compared", type=int, default=20, help="games a variant compared with the rules core")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed, "cap": PLY_CAP, "bar": BAR, "refused": {}}
    for slug in (slug for slug in games() if slug.startswith("tables/")):
        try:
            laid_out(slug, 2, {})
        except NotVectorisedError as refused:
            figures["refused"][slug] = str(refused)
            continue
        figures[slug] = speed(slug, given.n, given.seed) | {"equal": compared(slug, given.compared, given.seed)}
        if not given.json:
            print(slug, json.dumps(figures[slug]), flush=True)
    if given.json:
        print(json.dumps(figures))
    missed = [slug for slug in NAMED if figures[slug]["decisions_a_second"] < BAR]
    differing = [
        slug
        for slug, figure in figures.items()
        if isinstance(figure, dict) and figure.get("equal", {}).get("differences")
    ]
    return bool(missed or differing)


if __name__ == "__main__":
    raise SystemExit(main())
