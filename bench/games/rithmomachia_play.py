"""Random play of the Rithmomachia games: positions per second with all captures, slowest legal choices, who wins."""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

from companion.odds.intervals import share
from companion.rules.game import Position
from companion.rules.registry import game

SLUGS = ("rithmomachia/durnil-guardia", "rithmomachia/mebben", "rithmomachia/italian")


def played(slug: str, rng: random.Random, cap: int) -> Iterator[Position]:
    """Yield every position of one random game, including the last, until its end or after ``cap`` choices."""
    position: Position = game(slug).start(2)
    yield position
    for _ in range(cap):
        choices = list(position.legal())
        if not choices:
            return
        position = position.after(rng.choice(choices))
        yield position


def speed(slug: str, n: int, seed: int, cap: int) -> dict[str, object]:
    """Return positions per second of processor time, each with every move and capture, and how games ended."""
    rng = random.Random(seed)
    ends: Counter[str] = Counter()
    positions = 0
    started = time.process_time()
    for _ in range(n):
        last = None
        for position in played(slug, rng, cap):
            positions += 1
            last = position
        assert last is not None, "a game has a first position"
        outcome = last.outcome
        ends["capped" if outcome is None else "tie" if outcome.tie else f"player {outcome.winners[0]}"] += 1
    seconds = time.process_time() - started
    return {
        "games": n,
        "positions_per_second": round(positions / seconds),
        "positions_per_game": round(positions / n, 1),
        "ends": {end: {"games": count, "share": share(count, n).to_json()} for end, count in sorted(ends.items())},
    }


def milliseconds(task: Callable[[Position], object], position: Position, at_least: float) -> float:
    """Return the processor time of a task on a fresh copy of a position, which has nothing cached.

    A time above ``at_least`` is measured twice more and the shortest counts, so that other work on the machine does
    not.
    """
    times: list[float] = []
    while len(times) < 3:
        fresh = position.game.from_json(position.to_json())
        started = time.process_time()
        task(fresh)
        times.append(1000 * (time.process_time() - started))
        if times[-1] <= at_least:
            break
    return min(times)


def worst(slug: str, n: int, seed: int, cap: int) -> dict[str, float]:
    """Return the slowest first and all legal choices and the slowest teaching in n random games, in ms."""
    rng = random.Random(seed)
    tasks: dict[str, Callable[[Position], object]] = {
        "first_legal_ms": lambda position: next(iter(position.legal()), None),
        "all_legal_ms": lambda position: tuple(iter(position.legal())),
        "teaching_ms": lambda position: position.teaching(),
    }
    slowest = dict.fromkeys(tasks, 0.0)
    most = 0
    for _ in range(n):
        for position in played(slug, rng, cap):
            most = max(most, len(position.legal()))
            for name, task in tasks.items():
                slowest[name] = max(slowest[name], milliseconds(task, position, slowest[name]))
    return {name: round(took, 3) for name, took in slowest.items()} | {"most_choices": most}


def main() -> None:
    """Print the figures of each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(SLUGS))
    parser.add_argument("-n", type=int, default=1000, help="games played")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cap", type=int, default=1000, help="choices after which a game is given up")
    parser.add_argument("--times", type=int, help="games in which every position is timed; a hundredth by default")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    times = given.times if given.times is not None else max(1, given.n // 100)
    figures: dict[str, object] = {"n": given.n, "times": times, "seed": given.seed, "cap": given.cap}
    for slug in given.slugs:
        figures[slug] = speed(slug, given.n, given.seed, given.cap) | worst(slug, times, given.seed, given.cap)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
