"""Rounds of random Swiss tournaments beside those of FIDE's Dutch system, as `py4swiss` draws them.

``python -m bench.table.swiss_beside --engine PYTHON``: a Python in whose environment ``pip install py4swiss`` was run,
which is a tool to compare with and never part of the program. It reads each tournament from the report file that the
program exports (TRF), so that it checks this file's points, opponents and colours, too. Every tournament goes on with
the program's own rounds; what both count is what stands against a round by the program's rules.
"""

import argparse
import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

from bench.table.swiss import NOBODY, Cost, History, begun, ended, moved, total
from companion.hall.tournament import swiss
from companion.hall.tournament.exports import as_trf
from companion.hall.tournament.records import Tournament

READS: Final = """
import sys
from pathlib import Path
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser
for line in sys.stdin:
    try:
        drawn = DutchEngine.generate_pairings(TrfParser.parse(Path(line.strip())))
        print(*(f"{one.white}:{one.black}" for one in drawn), flush=True)
    except PairingError:
        print("none", flush=True)
"""
DAY: Final = dt.date(2026, 1, 1)
Pairs = Sequence[tuple[int, int]]


class Engine:
    """The other engine, in a process of its own, as a context."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, "-c", READS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()

    def draw(self, tournament: Tournament) -> Pairs | None:
        """Return the next round as (first, second) with `NOBODY`, or None if the engine says that there is none."""
        gone = [str(one.number) for one in tournament.entrants if one.gone]
        absent = f"XXZ {' '.join(gone)}\r\n" if gone else ""
        path = Path(self._folder.name) / "tournament.trf"
        path.write_text(as_trf(tournament, DAY) + absent, encoding="utf-8", newline="")
        assert self._process.stdin is not None, "it is piped"
        assert self._process.stdout is not None, "it is piped"
        self._process.stdin.write(f"{path}\n")
        line = self._process.stdout.readline().strip()
        if not line:
            raise SystemExit(f"Expected a round from {self._process.args!r}, but it said nothing: is py4swiss there?")
        if line == "none":
            return None
        return [(int(one), int(other)) for one, _, other in (pair.partition(":") for pair in line.split())]


def compared(number: int, seed: int, engine: Engine, figures: Counter[str]) -> None:
    """Play one tournament by chance and count how both engines' rounds differ."""
    now, chance = begun(number, seed)
    for _ in range(now.rounds):
        now = moved(now, chance)
        history = History(now)
        drawn = swiss.draw(now)
        ours = [(one.first, NOBODY if one.second is None else one.second) for one in drawn]
        judged(history, ours, engine.draw(now), figures)
        now = replace(now, pairings=(*now.pairings, *(ended(one, chance) for one in drawn)))


def judged(history: History, ours: Pairs, theirs: Pairs | None, figures: Counter[str]) -> None:
    """Count what stands against both rounds."""
    figures["rounds"] += 1
    mine = total([history.cost(*pair) for pair in ours])
    if theirs is None:
        figures["no_round_by_the_other"] += 1
        figures["no_round_by_the_other_but_none_repeated_here"] += not any(mine[:2])
        return
    other = total([history.cost(*pair) for pair in theirs])
    figures["the_same_pairs"] += {frozenset(pair) for pair in ours} == {frozenset(pair) for pair in theirs}
    for name, place in (("second_bye", 0), ("repeated", 1), ("beyond_two", 2)):
        figures[f"{name}_here"] += mine[place] > 0
        figures[f"{name}_there"] += other[place] > 0
    figures[_which(mine, other)] += 1
    figures["apart_here"] += mine[3]
    figures["apart_there"] += other[3]
    for name, pairs in (("here", ours), ("there", theirs)):
        figures[f"unbalanced_{name}"] += sum(
            abs(history.firsts[first] + 1) > 1 for first, second in pairs if second != NOBODY
        ) + sum(abs(history.firsts[second] - 1) > 1 for _, second in pairs if second != NOBODY)


def _which(mine: Cost, other: Cost) -> str:
    if mine == other:
        return "as_good"
    return "better_here" if mine < other else "better_there"


def main() -> int:
    """Print the figures; fail if the other engine found a round that is better by the program's own rules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="tournaments of 4 to 40 players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", required=True, help="a Python that has py4swiss")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    figures: Counter[str] = Counter()
    with Engine(given.engine) as engine:
        for number in range(given.n):
            compared(number, given.seed, engine, figures)
    report: dict[str, Any] = {"n": given.n, "seed": given.seed, "load": [round(load, 1), round(os.getloadavg()[0], 1)]}
    print(json.dumps(report | figures))
    return int(figures["better_there"] > 0)


if __name__ == "__main__":
    sys.exit(main())
