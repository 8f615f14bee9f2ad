"""The master against Monte Carlo search with uniformly random games: ``python -m bench.games.monte_carlo tables/zeno``.

``flat`` plays random games from every turn that is possible, and ever more of them from the better ones; a tables game
plays thousands of them at once. ``tree`` (UCT) works through positions, one random game at a time, and grows a
tree of choices; its random games stop after `SHORT` moves and count by `Position.standing`. For each of its turns the
search has ``--seconds`` of processor time, for each choice where it works through positions, which is more than the
master takes.
"""

import argparse
import json
import math
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bench.games.tables_contest import second_pass_players
from companion.odds.intervals import share
from companion.odds.playouts import random_move
from companion.odds.tables.games import CAPPED, RUNNING, TIE, RunningGames
from companion.odds.tables.layout import laid_out
from companion.odds.tables.steps import Places
from companion.players.strengths import STRENGTHS
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, judge_of
from companion.players.tables.search import Leaves, TablesSearch
from companion.players.thinking import think
from companion.rules.game import Choice, Position
from companion.rules.registry import game
from companion.rules.results import Outcome
from workshop.players.vectorised import Pick, paired

AT_ONCE: Final = 512
"""Random games of tables that run at once."""

LONG: Final = 2_000
"""Throws and choices after which a random game of tables counts as a tie."""

SHORT: Final = 60
"""Moves after which a random game through positions counts by its standing."""

CURIOUS: Final = 0.7
"""How much the tree prefers choices that it has seldom tried."""

HALF: Final = 2


@dataclass
class Spent:
    """Processor time of each turn, and the random games that were played for it."""

    seconds: list[float] = field(default_factory=list)
    games: list[int] = field(default_factory=list)

    def to_json(self) -> dict[str, float]:
        """Return means."""
        return {
            "turns": len(self.seconds),
            "seconds_a_turn": round(float(np.mean(self.seconds)), 3),
            **({"random_games_a_turn": round(float(np.mean(self.games)))} if self.games else {}),
        }


def random_ends(search: TablesSearch, boards: Boards, seed: int) -> npt.NDArray[np.float64]:
    """Return what the own side of each board, which is to throw, wins of one random game from there."""
    games = RunningGames(search.layout, seed, LONG, np.arange(len(boards)))
    games.men, games.hit, games.block, games.blots = boards.men, boards.hit, boards.block, boards.blots
    games.side, games.turn, games.thrower = (boards.side.astype(np.int8) for _ in range(3))
    won = np.zeros(len(boards))
    while games.game.size:
        games.throw()
        games.turn_to_six()
        games.move(games.found())
        over = games.state != RUNNING
        if over.any():
            state, number = games.state[over], games.game[over]
            even = (state == TIE) | (state == CAPPED)
            won[number] = np.where(even, 0.5, state - 1 == boards.side[number])
            games.keep(np.flatnonzero(~over))
    return won


class Flat:
    """The flat search of tables: half of the turns are dropped again and again, by their random games."""

    def __init__(self, search: TablesSearch, seconds: float, seed: int) -> None:
        self._search, self._seconds, self._seed = search, seconds, seed
        self.spent = Spent()

    def __call__(self, before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.float64]:
        """Return how gladly each leaf is chosen (`Pick`)."""
        again = self._search.layout.pools.again[before.pool[owner]]
        glad = np.where(leaves.over & (leaves.chance > 0), 2.0, 0.0)
        for board in range(len(before)):
            here = np.flatnonzero(owner == board)
            if len(here) > 1 and not (glad[here] > 1).any():
                self._weigh(leaves, here, again, glad)
        return glad

    def _weigh(self, leaves: Leaves, here: Places, again: npt.NDArray[np.bool_], glad: npt.NDArray[np.float64]) -> None:
        begun = time.process_time()
        alive = here[~leaves.over[here]]
        sums, counts = np.zeros(len(glad)), np.zeros(len(glad), np.int64)
        stages = max(1, math.ceil(math.log2(max(2, len(alive)))))
        for stage in range(1, stages + 1):
            while time.process_time() - begun < self._seconds * stage / stages:
                some = np.repeat(alive, math.ceil(AT_ONCE / len(alive)))
                sums += np.bincount(some, self._won(leaves.boards.take(some), again[some]), len(glad))
                counts += np.bincount(some, minlength=len(glad))
            mean = sums[alive] / counts[alive]
            glad[alive] = mean * stage / stages
            alive = alive[np.argsort(-mean, kind="stable")[: max(2, len(alive) // HALF)]]
        self.spent.seconds.append(time.process_time() - begun)
        self.spent.games.append(int(counts.sum()))

    def _won(self, boards: Boards, again: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Return what the side that has played wins of one random game from each board."""
        self._seed += 1
        nothing = np.zeros_like(boards.pool)
        over = self._search.turning.handed_over(boards, nothing)
        stays = np.flatnonzero(again)
        if stays.size:
            own = boards.take(stays)
            own.pool = nothing[stays]
            order = np.argsort(np.concatenate([np.flatnonzero(~again), stays]), kind="stable")
            over = Boards.joined([over.take(~again), own]).take(order)
        won = random_ends(self._search, over, self._seed)
        return np.where(again, won, 1 - won)


@dataclass
class Node:
    """A position of the tree for the player to act: what was tried from it, and what that player won of it."""

    untried: list[Choice]
    tried: dict[Choice, "Node"] = field(default_factory=dict)
    visits: int = 0
    won: float = 0.0
    player: int = 0


def of_player(outcome: Outcome, player: int) -> float:
    """Return what a player has of an outcome of two: 1, 0 or one half."""
    return 0.5 if outcome.tie else float(player in outcome.winners)


class Tree:
    """UCT through positions; ``deep`` off leaves a flat search by upper bounds."""

    def __init__(self, seconds: float, chance: random.Random, *, deep: bool) -> None:
        self._seconds, self._chance, self._deep = seconds, chance, deep
        self.spent = Spent()

    def choose(self, position: Position) -> Choice:
        """Return the choice that was tried most often within the time."""
        begun, games = time.process_time(), 0
        root = self._node(position)
        if len(root.untried) == 1:
            return root.untried[0]
        while time.process_time() - begun < self._seconds:
            self._one(root, position)
            games += 1
        self.spent.seconds.append(time.process_time() - begun)
        self.spent.games.append(games)
        return max(root.tried, key=lambda choice: root.tried[choice].visits)

    def _node(self, position: Position) -> Node:
        if position.outcome is not None or position.awaits.kind != "choice":
            return Node([])
        choices = list(position.legal())
        self._chance.shuffle(choices)
        return Node(choices)

    def _one(self, root: Node, position: Position) -> None:
        node, path = root, [root]
        while position.outcome is None and position.awaits.kind == "choice" and (node.untried or node.tried):
            player = position.awaits.player or 0
            fresh = bool(node.untried)
            choice = node.untried.pop() if fresh else self._promising(node)
            position = position.after(choice)
            if fresh:
                node.tried[choice] = self._node(position)
                node.tried[choice].player = player
            node = node.tried[choice]
            path.append(node)
            if fresh or not self._deep:
                break
        for _ in range(SHORT):
            if position.outcome is not None:
                break
            position = position.after(random_move(position, self._chance))
        outcome = position.outcome or position.standing()
        for one in path:
            one.visits += 1
            one.won += of_player(outcome, one.player)

    @staticmethod
    def _promising(node: Node) -> Choice:
        seen = math.log(node.visits + 1)
        return max(
            node.tried,
            key=lambda choice: (
                node.tried[choice].won / node.tried[choice].visits
                + CURIOUS * math.sqrt(seen / node.tried[choice].visits)
            ),
        )


def timed(pick: Pick, spent: Spent) -> Pick:
    """Return the same way to pick, which notes its processor time for each turn."""

    def picked(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        begun = time.process_time()
        found = pick(before, leaves, owner)
        spent.seconds += [(time.process_time() - begun) / len(before)] * len(before)
        return found

    return picked


def tables(slug: str, count: int, seed: int, seconds: float) -> dict[str, Any]:
    """Return what the master wins of pairs of games with the same dice against the flat search."""
    layout = replace(laid_out(slug, 2, {}), slaps=False)
    search = TablesSearch(layout, Evaluation(layout, judge_of(slug)))
    flat, spent = Flat(search, seconds, 1000 * seed), Spent()
    won = paired(layout, (search, search), (timed(second_pass_players(search), spent), flat), count // 2, seed) / 2
    half = 1.96 * float(np.std(won, ddof=1)) / math.sqrt(len(won))
    mean = float(won.mean())
    return {
        "games": 2 * len(won),
        "share": round(mean, 4),
        "low": round(mean - half, 4),
        "high": round(mean + half, 4),
        "master": spent.to_json(),
        "search": flat.spent.to_json(),
    }


def through_positions(slug: str, count: int, seed: int, seconds: float, cap: int, *, deep: bool) -> dict[str, Any]:
    """Return what the master wins against a search through positions, the seats alternating."""
    won, capped, spent = 0.0, 0, Spent()
    tree = Tree(seconds, random.Random(seed), deep=deep)
    for number in range(count):
        chance = random.Random(f"{seed} {slug} {number // 2}")
        position, seat, choices = game(slug).start(2), number % 2 + 1, 0
        while position.outcome is None and choices < cap:
            waits = position.awaits
            if waits.kind != "choice":
                position = position.after(random_move(position, chance))
                continue
            choices += 1
            turn: Sequence[Choice]
            if waits.player == seat:
                begun = time.process_time()
                turn = think(position, STRENGTHS["master"], chance).choices
                spent.seconds.append(time.process_time() - begun)
            else:
                turn = (tree.choose(position),)
            for choice in turn:
                position = position.after(choice)
        capped += position.outcome is None
        won += of_player(position.outcome or position.standing(), seat)
    found = share(round(won), count)
    return {
        "games": count,
        "share": round(won / count, 4),
        "low": found.low,
        "high": found.high,
        "by_standing": capped,
        "master": spent.to_json(),
        "search": tree.spent.to_json(),
    }


def main() -> None:
    """Measure the named games and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+")
    parser.add_argument("-n", type=int, default=40, help="games each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of the search for a turn")
    parser.add_argument("--way", choices=("flat", "tree"), default="flat")
    parser.add_argument("--cap", type=int, default=300, help="turns and choices after which the standing counts")
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed, "seconds": given.seconds, "way": given.way}
    for slug in given.slugs:
        if given.way == "flat" and slug.startswith("tables/"):
            figures[slug] = tables(slug, given.n, given.seed, given.seconds)
        else:
            deep = given.way == "tree"
            figures[slug] = through_positions(slug, given.n, given.seed, given.seconds, given.cap, deep=deep)
        print(json.dumps({slug: figures[slug]}), flush=True)
    figures["load"] = round(os.getloadavg()[0], 2)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
