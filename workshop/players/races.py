"""Solve the matches of Ludix for two players and write them into the file that the program ships.

``python -m workshop.players.races`` writes ``companion/odds/ludix/races.xz``; it takes some seconds.
"""

import lzma
from pathlib import Path

import numpy as np

from companion.odds.ludix import shipped
from companion.odds.ludix.race import FIRST, REPLIES, SECOND, race
from companion.odds.ludix.shipped import CHANCE_STEPS, HIGHEST_TARGET


def write(path: Path) -> None:
    """Solve the matches and write the file, whose form `companion.odds.ludix.shipped` describes."""
    solved = [
        [race(HIGHEST_TARGET, ending).ended[seat][:, :HIGHEST_TARGET] for seat in (FIRST, SECOND)] for ending in REPLIES
    ]
    steps = np.rint(np.array(solved) * CHANCE_STEPS).astype(np.int32)
    differences = np.diff(np.diff(steps, axis=2, prepend=0), axis=3, prepend=0)
    path.write_bytes(lzma.compress(differences.astype("<i2").tobytes()))


if __name__ == "__main__":
    write(Path(shipped.__file__).parent / shipped.FILE)
