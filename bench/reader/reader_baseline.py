"""Compare the reader with the stored one on the fixed pictures of the tests; with ``--write``, store this one."""

import argparse
import json
import sys

from bench.scoring.baseline import Baseline
from tests.bench.scoring.fixed_pictures import KEPT, score_fixed


def main() -> int:
    """Compare, or rewrite ``tests/bench/scoring/kept.json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep what this reader makes of the pictures")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    now = Baseline.of(score_fixed())
    if given.write:
        now.save(KEPT)
    worse = Baseline.load(KEPT).worse(now)
    print(json.dumps({"pictures": len(now.pictures), "now": now.counts(), "worse": worse}))
    return int(worse is not None)


if __name__ == "__main__":
    sys.exit(main())
