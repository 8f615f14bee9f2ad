"""Random games of one variant and of OpenSpiel's backgammon: ``python -m bench.games.decisions tables/zeno -n 11``.

Both play one position after another in the same process, in rounds by turns, and each draws with Python's `random`. A
decision is a throw or a choice here, a throw or a turn of two dice there. It needs ``pip install open_spiel``, which
the project does not.
"""

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.registry import game


def ours(slug: str, rng: random.Random) -> int:
    """Play one random game and return how many decisions it took."""
    position: Position = game(slug).start(2)
    decisions = 0
    while True:
        moves: Sequence[Throw | Choice] = position.throws() or list(position.legal())
        if not moves:
            return decisions
        position = position.after(rng.choice(moves))
        decisions += 1


def theirs(board: object, rng: random.Random) -> int:
    """Play one random game of OpenSpiel and return how many decisions it took."""
    state = board.new_initial_state()  # type: ignore[attr-defined]
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            action, _ = rng.choice(state.chance_outcomes())
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
        decisions += 1
    return decisions


def rate(play: Callable[[], int], seconds: float) -> float:
    """Return decisions per second of processor time, of whole games for at least so many seconds."""
    started, decisions = time.process_time(), 0
    while (spent := time.process_time() - started) < seconds:
        decisions += play()
    return decisions / spent


def main() -> int:
    """Print both rates and their ratio: the median of the rounds, the least and the most."""
    import pyspiel  # type: ignore[import-not-found]  # noqa: PLC0415 - only this bench needs it

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slug", nargs="?", default="tables/zeno")
    parser.add_argument("-n", type=int, default=11, help="rounds")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each in a round")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    board = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    ours(given.slug, rng), theirs(board, rng)  # what both load at first is no part of a decision
    rounds = []
    for _ in range(given.n):
        here = rate(lambda: ours(given.slug, rng), given.seconds)
        there = rate(lambda: theirs(board, rng), given.seconds)
        rounds.append((here, there, here / there))
    figures = {
        name: [round(found(column), 3) for found in (statistics.median, min, max)]
        for name, column in zip(("here", "there", "ratio"), zip(*rounds, strict=True), strict=True)
    }
    print(json.dumps({"slug": given.slug, "rounds": given.n, **figures, "load": round(os.getloadavg()[0], 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
