"""How true the chances are that people are told: ``python -m bench.games.chances tables/zeno -n 400``.

Named chances are measured as `workshop.players.scales` does: ``named`` by the evaluation, and ``as_shown`` as
hints and analyses say them. Use another seed than the one by which the scales were found.
"""

import argparse
import json
import os
from typing import Any

from companion.parallel.cores import Cores
from companion.players.tables.network import networks
from companion.rules.registry import games
from workshop.players.scales import as_shown, estimated, measured


def main() -> None:
    """Print one JSON object, with a line for each game while it runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="by default every variant of tables; games of Rithmomachia are long")
    parser.add_argument("-n", type=int, default=400, help="games of each")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed}
    tables = [slug for slug in games() if slug.startswith("tables/") and games()[slug].program_plays]
    with Cores() as workers:
        for slug in given.slugs or tables:
            estimates = estimated(workers, slug, given.n, given.seed)
            figures[slug] = {
                "network": slug in networks(),
                "named": measured(estimates, given.n, given.seed),
                "told": measured(as_shown(slug, estimates), given.n, given.seed),
            }
            print(json.dumps({slug: figures[slug]}), flush=True)
    print(json.dumps(figures | {"load": round(os.getloadavg()[0], 2)}))


if __name__ == "__main__":
    main()
