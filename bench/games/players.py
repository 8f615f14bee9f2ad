"""The players against each other and against the plain ways: shares of wins, time for a move, memory.

A game without an end after ``--cap`` turns counts by `Position.standing`; one by one, the games that the first of a
pair wins before are counted as well, by its seat. Games of tables come in pairs with the same dice and the seats
exchanged where they are played many at once; else the seats alternate, and with ``--state FILE`` finished games are
kept: a bench that was stopped goes on where it was.
"""

import argparse
import json
import math
import random
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bench.games.tables_contest import contest, plain, second_pass_players
from companion.commands.common_options import option_value
from companion.odds.intervals import share
from companion.odds.playouts import random_move
from companion.odds.tables.layout import laid_out
from companion.parallel.cores import Cores
from companion.parallel.parts import Workers, WorkPart, in_order, parts_of
from companion.players.player import Budget
from companion.players.strengths import STRENGTHS
from companion.players.tables.evaluation import Evaluation, heat_of, judge_of
from companion.players.tables.search import TablesSearch
from companion.players.thinking import think
from companion.rules.game import Choice, Position
from companion.rules.options import OptionValue
from companion.rules.registry import game, games
from workshop.players.kept_pieces import COMPANION, kept
from workshop.players.plain_ways import choose
from workshop.players.vectorised import Pick, tempered

PLAIN = "plain"
RANDOM = "random"
PROGRAM = (Path(__file__), *(COMPANION / room for room in ("odds", "players", "rules")))
UNBOUNDED_SECONDS = 600.0
PAIRS = (("master", "club"), ("club", "beginner"), ("beginner", "child"), ("master", "beginner"), ("master", PLAIN))


def paired_games(slug: str, one: str, other: str, count: int, seed: int, *, second_pass: bool) -> dict[str, Any]:
    """Return the share that one way wins against another, with an interval over pairs of games.

    ``second_pass``: the master also looks at every throw that can follow.
    """
    layout = laid_out(slug, 2, {})
    search = TablesSearch(layout, Evaluation(layout, judge_of(slug)))

    def pick(name: str, number: int) -> Pick:
        if second_pass and name == "master":
            return second_pass_players(search)
        return (
            plain(layout, seed + number)
            if name == PLAIN
            else tempered(STRENGTHS[name].temperature, seed + number, heat_of(slug))
        )

    won = contest(slug, (pick(one, 1), pick(other, 2)), count // 2, seed) / 2
    half = 1.96 * float(np.std(won, ddof=1)) / math.sqrt(len(won))
    mean = float(won.mean())
    return {"games": 2 * len(won), "share": round(mean, 4), "low": round(mean - half, 4), "high": round(mean + half, 4)}


def turn(name: str, position: Position, chance: random.Random) -> Sequence[Choice]:
    """Return the turn, or the choice, of a strength, of the plain way, or of a mover at random."""
    if name == PLAIN:
        return (choose(position, chance),)
    if name == RANDOM:
        return random_turn(position, chance)
    # never stopped by the clock, so that the same seed plays the same games however busy the machine is
    budget = replace(STRENGTHS[name].budget, seconds=UNBOUNDED_SECONDS)
    return think(position, STRENGTHS[name], chance, budget).choices


def random_turn(position: Position, chance: random.Random) -> Sequence[Choice]:
    """Return choices to the end of a turn, each one of all that are legal there, all equally likely."""
    made: list[Choice] = []
    player = position.awaits.player
    while position.outcome is None and position.awaits.kind == "choice" and position.awaits.player == player:
        made.append(chance.choice(list(position.legal())))
        position = position.after(made[-1])
    return made


@dataclass(frozen=True)
class Played:
    """A game as people meet them. ``won``: the first strength's share of it; ``seconds``: of each turn, by strength.

    ``seat``: where the first strength sat.
    """

    won: float
    seat: int
    capped: bool
    seconds: dict[str, list[float]]


@dataclass(frozen=True)
class OneByOne:
    """Plays games of one strength against another, for `companion.parallel`; the seats alternate."""

    slug: str
    one: str
    other: str
    seed: int
    cap: int
    options: tuple[tuple[str, OptionValue], ...] = ()

    def __call__(self, part: WorkPart) -> list[dict[str, Any]]:
        """Return each game as the fields of `Played`."""
        return [asdict(self._played(number)) for number in range(part.first, part.first + part.count)]

    def _played(self, number: int) -> Played:
        seconds: dict[str, list[float]] = {self.one: [], self.other: []}
        chance = random.Random(f"{self.seed} {self.slug} {number // 2}")
        position: Position = game(self.slug).start(2, **dict(self.options))
        seat, turns = number % 2 + 1, 0
        while position.outcome is None and turns < self.cap:
            waits = position.awaits
            if waits.kind != "choice":
                position = position.after(random_move(position, chance))
                continue
            name = self.one if waits.player == seat else self.other
            begun = time.process_time()
            choices = turn(name, position, chance)
            seconds[name].append(time.process_time() - begun)
            turns += 1
            for choice in choices:
                position = position.after(choice)
        outcome = position.outcome or position.standing()
        won = 0.5 if outcome.tie else float(seat in outcome.winners)
        return Played(won, seat, position.outcome is None, seconds)


def one_by_one(workers: Workers, task: OneByOne, count: int) -> dict[str, Any]:
    """Return the share that one strength wins against another, as people meet them, and the time for a turn."""
    parts = in_order(workers, task, parts_of(count, 1), lambda _: None)
    played = [Played(**game) for part in parts for game in part]
    won = sum(one.won for one in played)
    found, times = share(round(won), count), {}
    for name in (task.one, task.other):
        spent = [second for one in played for second in one.seconds[name]]
        times[name] = {
            "median_ms": round(1000 * statistics.median(spent)),
            "worst_ms": round(1000 * max(spent)),
            "n": len(spent),
        }
    figures = {"games": count, "share": round(won / count, 4), "low": found.low, "high": found.high}
    return figures | {
        "capped": sum(one.capped for one in played),
        "won_before": ended(played, task.one),
        "turns": times,
    }


def ended(played: Sequence[Played], name: str) -> dict[str, Any]:
    """Return how many games a strength won before the cap, in all and in each seat, and in how many of its turns."""
    found: dict[str, Any] = {}
    for seats in ((1, 2), (1,), (2,)):
        games = [one for one in played if one.seat in seats]
        wins = [len(one.seconds[name]) for one in games if one.won == 1 and not one.capped]
        part = share(len(wins), len(games))
        found["all" if len(seats) > 1 else f"player_{seats[0]}"] = {
            "won": len(wins),
            "games": len(games),
            "low": part.low,
            "high": part.high,
            "median_turns": statistics.median(wins) if wins else None,
            "most_turns": max(wins, default=None),
        }
    return found


def positions(count: int, seed: int) -> dict[str, Any]:
    """Return how many positions of random games have an illegal choice, or another choice at the second time."""
    slugs = [slug for slug in games() if games()[slug].program_plays and slug != "ludix"]
    illegal = different = passes = 0
    number = 0
    while passes < count:
        number += 1
        chance = random.Random(f"{seed} {number}")
        position: Position = game(slugs[number % len(slugs)]).start(2)
        for _ in range(chance.randrange(100)):
            if position.outcome is None:
                position = position.after(random_move(position, chance))
        if position.awaits.kind != "choice":
            continue
        passes += 1
        strength = list(STRENGTHS.values())[number % len(STRENGTHS)]
        found = [think(position, strength, random.Random(number), Budget(2, 4_000)).choices for _ in range(2)]
        different += found[0] != found[1]
        for choice in found[0]:
            illegal += choice not in position.legal()
            position = position.after(choice)
    return {"positions": passes, "illegal": illegal, "different": different}


def stopping(slugs: Sequence[str], seed: int) -> dict[str, float]:
    """Return the longest time in ms between the moment when a search is stopped and its answer, by game."""
    found = {}
    for slug in slugs:
        worst = 0.0
        for number in range(10):
            chance = random.Random(f"{seed} {slug} {number}")
            position: Position = game(slug).start(2)
            for _ in range(40):
                if position.outcome is None:
                    position = position.after(random_move(position, chance))
            if position.awaits.kind != "choice":
                continue
            end = time.monotonic() + 0.05 * chance.random()
            think(position, STRENGTHS["master"], chance, stopped=lambda end=end: time.monotonic() >= end)  # type: ignore[misc]
            worst = max(worst, time.monotonic() - end)
        found[slug] = round(1000 * worst, 1)
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="by default every tables variant, side by side")
    parser.add_argument("-n", type=int, default=400, help="games of each pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cap", type=int, default=300, help="turns after which a game counts by its standing")
    parser.add_argument("--one-by-one", action="store_true", help="as people meet them, with the second look")
    parser.add_argument(
        "--look-again",
        dest="second_pass",
        action="store_true",
        help="many games at once, with the second pass; much slower",
    )
    parser.add_argument("--option", action="append", default=[], help="name=value of the rules, one by one")
    parser.add_argument("--pairs", nargs="*", default=[f"{one}-{other}" for one, other in PAIRS])
    parser.add_argument("--positions", type=int, default=0, help="positions that are asked for illegal choices instead")
    parser.add_argument("--stopping", action="store_true", help="how soon a stopped search answers instead")
    parser.add_argument("--jobs", type=int, help="processes, one by one; by default one for each core")
    parser.add_argument("--state", type=Path, help="the file that keeps finished games, one by one")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed}
    options = tuple((name, option_value(value)) for name, _, value in (one.partition("=") for one in given.option))
    slugs = given.slugs or [s for s in games() if s.startswith("tables/") and games()[s].program_plays]
    if given.positions:
        figures |= positions(given.positions, given.seed)
    elif given.stopping:
        figures |= stopping(slugs, given.seed)
    else:
        with kept(Cores(given.jobs), given.state, *PROGRAM) as workers:
            for slug, pair in product(slugs, given.pairs):
                one, other = pair.split("-")
                figures.setdefault(slug, {})[pair] = (
                    one_by_one(workers, OneByOne(slug, one, other, given.seed, given.cap, options), given.n)
                    if given.one_by_one
                    else paired_games(slug, one, other, given.n, given.seed, second_pass=given.second_pass)
                )
                print(slug, pair, figures[slug][pair], file=sys.stderr, flush=True)
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    figures["memory_mb"] = most // 1024
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
