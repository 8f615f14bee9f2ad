"""Random play of tables games: decisions per second, slowest first and all legal choices, slowest whole turns."""

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

from companion.rules.game import Position
from companion.rules.registry import game

SPEED = ("tables/zeno", "tables/todas-tablas", "tables/ludus-anglicorum")
PROMISING = 0.7
"""Whole turns are timed where the product of their dice's first steps reaches this share of the largest so far."""


def played(slug: str, rng: random.Random, cap: int) -> Iterator[Position]:
    """Yield the positions of one random game that await a choice, until its end or after ``cap`` decisions."""
    position: Position = game(slug).start(2)
    decisions = 0
    while decisions < cap:
        throws = position.throws()
        if throws:
            position = position.after(rng.choice(throws))
            continue
        choices = list(position.legal())
        if not choices:
            return
        yield position
        position = position.after(rng.choice(choices))
        decisions += 1


def speed(slug: str, n: int, seed: int, cap: int) -> dict[str, float]:
    """Return decisions (one `after` of a choice) per second of processor time, and the lengths of the games."""
    rng = random.Random(seed)
    started = time.process_time()
    lengths = [sum(1 for _ in played(slug, rng, cap)) for _ in range(n)]
    seconds = time.process_time() - started
    return {
        "games": n,
        "decisions_per_second": round(sum(lengths) / seconds),
        "decisions_per_game": round(sum(lengths) / n, 1),
        "capped": sum(length >= cap for length in lengths),
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


def breadth(position: Position) -> int:
    """Return the product of each die's number of first steps: an estimate of how many whole turns there are."""
    by_die = Counter(choice.to_json().get("die") for choice in position.legal())
    dice = position.to_json()["dice"]
    return math.prod(by_die[die] for die in dice)


def worst(slug: str, n: int, times: int, seed: int, cap: int) -> dict[str, object]:
    """Return the slowest whole turns of n random games and the slowest first and all legal choices of some, in ms."""
    rng = random.Random(seed)
    tasks: dict[str, Callable[[Position], object]] = {
        "first_legal_ms": lambda position: next(iter(position.legal())),
        "all_legal_ms": lambda position: tuple(iter(position.legal())),
    }
    slowest = dict.fromkeys((*tasks, "plays_ms"), 0.0)
    widest, many, where = 0, 0, {}
    for number in range(n):
        for position in played(slug, rng, cap):
            for name, task in tasks.items() if number < times else ():
                slowest[name] = max(slowest[name], milliseconds(task, position, slowest[name]))
            wide = breadth(position)
            if wide > PROMISING * widest:
                widest = max(wide, widest)
                took = milliseconds(lambda fresh: fresh.plays(), position, slowest["plays_ms"])
                if took > slowest["plays_ms"]:
                    slowest["plays_ms"] = took
                    many, where = len(position.plays()), position.to_json()
    return {name: round(took, 3) for name, took in slowest.items()} | {"plays": many, "plays_position": where}


def main() -> None:
    """Print the figures of each slug."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=list(SPEED))
    parser.add_argument("-n", type=int, default=1000, help="games played")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cap", type=int, default=20_000, help="decisions after which a game is given up")
    parser.add_argument(
        "--times", type=int, help="games in which every position's legal choices are timed; a tenth by default"
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    times = given.times if given.times is not None else max(1, given.n // 10)
    figures: dict[str, object] = {"n": given.n, "times": times, "seed": given.seed, "cap": given.cap}
    for slug in given.slugs:
        figures[slug] = speed(slug, given.n, given.seed, given.cap) | worst(slug, given.n, times, given.seed, given.cap)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
