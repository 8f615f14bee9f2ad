"""Learn weights for the players of Rithmomachia: ``python -m workshop.players.rithmomachia --seed 1``.

In each round every weight is made larger and smaller, and each challenger plays pairs of games against the weights of
before. The better third plays on, over more pairs, until one is left. It takes their place if it also wins a match of
its own, by more than accident. A last match tells by how much the learnt weights are better than those by hand. The
file is written after each rule set; what was learnt with the same numbers is not learnt again. With ``--state FILE``
finished games are kept, and a work that was stopped goes on where it was.

Weights that were fitted to who won games of the program against itself lost: what goes with a win does not bring it
about. `Games` plays such games for `scales`, which asks how true the chances are.
"""

import argparse
import logging
import math
import random
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.odds.playouts import random_move
from companion.parallel.cores import Cores
from companion.parallel.parts import Workers, WorkPart, in_order, parts_of
from companion.players.player import Budget, Clock, Weighed
from companion.players.rithmomachia import evaluation
from companion.players.rithmomachia.evaluation import NAMES, Weights, by_hand, measures
from companion.players.rithmomachia.search import RithmoSearch, chance_of
from companion.players.strengths import SILLY_TEMPERATURES, picked
from companion.rules.registry import game
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import kind_of
from workshop.players import cards
from workshop.players.kept_pieces import COMPANION, kept
from workshop.players.learning import SURE, Rows

log = logging.getLogger(__name__)

FILE: Final = Path(evaluation.__file__).with_name("weights.toml")
HEAD: Final = """# What each measure of a position is worth where learnt weights win more than those by hand.
# Written by `python -m workshop.players.rithmomachia`. share: of the last match against the weights by
# hand; error: its standard error over pairs of games with the same opening; changed: the rounds that brought better
# weights.
"""
SLUGS: Final = ("rithmomachia/durnil-guardia", "rithmomachia/mebben", "rithmomachia/italian")

OPENING: Final = 8
"""Random turns with which each game begins."""

CAP: Final = 240
"""Turns after which a game counts by its standing."""

WARM: Final = 0.01
"""The temperature at which the program plays against itself. At five times as much few games of Mebben come to an end,
and the value of the men taken, by which the others count, does not tell who was nearer to a harmony."""

EVERY: Final = 3
"""Of so many turns, one shows its measures."""

STEP: Final = 2.5
"""By how many times a challenger's weight is larger, or smaller."""

LAST: Final = 8
"""How many times the pairs of a first match the last matches have."""

NUMBERS: Final = ("seed", "rounds", "pairs")

KEPT: Final = 3
"""Of so many challengers the best one plays on."""

LOOK: Final = Budget(depth=1, nodes=10**9, seconds=1e9)


@dataclass(frozen=True)
class Recipe:
    """How much is played: ``pairs`` of games in each challenger's first match."""

    seed: int
    rounds: int = 2
    pairs: int = 12


def opening(slug: str, chance: random.Random) -> RithmoPosition:
    """Return the position after some random turns."""
    position = game(slug).start(2)
    for _ in range(OPENING):
        if position.outcome is None:
            position = position.after(random_move(position, chance))
    assert isinstance(position, RithmoPosition), "the families' classes do not change"
    return position


def turn(position: RithmoPosition, weights: Weights, temperature: float, chance: random.Random) -> RithmoPosition:
    """Return the position after a turn chosen with these weights, by a look at the other side's captures.

    Turns that are too bad to be picked are not weighed to the end.
    """
    found = RithmoSearch(Clock(LOOK), LOOK.nodes, SILLY_TEMPERATURES * temperature, weights).weighed(
        position, LOOK.depth
    )
    weighed = [Weighed(choices, chance_of(score)) for (choices, _), score in found]
    for choice in picked(weighed, temperature, chance).choices:
        position = position.applied(choice)
    return position


def result(position: RithmoPosition) -> float:
    """Return what white has of a game, by its outcome or its standing: 1, 0 or one half."""
    outcome = position.outcome or position.standing()
    return 0.5 if outcome.tie else float(1 in outcome.winners)


def against_itself(slug: str, weights: Weights, chance: random.Random) -> Iterator[tuple[Rows, float]]:
    """Yield white's measures less black's at some positions of a game, each with what white had in the end."""
    position, seen = opening(slug, chance), []
    for number in range(CAP):
        if position.outcome is not None:
            break
        if number % EVERY == 0:
            white, black = measures(position)
            seen.append(np.array(white, np.float64) - np.array(black, np.float64))
        position = turn(position, weights, WARM, chance)
    won = result(position)
    return ((row, won) for row in seen)


def pair(slug: str, one: Weights, other: Weights, seed: str) -> float:
    """Return the share that the first weights win of two games from one opening, once as white and once as black."""
    share = 0.0
    for seat, (white, black) in enumerate(((one, other), (other, one))):
        chance = random.Random(seed)  # noqa: S311 -- not for cryptography
        position = opening(slug, chance)
        for _ in range(CAP):
            if position.outcome is not None:
                break
            position = turn(position, white if position.turn == 1 else black, 0.0, chance)
        share += 1 - result(position) if seat else result(position)
    return share / 2


@dataclass(frozen=True)
class Games:
    """Plays a part of many games against itself, for `companion.parallel`: one by one, to be distinguished."""

    slug: str
    weights: Weights
    seed: str

    def __call__(self, part: WorkPart) -> list[tuple[Rows, float]]:
        """Return measures and what white won."""
        numbers = range(part.first, part.first + part.count)
        chances = (random.Random(f"{self.seed} {number}") for number in numbers)  # noqa: S311 -- not for cryptography
        return [row for chance in chances for row in against_itself(self.slug, self.weights, chance)]


@dataclass(frozen=True)
class Match:
    """Plays a part of many pairs of games between two weights, for `companion.parallel`."""

    slug: str
    one: Weights
    other: Weights
    seed: str

    def __call__(self, part: WorkPart) -> list[float]:
        """Return the share of each pair."""
        numbers = range(part.first, part.first + part.count)
        return [pair(self.slug, self.one, self.other, f"{self.seed} {number}") for number in numbers]


def games_of(workers: Workers, task: Games, count: int) -> list[list[tuple[Rows, float]]]:
    """Return what each of so many games against itself has shown, and what white won."""
    return in_order(workers, task, parts_of(count, 1), lambda _: None)


def match(workers: Workers, task: Match, pairs: int) -> tuple[float, float]:
    """Return the share that the first weights win, and its standard error."""
    won = np.concatenate(in_order(workers, task, parts_of(pairs, 1), lambda _: None))
    return float(won.mean()), float(won.std(ddof=1) / math.sqrt(pairs))


def learn(workers: Workers, slug: str, recipe: Recipe) -> Mapping[str, Any]:
    """Return what the file says of a rule set; without weights where those by hand are kept."""
    hand: Weights = tuple(by_hand(slug).values())
    champion, changed, last = hand, 0, LAST * recipe.pairs
    for number in range(recipe.rounds):
        seed = f"{recipe.seed} {slug} {number}"
        best = best_of(workers, slug, challengers(slug, champion), champion, recipe.pairs, seed)
        share, error = match(workers, Match(slug, best, champion, f"{seed} alone"), last)
        log.info("%s, round %d: %.3f ± %.3f, %s", slug, number, share, error, _named(best))
        if share - SURE * error > 0.5:
            champion, changed = best, changed + 1
    share, error = (0.5, 0.0)
    if changed:
        share, error = match(workers, Match(slug, champion, hand, f"{recipe.seed} {slug} last"), last)
    entry = {name: getattr(recipe, name) for name in NUMBERS}
    entry |= {"changed": changed, "share": round(share, 4), "error": round(error, 4)}
    return entry | {"weights": _named(champion)} if share - SURE * error > 0.5 else entry


def challengers(slug: str, champion: Weights) -> list[Weights]:
    """Return the champion with one weight larger or smaller, for each that counts under a rule set."""
    counts = [
        weight != 0 and (name != "king" or _has_kings(slug)) for name, weight in zip(NAMES, champion, strict=True)
    ]
    return [
        (*champion[:place], champion[place] * times, *champion[place + 1 :])
        for place in np.flatnonzero(counts).tolist()
        for times in (STEP, 1 / STEP)
    ]


def _has_kings(slug: str) -> bool:
    position = game(slug).start(2)
    assert isinstance(position, RithmoPosition), "the families' classes do not change"
    return position.rules.has_kings


def best_of(  # noqa: PLR0917 -- as `learn` names them
    workers: Workers, slug: str, left: Sequence[Weights], champion: Weights, pairs: int, seed: str
) -> Weights:
    """Return the challenger that wins most, by matches of more and more pairs between fewer and fewer of them."""
    while len(left) > 1:
        matches = [match(workers, Match(slug, one, champion, f"{seed} {pairs}"), pairs) for one in left]
        order = sorted(range(len(left)), key=lambda place: -matches[place][0])
        for place in order:
            log.info("%.3f ± %.3f over %d pairs: %s", *matches[place], pairs, _named(left[place]))
        left = [left[place] for place in order[: max(1, len(left) // KEPT)]]
        pairs *= 2
    return left[0]


def keeping(workers: Workers, state: Path | None) -> Workers:
    """Return workers that keep finished games of Rithmomachia in a file, if one is given."""
    folders = (COMPANION / "players" / "rithmomachia", COMPANION / "rules" / "rithmomachia")
    alone = (Path(__file__), COMPANION / "players" / "strengths.py", COMPANION / "odds" / "playouts.py")
    return kept(workers, state, *alone, *folders)


def _named(weights: Weights) -> dict[str, float]:
    return {name: round(one, 4) for name, one in zip(NAMES, weights, strict=True)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn the rule sets that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="by default all three")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=Recipe.rounds)
    parser.add_argument("--pairs", type=int, default=Recipe.pairs, help="of games, in each challenger's first match")
    parser.add_argument("--jobs", type=int, help="processes; by default one for each core")
    parser.add_argument("--state", type=Path, help="the file that keeps finished games")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    recipe = Recipe(given.seed, given.rounds, given.pairs)
    known: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    wanted = {name: getattr(recipe, name) for name in NUMBERS}
    with keeping(Cores(given.jobs), given.state) as workers:
        for slug in given.slugs or SLUGS:
            kind = kind_of(slug)
            if all(known.get(kind, {}).get(name) == one for name, one in wanted.items()):
                continue
            known[kind] = learn(workers, slug, recipe)
            cards.write(FILE, HEAD, known)
            log.info("%s: %s", slug, known[kind])
    return 0


if __name__ == "__main__":
    sys.exit(main())
