"""How well the reader reads freshly made frames whose fonts and looks took no part in its making."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

COMPANION = str(Path(sys.executable).parent / "companion")


def main() -> None:
    """Make n frames with held-out fonts and print the rates of ``companion bench vision``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "frames"
        subprocess.run(
            [COMPANION, "samples", "scenes", "--set", "wibold", "-n", str(given.n)]
            + ["--seed", str(given.seed), "--fonts", "held-out", "--out", str(made)],
            check=True,
            capture_output=True,
        )
        done = subprocess.run(
            [COMPANION, "bench", "vision", str(made), "--json"], check=True, capture_output=True, text=True
        )
    print(json.dumps({"n": given.n, "seed": given.seed} | json.loads(done.stdout)))


if __name__ == "__main__":
    main()
