"""The program's player of tables on backgammon's rules against GNU Backgammon: ``python -m bench.games.gnubg``.

``--engine``: the ``gnubg`` command, a tool to compare with and never part of the program. Both choose among the same
whole turns, which the program's rules find; `gnubg` evaluates the position after each, without a look ahead and without
the cube, and takes the best equity, in which a gammon counts two and a backgammon three. The program's player wants to
win, whatever it wins by. It plays with the weights by hand, and with the network that ships.
"""

import argparse
import json
import math
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from bench.games.tables_contest import second_pass_players
from companion.odds.tables.layout import laid_out
from companion.odds.tables.steps import Places
from companion.players.strengths import STRENGTHS
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, Floats, by_hand, judge_of
from companion.players.tables.features import LayoutFeatures
from companion.players.tables.network import Network
from companion.players.tables.search import Leaves, TablesSearch
from workshop.players.vectorised import Pick, paired, tempered

EVALUATES: Final = """
import gnubg, json, socket
cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
cube["jacoby"] = 0
zero_ply = gnubg.evalcontext(0, 0, 1, 0, 0.0)
line = socket.create_connection(("127.0.0.1", PORT)).makefile("rw")
for asked in line:
    boards = json.loads(asked)
    line.write(json.dumps([gnubg.evaluate(tuple(board), cube, zero_ply)[5] for board in boards]) + "\\n")
    line.flush()
"""
ENGINES: Final = 24
"""Each waits 10 ms at every evaluation and computes for 0.1 ms of them, so many can work at once."""

GAMMON, BACKGAMMON = 2, 3
SLUG: Final = "tables/backgammon"
LENGTH: Final = 24
AT_ONCE: Final = "master-at-once"
WARMTH: Final = {AT_ONCE: 0.0} | {name: one.temperature for name, one in STRENGTHS.items()}
TABLE: Final = 6


class Engine:
    """One process of the other program, as a context."""

    def __init__(self, command: str) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._folder = tempfile.TemporaryDirectory()
        script = Path(self._folder.name) / "evaluates.py"
        script.write_text(EVALUATES.replace("PORT", str(self._listening.getsockname()[1])), encoding="ascii")
        self._process = subprocess.Popen(
            [command, "-t", "-q", "-p", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._listening.settimeout(60)
        self._line = self._listening.accept()[0].makefile("rw")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        self._listening.close()
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def equities(self, boards: Sequence[object]) -> list[float]:
        """Return the equity of who is to throw on each board."""
        self._line.write(json.dumps(boards) + "\n")
        self._line.flush()
        found: list[float] = json.loads(self._line.readline())
        return found


class Match:
    """Both ways to pick; keeps the points of each game that ends."""

    def __init__(self, features: LayoutFeatures, engines: Sequence[Engine]) -> None:
        self._features, self._engines = features, engines
        self.points: dict[bool, list[int]] = {True: [], False: []}
        """Of the games that the program won, and of those that the other won."""

    def other(self, before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        """Return how gladly the other program chooses each leaf (`Pick`)."""
        del before
        glad = self._worth(leaves).astype(np.float64)
        asked = np.flatnonzero(~leaves.over)
        if asked.size:
            boards = self._as_asked(leaves.boards.take(asked))
            parts = np.array_split(np.arange(len(boards)), min(len(boards), len(self._engines)))
            with ThreadPoolExecutor(len(parts)) as pool:
                equities = pool.map(
                    lambda both: both[0].equities([boards[place] for place in both[1].tolist()]),
                    zip(self._engines, parts, strict=False),
                )
                glad[asked] = -np.concatenate(list(equities))
        self._note(leaves, owner, glad, ours=False)
        return glad

    def ours(self, pick: Pick) -> Pick:
        """Return the program's way to pick, which notes the games that it ends."""

        def picked(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
            glad = pick(before, leaves, owner) + 2 * leaves.over
            self._note(leaves, owner, glad, ours=True)
            return glad

        return picked

    def _as_asked(self, boards: Boards) -> list[list[list[int]]]:
        """Return boards as gnubg has them: who has played, then who is to throw; points from the last, then the bar."""
        own, foe = (placed.astype(int) for placed, _ in self._features.both(boards))
        turned = [np.concatenate([men[:, LENGTH:0:-1], men[:, :1]], axis=1).tolist() for men in (own, foe)]
        return [list(both) for both in zip(*turned, strict=True)]

    def _worth(self, leaves: Leaves) -> npt.NDArray[np.int64]:
        """Return what a leaf wins at once: 0, 1, 2 or 3 points."""
        foe, _ = self._features.placed(leaves.boards.men[leaves.boards.men.shape[0] // 2 :])
        none_off = foe.sum(axis=1) == self._features.men
        behind = (foe[:, 0] + foe[:, 1 : TABLE + 1].sum(axis=1)) > 0
        points = np.where(none_off, np.where(behind, BACKGAMMON, GAMMON), 1)
        return np.where(leaves.over, points, 0)

    def _note(self, leaves: Leaves, owner: Places, glad: npt.NDArray[np.floating], *, ours: bool) -> None:
        order = np.lexsort((-glad, owner))
        chosen = order[np.unique(owner[order], return_index=True)[1]]
        self.points[ours] += self._worth(leaves)[chosen[leaves.over[chosen]]].tolist()


def measured(
    judge: Floats | Network, strength: str, engines: Sequence[Engine], pairs: int, seed: int
) -> dict[str, Any]:
    """Return games won and points a game of the program's player, each pair of games with the same dice."""
    layout = laid_out(SLUG, 2, {})
    search = TablesSearch(layout, Evaluation(layout, judge))
    pick = second_pass_players(search) if strength == "master" else tempered(WARMTH[strength], seed)
    match = Match(search.evaluation.features, engines)
    won = paired(layout, (search, search), (match.ours(pick), match.other), pairs, seed) / 2
    points = np.array([*match.points[True], *(-one for one in match.points[False])], np.float64)
    assert len(points) == 2 * pairs, "every game ends by a side that bears off"
    share, half = float(won.mean()), 1.96 * float(won.std(ddof=1)) / math.sqrt(pairs)
    mean, spread = float(points.mean()), 1.96 * float(points.std(ddof=1)) / math.sqrt(len(points))
    return {
        "games": 2 * pairs,
        "share": [round(one, 3) for one in (share, share - half, share + half)],
        "points_a_game": [round(one, 3) for one in (mean, mean - spread, mean + spread)],
        "gammons": [sum(one > 1 for one in match.points[ours]) for ours in (True, False)],
    }


def main() -> None:
    """Print one line of figures for each judge and strength."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="games of each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default=shutil.which("gnubg") or "/usr/games/gnubg")
    parser.add_argument("--strengths", nargs="*", default=[AT_ONCE, "master"], choices=WARMTH)
    given = parser.parse_args()
    judges = {"weights": by_hand(), "network": judge_of(SLUG)}
    with ExitStack() as stack:
        engines = [stack.enter_context(Engine(given.engine)) for _ in range(ENGINES)]
        for name, judge in judges.items():
            for strength in given.strengths:
                began = time.monotonic()
                found = measured(judge, strength, engines, given.n // 2, given.seed)
                report = {"judge": name, "strength": strength, "seed": given.seed, **found}
                report |= {"seconds": round(time.monotonic() - began), "load": round(os.getloadavg()[0], 1)}
                print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
